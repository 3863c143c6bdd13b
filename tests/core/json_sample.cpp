#include "core/json_sample.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <rapidcheck.h>
#include <set>
#include <utility>

#include "core/utf8.hpp"

namespace outrider::testing {

namespace {

int any_below(int bound) {
  return *rc::gen::inRange(0, bound);
}

std::string any_text() {
  // Characters with a short escape, others that must be escaped, and the edges of UTF-16 order.
  static const std::vector<char32_t> alphabet{
      'a', 'b', 'B', '0', '"',  '\\',   '/',    '\b',   '\f',   '\n',   '\r',    '\t',    1,
      31,  127, ' ', 128, 0xE9, 0x20AC, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x1F602, 0x10FFFF};
  std::string text;
  const int size = any_below(5);
  for (int i = 0; i < size; ++i) {
    append_utf8(text, *rc::gen::elementOf(alphabet));
  }
  return text;
}

std::string any_space() {
  return *rc::gen::element<std::string>("", "", "", " ", "\n\t", "\r ");
}

std::string escaped(char32_t code) {
  constexpr auto unit = [](std::uint32_t value) {
    return *rc::gen::arbitrary<bool>() ? fmt::format("\\u{:04x}", value)
                                       : fmt::format("\\u{:04X}", value);
  };
  const auto value = static_cast<std::uint32_t>(code);
  if (value < 0x10000) {
    return unit(value);
  }
  return unit(0xD800 + ((value - 0x10000) >> 10U)) + unit(0xDC00 + ((value - 0x10000) & 0x3FFU));
}

std::string spelled_string(std::string_view text) {
  std::string json = "\"";
  while (!text.empty()) {
    const auto [code, size] = decode_utf8(text);
    const bool must_escape = code < 0x20 || code == '"' || code == '\\';
    json += must_escape || any_below(4) == 0 ? escaped(code) : std::string(text.substr(0, size));
    text.remove_prefix(size);
  }
  return json + '"';
}

std::string spelled_integer(const std::string& digits) {
  return digits +
         *rc::gen::element<std::string>("", "", ".0", ".00", "e0", "E+0", ".0e-0", "0e-1", "00E-2");
}

std::string joined(const std::vector<std::string>& parts) {
  std::string json = any_space();
  for (const std::string& part : parts) {
    if (&part != &parts.front()) {
      json += ',' + any_space();
    }
    json += part + any_space();
  }
  return json;
}

}  // namespace

JsonSample any_json_sample(int depth_max) {
  JsonSample sample;
  sample.kind = static_cast<JsonSample::Kind>(any_below(depth_max > 0 ? 5 : 3));
  switch (sample.kind) {
    case JsonSample::Kind::literal:
      sample.text = *rc::gen::element<std::string>("null", "true", "false");
      break;
    case JsonSample::Kind::integer:
      // Without a leading minus zero or zeros, so that appending "0e-1" keeps the value.
      sample.text = std::to_string(*rc::gen::inRange<std::int64_t>(-4'000'000'000, 4'000'000'000));
      break;
    case JsonSample::Kind::string:
      sample.text = any_text();
      break;
    case JsonSample::Kind::array:
    case JsonSample::Kind::object: {
      std::set<std::string> names;
      const int count = any_below(5);
      for (int i = 0; i < count; ++i) {
        std::string name = any_text();
        if (names.insert(name).second) {
          sample.children.push_back(any_json_sample(depth_max - 1));
          sample.children.back().name = std::move(name);
        }
      }
    }
  }
  return sample;
}

std::string spelled(const JsonSample& sample) {
  std::vector<std::string> parts;
  switch (sample.kind) {
    case JsonSample::Kind::literal:
      return any_space() + sample.text + any_space();
    case JsonSample::Kind::integer:
      return sample.text == "0" ? "0" : spelled_integer(sample.text);
    case JsonSample::Kind::string:
      return spelled_string(sample.text);
    case JsonSample::Kind::array:
      for (const JsonSample& child : sample.children) {
        parts.push_back(spelled(child));
      }
      return '[' + joined(parts) + ']';
    case JsonSample::Kind::object:
      for (const JsonSample& child : sample.children) {
        std::string part =
            spelled_string(child.name) + any_space() + ':' + any_space() + spelled(child);
        parts.insert(parts.begin() + any_below(static_cast<int>(parts.size()) + 1),
                     std::move(part));
      }
      return '{' + joined(parts) + '}';
  }
  return {};
}

}  // namespace outrider::testing
