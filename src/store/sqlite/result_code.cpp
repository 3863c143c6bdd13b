#include "store/sqlite/result_code.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <system_error>

#include "core/text.hpp"

namespace outrider::sqlite {

namespace {

constexpr std::size_t reason_bytes_max = 500;
constexpr int primary_mask = 0xff;

struct CodeName {
  int code;
  std::string_view name;
};

// SQLite keeps these names to itself. Codes that only a programming error can cause are left out.
#define OUTRIDER_NAMED(code) \
  CodeName {                 \
    code, #code              \
  }
constexpr std::array code_names{
    OUTRIDER_NAMED(SQLITE_ERROR),
    OUTRIDER_NAMED(SQLITE_INTERNAL),
    OUTRIDER_NAMED(SQLITE_PERM),
    OUTRIDER_NAMED(SQLITE_ABORT),
    OUTRIDER_NAMED(SQLITE_ABORT_ROLLBACK),
    OUTRIDER_NAMED(SQLITE_BUSY),
    OUTRIDER_NAMED(SQLITE_BUSY_RECOVERY),
    OUTRIDER_NAMED(SQLITE_BUSY_SNAPSHOT),
    OUTRIDER_NAMED(SQLITE_BUSY_TIMEOUT),
    OUTRIDER_NAMED(SQLITE_LOCKED),
    OUTRIDER_NAMED(SQLITE_LOCKED_SHAREDCACHE),
    OUTRIDER_NAMED(SQLITE_NOMEM),
    OUTRIDER_NAMED(SQLITE_READONLY),
    OUTRIDER_NAMED(SQLITE_READONLY_RECOVERY),
    OUTRIDER_NAMED(SQLITE_READONLY_CANTLOCK),
    OUTRIDER_NAMED(SQLITE_READONLY_CANTINIT),
    OUTRIDER_NAMED(SQLITE_READONLY_ROLLBACK),
    OUTRIDER_NAMED(SQLITE_READONLY_DBMOVED),
    OUTRIDER_NAMED(SQLITE_READONLY_DIRECTORY),
    OUTRIDER_NAMED(SQLITE_INTERRUPT),
    OUTRIDER_NAMED(SQLITE_IOERR),
    OUTRIDER_NAMED(SQLITE_IOERR_READ),
    OUTRIDER_NAMED(SQLITE_IOERR_SHORT_READ),
    OUTRIDER_NAMED(SQLITE_IOERR_WRITE),
    OUTRIDER_NAMED(SQLITE_IOERR_FSYNC),
    OUTRIDER_NAMED(SQLITE_IOERR_DIR_FSYNC),
    OUTRIDER_NAMED(SQLITE_IOERR_TRUNCATE),
    OUTRIDER_NAMED(SQLITE_IOERR_FSTAT),
    OUTRIDER_NAMED(SQLITE_IOERR_UNLOCK),
    OUTRIDER_NAMED(SQLITE_IOERR_RDLOCK),
    OUTRIDER_NAMED(SQLITE_IOERR_DELETE),
    OUTRIDER_NAMED(SQLITE_IOERR_NOMEM),
    OUTRIDER_NAMED(SQLITE_IOERR_ACCESS),
    OUTRIDER_NAMED(SQLITE_IOERR_LOCK),
    OUTRIDER_NAMED(SQLITE_IOERR_CLOSE),
    OUTRIDER_NAMED(SQLITE_IOERR_SHMOPEN),
    OUTRIDER_NAMED(SQLITE_IOERR_SHMSIZE),
    OUTRIDER_NAMED(SQLITE_IOERR_SHMLOCK),
    OUTRIDER_NAMED(SQLITE_IOERR_SHMMAP),
    OUTRIDER_NAMED(SQLITE_IOERR_DATA),
    OUTRIDER_NAMED(SQLITE_IOERR_CORRUPTFS),
    OUTRIDER_NAMED(SQLITE_CORRUPT),
    OUTRIDER_NAMED(SQLITE_CORRUPT_SEQUENCE),
    OUTRIDER_NAMED(SQLITE_CORRUPT_INDEX),
    OUTRIDER_NAMED(SQLITE_FULL),
    OUTRIDER_NAMED(SQLITE_CANTOPEN),
    OUTRIDER_NAMED(SQLITE_CANTOPEN_ISDIR),
    OUTRIDER_NAMED(SQLITE_CANTOPEN_FULLPATH),
    OUTRIDER_NAMED(SQLITE_CANTOPEN_SYMLINK),
    OUTRIDER_NAMED(SQLITE_PROTOCOL),
    OUTRIDER_NAMED(SQLITE_SCHEMA),
    OUTRIDER_NAMED(SQLITE_TOOBIG),
    OUTRIDER_NAMED(SQLITE_CONSTRAINT),
    OUTRIDER_NAMED(SQLITE_CONSTRAINT_CHECK),
    OUTRIDER_NAMED(SQLITE_CONSTRAINT_FOREIGNKEY),
    OUTRIDER_NAMED(SQLITE_CONSTRAINT_NOTNULL),
    OUTRIDER_NAMED(SQLITE_CONSTRAINT_PRIMARYKEY),
    OUTRIDER_NAMED(SQLITE_CONSTRAINT_TRIGGER),
    OUTRIDER_NAMED(SQLITE_CONSTRAINT_UNIQUE),
    OUTRIDER_NAMED(SQLITE_CONSTRAINT_DATATYPE),
    OUTRIDER_NAMED(SQLITE_MISMATCH),
    OUTRIDER_NAMED(SQLITE_MISUSE),
    OUTRIDER_NAMED(SQLITE_AUTH),
    OUTRIDER_NAMED(SQLITE_NOTADB),
};
#undef OUTRIDER_NAMED

bool has_no_room(sqlite3* connection) {
  const int number = connection ? sqlite3_system_errno(connection) : 0;
  return number == ENOSPC || number == EDQUOT;
}

// A missing table or column of ours has no code of its own: SQLite says it in words only.
Errc code_of_words(std::string_view reason) {
  if (reason.find("outrider_") == std::string_view::npos)
    return Errc::store_failure;
  if (reason.starts_with("no such table: "))
    return Errc::schema_missing;
  if (reason.find(" has no column named ") != std::string_view::npos)
    return Errc::schema_behind;
  return Errc::store_failure;
}

Errc to_code(sqlite3* connection, int extended, std::string_view reason) {
  switch (extended & primary_mask) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Errc::busy;
    case SQLITE_READONLY:
      return Errc::read_only;
    case SQLITE_FULL:
      return Errc::disk_full;
    case SQLITE_IOERR:
      return has_no_room(connection) ? Errc::disk_full : Errc::store_failure;
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return Errc::permission_denied;
    case SQLITE_MISUSE:
      return Errc::internal;
    case SQLITE_ERROR:
      return code_of_words(reason);
    default:
      return Errc::store_failure;
  }
}

std::string_view advice(Errc code, int extended) {
  if (extended == SQLITE_BUSY_SNAPSHOT)
    return "; the transaction had read before another one wrote: start it with BEGIN IMMEDIATE, "
           "and repeat the whole transaction";
  switch (code) {
    case Errc::busy:
      return "; another connection is writing: repeat the whole transaction";
    case Errc::schema_missing:
    case Errc::schema_behind:
      return "; run \"outrider migrate\" on this database";
    case Errc::disk_full:
      return "; make room on the disk, then try again";
    default:
      return "";
  }
}

}  // namespace

