#pragma once

#include <chrono>
#include <mutex>

namespace outrider {

// Time as the program sees it. Leases and retries are judged by the database's clock, never by this
// one; it paces polling, measures durations and stamps logs. Safe to use from any thread.
class Clock {
 public:
  using Time = std::chrono::system_clock::time_point;
  using Tick = std::chrono::steady_clock::time_point;

  virtual ~Clock() = default;
  virtual Time now() const = 0;   // wall clock, may jump
  virtual Tick tick() const = 0;  // monotonic
};

class SystemClock final : public Clock {
 public:
  Time now() const override;
  Tick tick() const override;
};

// A clock that moves only when told to, for tests and the simulator.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Time start = {}) : now_(start) {}
  Time now() const override;
  Tick tick() const override;

  // Moves both clocks forward.
  void advance(std::chrono::nanoseconds by);
  // Moves the wall clock alone, in either direction.
  void jump(std::chrono::nanoseconds by);

 private:
  mutable std::mutex mutex_;
  Time now_;
  Tick tick_{};
};

}  // namespace outrider
