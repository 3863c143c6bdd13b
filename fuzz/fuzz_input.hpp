#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/assert.hpp"

namespace outrider::fuzzing {

inline std::string_view as_text(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// Cuts one-byte choices and short texts off the front of the input, for targets that need several.
class Input {
 public:
  Input(const std::uint8_t* bytes, std::size_t size) : rest_(as_text(bytes, size)) {}

  std::uint8_t byte() {
    const std::string_view one = take(1);
    return one.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(one[0]);
  }

  // A text whose length is the next byte.
  std::string_view text() { return take(byte()); }

  std::string_view rest() { return take(rest_.size()); }

 private:
  std::string_view take(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
};

}  // namespace outrider::fuzzing
