#pragma once

#include <chrono>
#include <cstdint>

namespace outrider {

struct BackoffOptions {
  std::chrono::milliseconds base{1000};
  std::chrono::milliseconds max{300'000};
  bool exponential = true;  // false: every delay is drawn from [base/2, base]
};

// The pause before the next attempt, after `failed_attempts` failures (1 or more): uniform in
// [d/2, d] with d = min(base * 2^(failed_attempts-1), max). `entropy` is 64 uniform random bits, a
// parameter so that the function is pure.
std::chrono::milliseconds backoff_delay(const BackoffOptions& options,
                                        std::uint32_t failed_attempts, std::uint64_t entropy);

}  // namespace outrider
