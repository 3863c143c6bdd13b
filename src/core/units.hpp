#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace outrider {

// Far above anything sensible, and far below an overflow in any arithmetic done with the result.
inline constexpr std::chrono::milliseconds duration_max = std::chrono::hours{24 * 36'525};
inline constexpr std::uint64_t size_max = std::uint64_t{1} << 40;

// Reads a duration as a person writes it: whole numbers with the units d, h, m, s and ms, the
// larger unit first and each at most once, without spaces: "250ms", "5m", "1h30m". A number without
// a unit is refused, because nobody agrees on what it means. Throws Error(invalid_argument) for
// anything else and for more than duration_max.
std::chrono::milliseconds parse_duration(std::string_view text);

// Reads a number of bytes: "262144", or with one of the units B, kB, MB, GB (powers of 1000), KiB,
// MiB, GiB (powers of 1024): "256KiB".
// Throws Error(invalid_argument) for anything else and for more than size_max.
std::uint64_t parse_size(std::string_view text);

// The shortest text that parse_size reads back as the same number, with powers of 1024: "256KiB".
std::string format_size(std::uint64_t bytes);

}  // namespace outrider
