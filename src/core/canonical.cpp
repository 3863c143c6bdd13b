#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include <outrider/canonical.hpp>
#include <outrider/error.hpp>

#include "core/json_number.hpp"
#include "core/json_scan.hpp"
#include "core/json_string.hpp"
#include "core/text.hpp"
#include "core/utf8.hpp"

namespace outrider {

namespace {

// Orders valid UTF-8 as its UTF-16 form would be ordered. Bytes give the order of code points, and
// UTF-16 differs from that in one place only: the surrogates of U+10000 and beyond (lead bytes F0
// and up) come before U+E000 to U+FFFF (lead bytes EE and EF).
bool precedes_in_utf16(std::string_view a, std::string_view b) {
  const auto [at, bt] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (at == a.end() || bt == b.end()) {
    return at == a.end() && bt != b.end();
  }
  const auto left = static_cast<unsigned char>(*at);
  const auto right = static_cast<unsigned char>(*bt);
  if (left >= 0xEE && right >= 0xEE && (left >= 0xF0) != (right >= 0xF0)) {
    return left >= 0xF0;
  }
  return left < right;
}

// Rewrites a text that scan_json has accepted; hence it looks at first characters only and checks
// nothing. Open containers are a vector, not recursion.
class CanonicalWriter {
 public:
  explicit CanonicalWriter(std::string_view json) : json_(json) { out_.reserve(json.size()); }

  std::string write() {
    while (at_ < json_.size()) {
      token();
    }
    return std::move(out_);
  }

 private:
  struct Member {
    std::string name;
    std::size_t begin;  // of "name":value in out_
    std::size_t end;
  };

  struct Frame {
    bool is_object;
    std::size_t begin;  // behind the opening bracket, in out_
    std::vector<Member> members;
  };

  void token();
  void string();
  void number();
  void end_member();
  void sort_members();

  void copy() { out_ += json_[at_++]; }

  std::string_view json_;
  std::size_t at_ = 0;
  std::string out_;
  std::vector<Frame> frames_;
  bool expects_name_ = false;
};

void CanonicalWriter::token() {
  const char c = json_[at_];
  switch (c) {
    case ' ':
    case '\n':
    case '\r':
    case '\t':
      ++at_;
      return;
    case '{':
    case '[':
      copy();
      frames_.push_back({c == '{', out_.size(), {}});
      expects_name_ = c == '{';
      return;
    case ',':
      end_member();
      copy();
      expects_name_ = frames_.back().is_object;
      return;
    case '}':
    case ']':
      end_member();
      sort_members();
      frames_.pop_back();
      expects_name_ = false;
      copy();
      return;
    case '"':
      string();
      return;
    default:
      if (c == '-' || (c >= '0' && c <= '9')) {
        number();
      } else {
        copy();  // a colon, or a letter of true, false, null
      }
  }
}

void CanonicalWriter::string() {
  const std::size_t begin = ++at_;
  while (json_[at_] != '"') {
    at_ += json_[at_] == '\\' ? 2U : 1U;
  }
  const std::string_view raw = json_.substr(begin, at_ - begin);
  ++at_;

  std::string text(raw.size(), '\0');
  text.resize(static_cast<std::size_t>(unescape_json(raw, text.data()) - text.data()));
  const std::size_t place = out_.size();
  append_json_string(out_, text);
  if (expects_name_) {
    frames_.back().members.push_back({std::move(text), place, place});
    expects_name_ = false;
  }
}

void CanonicalWriter::number() {
  const std::size_t end = std::min(json_.find_first_not_of("+-.0123456789Ee", at_), json_.size());
  const auto value = parse_json_number(json_.substr(at_, end - at_));
  if (!value) {
    throw Error(Errc::invalid_argument,
                fmt::format("cannot canonicalise JSON: a number is too large at byte {}", at_));
  }
  append_json_number(out_, *value);
  at_ = end;
}

void CanonicalWriter::end_member() {
  std::vector<Member>& members = frames_.back().members;
  if (!members.empty()) {
    members.back().end = out_.size();
  }
}

void CanonicalWriter::sort_members() {
  Frame& frame = frames_.back();
  const auto precedes = [](const Member& a, const Member& b) {
    return precedes_in_utf16(a.name, b.name);
  };
  if (std::is_sorted(frame.members.begin(), frame.members.end(), precedes)) {
    return;
  }
  std::sort(frame.members.begin(), frame.members.end(), precedes);
  std::string sorted;
  sorted.reserve(out_.size() - frame.begin);
  for (const Member& member : frame.members) {
    if (!sorted.empty()) {
      sorted += ',';
    }
    sorted.append(out_, member.begin, member.end - member.begin);
  }
  out_.replace(frame.begin, std::string::npos, sorted);
}

void require_reference_part(std::string_view name, std::string_view part) {
  constexpr std::size_t part_bytes_max = 255;
  const auto refuse = [name](std::string_view why) {
    throw Error(Errc::invalid_argument,
                fmt::format("cannot read an external reference: its {} {}; expected provider:id",
                            name, why));
  };
  if (part.empty()) {
    refuse("is empty");
  }
  if (part.size() > part_bytes_max) {
    refuse("is longer than 255 bytes");
  }
  for (std::string_view rest = part; !rest.empty();) {
    const auto [code, size] = decode_utf8(rest);
    if (size == 0) {
      refuse("is not valid UTF-8");
    }
    if (is_control(code) || is_white_space(code)) {
      refuse("contains white space or a control character");
    }
    rest.remove_prefix(size);
  }
}

}  // namespace

std::string canonical_json(std::string_view json, std::size_t depth_max) {
  if (const auto problem = scan_json(json, depth_max)) {
    throw Error(Errc::invalid_argument, fmt::format("cannot canonicalise JSON: {} at byte {}",
                                                    problem->what, problem->offset));
  }
  return CanonicalWriter(json).write();
}

std::string canonical_reference(std::string_view reference) {
  const std::size_t colon = reference.find(':');
  if (colon == std::string_view::npos) {
    throw Error(Errc::invalid_argument,
                "cannot read an external reference: it has no ':'; expected provider:id");
  }
  const std::string_view provider = reference.substr(0, colon);
  const std::string_view id = reference.substr(colon + 1);
  require_reference_part("provider", provider);
  require_reference_part("id", id);
  return ascii_lower(provider).append(":").append(id);
}

}  // namespace outrider
