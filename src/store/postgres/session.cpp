#include "store/postgres/session.hpp"

#include <array>
#include <fmt/format.h>
#include <optional>
#include <poll.h>

#include <outrider/error.hpp>

#include "core/assert.hpp"
#include "store/postgres/sql_text.hpp"
#include "store/postgres/sqlstate.hpp"
#include "store/postgres/wire.hpp"
#include "store/statements.hpp"

namespace outrider::postgres {

namespace {

constexpr int binary_results = 1;

}  // namespace

ConnectionHandle connect(const std::string& conninfo, const std::string& application_name) {
  // libpq lets dbname be a whole connection string. What stands before it is filled in where the
  // string leaves it out; what stands after it holds whatever the string and the environment say.
  constexpr std::array<const char*, 9> keywords{"target_session_attrs",
                                                "fallback_application_name",
                                                "connect_timeout",
                                                "keepalives_idle",
                                                "keepalives_interval",
                                                "keepalives_count",
                                                "dbname",
                                                "client_encoding",
                                                nullptr};
  const std::array<const char*, 9> values{
      "read-write", application_name.c_str(), "10",   "30",   "10",
      "3",          conninfo.c_str(),         "UTF8", nullptr};
  ConnectionHandle connection(PQconnectdbParams(keywords.data(), values.data(), 1));
  if (PQstatus(connection.get()) != CONNECTION_OK)
    throw to_error(nullptr, connection.get(), "cannot connect to PostgreSQL", "");
  PQsetNoticeProcessor(
      connection.get(), [](void*, const char*) {}, nullptr);
  return connection;
}

PostgresSession::PostgresSession(const std::string& conninfo, OpenOptions options)
    : connection_(connect(conninfo, options.application_name)),
      options_(std::move(options)),
      prepared_(sql::statement_text.size(), false) {}

std::unique_ptr<PostgresSession> open(const std::string& conninfo, OpenOptions options) {
  return std::make_unique<PostgresSession>(conninfo, std::move(options));
}

std::string PostgresSession::store_version() {
  const int version = PQserverVersion(connection_.get());
  return fmt::format("PostgreSQL {}.{}", version / 10000, version % 10000);
}

bool PostgresSession::is_prepared(const Statement& statement) const {
  return prepared_[statement.index];
}

Rows PostgresSession::run(const Statement& statement, std::span<const Value> parameters) {
  PGconn* connection = connection_.get();
  const std::string name(statement.name);
  const std::string attempted = "cannot run " + name;
  const Parameters wire(parameters);
  const bool is_unnamed = options_.plans == OpenOptions::Plans::unnamed;
  const std::string text(sql::statement_text[statement.index]);
  if (!is_unnamed && !is_prepared(statement)) {
    const ResultHandle result(PQprepare(connection, name.c_str(), text.c_str(), 0, nullptr));
    require_success(result.get(), connection, attempted, name);
    prepared_[statement.index] = true;
  }
  const ResultHandle result(
      is_unnamed ? PQexecParams(connection, text.c_str(), wire.count(), nullptr, wire.pointers(),
                                wire.lengths(), wire.formats(), binary_results)
                 : PQexecPrepared(connection, name.c_str(), wire.count(), wire.pointers(),
                                  wire.lengths(), wire.formats(), binary_results));
  require_success(result.get(), connection, attempted, name);
  return to_rows(result.get());
}

std::vector<Rows> PostgresSession::run_all(std::span<const Call> calls) {
  send(calls);
  return receive();
}

void PostgresSession::send(std::span<const Call> calls) {
  OUTRIDER_ASSERT(sent_.empty());
  PGconn* connection = connection_.get();
  PQsetnonblocking(connection, 1);
  if (!PQenterPipelineMode(connection))
    throw to_error(nullptr, connection, "cannot start a pipeline", "");
  for (const Call& call : calls)
    send_call(call);
  if (!PQpipelineSync(connection))
    throw to_error(nullptr, connection, "cannot end a pipeline", "");
  flush();
}

void PostgresSession::send_call(const Call& call) {
  PGconn* connection = connection_.get();
  const std::string name(call.statement.name);
  const std::string text(sql::statement_text[call.statement.index]);
  const Parameters wire(call.parameters);
  int sent = 0;
  if (options_.plans == OpenOptions::Plans::unnamed) {
    sent = PQsendQueryParams(connection, text.c_str(), wire.count(), nullptr, wire.pointers(),
                             wire.lengths(), wire.formats(), binary_results);
  } else {
    if (!is_prepared(call.statement)) {
      if (!PQsendPrepare(connection, name.c_str(), text.c_str(), 0, nullptr))
        throw to_error(nullptr, connection, "cannot prepare " + name, name);
      sent_.push_back({&call.statement, true});
      prepared_[call.statement.index] = true;  // taken back in receive() if the server refuses
    }
    sent = PQsendQueryPrepared(connection, name.c_str(), wire.count(), wire.pointers(),
                               wire.lengths(), wire.formats(), binary_results);
  }
  if (!sent)
    throw to_error(nullptr, connection, "cannot run " + name, name);
  sent_.push_back({&call.statement, false});
}

// The server may want to send before it reads on, so input is taken in while output is pushed out.
void PostgresSession::flush() {
  PGconn* connection = connection_.get();
  for (;;) {
    const int left = PQflush(connection);
    if (left == 0)
      return;
    pollfd waiting{PQsocket(connection), POLLIN | POLLOUT, 0};
    if (left < 0 || ::poll(&waiting, 1, -1) < 0 ||
        ((waiting.revents & POLLIN) && !PQconsumeInput(connection)))
      throw to_error(nullptr, connection, "cannot send to PostgreSQL", "");
  }
}

bool PostgresSession::is_ready() {
  if (!PQconsumeInput(connection_.get()))
    throw to_error(nullptr, connection_.get(), "cannot receive from PostgreSQL", "");
  return !PQisBusy(connection_.get());
}

int PostgresSession::socket() const {
  return PQsocket(connection_.get());
}

std::vector<Rows> PostgresSession::receive() {
  PGconn* connection = connection_.get();
  std::vector<Rows> answers;
  std::optional<Error> refusal;
  for (const Sent& sent : sent_) {
    const ResultHandle result(PQgetResult(connection));
    const ResultHandle end(PQgetResult(connection));  // the null that follows every statement
    const ExecStatusType status = result ? PQresultStatus(result.get()) : PGRES_FATAL_ERROR;
    const bool is_good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!is_good && sent.is_prepare)
      prepared_[sent.statement->index] = false;
    if (!is_good && !refusal)
      refusal = to_error(result.get(), connection,
                         fmt::format("cannot run {}", sent.statement->name), sent.statement->name);
    if (is_good && !sent.is_prepare)
      answers.push_back(to_rows(result.get()));
  }
  sent_.clear();
  const ResultHandle sync(PQgetResult(connection));
  PQexitPipelineMode(connection);
  PQsetnonblocking(connection, 0);
  if (refusal)
    throw std::move(*refusal);
  return answers;
}

