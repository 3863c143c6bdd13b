#include "core/json_scan.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <vector>

#include "core/json_string.hpp"
#include "core/utf8.hpp"

namespace outrider {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// True if none of the eight bytes ends the plain part of a string: no quote, no backslash, no
// control character, nothing outside ASCII. Each term sets the top bit of a byte that is one of
// these; a borrow between bytes can only add a false alarm behind a true one.
bool are_plain(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t tops = 0x8080808080808080;
  const std::uint64_t quotes = (word ^ ones * '"') - ones;
  const std::uint64_t backslashes = (word ^ ones * '\\') - ones;
  const std::uint64_t controls = word - ones * 0x20;
  return ((word | quotes | backslashes | controls) & tops) == 0;
}

class Scanner {
 public:
  Scanner(std::string_view json, std::size_t depth_max)
      : begin_(json.data()), at_(begin_), end_(begin_ + json.size()), depth_max_(depth_max) {
    names_.reserve(24);
    frames_.reserve(16);
  }

  std::optional<JsonProblem> run();

 private:
  // What the grammar asks for next.
  enum class Step { value, after_value, end, problem };

  struct Name {
    std::string_view text;  // unescaped
    std::size_t offset;
  };

  struct Frame {
    bool is_object;
    std::size_t first_name;  // where the names of this object begin in names_
  };

  Step value();
  Step after_value();
  Step open(bool is_object);
  Step close();
  Step name();
  Step string();
  Step escape();
  Step code_unit(unsigned& unit);
  Step number();
  Step literal(std::string_view word);
  std::optional<std::size_t> find_duplicate(std::size_t first_name);

  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) {
      ++at_;
    }
  }

  bool skip_digits() {
    const char* const start = at_;
    while (at_ != end_ && is_digit(*at_)) {
      ++at_;
    }
    return at_ != start;
  }

  bool is_next(char c) const { return at_ != end_ && *at_ == c; }
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }

  Step fail(const char* what) { return fail(what, offset()); }
  Step fail(const char* what, std::size_t offset) {
    problem_ = {offset, what};
    return Step::problem;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  std::size_t depth_max_;
  bool has_escape_ = false;  // in the string scanned last
  JsonProblem problem_;

  // Names and frames of an ordinary payload fit here; only unusual ones reach the heap.
  std::array<std::byte, 1024> room_;
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::vector<Name> names_{&memory_};  // of all open objects, the innermost last
  std::pmr::vector<Frame> frames_{&memory_};
};

std::optional<JsonProblem> Scanner::run() {
  Step step = Step::value;
  while (step == Step::value || step == Step::after_value) {
    step = step == Step::value ? value() : after_value();
  }
  return step == Step::end ? std::nullopt : std::optional(std::move(problem_));
}

Scanner::Step Scanner::value() {
  skip_space();
  if (at_ == end_) {
    return fail("a value is missing");
  }
  switch (*at_) {
    case '{':
      return open(true);
    case '[':
      return open(false);
    case '"':
      return string();
    case 't':
      return literal("true");
    case 'f':
      return literal("false");
    case 'n':
      return literal("null");
    default:
      return number();
  }
}

Scanner::Step Scanner::after_value() {
  skip_space();
  if (frames_.empty()) {
    return at_ == end_ ? Step::end : fail("text after the value");
  }
  const bool is_object = frames_.back().is_object;
  if (is_next(',')) {
    ++at_;
    return is_object ? name() : Step::value;
  }
  if (is_next(is_object ? '}' : ']')) {
    return close();
  }
  return fail(is_object ? "expected ',' or '}'" : "expected ',' or ']'");
}

Scanner::Step Scanner::open(bool is_object) {
  if (frames_.size() == depth_max_) {
    return fail("nesting is too deep");
  }
  frames_.push_back({is_object, names_.size()});
  ++at_;
  skip_space();
  if (is_next(is_object ? '}' : ']')) {
    return close();
  }
  return is_object ? name() : Step::value;
}

Scanner::Step Scanner::close() {
  const Frame& frame = frames_.back();
  if (frame.is_object) {
    if (const auto duplicate = find_duplicate(frame.first_name)) {
      return fail("duplicate member name", *duplicate);
    }
    names_.resize(frame.first_name);
  }
  frames_.pop_back();
  ++at_;
  return Step::after_value;
}

Scanner::Step Scanner::name() {
  skip_space();
  if (!is_next('"')) {
    return fail("expected a member name");
  }
  const std::size_t start = offset();
  if (string() == Step::problem) {
    return Step::problem;
  }
  std::string_view text(begin_ + start + 1, offset() - start - 2);
  if (has_escape_) {
    auto* const copy = static_cast<char*>(memory_.allocate(text.size(), 1));
    text = {copy, static_cast<std::size_t>(unescape_json(text, copy) - copy)};
  }
  names_.push_back({text, start});

  skip_space();
  if (!is_next(':')) {
    return fail("expected ':'");
  }
  ++at_;
  return Step::value;
}

