#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace outrider {

struct Utf8Character {
  char32_t code = 0;
  std::size_t size = 0;  // in bytes; 0 if no valid character starts here
};

// The character at the start of the text. Overlong forms, surrogates and anything beyond U+10FFFF
// are not valid, nor is an empty text.
Utf8Character decode_utf8(std::string_view text);

// The code must be a character: no surrogate, not beyond U+10FFFF.
void append_utf8(std::string& text, char32_t code);

// The offset of the first byte that is not part of valid UTF-8, or nullopt.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// C0, DEL and C1: invisible, and able to change how a terminal or a log shows what follows.
constexpr bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

// Unicode's White_Space characters that is_control does not cover already.
constexpr bool is_white_space(char32_t code) {
  return code == 0x20 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
         code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

}  // namespace outrider
