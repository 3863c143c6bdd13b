#include "store/sqlite/binding.hpp"

#include <fmt/format.h>

#include "core/assert.hpp"
#include "store/sqlite/result_code.hpp"

namespace outrider::sqlite {

namespace {

// Binds one alternative of a Value; answers SQLite's result code.
struct Binder {
  sqlite3_stmt* statement;
  int index;

  int operator()(std::monostate) const { return sqlite3_bind_null(statement, index); }
  int operator()(bool value) const { return sqlite3_bind_int64(statement, index, value ? 1 : 0); }
  int operator()(std::int64_t value) const { return sqlite3_bind_int64(statement, index, value); }
  int operator()(std::string_view value) const {
    // A null pointer would bind NULL, and an empty view may have one.
    const char* data = value.data() ? value.data() : "";
    return sqlite3_bind_text64(statement, index, data, value.size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  int operator()(const Uuid& value) const {
    const std::string text = value.to_string();
    return sqlite3_bind_text64(statement, index, text.data(), text.size(), SQLITE_TRANSIENT,
                               SQLITE_UTF8);
  }
  int operator()(StoreTime value) const { return (*this)(value.time_since_epoch().count()); }
};

void require_bound(sqlite3_stmt* statement, int result_code) {
  if (result_code != SQLITE_OK)
    throw to_error(sqlite3_db_handle(statement), result_code, "cannot bind a parameter", "");
}

}  // namespace

StatementHandle prepare(sqlite3* connection, std::string_view name, std::string_view text,
                        unsigned flags) {
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v3(connection, text.data(), static_cast<int>(text.size()), flags,
                                      &raw, &rest);
  StatementHandle statement(raw);
  if (code != SQLITE_OK)
    throw to_error(connection, code, fmt::format("cannot prepare {}", name), name);
  const std::string_view left = text.substr(static_cast<std::size_t>(rest - text.data()));
  if (!statement || left.find_first_not_of(" \t\r\n") != std::string_view::npos)
    throw Error(Errc::internal, fmt::format("{} is not exactly one statement", name));
  return statement;
}

void bind(sqlite3_stmt* statement, int index, const Value& value) {
  require_bound(statement, std::visit(Binder{statement, index}, value.any()));
}

void bind_blob(sqlite3_stmt* statement, int index, std::span<const std::uint8_t> bytes) {
  require_bound(statement,
                sqlite3_bind_blob64(statement, index, bytes.data(), bytes.size(), SQLITE_STATIC));
}

std::string_view column_bytes(sqlite3_stmt* statement, int column) {
  // Ask for the bytes first: the call that converts decides what the length is of.
  const void* data = sqlite3_column_blob(statement, column);
  const int size = sqlite3_column_bytes(statement, column);
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

void add_row(Rows& rows, sqlite3_stmt* statement) {
  const int columns = sqlite3_column_count(statement);
  for (int column = 0; column < columns; ++column) {
    switch (sqlite3_column_type(statement, column)) {
      case SQLITE_NULL:
        rows.add_null();
        break;
      case SQLITE_INTEGER:
        rows.add_integer(sqlite3_column_int64(statement, column));
        break;
      default:
        rows.add_text(column_bytes(statement, column));
    }
  }
}

ResetAfterUse::~ResetAfterUse() {
  sqlite3_reset(statement_);  // repeats the code of the last step, which was looked at already
  sqlite3_clear_bindings(statement_);
}

}  // namespace outrider::sqlite
