#include <filesystem>
#include <fmt/format.h>
#include <sqlite3.h>
#include <stdexcept>
#include <string>

#include <outrider/outrider.hpp>

#include "contests.hpp"
#include "store/migrator.hpp"
#include "store/sqlite/session.hpp"

namespace outrider::bench {

namespace {

// The floor, and a table with the log's columns and index: what they cost.
constexpr const char* schema = R"(
  PRAGMA synchronous = FULL;
  CREATE TABLE lean (id INTEGER PRIMARY KEY, payload TEXT NOT NULL);
  CREATE TABLE same_columns (position INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL, id TEXT NOT NULL, tenant_id TEXT, deliver_at INTEGER,
    dedupe_key TEXT, ordering_key TEXT, headers TEXT, payload TEXT NOT NULL) STRICT;
  CREATE INDEX same_id ON same_columns (id);)";

class SqliteContests {
 public:
  SqliteContests()
      : folder_(std::filesystem::temp_directory_path() /
                fmt::format("outrider-bench-{}", random_uuid().to_string())) {
    std::filesystem::create_directory(folder_);
    const std::string path = (folder_ / "bench.db").string();
    migrate(*sqlite::open(path));
    require(sqlite3_open(path.c_str(), &connection_));
    run(schema);
    lean_ = prepare("INSERT INTO lean (payload) VALUES (?1)");
    same_ = prepare(
        "INSERT INTO same_columns (topic_id, created_at, id, payload) VALUES (1, ?2, ?3, ?1)");
  }
  ~SqliteContests() {
    sqlite3_finalize(lean_);
    sqlite3_finalize(same_);
    sqlite3_close(connection_);
    std::filesystem::remove_all(folder_);
  }
  SqliteContests(const SqliteContests&) = delete;
  SqliteContests& operator=(const SqliteContests&) = delete;

  Contest messages(std::size_t count, int transactions) const {
    const auto times = [count](const std::function<void()>& write) {
      return [count, write] {
        for (std::size_t i = 0; i < count; ++i)
          write();
      };
    };
    const std::vector<Message> batch(count, message_);
    const auto enqueue_all = [this, batch] {
      if (batch.size() == 1)
        enqueue(connection_, batch.front());
      else
        enqueue(connection_, batch);
    };
    return {
        .title = fmt::format("SQLite, {} message{} per transaction", count, count == 1 ? "" : "s"),
        .transactions = transactions,
        .contenders = {
            {"bare INSERT, lean table", in_transaction(times([this] { bare(lean_); })), true},
            {"bare INSERT, the log's columns", in_transaction(times([this] { wide(); }))},
            {"C++ enqueue", in_transaction(enqueue_all), false, 0.9}}};
  }

 private:
  // A contender that fails would look fast.
  void require(int code, int expected = SQLITE_OK) const {
    if (code != expected)
      throw std::runtime_error(fmt::format("benchmark: {}", sqlite3_errmsg(connection_)));
  }
  void run(const char* sql) const {
    require(sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr));
  }
  sqlite3_stmt* prepare(const char* sql) const {
    sqlite3_stmt* statement = nullptr;
    require(sqlite3_prepare_v2(connection_, sql, -1, &statement, nullptr));
    return statement;
  }
  void bare(sqlite3_stmt* statement) const {
    sqlite3_bind_text(statement, 1, message_.payload.data(),
                      static_cast<int>(message_.payload.size()), SQLITE_STATIC);
    require(sqlite3_step(statement), SQLITE_DONE);
    sqlite3_reset(statement);
  }
  void wide() const {
    const std::string id = new_uuid().to_string();
    sqlite3_bind_int64(same_, 2, 1'700'000'000'000'000);
    sqlite3_bind_text(same_, 3, id.data(), static_cast<int>(id.size()), SQLITE_STATIC);
    bare(same_);
  }
  std::function<void(std::size_t)> in_transaction(std::function<void()> write) const {
    return [this, write = std::move(write)](std::size_t) {
      run("BEGIN IMMEDIATE");
      write();
      run("COMMIT");
    };
  }

  std::filesystem::path folder_;
  sqlite3* connection_ = nullptr;
  sqlite3_stmt* lean_ = nullptr;
  sqlite3_stmt* same_ = nullptr;
  Message message_ = sample_message();
};

}  // namespace

void hold_sqlite_contests(int repetitions, int percent,
                          const std::function<void(const Contest&)>& report) {
  const SqliteContests contests;
  const auto scaled = [percent](int transactions) { return 1 + transactions * percent / 100; };
  for (Contest contest : {contests.messages(1, scaled(200)), contests.messages(100, scaled(50))}) {
    hold(contest, repetitions);
    report(contest);
  }
}

}  // namespace outrider::bench
