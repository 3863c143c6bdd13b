#include "core/backoff.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace outrider {

namespace {

// base * 2^doublings, or max where that is less. Compares before it shifts: base << doublings is at
// most max exactly when base is at most max >> doublings, and the right side cannot overflow.
std::int64_t grown(std::int64_t base, std::int64_t max, std::uint32_t doublings) {
  const std::uint32_t shift = std::min(doublings, 62U);
  return base <= (max >> shift) ? base << shift : max;
}

}  // namespace

std::chrono::milliseconds backoff_delay(const BackoffOptions& options,
                                        std::uint32_t failed_attempts, std::uint64_t entropy) {
  OUTRIDER_ASSERT(failed_attempts >= 1);
  OUTRIDER_ASSERT(options.base.count() >= 0 && options.max.count() >= 0);

  const std::int64_t longest =
      options.exponential ? grown(options.base.count(), options.max.count(), failed_attempts - 1)
                          : options.base.count();
  // The lower half is rounded up, so an odd number of milliseconds stays within [d/2, d]. The bias
  // of the remainder is below 2^-20 for any delay shorter than 500 years.
  const std::int64_t half = longest / 2;
  const std::uint64_t jitter = entropy % (static_cast<std::uint64_t>(half) + 1);
  return std::chrono::milliseconds{longest - half + static_cast<std::int64_t>(jitter)};
}

}  // namespace outrider
