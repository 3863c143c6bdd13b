#include "core/backoff.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>

namespace outrider {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

struct Envelope {
  std::chrono::milliseconds least;
  std::chrono::milliseconds longest;
};

// The extremes over entropy: the remainder by (d/2 + 1) takes its ends at 0 and at d/2.
Envelope envelope(const BackoffOptions& options, std::uint32_t attempt) {
  const auto least = backoff_delay(options, attempt, 0);
  const auto span = static_cast<std::uint64_t>(least.count());
  auto longest = least;
  for (const std::uint64_t entropy : {span - 1, span, span + 1, most}) {
    longest = std::max(longest, backoff_delay(options, attempt, entropy));
  }
  return {least, longest};
}

void expect_envelope(std::uint32_t attempt, std::chrono::milliseconds least,
                     std::chrono::milliseconds longest) {
  const auto seen = envelope({.base = 1s, .max = 300s}, attempt);
  EXPECT_EQ(seen.least, least) << attempt;
  EXPECT_EQ(seen.longest, longest) << attempt;
}

TEST(Backoff, StaysInTheEnvelopesOfCaseE) {
  expect_envelope(1, 500ms, 1s);
  expect_envelope(2, 1s, 2s);
  expect_envelope(9, 128s, 256s);
  expect_envelope(10, 150s, 300s);
}

TEST(Backoff, DoesNotOverflowAtHighAttempts) {
  for (const std::uint32_t attempt : {60U, 63U, 64U, 65U, 1000U, UINT32_MAX}) {
    expect_envelope(attempt, 150s, 300s);
  }
}

TEST(Backoff, DrawsFromTheBaseWhenNotExponential) {
  const BackoffOptions constant{.base = 10s, .max = 300s, .exponential = false};
  for (const std::uint32_t attempt : {1U, 7U, UINT32_MAX}) {
    EXPECT_EQ(envelope(constant, attempt).least, 5s);
    EXPECT_EQ(envelope(constant, attempt).longest, 10s);
  }
}

TEST(Backoff, IsCappedWhenTheBaseExceedsTheMaximum) {
  EXPECT_EQ(envelope({.base = 10s, .max = 4s}, 1).longest, 4s);
}

TEST(Backoff, IsZeroForAZeroBase) {
  EXPECT_EQ(backoff_delay({.base = 0ms, .max = 300s}, 40, most), 0ms);
}

TEST(BackoffDeathTest, RefusesAttemptZero) {
  EXPECT_DEATH(backoff_delay({}, 0, 0), "failed_attempts >= 1");
}

RC_GTEST_PROP(Backoff, StaysWithinHalfAndWholeOfTheCappedDoubling,
              (std::uint32_t attempt, std::uint64_t entropy)) {
  const auto base = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000);
  const auto max = *rc::gen::inRange<std::int64_t>(1, std::numeric_limits<std::int64_t>::max());
  RC_PRE(attempt >= 1U);
  std::int64_t whole = std::min(base, max);
  for (std::uint32_t n = 1; n < attempt && whole < max; ++n) {
    whole = whole > max / 2 ? max : whole * 2;
  }
  const BackoffOptions options{.base = std::chrono::milliseconds{base},
                               .max = std::chrono::milliseconds{max}};
  const auto delay = backoff_delay(options, attempt, entropy).count();
  RC_ASSERT(delay <= whole);
  RC_ASSERT(delay >= whole / 2 + whole % 2);
}

}  // namespace
}  // namespace outrider
