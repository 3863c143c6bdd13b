#include "core/clock.hpp"

#include "core/assert.hpp"

namespace outrider {

Clock::Time SystemClock::now() const {
  return std::chrono::system_clock::now();
}

Clock::Tick SystemClock::tick() const {
  return std::chrono::steady_clock::now();
}

Clock::Time ManualClock::now() const {
  const std::lock_guard lock(mutex_);
  return now_;
}

Clock::Tick ManualClock::tick() const {
  const std::lock_guard lock(mutex_);
  return tick_;
}

void ManualClock::advance(std::chrono::nanoseconds by) {
  OUTRIDER_ASSERT(by.count() >= 0);  // a monotonic clock that goes back proves nothing
  const std::lock_guard lock(mutex_);
  now_ += std::chrono::duration_cast<Time::duration>(by);
  tick_ += std::chrono::duration_cast<Tick::duration>(by);
}

void ManualClock::jump(std::chrono::nanoseconds by) {
  const std::lock_guard lock(mutex_);
  now_ += std::chrono::duration_cast<Time::duration>(by);
}

}  // namespace outrider
