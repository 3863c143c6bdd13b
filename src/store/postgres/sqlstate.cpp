#include "store/postgres/sqlstate.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace outrider::postgres {

namespace {

constexpr std::size_t reason_bytes_max = 500;

std::string_view field(const PGresult* result, int code) {
  const char* text = result ? PQresultErrorField(result, code) : nullptr;
  return text ? std::string_view(text) : std::string_view();
}

std::string_view advice(Errc code) {
  switch (code) {
    case Errc::schema_missing:
      return "; run \"outrider migrate\" on this database";
    case Errc::serialization_failure:
      return "; repeat the whole transaction";
    case Errc::connection_lost:
      return "; connect again, and look before repeating a commit";
    case Errc::permission_denied:
      return "; grant the role outrider_producer, outrider_reader or outrider_worker";
    default:
      return "";
  }
}

}  // namespace

Errc to_code(std::string_view sqlstate) {
  if (sqlstate.empty() || sqlstate.starts_with("08") || sqlstate.starts_with("57P"))
    return Errc::connection_lost;
  if (sqlstate == "40001" || sqlstate == "40P01")
    return Errc::serialization_failure;
  if (sqlstate == "25006")
    return Errc::read_only;
  // Undefined table, schema, function, column: the schema is not there, or is too old.
  if (sqlstate == "42P01" || sqlstate == "3F000" || sqlstate == "42883" || sqlstate == "42703")
    return Errc::schema_missing;
  if (sqlstate == "42501")
    return Errc::permission_denied;
  if (sqlstate == "55P03" || sqlstate == "57014")
    return Errc::busy;
  if (sqlstate.starts_with("22"))
    return Errc::invalid_argument;
  if (sqlstate == "53100")
    return Errc::disk_full;
  return Errc::store_failure;
}

Error to_error(const PGresult* result, PGconn* connection, std::string_view attempted,
               std::string_view statement) {
  const std::string_view state = field(result, PG_DIAG_SQLSTATE);
  std::string reason(field(result, PG_DIAG_MESSAGE_PRIMARY));
  if (reason.empty())
    reason = PQerrorMessage(connection);
  if (const std::string_view hint = field(result, PG_DIAG_MESSAGE_HINT); !hint.empty())
    reason += fmt::format(" ({})", hint);
  while (!reason.empty() && reason.back() == '\n')
    reason.pop_back();
  const Errc code = to_code(state);
  // A connection that never came to be has committed nothing.
  const bool was_connected = result || PQserverVersion(connection) != 0;
  Error error(code, fmt::format("{}: {}{}", attempted, sanitise(reason, reason_bytes_max),
                                was_connected ? advice(code) : ""));
  error.with_state(std::string(state)).with_statement(std::string(statement));
  return error;
}

void require_success(const PGresult* result, PGconn* connection, std::string_view attempted,
                     std::string_view statement) {
  switch (result ? PQresultStatus(result) : PGRES_FATAL_ERROR) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_COPY_IN:
    case PGRES_PIPELINE_SYNC:
    case PGRES_EMPTY_QUERY:
      return;
    default:
      throw to_error(result, connection, attempted, statement);
  }
}

}  // namespace outrider::postgres
