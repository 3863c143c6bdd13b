#include "core/json_number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>

#include "core/assert.hpp"

namespace outrider {

namespace {

// Whether a number that no double holds is too large rather than too small. from_chars reports both
// alike. Only the sign of the decimal magnitude matters: what is out of range is far from 1.
bool is_large(std::string_view number) {
  number.remove_prefix(number.starts_with('-') ? 1 : 0);
  const std::size_t mark = std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, mark);

  std::int64_t exponent = 0;
  if (mark != number.size()) {
    std::string_view digits = number.substr(mark + 1);
    const bool is_negative = digits.starts_with('-');
    digits.remove_prefix(digits.starts_with('-') || digits.starts_with('+') ? 1 : 0);
    // An exponent that does not fit outweighs any number of digits in the mantissa.
    constexpr std::int64_t beyond = std::int64_t{1} << 60;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    exponent = error == std::errc{} ? std::min(exponent, beyond) : beyond;
    exponent = is_negative ? -exponent : exponent;
  }

  const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  const auto first = static_cast<std::int64_t>(mantissa.find_first_of("123456789"));
  return point - first + exponent > 0;
}

struct Decimal {
  std::string_view digits;  // without a point
  int point;                // where the point stands, counted from the first digit
};

// The shortest decimal that reads back as the number, which is positive. `room` keeps the digits.
Decimal shortest(double number, std::array<char, 32>& room) {
  const auto [end, error] =
      std::to_chars(room.data(), room.data() + room.size(), number, std::chars_format::scientific);
  OUTRIDER_ASSERT(error == std::errc{});
  const std::string_view text(room.data(), static_cast<std::size_t>(end - room.data()));

  const std::size_t mark = text.find('e');
  const std::size_t sign = text[mark + 1] == '+' ? 1 : 0;
  int exponent = 0;
  std::from_chars(text.data() + mark + 1 + sign, end, exponent);

  std::size_t count = mark;
  if (mark > 1) {  // "d.ddd": close the gap that the point leaves
    std::copy(room.begin() + 2, room.begin() + static_cast<std::ptrdiff_t>(mark), room.begin() + 1);
    count = mark - 1;
  }
  return {{room.data(), count}, exponent + 1};
}

}  // namespace

std::optional<double> parse_json_number(std::string_view number) {
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  OUTRIDER_ASSERT(error != std::errc::invalid_argument && end == number.data() + number.size());
  if (error == std::errc::result_out_of_range) {
    return is_large(number) ? std::nullopt : std::optional(0.0);
  }
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void append_json_number(std::string& json, double number) {
  OUTRIDER_ASSERT(std::isfinite(number));
  if (number == 0) {
    json += '0';
    return;
  }
  if (number < 0) {
    json += '-';
  }
  std::array<char, 32> room;
  const auto [digits, point] = shortest(std::abs(number), room);
  const int count = static_cast<int>(digits.size());
  const auto whole = static_cast<std::size_t>(std::clamp(point, 0, count));

  if (point > 21 || point <= -6) {
    json += digits[0];
    if (count > 1) {
      json += '.';
      json += digits.substr(1);
    }
    fmt::format_to(std::back_inserter(json), "e{:+}", point - 1);
  } else if (point >= count) {
    json += digits;
    json.append(static_cast<std::size_t>(point - count), '0');
  } else if (point > 0) {
    json += digits.substr(0, whole);
    json += '.';
    json += digits.substr(whole);
  } else {
    json += "0.";
    json.append(static_cast<std::size_t>(-point), '0');
    json += digits;
  }
}

}  // namespace outrider
