#include "store/postgres/producer_connection.hpp"

#include <fmt/format.h>
#include <libpq-events.h>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include <outrider/error.hpp>

#include "store/postgres/handles.hpp"
#include "store/postgres/sql_text.hpp"
#include "store/postgres/sqlstate.hpp"
#include "store/postgres/wire.hpp"

namespace outrider::postgres {

namespace {

constexpr int binary_results = 1;

// libpq keeps one pointer per connection for us and tells when it is reset or destroyed. The pointer
// is a plain mark: null means "not looked at yet", this means "the schema fits".
char schema_fits_mark;

int forget_on_reset(PGEventId event, void* info, void* /*pass_through*/) noexcept {
  if (event == PGEVT_CONNRESET) {
    auto* reset = static_cast<PGEventConnReset*>(info);
    PQsetInstanceData(reset->conn, forget_on_reset, nullptr);
  }
  return 1;
}

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
  const std::optional<int> version = comment ? number_after(*comment, "outrider schema ") : std::nullopt;
  const std::optional<int> compatible = comment ? number_after(*comment, "compatible ") : std::nullopt;
  if (!version || !compatible)
    throw Error(Errc::schema_missing,
                "cannot enqueue: this database has no outrider schema; run \"outrider migrate\" on it");
  if (*compatible > known)
    throw Error(Errc::schema_newer,
                fmt::format("cannot enqueue: the schema is version {} and needs a build that knows {}, this "
                            "one knows {}; upgrade outrider", *version, *compatible, known));
  if (*version < known)
    throw Error(Errc::schema_behind,
                fmt::format("cannot enqueue: the schema is version {}, this build needs {}; run \"outrider "
                            "migrate\"", *version, known));
}

void require_transaction(PGconn* connection, const EnqueueOptions& options) {
  if (!connection || PQstatus(connection) != CONNECTION_OK)
    throw Error(Errc::connection_lost, "cannot enqueue: the connection is not open; connect again");
  if (PQpipelineStatus(connection) != PQ_PIPELINE_OFF)
    throw Error(Errc::invalid_argument, "cannot enqueue: the connection is in pipeline mode; leave it first");
  switch (PQtransactionStatus(connection)) {
    case PQTRANS_INTRANS: return;
    case PQTRANS_IDLE:
      if (options.autocommit == EnqueueOptions::Autocommit::allow)
        return;
      throw Error(Errc::not_in_transaction,
                  "cannot enqueue: the connection is not in a transaction, so the message would be "
                  "committed apart from your change; BEGIN first, or allow autocommit in the options");
    case PQTRANS_INERROR:
      throw Error(Errc::store_failure, "cannot enqueue: an earlier error has aborted the transaction; roll back");
    default:
      throw Error(Errc::busy, "cannot enqueue: the connection is busy with another command; read its results first");
  }
}

}  // namespace

ProducerConnection::ProducerConnection(PGconn* connection, const EnqueueOptions& options)
    : connection_(connection) {
  require_transaction(connection, options);
  const bool schema_fits = PQinstanceData(connection, forget_on_reset) == &schema_fits_mark;
  const bool may_be_read_only =
      is_on(connection, "default_transaction_read_only") || is_on(connection, "in_hot_standby");
  if (schema_fits && !may_be_read_only)
    return;
  const Rows facts = run(sql::connection_facts, {});
  if (facts[0].boolean(1))
    throw Error(Errc::read_only,
                "cannot enqueue: the transaction is read-only; use a connection that can write (a primary, "
                "default_transaction_read_only = off)");
  require_schema(facts[0].optional_text(0));
  PQregisterEventProc(connection, forget_on_reset, "outrider", nullptr);
  PQsetInstanceData(connection, forget_on_reset, &schema_fits_mark);
}

Rows ProducerConnection::run(const OwnStatement& statement, std::span<const Value> parameters) {
  const Parameters wire(parameters);
  const ResultHandle result(PQexecParams(connection_, statement.text.data(), wire.count(), nullptr,
                                         wire.pointers(), wire.lengths(), wire.formats(), binary_results));
  require_success(result.get(), connection_, "cannot enqueue", statement.name);
  return to_rows(result.get());
}

}  // namespace outrider::postgres
