#include "support/postgres_server.hpp"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include "store/migrator.hpp"
#include "store/postgres/session.hpp"

namespace outrider::testing {

namespace {

void run(const std::string& command) {
  if (const int status = std::system(command.c_str()); status != 0)
    throw std::runtime_error(fmt::format("test server: {} failed with {}", command, status));
}

std::string find_programs() {
  namespace fs = std::filesystem;
  std::string newest;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql"))
    if (fs::exists(version.path() / "bin/initdb"))
      newest = std::max(newest, (version.path() / "bin").string());
  if (newest.empty())
    throw std::runtime_error(
        "test server: no PostgreSQL server programs; run scripts/install-packages test");
  return newest;
}

// Stops the server and removes its folder once the test program is gone, however it went: a child
// that holds the reading end of a pipe sees it close.
void guard(const std::string& stop_command) {
  int ends[2];
  if (::pipe(ends) != 0)
    throw std::runtime_error("test server: no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::setsid();
    ::signal(SIGTERM, SIG_IGN);
    ::close(ends[1]);
    for (int fd = 3; fd < 256; ++fd)
      if (fd != ends[0])
        ::close(fd);
    char byte = 0;
    while (::read(ends[0], &byte, 1) > 0) {
    }
    ::_exit(std::system(stop_command.c_str()) == 0 ? 0 : 1);
  }
  ::close(ends[0]);
  // The writing end stays open, and is not inherited by programs that tests start.
  ::fcntl(ends[1], F_SETFD, FD_CLOEXEC);
}

}  // namespace

PostgresServer& PostgresServer::instance() {
  static PostgresServer server;
  return server;
}

PostgresServer::PostgresServer() : bin_(find_programs()) {
  std::string pattern = (std::filesystem::temp_directory_path() / "outrider-pg-XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    throw std::runtime_error("test server: no temporary folder");
  folder_ = pattern;
  if (::geteuid() == 0) {
    run(fmt::format("chown postgres {0} && chmod 711 {0}", folder_));
    as_server_ = "setpriv --reuid=postgres --regid=postgres --clear-groups ";
  }
  run(fmt::format(
      "cd {2} && {0}{1}/initdb -D {2}/data -A trust -U postgres --no-sync >{2}/initdb.log 2>&1",
      as_server_, bin_, folder_));
  const std::string options = fmt::format(
      "-k {} -c listen_addresses= -c max_connections=200 -c shared_buffers=64MB -c "
      "max_prepared_transactions=20 "
      "-c autovacuum=off",
      folder_);
  guard(fmt::format("{0}{1}/pg_ctl -D {2}/data -m immediate stop >/dev/null 2>&1; rm -rf {2}",
                    as_server_, bin_, folder_));
  run(fmt::format("cd {2} && {0}{1}/pg_ctl -D {2}/data -w -l {2}/log -o '{3}' start >/dev/null",
                  as_server_, bin_, folder_, options));
}

// The guard does the stopping, also for a program that ends by itself.
PostgresServer::~PostgresServer() = default;

std::string PostgresServer::conninfo(const std::string& database, const std::string& user) const {
  return fmt::format("host={} user={} dbname={}", folder_, user, database);
}

void PostgresServer::run_sql(const std::string& database, const std::string& sql) {
  query(connect(conninfo(database)).get(), sql);
}

std::string PostgresServer::create_database(bool migrated) {
  if (migrated && !has_template_) {
    run_sql("postgres", "CREATE DATABASE outrider_template");
    migrate(*postgres::open(conninfo("outrider_template")));
    has_template_ = true;
  }
  const std::string name = fmt::format("test_{}", ++count_);
  run_sql("postgres",
          fmt::format("CREATE DATABASE {}{}", name, migrated ? " TEMPLATE outrider_template" : ""));
  return name;
}

void PostgresServer::drop_database(const std::string& name) {
  run_sql("postgres", fmt::format("DROP DATABASE {} WITH (FORCE)", name));
}

TestDatabase::TestDatabase(Schema schema)
    : name_(PostgresServer::instance().create_database(schema == Schema::migrated)) {}

TestDatabase::~TestDatabase() {
  PostgresServer::instance().drop_database(name_);
}

std::string TestDatabase::conninfo(const std::string& user) const {
  return PostgresServer::instance().conninfo(name_, user);
}

Connection connect(const std::string& conninfo) {
  Connection connection(PQconnectdb(conninfo.c_str()), &PQfinish);
  if (PQstatus(connection.get()) != CONNECTION_OK)
    throw std::runtime_error(PQerrorMessage(connection.get()));
  PQsetNoticeProcessor(
      connection.get(), [](void*, const char*) {}, nullptr);
  return connection;
}

std::string query(PGconn* connection, const std::string& text) {
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection, text.c_str()),
                                                             &PQclear);
  const ExecStatusType status = PQresultStatus(result.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
    throw std::runtime_error(fmt::format("{}: {}", text, PQerrorMessage(connection)));
  return PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "";
}

std::string sqlstate_of(PGconn* connection, const std::string& text) {
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection, text.c_str()),
                                                             &PQclear);
  const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
  return state ? state : "";
}

}  // namespace outrider::testing
