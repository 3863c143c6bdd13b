#include "store/postgres/producer_connection.hpp"

#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

#include <outrider/error.hpp>

#include "store/postgres/connection_note.hpp"
#include "store/postgres/handles.hpp"
#include "store/postgres/sql_text.hpp"
#include "store/postgres/sqlstate.hpp"
#include "store/postgres/wire.hpp"

namespace outrider::postgres {

namespace {

constexpr std::chrono::seconds ask_again_after{5};

bool is_on(PGconn* connection, const char* parameter) {
  const char* value = PQparameterStatus(connection, parameter);
  return value && std::string_view(value) == "on";
}

// The number after `word` in the schema's comment, "outrider schema 4, compatible 2".
std::optional<int> number_after(std::string_view comment, std::string_view word) {
  const std::size_t at = comment.find(word);
  if (at == comment.npos)
    return std::nullopt;
  int number = 0;
  const char* first = comment.data() + at + word.size();
  const auto [end, error] = std::from_chars(first, comment.data() + comment.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

void require_schema(const std::optional<std::string>& comment) {
  const int known = sql::migrations.back().version;
  const std::optional<int> version =
      comment ? number_after(*comment, "outrider schema ") : std::nullopt;
  const std::optional<int> compatible =
      comment ? number_after(*comment, "compatible ") : std::nullopt;
  if (!version || !compatible)
    throw Error(
        Errc::schema_missing,
        "cannot enqueue: this database has no outrider schema; run \"outrider migrate\" on it");
  if (*compatible > known)
    throw Error(
        Errc::schema_newer,
        fmt::format(
            "cannot enqueue: the schema is version {} and needs a build that knows {}, this "
            "one knows {}; upgrade outrider",
            *version, *compatible, known));
  if (*version < known)
    throw Error(
        Errc::schema_behind,
        fmt::format("cannot enqueue: the schema is version {}, this build needs {}; run \"outrider "
                    "migrate\"",
                    *version, known));
}

// In any other encoding the server would convert our UTF-8, and the payload would not be kept byte
// for byte. SQL_ASCII converts nothing.
void require_utf8(PGconn* connection) {
  const char* reported = PQparameterStatus(connection, "client_encoding");
  const std::string_view encoding = reported ? reported : "UTF8";
  if (encoding != "UTF8" && encoding != "SQL_ASCII")
    throw Error(Errc::invalid_argument,
                fmt::format("cannot enqueue: the connection's client_encoding is {}; run SET "
                            "client_encoding = 'UTF8' on it",
                            encoding));
}

void require_transaction(PGconn* connection, const EnqueueOptions& options) {
  if (!connection || PQstatus(connection) != CONNECTION_OK)
    throw Error(Errc::connection_lost, "cannot enqueue: the connection is not open; connect again");
  if (PQpipelineStatus(connection) != PQ_PIPELINE_OFF)
    throw Error(Errc::invalid_argument,
                "cannot enqueue: the connection is in pipeline mode; leave it first");
  switch (PQtransactionStatus(connection)) {
    case PQTRANS_INTRANS:
      return;
    case PQTRANS_IDLE:
      if (options.autocommit == EnqueueOptions::Autocommit::allow)
        return;
      throw Error(
          Errc::not_in_transaction,
          "cannot enqueue: the connection is not in a transaction, so the message would be "
          "committed apart from your change; BEGIN first, or allow autocommit in the options");
    case PQTRANS_INERROR:
      throw Error(Errc::store_failure,
                  "cannot enqueue: an earlier error has aborted the transaction; roll back");
    default:
      throw Error(
          Errc::busy,
          "cannot enqueue: the connection is busy with another command; read its results first");
  }
}

}  // namespace

ProducerConnection::ProducerConnection(PGconn* connection, const EnqueueOptions& options)
    : connection_(connection), plans_(options.plans) {
  require_transaction(connection, options);
  require_utf8(connection);
  ConnectionNote& note = ConnectionNote::of(connection);
  const bool may_be_read_only =
      is_on(connection, "default_transaction_read_only") || is_on(connection, "in_hot_standby");
  if (note.schema_fits && !may_be_read_only)
    return;
  const Rows facts = run(sql::connection_facts, {});
  if (facts[0].boolean(1))
    throw Error(
        Errc::read_only,
        "cannot enqueue: the transaction is read-only; use a connection that can write (a primary, "
        "default_transaction_read_only = off)");
  require_schema(facts[0].optional_text(0));
  note.schema_fits = true;
}

Rows ProducerConnection::run(const OwnStatement& statement, std::span<const Value> parameters) {
  constexpr int binary_results = 1;
  const Parameters wire(parameters);
  if (plans_ == EnqueueOptions::Plans::unnamed) {
    const ResultHandle result(PQexecParams(connection_, statement.text.data(), wire.count(),
                                           nullptr, wire.pointers(), wire.lengths(), wire.formats(),
                                           binary_results));
    require_success(result.get(), connection_, "cannot enqueue", statement.name);
    return to_rows(result.get());
  }
  ConnectionNote& note = ConnectionNote::of(connection_);
  const std::string name = fmt::format("outrider_{}", statement.name);
  if (!note.prepared.contains(statement.name)) {
    const ResultHandle result(
        PQprepare(connection_, name.c_str(), statement.text.data(), 0, nullptr));
    require_success(result.get(), connection_, "cannot enqueue", statement.name);
    note.prepared.insert(statement.name);
  }
  const ResultHandle result(PQexecPrepared(connection_, name.c_str(), wire.count(), wire.pointers(),
                                           wire.lengths(), wire.formats(), binary_results));
  const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
  // Somebody dropped our statements (DISCARD ALL, a pooler): this transaction is lost, the next is
  // not.
  if (state && std::string_view(state) == "26000")
    note.prepared.clear();
  require_success(result.get(), connection_, "cannot enqueue", statement.name);
  return to_rows(result.get());
}

bool ProducerConnection::is_registered(std::int64_t topic, std::string_view name) {
  ConnectionNote& note = ConnectionNote::of(connection_);
  if (note.registered_topics.contains(topic))
    return true;
  const auto now = std::chrono::steady_clock::now();
  const auto [asked, is_new] = note.unregistered_topics.try_emplace(topic, now);
  if (!is_new && now < asked->second)
    return false;
  if (!run(sql::unregistered_name, {topic, name})[0].is_null(0)) {
    asked->second = now + ask_again_after;
    return false;
  }
  note.unregistered_topics.erase(asked);
  note.registered_topics.insert(topic);
  return true;
}

}  // namespace outrider::postgres
