#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <outrider/uuid.hpp>

#include "store/value.hpp"

namespace outrider {

// The result of a statement: cells copied out of the driver into one buffer, so that it outlives
// the connection. Reading a cell as something it is not throws Error(internal).
class Rows {
 public:
  class Row {
   public:
    Row(const Rows& rows, std::size_t index) : rows_(&rows), index_(index) {}
    bool is_null(std::size_t column) const;
    std::int64_t integer(std::size_t column) const;
    bool boolean(std::size_t column) const;
    std::string_view text(std::size_t column) const;
    Uuid uuid(std::size_t column) const;
    StoreTime time(std::size_t column) const;
    // nullopt for NULL.
    std::optional<std::string> optional_text(std::size_t column) const;
    std::optional<std::int64_t> optional_integer(std::size_t column) const;
    std::optional<Uuid> optional_uuid(std::size_t column) const;
    std::optional<StoreTime> optional_time(std::size_t column) const;

   private:
    const Rows* rows_;
    std::size_t index_;
  };

  class Iterator {
   public:
    Iterator(const Rows& rows, std::size_t index) : rows_(&rows), index_(index) {}
    Row operator*() const { return Row(*rows_, index_); }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    const Rows* rows_;
    std::size_t index_;
  };

  std::size_t size() const { return columns_ == 0 ? 0 : cells_.size() / columns_; }
  bool empty() const { return size() == 0; }
  Row operator[](std::size_t index) const { return Row(*this, index); }
  Iterator begin() const { return Iterator(*this, 0); }
  Iterator end() const { return Iterator(*this, size()); }

  // Rows inserted, updated or deleted by the statement.
  std::int64_t affected() const { return affected_; }

  // For the sessions, which fill it row by row, column by column.
  void set_columns(std::size_t count) { columns_ = count; }
  void set_affected(std::int64_t count) { affected_ = count; }
  void add_null();
  void add_integer(std::int64_t value);
  void add_text(std::string_view value);

 private:
  enum class Kind : std::uint8_t { null, integer, text };
  struct Cell {
    Kind kind = Kind::null;
    std::int64_t value = 0;  // the integer, or the offset into the buffer
    std::size_t length = 0;
  };
  const Cell& cell(std::size_t row, std::size_t column, Kind expected) const;

  std::size_t columns_ = 0;
  std::int64_t affected_ = 0;
  std::vector<Cell> cells_;
  std::string buffer_;
};

}  // namespace outrider
