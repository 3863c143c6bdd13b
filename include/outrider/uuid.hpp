#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace outrider {

// A 128-bit identifier in network byte order. A value type: cheap to copy, ordered bytewise, so
// that UUIDv7 values sort by time.
class Uuid {
 public:
  static constexpr std::size_t size = 16;
  using Bytes = std::array<std::uint8_t, size>;

  constexpr Uuid() = default;  // the nil UUID
  constexpr explicit Uuid(const Bytes& bytes) : bytes_(bytes) {}

  // Reads the 36-character form, upper or lower case. Anything else is nullopt: no braces, no urn:.
  static std::optional<Uuid> parse(std::string_view text);

  // Lower-case 36-character form.
  std::string to_string() const;

  constexpr const Bytes& bytes() const { return bytes_; }
  constexpr bool is_nil() const { return bytes_ == Bytes{}; }

  friend constexpr auto operator<=>(const Uuid&, const Uuid&) = default;

 private:
  Bytes bytes_{};
};

// A fresh UUIDv7: millisecond time, then random bits. Within one thread, values strictly increase,
// also when the wall clock stands still or steps back. A forked child does not repeat its parent's.
// Takes no lock, and waits for nothing but the system's first randomness, early in boot; throws
// Error(internal) only if the system has none.
Uuid new_uuid();

// A fresh random UUIDv4, for worker ids and claim tokens, which must not be guessable or ordered.
Uuid random_uuid();

// The time inside a UUIDv7, or nullopt for another version.
std::optional<std::chrono::system_clock::time_point> uuid_time(const Uuid& id);

}  // namespace outrider
