#include "store/value.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace outrider {

std::string to_rfc3339(StoreTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto micros = (time - seconds).count();
  return fmt::format("{:%FT%T}.{:06}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     micros);
}

}  // namespace outrider
