#include "store/rows.hpp"

#include <fmt/format.h>

#include <outrider/error.hpp>

#include "core/assert.hpp"

namespace outrider {

void Rows::add_null() {
  cells_.push_back({});
}

void Rows::add_integer(std::int64_t value) {
  cells_.push_back({Kind::integer, value, 0});
}

void Rows::add_text(std::string_view value) {
  cells_.push_back({Kind::text, static_cast<std::int64_t>(buffer_.size()), value.size()});
  buffer_.append(value);
}

const Rows::Cell& Rows::cell(std::size_t row, std::size_t column, Kind expected) const {
  OUTRIDER_ASSERT(column < columns_ && row < size());
  const Cell& found = cells_[row * columns_ + column];
  if (found.kind != expected)
    throw Error(Errc::internal,
                fmt::format("column {} is {}, expected {}", column, static_cast<int>(found.kind),
                            static_cast<int>(expected)));
  return found;
}

bool Rows::Row::is_null(std::size_t column) const {
  OUTRIDER_ASSERT(column < rows_->columns_);
  return rows_->cells_[index_ * rows_->columns_ + column].kind == Kind::null;
}

std::int64_t Rows::Row::integer(std::size_t column) const {
  return rows_->cell(index_, column, Kind::integer).value;
}

bool Rows::Row::boolean(std::size_t column) const {
  return integer(column) != 0;
}

std::string_view Rows::Row::text(std::size_t column) const {
  const Cell& found = rows_->cell(index_, column, Kind::text);
  return std::string_view(rows_->buffer_)
      .substr(static_cast<std::size_t>(found.value), found.length);
}

// PostgreSQL hands a UUID over as 16 bytes, SQLite as its text.
Uuid Rows::Row::uuid(std::size_t column) const {
  const std::string_view found = text(column);
  if (found.size() == Uuid::size) {
    Uuid::Bytes bytes{};
    for (std::size_t i = 0; i < Uuid::size; ++i)
      bytes[i] = static_cast<std::uint8_t>(found[i]);
    return Uuid(bytes);
  }
  const std::optional<Uuid> parsed = Uuid::parse(found);
  if (!parsed)
    throw Error(Errc::internal, fmt::format("column {} is not a UUID", column));
  return *parsed;
}

StoreTime Rows::Row::time(std::size_t column) const {
  return StoreTime(std::chrono::microseconds(integer(column)));
}

std::optional<std::string> Rows::Row::optional_text(std::size_t column) const {
  return is_null(column) ? std::nullopt : std::optional<std::string>(text(column));
}

std::optional<std::int64_t> Rows::Row::optional_integer(std::size_t column) const {
  return is_null(column) ? std::nullopt : std::optional(integer(column));
}

std::optional<Uuid> Rows::Row::optional_uuid(std::size_t column) const {
  return is_null(column) ? std::nullopt : std::optional(uuid(column));
}

std::optional<StoreTime> Rows::Row::optional_time(std::size_t column) const {
  return is_null(column) ? std::nullopt : std::optional(time(column));
}

}  // namespace outrider