Scanner::Step Scanner::string() {
  has_escape_ = false;
  ++at_;
  for (;;) {
    while (end_ - at_ >= 8 && are_plain(at_)) {
      at_ += 8;
    }
    if (at_ == end_) {
      return fail("a string does not end");
    }
    const auto byte = static_cast<unsigned char>(*at_);
    if (byte == '"') {
      ++at_;
      return Step::after_value;
    }
    if (byte == '\\') {
      has_escape_ = true;
      if (escape() == Step::problem) {
        return Step::problem;
      }
    } else if (byte < 0x20) {
      return fail(byte == 0 ? "U+0000 is not allowed" : "a control character must be escaped");
    } else if (byte < 0x80) {
      ++at_;
    } else if (const auto size = decode_utf8({at_, static_cast<std::size_t>(end_ - at_)}).size) {
      at_ += size;
    } else {
      return fail("invalid UTF-8");
    }
  }
}

Scanner::Step Scanner::escape() {
  const std::size_t start = offset();
  ++at_;
  if (at_ == end_) {
    return fail("a string does not end");
  }
  if (*at_ != 'u') {
    if (std::strchr("\"\\/bfnrt", *at_) == nullptr || *at_ == '\0') {
      return fail("unknown escape", start);
    }
    ++at_;
    return Step::after_value;
  }

  unsigned unit = 0;
  if (code_unit(unit) == Step::problem) {
    return Step::problem;
  }
  if (unit == 0) {
    return fail("U+0000 is not allowed", start);
  }
  if (unit < 0xD800 || unit > 0xDFFF) {
    return Step::after_value;
  }
  if (unit > 0xDBFF || !is_next('\\')) {
    return fail("lone surrogate", start);
  }
  ++at_;
  unsigned low = 0;
  if (!is_next('u') || code_unit(low) == Step::problem || low < 0xDC00 || low > 0xDFFF) {
    return fail("lone surrogate", start);
  }
  return Step::after_value;
}

Scanner::Step Scanner::code_unit(unsigned& unit) {
  ++at_;  // the "u"
  for (int i = 0; i < 4; ++i, ++at_) {
    if (at_ == end_) {
      return fail("a string does not end");
    }
    const char c = *at_;
    const char lower = static_cast<char>(c | 0x20);
    if (is_digit(c)) {
      unit = unit * 16 + static_cast<unsigned>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      unit = unit * 16 + static_cast<unsigned>(lower - 'a' + 10);
    } else {
      return fail("\\u needs four hexadecimal digits");
    }
  }
  return Step::after_value;
}

Scanner::Step Scanner::number() {
  const std::size_t start = offset();
  if (is_next('-')) {
    ++at_;
  }
  if (is_next('0')) {
    ++at_;
  } else if (!skip_digits()) {
    return fail("expected a value", start);
  }
  if (is_next('.')) {
    ++at_;
    if (!skip_digits()) {
      return fail("a number needs digits after the point");
    }
  }
  if (is_next('e') || is_next('E')) {
    ++at_;
    if (is_next('+') || is_next('-')) {
      ++at_;
    }
    if (!skip_digits()) {
      return fail("a number needs digits in its exponent");
    }
  }
  return Step::after_value;
}

Scanner::Step Scanner::literal(std::string_view word) {
  if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word)) {
    return fail("expected a value");
  }
  at_ += word.size();
  return Step::after_value;
}

std::optional<std::size_t> Scanner::find_duplicate(std::size_t first_name) {
  const auto begin = names_.begin() + static_cast<std::ptrdiff_t>(first_name);
  const auto end = names_.end();
  // Comparing each with each beats sorting as long as there are few; beyond that it would let a
  // hostile payload buy seconds of work.
  constexpr std::ptrdiff_t few = 16;
  if (end - begin <= few) {
    for (auto later = begin; later != end; ++later) {
      const auto is_same = [&](const Name& earlier) { return earlier.text == later->text; };
      if (std::any_of(begin, later, is_same)) {
        return later->offset;
      }
    }
    return std::nullopt;
  }

  std::sort(begin, end, [](const Name& a, const Name& b) {
    const int order = a.text.compare(b.text);
    return order != 0 ? order < 0 : a.offset < b.offset;
  });
  std::optional<std::size_t> first;
  for (auto next = begin + 1; next != end; ++next) {
    if (next->text == (next - 1)->text) {
      first = std::min(first.value_or(next->offset), next->offset);
    }
  }
  return first;
}

}  // namespace

std::optional<JsonProblem> scan_json(std::string_view json, std::size_t depth_max) {
  return Scanner(json, depth_max).run();
}

}  // namespace outrider