std::string code_name(int result_code) {
  for (const int code : {result_code, result_code & primary_mask}) {
    const auto found = std::find_if(code_names.begin(), code_names.end(),
                                    [&](const CodeName& named) { return named.code == code; });
    if (found != code_names.end())
      return std::string(found->name);
  }
  return fmt::format("SQLITE_{}", result_code);
}

Error to_error(sqlite3* connection, int result_code, std::string_view attempted,
               std::string_view statement) {
  // A caller's connection may report primary codes only; it still remembers the extended one.
  int extended = result_code;
  std::string reason = sqlite3_errstr(result_code);
  if (connection && sqlite3_errcode(connection) != SQLITE_OK) {
    const int remembered = sqlite3_extended_errcode(connection);
    if ((remembered & primary_mask) == (result_code & primary_mask)) {
      extended = remembered;
      reason = sqlite3_errmsg(connection);
    }
  }
  const Errc code = to_code(connection, extended, reason);
  if (code == Errc::schema_missing)
    reason = fmt::format("the outrider schema is missing or too old ({})", reason);
  if ((extended & primary_mask) == SQLITE_CANTOPEN && connection)
    reason = std::generic_category().message(sqlite3_system_errno(connection));
  Error error(code, fmt::format("{}: {}{}", attempted, sanitise(reason, reason_bytes_max),
                                advice(code, extended)));
  error.with_state(code_name(extended)).with_statement(std::string(statement));
  return error;
}

}  // namespace outrider::sqlite
