#include "store/value.hpp"

#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace outrider {

std::string to_rfc3339(StoreTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto micros = (time - seconds).count();
  // Not system_clock::to_time_t, whose nanoseconds end in the year 2262; a database's do not.
  const auto count = static_cast<std::time_t>(seconds.time_since_epoch().count());
  return fmt::format("{:%FT%T}.{:06}Z", fmt::gmtime(count), micros);
}

}  // namespace outrider
