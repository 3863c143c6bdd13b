#include "core/text.hpp"

#include "core/utf8.hpp"

namespace outrider {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view ellipsis = "...";

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

void cut(std::string& text, std::size_t bytes_max) {
  const bool has_room = bytes_max >= ellipsis.size();
  std::size_t kept = has_room ? bytes_max - ellipsis.size() : bytes_max;
  while (kept > 0 && is_continuation(text[kept])) {
    --kept;
  }
  text.resize(kept);
  if (has_room) {
    text += ellipsis;
  }
}

}  // namespace

std::string sanitise(std::string_view text, std::size_t bytes_max) {
  std::string clean;
  // Stops at the bound, so that a far side answering with a gigabyte costs what a line costs.
  while (!text.empty() && clean.size() <= bytes_max) {
    const auto [code, size] = decode_utf8(text);
    if (size == 0) {
      clean += replacement;
      text.remove_prefix(1);
      continue;
    }
    if (is_control(code)) {
      clean += ' ';
    } else {
      clean += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  if (clean.size() > bytes_max) {
    cut(clean, bytes_max);
  }
  return clean;
}

std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return lower;
}

}  // namespace outrider
