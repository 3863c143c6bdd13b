#include "core/utf8.hpp"

#include <cstdint>

#include "core/assert.hpp"

namespace outrider {

namespace {

struct Lead {
  std::size_t size;
  std::uint32_t bits;
  std::uint32_t least;  // what a shorter form could hold is overlong
};

constexpr Lead lead(std::uint8_t byte) {
  if (byte < 0x80) {
    return {1, byte, 0};
  }
  if (byte >= 0xC2 && byte <= 0xDF) {
    return {2, byte & 0x1FU, 0x80};
  }
  if (byte >= 0xE0 && byte <= 0xEF) {
    return {3, byte & 0x0FU, 0x800};
  }
  if (byte >= 0xF0 && byte <= 0xF4) {
    return {4, byte & 0x07U, 0x10000};
  }
  return {0, 0, 0};
}

constexpr bool is_character(std::uint32_t code) {
  return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

}  // namespace

Utf8Character decode_utf8(std::string_view text) {
  if (text.empty()) {
    return {};
  }
  const auto [size, bits, least] = lead(static_cast<std::uint8_t>(text[0]));
  if (size == 0 || size > text.size()) {
    return {};
  }
  std::uint32_t code = bits;
  for (std::size_t i = 1; i < size; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    if ((byte & 0xC0U) != 0x80U) {
      return {};
    }
    code = (code << 6U) | (byte & 0x3FU);
  }
  if (code < least || !is_character(code)) {
    return {};
  }
  return {code, size};
}

void append_utf8(std::string& text, char32_t code) {
  OUTRIDER_ASSERT(is_character(code));
  const auto tail = [code](unsigned shift) {
    return static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += {static_cast<char>(0xC0U | (code >> 6U)), tail(0)};
  } else if (code < 0x10000) {
    text += {static_cast<char>(0xE0U | (code >> 12U)), tail(6), tail(0)};
  } else {
    text += {static_cast<char>(0xF0U | (code >> 18U)), tail(12), tail(6), tail(0)};
  }
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = decode_utf8(text.substr(at)).size;
    if (size == 0) {
      return at;
    }
    at += size;
  }
  return std::nullopt;
}

}  // namespace outrider
