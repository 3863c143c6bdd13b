#pragma once

#include <span>
#include <sqlite3.h>
#include <string_view>

#include "store/rows.hpp"
#include "store/sqlite/handles.hpp"
#include "store/value.hpp"

namespace outrider::sqlite {

// Prepares the one statement in `text`. Throws Error, and Error(internal) if more than one is
// there. `flags` are those of sqlite3_prepare_v3.
StatementHandle prepare(sqlite3* connection, std::string_view name, std::string_view text,
                        unsigned flags = 0);

// Binds a parameter, counted from 1: a UUID as lower-case text, a time as microseconds, a bool as 0
// or 1. Text is borrowed: it must stay until the statement is reset.
void bind(sqlite3_stmt* statement, int index, const Value& value);

// Binds bytes as a BLOB, borrowed likewise.
void bind_blob(sqlite3_stmt* statement, int index, std::span<const std::uint8_t> bytes);

// Adds the row the statement stands on. Integers stay integers; text and blobs become text.
void add_row(Rows& rows, sqlite3_stmt* statement);

// A column of the row the statement stands on, valid until the next step.
std::string_view column_bytes(sqlite3_stmt* statement, int column);

// Makes a statement ready for its next use when it goes out of scope, also after an error: a
// statement that is not reset keeps its transaction open, and its borrowed parameters dangle.
class ResetAfterUse {
 public:
  explicit ResetAfterUse(sqlite3_stmt* statement) : statement_(statement) {}
  ~ResetAfterUse();
  ResetAfterUse(const ResetAfterUse&) = delete;
  ResetAfterUse& operator=(const ResetAfterUse&) = delete;

 private:
  sqlite3_stmt* statement_;
};

}  // namespace outrider::sqlite
