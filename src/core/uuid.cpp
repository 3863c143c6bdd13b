#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/random.h>

#include <outrider/error.hpp>
#include <outrider/uuid.hpp>

namespace outrider {

namespace {

constexpr std::array<std::size_t, 4> hyphens{8, 13, 18, 23};
constexpr std::size_t text_size = 36;

constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  if (c >= 'A' && c <= 'F') {
    return c - 'A' + 10;
  }
  return -1;
}

constexpr bool is_hyphen_place(std::size_t at) {
  return at == hyphens[0] || at == hyphens[1] || at == hyphens[2] || at == hyphens[3];
}

// Random bytes from the kernel, fetched many at a time: the system call costs more than the rest of
// making an id.
class Randomness {
 public:
  template <typename Integer>
  Integer take() {
    if (bytes_.size() - used_ < sizeof(Integer)) {
      refill();
    }
    Integer value;
    std::memcpy(&value, bytes_.data() + used_, sizeof(value));
    used_ += sizeof(value);
    return value;
  }

  void discard() noexcept { used_ = bytes_.size(); }

 private:
  void refill() {
    // Requests of up to 256 bytes are answered whole or not at all.
    static_assert(sizeof(bytes_) <= 256);
    while (getrandom(bytes_.data(), bytes_.size(), 0) != static_cast<ssize_t>(bytes_.size())) {
      if (errno != EINTR) {
        throw Error(Errc::internal, fmt::format("cannot make an id: the system has no randomness "
                                                "(getrandom: error {})",
                                                errno));
      }
    }
    used_ = 0;
  }

  std::array<std::uint8_t, 256> bytes_;
  std::size_t used_ = sizeof(bytes_);
};

// The three counting parts of a UUIDv7, most significant first.
struct Sequence {
  std::uint64_t milliseconds = 0;  // 48 bits
  std::uint16_t high = 0;          // 12 bits
  std::uint64_t low = 0;           // 62 bits

  void step(std::uint32_t by) {
    low += std::uint64_t{by} + 1;
    if (low <= low_max) {
      return;
    }
    low &= low_max;
    if (++high <= high_max) {
      return;
    }
    high = 0;
    ++milliseconds;
  }

  static constexpr std::uint16_t high_max = 0x0FFF;
  static constexpr std::uint64_t low_max = (std::uint64_t{1} << 62U) - 1;
};

struct Generator {
  Randomness randomness;
  Sequence last;
};

thread_local Generator generator;

// A child starts with a copy of the forking thread's memory and would repeat its parent's ids. It
// also forgets the last id: two processes that step on from the same one could meet.
void forget_parent() noexcept {
  generator.randomness.discard();
  generator.last = {};
}

Generator& this_thread_generator() {
  // Only the forking thread lives on in the child, and the hook runs in it.
  static const bool has_hook = pthread_atfork(nullptr, nullptr, forget_parent) == 0;
  if (!has_hook) {
    throw Error(Errc::internal, "cannot make an id: no memory for the fork hook");
  }
  return generator;
}

template <typename Integer>
void put_big_endian(std::uint8_t* out, Integer value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<std::uint8_t>(value >> (8 * (count - 1 - i)));
  }
}

std::uint64_t wall_milliseconds() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  const auto count = std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
  return static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
}

}  // namespace

std::optional<Uuid> Uuid::parse(std::string_view text) {
  if (text.size() != text_size) {
    return std::nullopt;
  }
  Bytes bytes{};
  std::size_t digits = 0;
  for (std::size_t at = 0; at < text_size; ++at) {
    if (is_hyphen_place(at)) {
      if (text[at] != '-') {
        return std::nullopt;
      }
      continue;
    }
    const int value = hex_value(text[at]);
    if (value < 0) {
      return std::nullopt;
    }
    std::uint8_t& byte = bytes[digits / 2];
    byte = static_cast<std::uint8_t>(byte << 4U | value);
    ++digits;
  }
  return Uuid(bytes);
}

std::string Uuid::to_string() const {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string text(text_size, '-');
  std::size_t at = 0;
  for (const std::uint8_t byte : bytes_) {
    if (is_hyphen_place(at)) {
      ++at;
    }
    text[at++] = hex[byte >> 4U];
    text[at++] = hex[byte & 0x0FU];
  }
  return text;
}

Uuid new_uuid() {
  Generator& mine = this_thread_generator();
  const std::uint64_t now = wall_milliseconds();
  if (now > mine.last.milliseconds) {
    mine.last.high = mine.randomness.take<std::uint16_t>() & Sequence::high_max;
    mine.last.low = mine.randomness.take<std::uint64_t>() & Sequence::low_max;
    mine.last.milliseconds = now;
  } else {
    // A random step keeps the next id hard to guess; the 74 bits outlast any stopped clock.
    mine.last.step(mine.randomness.take<std::uint32_t>());
  }

  Uuid::Bytes bytes;
  put_big_endian(bytes.data(), mine.last.milliseconds, 6);
  put_big_endian(bytes.data() + 6, 0x7000U | mine.last.high, 2);
  put_big_endian(bytes.data() + 8, (std::uint64_t{1} << 63U) | mine.last.low, 8);
  return Uuid(bytes);
}

Uuid random_uuid() {
  Generator& mine = this_thread_generator();
  auto bytes = mine.randomness.take<Uuid::Bytes>();
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0FU) | 0x40U);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3FU) | 0x80U);
  return Uuid(bytes);
}

std::optional<std::chrono::system_clock::time_point> uuid_time(const Uuid& id) {
  const Uuid::Bytes& bytes = id.bytes();
  if (bytes[6] >> 4U != 7 || bytes[8] >> 6U != 2) {
    return std::nullopt;
  }
  std::uint64_t milliseconds = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    milliseconds = milliseconds << 8U | bytes[i];
  }
  // system_clock counts nanoseconds here and ends in 2262; an id may claim the year 10889.
  const auto since_epoch = std::chrono::milliseconds{static_cast<std::int64_t>(milliseconds)};
  using Clock = std::chrono::system_clock;
  if (since_epoch > std::chrono::duration_cast<std::chrono::milliseconds>(Clock::duration::max())) {
    return std::nullopt;
  }
  return Clock::time_point{since_epoch};
}

}  // namespace outrider
