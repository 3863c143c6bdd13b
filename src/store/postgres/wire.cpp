#include "store/postgres/wire.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <limits>

#include <outrider/error.hpp>

namespace outrider::postgres {

namespace {

// PostgreSQL counts microseconds from 2000-01-01.
constexpr std::int64_t epoch_shift = 946'684'800'000'000;
constexpr std::size_t array_header_bytes = 20;

template <typename T>
void append_big_endian(std::string& out, T value) {
  for (int shift = static_cast<int>(sizeof(T)) * 8 - 8; shift >= 0; shift -= 8)
    out.push_back(static_cast<char>((static_cast<std::uint64_t>(value) >> shift) & 0xff));
}

std::int64_t read_big_endian(const char* bytes, int length) {
  std::uint64_t value = static_cast<signed char>(bytes[0]) < 0 ? ~std::uint64_t{0} : 0;
  for (int i = 0; i < length; ++i)
    value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  return static_cast<std::int64_t>(value);
}

// "infinity" is the largest count there is, and stays it.
std::int64_t from_postgres_time(std::int64_t count) {
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
  return count > last - epoch_shift ? last : count + epoch_shift;
}

struct AppendBinary {
  std::string& out;
  bool operator()(std::monostate) const { return false; }
  bool operator()(bool value) const { return out.push_back(value ? '\1' : '\0'), true; }
  bool operator()(std::int64_t value) const { return append_big_endian(out, value), true; }
  bool operator()(std::string_view value) const { return out.append(value), true; }
  bool operator()(const Uuid& value) const {
    for (const std::uint8_t byte : value.bytes())
      out.push_back(static_cast<char>(byte));
    return true;
  }
  bool operator()(StoreTime value) const {
    return append_big_endian(out, value.time_since_epoch().count() - epoch_shift), true;
  }
};

void add_cell(Rows& rows, Oid type, const char* bytes, int length) {
  switch (type) {
    case Oid::boolean:
    case Oid::int2:
    case Oid::int4:
    case Oid::int8:
      return rows.add_integer(read_big_endian(bytes, length));
    case Oid::timestamptz:
      return rows.add_integer(from_postgres_time(read_big_endian(bytes, length)));
    case Oid::bytea:
    case Oid::text:
    case Oid::uuid:
      return rows.add_text({bytes, static_cast<std::size_t>(length)});
  }
  throw Error(Errc::internal,
              fmt::format("a statement returns type {}, which the session does not read; "
                          "cast it in the .sql file",
                          static_cast<std::uint32_t>(type)));
}

}  // namespace

void append_int16(std::string& out, std::int16_t value) {
  append_big_endian(out, value);
}
void append_int32(std::string& out, std::int32_t value) {
  append_big_endian(out, value);
}
void append_int64(std::string& out, std::int64_t value) {
  append_big_endian(out, value);
}

bool append_binary(std::string& out, const Value& value) {
  return std::visit(AppendBinary{out}, value.any());
}

Parameters::Parameters(std::span<const Value> values) {
  constexpr std::size_t fixed_bytes_max = 16;
  buffer_.reserve(values.size() * fixed_bytes_max);  // never reallocates: pointers stay valid
  pointers_.reserve(values.size());
  lengths_.reserve(values.size());
  formats_.assign(values.size(), 1);
  for (const Value& value : values) {
    if (const auto* text = std::get_if<std::string_view>(&value.any())) {
      pointers_.push_back(text->data() ? text->data() : "");
      lengths_.push_back(static_cast<int>(text->size()));
      continue;
    }
    const std::size_t start = buffer_.size();
    const bool given = append_binary(buffer_, value);
    pointers_.push_back(given ? buffer_.data() + start : nullptr);
    lengths_.push_back(static_cast<int>(buffer_.size() - start));
  }
}

ArrayBuilder::ArrayBuilder(Oid element) : bytes_(array_header_bytes, '\0') {
  std::string header;
  append_int32(header, 1);  // dimensions
  append_int32(header, 0);  // has nulls
  append_int32(header, static_cast<std::int32_t>(element));
  append_int32(header, 0);  // length
  append_int32(header, 1);  // lower bound
  bytes_ = header;
}

void ArrayBuilder::add(const Value& value) {
  const std::size_t start = bytes_.size();
  append_int32(bytes_, 0);
  std::int32_t length = -1;
  if (append_binary(bytes_, value))
    length = static_cast<std::int32_t>(bytes_.size() - start - 4);
  else
    ++nulls_;
  std::string prefix;
  append_int32(prefix, length);
  bytes_.replace(start, 4, prefix);
  ++count_;
}

std::string_view ArrayBuilder::binary() {
  std::string part;
  append_int32(part, nulls_ > 0 ? 1 : 0);
  bytes_.replace(4, 4, part);
  part.clear();
  append_int32(part, count_);
  bytes_.replace(12, 4, part);
  return bytes_;
}

std::string_view ArrayBuilder::padded() {
  if (nulls_ < count_)
    return binary();
  constexpr std::size_t empty_array_bytes = 12;  // no dimensions, no nulls, the element type
  bytes_.replace(0, 8, 8, '\0');
  return std::string_view(bytes_).substr(0, empty_array_bytes);
}

Rows to_rows(const pg_result* result) {
  Rows rows;
  const int columns = PQnfields(result);
  const int count = PQntuples(result);
  rows.set_columns(static_cast<std::size_t>(columns));
  rows.set_affected(std::atoll(PQcmdTuples(const_cast<PGresult*>(result))));
  for (int row = 0; row < count; ++row)
    for (int column = 0; column < columns; ++column) {
      if (PQgetisnull(result, row, column))
        rows.add_null();
      else
        add_cell(rows, static_cast<Oid>(PQftype(result, column)), PQgetvalue(result, row, column),
                 PQgetlength(result, row, column));
    }
  return rows;
}

}  // namespace outrider::postgres
