#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <outrider/uuid.hpp>

namespace outrider {

// A point in time as the store keeps it: microseconds since 1970-01-01T00:00:00Z.
using StoreTime = std::chrono::sys_time<std::chrono::microseconds>;

// RFC 3339 in UTC with microseconds, for example 2026-01-31T23:59:59.900000Z.
std::string to_rfc3339(StoreTime time);

// A parameter of a statement. Text is borrowed: it must outlive the call that uses it. Times cross
// the seam as StoreTime, on SQLite as an integer of microseconds; UUIDs as UUIDs, on SQLite as
// text.
class Value {
 public:
  using Any = std::variant<std::monostate, bool, std::int64_t, std::string_view, Uuid, StoreTime>;

  Value() = default;
  Value(bool value) : any_(value) {}               // NOLINT(google-explicit-constructor)
  Value(std::int64_t value) : any_(value) {}       // NOLINT(google-explicit-constructor)
  Value(int value) : any_(std::int64_t{value}) {}  // NOLINT(google-explicit-constructor)
  Value(std::string_view value) : any_(value) {}   // NOLINT(google-explicit-constructor)
  Value(const std::string& value) : any_(std::string_view(value)) {}  // NOLINT
  Value(const char* value) : any_(std::string_view(value)) {}         // NOLINT
  Value(const Uuid& value) : any_(value) {}  // NOLINT(google-explicit-constructor)
  Value(StoreTime value) : any_(value) {}    // NOLINT(google-explicit-constructor)
  template <typename T>
  Value(const std::optional<T>& value) {  // NOLINT(google-explicit-constructor)
    if (value)
      *this = Value(*value);
  }

  const Any& any() const { return any_; }

 private:
  Any any_;
};

}  // namespace outrider
