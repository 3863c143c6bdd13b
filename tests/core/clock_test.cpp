#include "core/clock.hpp"

#include <gtest/gtest.h>

namespace outrider {
namespace {

using namespace std::chrono_literals;

TEST(SystemClock, FollowsTheClocksOfTheSystem) {
  const SystemClock clock;
  const auto wall = std::chrono::system_clock::now();
  const auto tick = std::chrono::steady_clock::now();
  EXPECT_GE(clock.tick(), tick);
  EXPECT_LT(std::chrono::abs(clock.now() - wall), 1min);
}

TEST(ManualClock, StandsStillUntilAdvanced) {
  const Clock::Time start{1'700'000'000s};
  ManualClock clock(start);
  const auto tick = clock.tick();
  EXPECT_EQ(clock.now(), start);
  clock.advance(1500ms);
  EXPECT_EQ(clock.now(), start + 1500ms);
  EXPECT_EQ(clock.tick(), tick + 1500ms);
}

TEST(ManualClock, JumpsOnTheWallOnly) {
  ManualClock clock(Clock::Time{1h});
  const auto tick = clock.tick();
  clock.jump(-30min);
  EXPECT_EQ(clock.now(), Clock::Time{30min});
  EXPECT_EQ(clock.tick(), tick);
}

TEST(ManualClockDeathTest, RefusesToAdvanceBackwards) {
  ManualClock clock;
  EXPECT_DEATH(clock.advance(-1ns), "broken invariant");
}

}  // namespace
}  // namespace outrider
