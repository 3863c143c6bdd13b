#include "store/sqlite/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <outrider/error.hpp>

#include "store/sqlite/binding.hpp"
#include "store/sqlite/result_code.hpp"
#include "store/sqlite/sql_text.hpp"
#include "store/statements.hpp"

namespace outrider::sqlite {

namespace {

ConnectionHandle connect(const std::string& path) {
  sqlite3* raw = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  ConnectionHandle connection(raw);
  if (code != SQLITE_OK)
    throw to_error(raw, code, fmt::format("cannot open {}", path), "");
  sqlite3_extended_result_codes(raw, 1);
  return connection;
}

// "" for a database in memory, which has no file to lock.
std::string file_of(sqlite3* connection) {
  const char* path = sqlite3_db_filename(connection, "main");
  return path ? path : "";
}

}  // namespace

SqliteSession::SqliteSession(const std::string& path, OpenOptions options)
    : connection_(connect(path)),
      options_(options),
      lock_(file_of(connection_.get())),
      checkpointer_(connection_.get(), lock_, options.wal_pages_max),
      prepared_(sql::statement_text.size()),
      owner_(::getpid()) {
  sqlite3_busy_timeout(connection_.get(), static_cast<int>(options_.busy_timeout.count()));
  // cache_spill: a transaction larger than the cache would write to the log before its commit.
  for (const char* pragma :
       {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON",
        "PRAGMA mmap_size = 0", "PRAGMA cache_spill = OFF"})
    run_text(pragma, fmt::format("cannot open {}", path));
}

// Closing would let a child of a fork checkpoint and remove the log of a parent that still uses it.
SqliteSession::~SqliteSession() {
  if (::getpid() == owner_)
    return;
  for (StatementHandle& statement : prepared_)
    static_cast<void>(statement.release());
  static_cast<void>(connection_.release());
}

std::unique_ptr<SqliteSession> open(const std::string& path, OpenOptions options) {
  return std::make_unique<SqliteSession>(path, options);
}

void SqliteSession::require_owner() const {
  if (::getpid() != owner_)
    throw Error(Errc::store_failure,
                "cannot use a SQLite session after a fork: open a new one in the child process");
}

bool SqliteSession::in_transaction() const {
  return sqlite3_get_autocommit(connection_.get()) == 0;
}

std::string SqliteSession::store_version() {
  return fmt::format("SQLite {}", sqlite3_libversion());
}

Rows SqliteSession::step_through(sqlite3_stmt* statement, std::string_view name) {
  Rows rows;
  rows.set_columns(static_cast<std::size_t>(sqlite3_column_count(statement)));
  const int before = sqlite3_total_changes(connection_.get());
  for (;;) {
    const int code = sqlite3_step(statement);
    if (code == SQLITE_DONE)
      break;
    if (code != SQLITE_ROW)
      throw to_error(connection_.get(), code, fmt::format("cannot run {}", name), name);
    add_row(rows, statement);
  }
  rows.set_affected(sqlite3_total_changes(connection_.get()) - before);
  return rows;
}

Rows SqliteSession::run(const Statement& statement, std::span<const Value> parameters) {
  require_owner();
  StatementHandle& prepared = prepared_[statement.index];
  if (!prepared)
    prepared = prepare(connection_.get(), statement.name, sql::statement_text[statement.index],
                       SQLITE_PREPARE_PERSISTENT);
  const ResetAfterUse reset(prepared.get());
  for (std::size_t i = 0; i < parameters.size(); ++i)
    bind(prepared.get(), static_cast<int>(i + 1), parameters[i]);
  if (in_transaction() || sqlite3_stmt_readonly(prepared.get()))
    return step_through(prepared.get(), statement.name);
  Rows rows;
  {
    const CheckpointLock::Hold hold = lock_.share(options_.busy_timeout);
    rows = step_through(prepared.get(), statement.name);
    sqlite3_reset(prepared.get());  // commits here, under the lock
  }
  checkpointer_.after_commit();
  return rows;
}

std::vector<Rows> SqliteSession::run_all(std::span<const Call> calls) {
  std::vector<Rows> answers;
  const auto run_each = [&] {
    for (const Call& call : calls)
      answers.push_back(run(call.statement, call.parameters));
  };
  if (in_transaction()) {
    run_each();
    return answers;
  }
  Transaction transaction(*this);
  run_each();
  transaction.commit();
  return answers;
}

void SqliteSession::run_text(const char* text, std::string_view attempted) {
  require_owner();
  const int code = sqlite3_exec(connection_.get(), text, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK)
    throw to_error(connection_.get(), code, attempted, "");
}

void SqliteSession::begin() {
  run_text("BEGIN IMMEDIATE", "cannot begin a transaction");
}

void SqliteSession::commit() {
  require_owner();  // before the lock, whose file a child shares with its parent
  try {
    const CheckpointLock::Hold hold = lock_.share(options_.busy_timeout);
    run_text("COMMIT", "cannot commit");
  } catch (const Error&) {
    // A refused COMMIT leaves the transaction open, and with it the lock that all writers need.
    rollback();
    throw;
  }
  checkpointer_.after_commit();
}

void SqliteSession::rollback() {
  if (in_transaction())
    run_text("ROLLBACK", "cannot roll back");
}

std::span<const Migration> SqliteSession::migrations() const {
  return sql::migrations;
}

std::vector<std::string> SqliteSession::split_script(std::string_view script) const {
  std::vector<std::string> statements;
  std::string statement;
  for (const char each : script) {
    statement.push_back(each);
    if (each == ';' && sqlite3_complete(statement.c_str())) {
      statements.push_back(std::move(statement));
      statement.clear();
    }
  }
  return statements;
}

void SqliteSession::run_ddl(std::string_view statement) {
  run_text(std::string(statement).c_str(), "cannot migrate");
}

bool SqliteSession::has_migrations() {
  require_owner();
  const StatementHandle statement = prepare(connection_.get(), sql::migration_table_exists.name,
                                            sql::migration_table_exists.text);
  return step_through(statement.get(), sql::migration_table_exists.name)[0].boolean(0);
}

void SqliteSession::prepare_migration() {
  if (has_migrations())
    return;
  Transaction transaction(*this);
  run_ddl(sql::create_migration_table.text);
  transaction.commit();
}

}  // namespace outrider::sqlite
