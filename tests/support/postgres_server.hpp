#pragma once

#include <libpq-fe.h>
#include <memory>
#include <string>

namespace outrider::testing {

// A private PostgreSQL for one test program: its own data folder, a Unix socket and no TCP, run by
// an unprivileged user when the tests run as root. Started on first use, stopped and removed when
// the program ends, also when it is killed: a small guard process waits for that.
class PostgresServer {
 public:
  static PostgresServer& instance();

  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // A connection string for a database of this server.
  std::string conninfo(const std::string& database, const std::string& user = "postgres") const;
  // Where its write-ahead log lies, for pg_waldump.
  std::string data_folder() const { return folder_ + "/data"; }
  std::string program(const std::string& name) const { return bin_ + "/" + name; }

  // A fresh database, empty or with the current schema (copied from a template, so it is quick).
  std::string create_database(bool migrated);
  void drop_database(const std::string& name);

 private:
  PostgresServer();
  void run_sql(const std::string& database, const std::string& sql);

  std::string folder_;
  std::string bin_;
  std::string as_server_;  // the command prefix that changes the user, or empty
  bool has_template_ = false;
  int count_ = 0;
};

// A database that goes when the test ends.
class TestDatabase {
 public:
  enum class Schema { migrated, none };
  explicit TestDatabase(Schema schema = Schema::migrated);
  ~TestDatabase();
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;

  std::string conninfo(const std::string& user = "postgres") const;

 private:
  std::string name_;
};

using Connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;

// Connects, or fails the test program with the reason.
Connection connect(const std::string& conninfo);

// Runs text and returns the first cell of the result, "" if there is none; fails the program on an
// error, because tests rely on it having worked.
std::string query(PGconn* connection, const std::string& text);
// The SQLSTATE that running the text gives, "" for success.
std::string sqlstate_of(PGconn* connection, const std::string& text);

}  // namespace outrider::testing
