#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/rows.hpp"
#include "store/value.hpp"

struct pg_result;

namespace outrider::postgres {

// The object ids of the types that cross the wire, fixed in PostgreSQL's catalog.
enum class Oid : std::uint32_t {
  boolean = 16,
  bytea = 17,
  int8 = 20,
  int2 = 21,
  int4 = 23,
  text = 25,
  uuid = 2950,
  timestamptz = 1184
};

void append_int16(std::string& out, std::int16_t value);
void append_int32(std::string& out, std::int32_t value);
void append_int64(std::string& out, std::int64_t value);

// A value's binary form, without its length; `out` is extended. Returns false for NULL.
bool append_binary(std::string& out, const Value& value);

// The parameters of one statement in the form libpq takes: all binary. Text parameters point into
// the caller's strings; the rest is kept here. Parameter types are the ones the statement's text
// asks for: integers must be bigint there.
class Parameters {
 public:
  explicit Parameters(std::span<const Value> values);

  int count() const { return static_cast<int>(pointers_.size()); }
  const char* const* pointers() const { return pointers_.data(); }
  const int* lengths() const { return lengths_.data(); }
  const int* formats() const { return formats_.data(); }

 private:
  std::string buffer_;
  std::vector<const char*> pointers_;
  std::vector<int> lengths_;
  std::vector<int> formats_;
};

// Collects a one-dimensional array parameter in binary form.
class ArrayBuilder {
 public:
  explicit ArrayBuilder(Oid element);
  void add(const Value& value);
  // Valid until the next add.
  std::string_view binary();
  // The same for an unnest() beside a full array: nothing but NULLs is sent as an empty array,
  // which unnest() fills up with NULLs. Most columns of most batches are that.
  std::string_view padded();

 private:
  std::string bytes_;
  std::int32_t count_ = 0;
  std::int32_t nulls_ = 0;
};

// Copies a result in binary format.
Rows to_rows(const pg_result* result);

}  // namespace outrider::postgres
