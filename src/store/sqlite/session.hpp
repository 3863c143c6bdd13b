#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

#include "store/session.hpp"
#include "store/sqlite/checkpoint.hpp"
#include "store/sqlite/handles.hpp"

namespace outrider::sqlite {

struct OpenOptions {
  // How long a writer waits for another one.
  std::chrono::milliseconds busy_timeout{5000};
  // The log is checkpointed when it has grown past this many pages.
  int wal_pages_max = 1000;
};

// A session over one SQLite file: write-ahead log, every commit synced, one writer at a time. A
// process that forks must not use its parent's session: SQLite's locks do not survive a fork, so
// the child is refused.
class SqliteSession final : public Session {
 public:
  SqliteSession(const std::string& path, OpenOptions options);
  ~SqliteSession() override;

  std::string store_version() override;
  using Session::run;
  Rows run(const Statement& statement, std::span<const Value> parameters) override;
  std::vector<Rows> run_all(std::span<const Call> calls) override;
  void begin() override;
  void commit() override;
  void rollback() override;
  std::span<const Migration> migrations() const override;
  std::vector<std::string> split_script(std::string_view script) const override;
  void run_ddl(std::string_view statement) override;
  bool has_migrations() override;
  void prepare_migration() override;

 private:
  void require_owner() const;
  bool in_transaction() const;
  void run_text(const char* text, std::string_view attempted);
  Rows step_through(sqlite3_stmt* statement, std::string_view name);

  ConnectionHandle connection_;
  OpenOptions options_;
  CheckpointLock lock_;
  Checkpointer checkpointer_;
  std::vector<StatementHandle> prepared_;  // by Statement::index
  pid_t owner_;
};

// Opens the file, making it if it is not there. Throws Error(store_failure) naming the path.
std::unique_ptr<SqliteSession> open(const std::string& path, OpenOptions options = {});

}  // namespace outrider::sqlite
