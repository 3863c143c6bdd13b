// How a set of positions is written: as int8multirange for PostgreSQL, as JSON for SQLite. Both
// readers accept only what the writers (or the server) print, so a stored set that was tampered
// with is refused instead of being read as something else.
#include <charconv>
#include <fmt/format.h>
#include <limits>

#include <outrider/error.hpp>

#include "core/position_set.hpp"

namespace outrider {

namespace {

constexpr Position lowest = std::numeric_limits<Position>::min();
constexpr Position highest = std::numeric_limits<Position>::max();

class Reader {
 public:
  Reader(std::string_view text, std::string_view form) : text_(text), form_(form) {}

  bool skip(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) {
      return false;
    }
    at_ += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!skip(token)) {
      fail();
    }
  }

  Position position() {
    const std::string_view rest = text_.substr(at_);
    const std::string_view digits = rest.substr(rest.starts_with('-') ? 1 : 0);
    const bool is_zero = digits.starts_with('0');
    Position value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    const auto size = static_cast<std::size_t>(end - rest.data());
    if (error != std::errc{} || (is_zero && size != 1)) {
      fail();
    }
    at_ += size;
    return value;
  }

  void expect_end() {
    if (at_ != text_.size()) {
      fail();
    }
  }

  // Sets are stored sorted, without overlap and without touching runs.
  void add(PositionSet& set, Position first, Position last) {
    const auto max = set.max();
    if (first > last || (max && (first == lowest || *max >= first - 1))) {
      fail();
    }
    set.add(first, last);
  }

  [[noreturn]] void fail() const {
    throw Error(Errc::invalid_argument,
                fmt::format("cannot read a set of positions: not a {} at byte {}", form_, at_));
  }

 private:
  std::string_view text_;
  std::string_view form_;
  std::size_t at_ = 0;
};

}  // namespace

std::string PositionSet::to_multirange() const {
  std::string text = "{";
  for (const auto& [first, last] : intervals_) {
    if (text.size() > 1) {
      text += ',';
    }
    // The upper bound is exclusive, and the server refuses one beyond the largest bigint.
    if (last == highest) {
      fmt::format_to(std::back_inserter(text), "[{},)", first);
    } else {
      fmt::format_to(std::back_inserter(text), "[{},{})", first, last + 1);
    }
  }
  return text += '}';
}

PositionSet PositionSet::parse_multirange(std::string_view text) {
  Reader reader(text, "multirange");
  PositionSet set;
  reader.expect("{");
  if (!reader.skip("}")) {
    do {
      Position first = lowest;
      if (!reader.skip("(,")) {
        reader.expect("[");
        first = reader.position();
        reader.expect(",");
      }
      Position last = highest;
      if (!reader.skip(")")) {
        const Position bound = reader.position();
        if (bound == lowest) {
          reader.fail();  // nothing lies below it
        }
        last = bound - 1;
        reader.expect(")");
      }
      reader.add(set, first, last);
    } while (reader.skip(","));
    reader.expect("}");
  }
  reader.expect_end();
  return set;
}

std::string PositionSet::to_json() const {
  std::string text = "[";
  for (const auto& [first, last] : intervals_) {
    if (text.size() > 1) {
      text += ',';
    }
    fmt::format_to(std::back_inserter(text), "[{},{}]", first, last);
  }
  return text += ']';
}

PositionSet PositionSet::parse_json(std::string_view text) {
  Reader reader(text, "JSON list of intervals");
  PositionSet set;
  reader.expect("[");
  if (!reader.skip("]")) {
    do {
      reader.expect("[");
      const Position first = reader.position();
      reader.expect(",");
      const Position last = reader.position();
      reader.expect("]");
      reader.add(set, first, last);
    } while (reader.skip(","));
    reader.expect("]");
  }
  reader.expect_end();
  return set;
}

}  // namespace outrider
