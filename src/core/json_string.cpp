#include "core/json_string.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "core/assert.hpp"
#include "core/utf8.hpp"

namespace outrider {

namespace {

char32_t code_unit(std::string_view hex) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + 4, value, 16);
  OUTRIDER_ASSERT(error == std::errc{} && end == hex.data() + 4);
  return value;
}

// Resolves the escape "u" at the start of `raw` (the backslash is gone) and removes it: one code
// unit, or a surrogate pair that is written as two escapes.
char32_t take_code(std::string_view& raw) {
  char32_t code = code_unit(raw.substr(1, 4));
  raw.remove_prefix(5);
  if (code >= 0xD800 && code <= 0xDBFF) {
    const char32_t low = code_unit(raw.substr(2, 4));
    raw.remove_prefix(6);
    code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
  }
  return code;
}

char resolve(char escape) {
  switch (escape) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return escape;  // a quote, a backslash or a slash stands for itself
  }
}

void append_escaped(std::string& json, char c) {
  constexpr std::string_view hex = "0123456789abcdef";
  switch (c) {
    case '"':
      json += "\\\"";
      return;
    case '\\':
      json += "\\\\";
      return;
    case '\b':
      json += "\\b";
      return;
    case '\f':
      json += "\\f";
      return;
    case '\n':
      json += "\\n";
      return;
    case '\r':
      json += "\\r";
      return;
    case '\t':
      json += "\\t";
      return;
    default:
      json += "\\u00";
      json += hex[static_cast<unsigned char>(c) >> 4U];
      json += hex[static_cast<unsigned char>(c) & 0x0FU];
  }
}

bool needs_escape(char c) {
  return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
}

}  // namespace

char* unescape_json(std::string_view raw, char* out) {
  while (!raw.empty()) {
    const std::size_t plain = std::min(raw.find('\\'), raw.size());
    out = std::copy_n(raw.data(), plain, out);
    raw.remove_prefix(plain);
    if (raw.empty()) {
      break;
    }
    raw.remove_prefix(1);
    if (raw.front() == 'u') {
      std::string character;  // short enough never to allocate
      append_utf8(character, take_code(raw));
      out = std::copy(character.begin(), character.end(), out);
    } else {
      *out++ = resolve(raw.front());
      raw.remove_prefix(1);
    }
  }
  return out;
}

void append_json_string(std::string& json, std::string_view text) {
  json += '"';
  while (!text.empty()) {
    const auto stop = std::find_if(text.begin(), text.end(), needs_escape);
    const auto plain = static_cast<std::size_t>(stop - text.begin());
    json += text.substr(0, plain);
    if (stop != text.end()) {
      append_escaped(json, *stop);
    }
    text.remove_prefix(std::min(plain + 1, text.size()));
  }
  json += '"';
}

}  // namespace outrider
