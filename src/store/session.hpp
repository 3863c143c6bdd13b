#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/migration.hpp"
#include "store/rows.hpp"
#include "store/statement.hpp"
#include "store/value.hpp"

namespace outrider {

// One statement with its parameters, for Session::run_all.
struct Call {
  const Statement& statement;
  std::vector<Value> parameters;
};

// The seam between the outbox algorithm and a database: one connection that runs named statements.
// Everything above it is written once. Used by one thread at a time; never shared.
//
// Every call throws Error when the database refuses or is away. After connection_lost the session
// is useless: open another one.
class Session {
 public:
  virtual ~Session() = default;

  // "PostgreSQL 15.3" or "SQLite 3.40.1", for people.
  virtual std::string store_version() = 0;

  // Runs one statement and waits for its rows. Outside a transaction it commits by itself.
  virtual Rows run(const Statement& statement, std::span<const Value> parameters) = 0;
  Rows run(const Statement& statement, std::initializer_list<Value> parameters = {}) {
    return run(statement, std::span<const Value>(parameters.begin(), parameters.size()));
  }

  // Runs the statements in order, in one round trip where the store has round trips. Outside a
  // transaction they are one transaction: all or none.
  virtual std::vector<Rows> run_all(std::span<const Call> calls) = 0;

  virtual void begin() = 0;     // for writing: BEGIN IMMEDIATE on SQLite
  virtual void commit() = 0;    // throws commit_in_doubt when the answer never came
  virtual void rollback() = 0;  // does nothing without a transaction

  // The migrations of this dialect, oldest first.
  virtual std::span<const Migration> migrations() const = 0;
  // The statements of a script, in order.
  virtual std::vector<std::string> split_script(std::string_view script) const = 0;
  // Runs one statement of a migration.
  virtual void run_ddl(std::string_view statement) = 0;
  // Whether the table that remembers migrations is there.
  virtual bool has_migrations() = 0;
  // Makes the table that remembers migrations, if it is not there; safe when several do it at once.
  virtual void prepare_migration() = 0;
};

// Rolls back unless committed, so that an error cannot leave a transaction open.
class Transaction {
 public:
  explicit Transaction(Session& session) : session_(&session) { session.begin(); }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Session* session_;  // null once committed
};

}  // namespace outrider
