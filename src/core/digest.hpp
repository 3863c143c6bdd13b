#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace outrider {

using Sha256 = std::array<std::uint8_t, 32>;

// Both allocate nothing once a thread has hashed before. They throw Error(internal) only if OpenSSL
// has no SHA-256.
Sha256 sha256(std::string_view bytes);

// The digest of the parts one after the other, without joining them first.
Sha256 sha256(std::initializer_list<std::string_view> parts);

}  // namespace outrider
