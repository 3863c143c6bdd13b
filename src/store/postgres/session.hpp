#pragma once

#include <memory>
#include <string>

#include "store/postgres/handles.hpp"
#include "store/session.hpp"

namespace outrider::postgres {

struct OpenOptions {
  // Named prepared statements save planning, but a pooler in transaction mode before PgBouncer 1.21
  // loses them; then choose unnamed.
  enum class Plans { prepared, unnamed };
  Plans plans = Plans::prepared;
  std::string application_name = "outrider";
};

// Connects, or throws Error. The connection string is libpq's own, a URL or key=value pairs, with
// several hosts if wanted; target_session_attrs=read-write is added unless given, so that a standby
// is passed over. The connection speaks UTF-8, drops notices, and finds out about a dead peer
// within about a minute (TCP keepalive).
ConnectionHandle connect(const std::string& conninfo, const std::string& application_name);

// A session over libpq, on a connection of its own.
class PostgresSession final : public Session {
 public:
  PostgresSession(const std::string& conninfo, OpenOptions options);

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

  // The two halves of run_all, for an event loop: send() hands the calls over without waiting for
  // an answer, socket() then becomes readable, and once is_ready() says so receive() does not
  // block. Nothing else may run between send and receive.
  void send(std::span<const Call> calls);
  bool is_ready();
  std::vector<Rows> receive();
  int socket() const;

 private:
  void run_text(const char* text, std::string_view attempted);
  void send_call(const Call& call);
  void flush();
  bool is_prepared(const Statement& statement) const;

  ConnectionHandle connection_;
  OpenOptions options_;
  std::vector<bool> prepared_;  // by Statement::index

  struct Sent {
    const Statement* statement;
    bool is_prepare;
  };
  std::vector<Sent> sent_;
};

// Opens a connection or throws Error(connection_lost) saying which hosts were tried.
std::unique_ptr<PostgresSession> open(const std::string& conninfo, OpenOptions options = {});

// The statements of a script of ours: each ends with ';' at the end of a line, outside $$ bodies.
std::vector<std::string> split_statements(std::string_view script);

}  // namespace outrider::postgres
