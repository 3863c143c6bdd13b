#include "core/units.hpp"

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <optional>

#include <outrider/error.hpp>

#include "core/text.hpp"

namespace outrider {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::array<Unit, 5> duration_units{{
    {"d", 86'400'000},
    {"h", 3'600'000},
    {"m", 60'000},
    {"s", 1000},
    {"ms", 1},
}};

constexpr std::array<Unit, 7> size_units{{
    {"B", 1},
    {"kB", 1000},
    {"MB", 1'000'000},
    {"GB", 1'000'000'000},
    {"KiB", std::uint64_t{1} << 10},
    {"MiB", std::uint64_t{1} << 20},
    {"GiB", std::uint64_t{1} << 30},
}};

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw Error(Errc::invalid_argument, fmt::format("\"{}\" is {}", sanitise(text, 64), why));
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes the digits off the front. Every unit is worth at least one, so a number above the limit is
// too much already; stopping there keeps the arithmetic within 64 bits. nullopt without a digit.
std::optional<std::uint64_t> take_number(std::string_view& rest, std::uint64_t limit) {
  if (rest.empty() || !is_digit(rest.front())) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  while (!rest.empty() && is_digit(rest.front())) {
    number = number * 10 + static_cast<std::uint64_t>(rest.front() - '0');
    if (number > limit) {
      number = limit + 1;
    }
    rest.remove_prefix(1);
  }
  return number;
}

std::string_view take_unit(std::string_view& rest) {
  std::size_t length = 0;
  while (length < rest.size() && !is_digit(rest[length])) {
    ++length;
  }
  const std::string_view unit = rest.substr(0, length);
  rest.remove_prefix(length);
  return unit;
}

}  // namespace

std::chrono::milliseconds parse_duration(std::string_view text) {
  constexpr auto limit = static_cast<std::uint64_t>(duration_max.count());
  constexpr std::string_view malformed =
      "not a duration; write for example \"250ms\", \"30s\", \"5m\" or \"1h30m\"";

  std::uint64_t total = 0;
  std::size_t next_unit = 0;
  std::string_view rest = text;
  do {
    const std::optional<std::uint64_t> number = take_number(rest, limit);
    const std::string_view name = take_unit(rest);
    while (next_unit < duration_units.size() && duration_units[next_unit].name != name) {
      ++next_unit;
    }
    if (!number || next_unit == duration_units.size()) {
      refuse(text, malformed);
    }
    const std::uint64_t factor = duration_units[next_unit].factor;
    ++next_unit;
    if (*number > (limit - total) / factor) {
      refuse(text, "too long a duration; the longest is \"36525d\"");
    }
    total += *number * factor;
  } while (!rest.empty());
  return std::chrono::milliseconds{total};
}

std::uint64_t parse_size(std::string_view text) {
  constexpr std::string_view malformed =
      "not a size; write bytes, or a unit such as \"256KiB\", \"4MiB\" or \"10MB\"";

  std::string_view rest = text;
  const std::optional<std::uint64_t> number = take_number(rest, size_max);
  if (!number) {
    refuse(text, malformed);
  }
  std::uint64_t factor = rest.empty() ? 1 : 0;
  for (const Unit& unit : size_units) {
    if (unit.name == rest) {
      factor = unit.factor;
    }
  }
  if (factor == 0) {
    refuse(text, malformed);
  }
  if (*number > size_max / factor) {
    refuse(text, "too large a size; the largest is \"1024GiB\"");
  }
  return *number * factor;
}

std::string format_size(std::uint64_t bytes) {
  if (bytes != 0) {
    for (std::size_t i = size_units.size(); i-- > 4;) {
      if (bytes % size_units[i].factor == 0) {
        return fmt::format("{}{}", bytes / size_units[i].factor, size_units[i].name);
      }
    }
  }
  return fmt::format("{}", bytes);
}

}  // namespace outrider