void PostgresSession::run_text(const char* text, std::string_view attempted) {
  const ResultHandle result(PQexec(connection_.get(), text));
  require_success(result.get(), connection_.get(), attempted, "");
}

void PostgresSession::begin() {
  run_text("BEGIN", "cannot begin a transaction");
}

void PostgresSession::commit() {
  const ResultHandle result(PQexec(connection_.get(), "COMMIT"));
  if (PQstatus(connection_.get()) != CONNECTION_OK)
    throw Error(
        Errc::commit_in_doubt,
        "cannot tell whether the transaction was committed: the connection broke before the "
        "answer; look before repeating it");
  require_success(result.get(), connection_.get(), "cannot commit", "");
  // COMMIT of a transaction that failed earlier succeeds as a ROLLBACK.
  if (std::string_view(PQcmdStatus(result.get())) != "COMMIT")
    throw Error(Errc::store_failure, "cannot commit: an earlier error had aborted the transaction");
}

void PostgresSession::rollback() {
  if (PQtransactionStatus(connection_.get()) != PQTRANS_IDLE)
    run_text("ROLLBACK", "cannot roll back");
}

std::span<const Migration> PostgresSession::migrations() const {
  return sql::migrations;
}

std::vector<std::string> PostgresSession::split_script(std::string_view script) const {
  return split_statements(script);
}

void PostgresSession::run_ddl(std::string_view statement) {
  run_text(std::string(statement).c_str(), "cannot migrate");
}

bool PostgresSession::has_migrations() {
  const ResultHandle known(PQexecParams(connection_.get(), sql::migration_table_exists.text.data(),
                                        0, nullptr, nullptr, nullptr, nullptr, binary_results));
  require_success(known.get(), connection_.get(), "cannot read the catalog",
                  sql::migration_table_exists.name);
  return to_rows(known.get())[0].boolean(0);
}

void PostgresSession::prepare_migration() {
  if (has_migrations())
    return;
  constexpr int tries = 20;  // the loser of a race tries again; each round somebody wins
  for (int n = 1;; ++n) {
    const ResultHandle made(PQexec(connection_.get(), sql::create_migration_table.text.data()));
    if (PQresultStatus(made.get()) == PGRES_COMMAND_OK)
      return;
    const char* state = PQresultErrorField(made.get(), PG_DIAG_SQLSTATE);
    const std::string_view race = state ? state : "";
    if (n == tries || (race != "23505" && race != "42P06" && race != "42P07" && race != "XX000"))
      throw to_error(made.get(), connection_.get(), "cannot create the schema outrider",
                     sql::create_migration_table.name);
  }
}

std::vector<std::string> split_statements(std::string_view script) {
  std::vector<std::string> statements;
  std::string statement;
  bool in_body = false;
  while (!script.empty()) {
    const std::size_t length = std::min(script.find('\n'), script.size() - 1) + 1;
    const std::string_view line = script.substr(0, length);
    script.remove_prefix(length);
    const std::size_t start = line.find_first_not_of(' ');
    const bool is_comment = !in_body && start != line.npos && line.substr(start).starts_with("--");
    if (is_comment || (statement.empty() && line == "\n"))
      continue;
    statement += line;
    for (std::size_t at = line.find("$$"); at != line.npos; at = line.find("$$", at + 2))
      in_body = !in_body;
    const std::size_t last = line.find_last_not_of("\n ");
    if (!in_body && last != line.npos && line[last] == ';') {
      statements.push_back(std::move(statement));
      statement.clear();
    }
  }
  if (!statement.empty())
    statements.push_back(std::move(statement));
  return statements;
}

}  // namespace outrider::postgres
