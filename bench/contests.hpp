#pragma once

#include <functional>

#include <outrider/message.hpp>

#include "contest.hpp"

namespace outrider::bench {

// 200 bytes of JSON.
Message sample_message();

// Hold the contests of one store and report each when it is over. `percent` shortens the
// repetitions, for a run that only shows that everything works.
void hold_postgres_contests(int repetitions, int percent,
                            const std::function<void(const Contest&)>& report);
void hold_sqlite_contests(int repetitions, int percent,
                          const std::function<void(const Contest&)>& report);

}  // namespace outrider::bench
