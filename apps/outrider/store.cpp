#include "outrider/store.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <sqlite3.h>

#include <outrider/error.hpp>

#include "config/redaction.hpp"
#include "store/migrator.hpp"
#include "store/postgres/handles.hpp"
#include "store/postgres/session.hpp"
#include "store/postgres/sqlstate.hpp"
#include "store/sqlite/handles.hpp"
#include "store/sqlite/result_code.hpp"
#include "store/sqlite/session.hpp"
#include "store/statements.hpp"

namespace outrider::cli {

namespace {

std::vector<Enqueued> enqueue_on_postgres(const std::string& conninfo,
                                          std::span<const Message> messages,
                                          const EnqueueOptions& options) {
  const postgres::ConnectionHandle connection = postgres::connect(conninfo, "outrider");
  const auto run = [&](const char* text) {
    const postgres::ResultHandle result(PQexec(connection.get(), text));
    postgres::require_success(result.get(), connection.get(), "cannot enqueue", "");
  };
  run("BEGIN");
  std::vector<Enqueued> results = enqueue(connection.get(), messages, options);
  run("COMMIT");
  return results;
}

void require_file(const std::string& path) {
  if (!std::filesystem::exists(path))
    throw Error(
        Errc::schema_missing,
        fmt::format("cannot use store sqlite:{0}: there is no such file; make it with \"outrider "
                    "migrate --store sqlite:{0}\", or name another one with --store",
                    path));
}

std::vector<Enqueued> enqueue_on_sqlite(const std::string& path, std::span<const Message> messages,
                                        const EnqueueOptions& options) {
  require_file(path);
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE, nullptr);
  const sqlite::ConnectionHandle connection(raw);
  if (code != SQLITE_OK)
    throw sqlite::to_error(raw, code, fmt::format("cannot open {}", path), "");
  sqlite3_busy_timeout(raw, 5000);
  sqlite3_wal_autocheckpoint(raw, 0);  // see store/sqlite/checkpoint.hpp
  EnqueueOptions alone = options;
  alone.autocommit = EnqueueOptions::Autocommit::allow;
  return enqueue(raw, messages, alone);
}

}  // namespace

StoreAddress parse_store_url(const std::string& url) {
  constexpr std::string_view sqlite_scheme = "sqlite:";
  if (url.starts_with(sqlite_scheme) && url.size() > sqlite_scheme.size())
    return {StoreAddress::Kind::sqlite, url.substr(sqlite_scheme.size())};
  const bool is_postgres = url.starts_with("postgres://") || url.starts_with("postgresql://") ||
                           url.find('=') != std::string::npos;
  if (is_postgres)
    return {StoreAddress::Kind::postgres, url};
  throw Error(
      Errc::invalid_argument,
      fmt::format(
          "cannot use store \"{}\": write sqlite:PATH, postgres://USER@HOST/DATABASE, or a libpq "
          "connection string such as \"host=... dbname=...\"",
          config::redact_store_url(url)));
}

std::unique_ptr<Session> open_store(const std::string& url, MissingFile missing) {
  const StoreAddress address = parse_store_url(url);
  if (address.kind == StoreAddress::Kind::postgres)
    return postgres::open(address.target);
  if (missing == MissingFile::refuse)
    require_file(address.target);
  if (missing == MissingFile::look_at_nothing && !std::filesystem::exists(address.target))
    return sqlite::open(":memory:");
  return sqlite::open(address.target);
}

std::vector<Enqueued> enqueue_and_commit(const std::string& url, std::span<const Message> messages,
                                         const EnqueueOptions& options) {
  const StoreAddress address = parse_store_url(url);
  return address.kind == StoreAddress::Kind::sqlite
             ? enqueue_on_sqlite(address.target, messages, options)
             : enqueue_on_postgres(address.target, messages, options);
}

}  // namespace outrider::cli
