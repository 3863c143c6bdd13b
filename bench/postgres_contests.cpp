#include <fmt/format.h>
#include <libpq-fe.h>
#include <memory>
#include <stdexcept>

#include <outrider/outrider.hpp>

#include "contests.hpp"
#include "support/postgres_server.hpp"

namespace outrider::bench {

namespace {

using testing::query;

constexpr std::size_t clients_max = 8;
constexpr std::size_t hasty_client = clients_max;  // one more, with synchronous_commit off

// A contender that fails would look fast.
void require(PGresult* raw) {
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(raw, &PQclear);
  const ExecStatusType status = PQresultStatus(raw);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_COPY_IN)
    throw std::runtime_error(fmt::format("benchmark: {}", PQresultErrorMessage(raw)));
}

// The floor, and a table with the log's columns and index but no partitions: what they cost.
constexpr const char* schema = R"(
  CREATE TABLE lean (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload text NOT NULL);
  CREATE TABLE same_columns (LIKE outrider.message INCLUDING DEFAULTS INCLUDING IDENTITY);
  CREATE INDEX ON same_columns (topic_id, position);
  INSERT INTO outrider.topic VALUES (outrider.topic_id('bench', 'sample'), 'bench', 'sample'))";

constexpr const char* lean_text = "INSERT INTO lean (payload) VALUES ($1)";

constexpr std::pair<const char*, const char*> statements[] = {
    {"lean", lean_text},
    {"same", "INSERT INTO same_columns (topic_id, id, payload) VALUES (1, gen_random_uuid(), $1)"},
    {"lean_many", "INSERT INTO lean (payload) SELECT unnest($1::text[])"},
    {"same_many",
     "INSERT INTO same_columns (topic_id, id, payload) SELECT 1, gen_random_uuid(), "
     "unnest($1::text[])"},
    {"function", "SELECT id, inserted FROM outrider.enqueue('bench', 'sample', $1::jsonb)"},
    {"function_many", "SELECT id FROM outrider.enqueue_many('bench', 'sample', $1::jsonb[])"}};

std::string array_of(const std::string& payload, std::size_t count) {
  std::string quoted;
  for (const char each : payload)
    quoted += each == '"' ? std::string("\\\"") : std::string(1, each);
  std::string array = "{\"" + quoted + '"';
  for (std::size_t i = 1; i < count; ++i)
    array += ",\"" + quoted + '"';
  return array + "}";
}

class PostgresContests {
 public:
  PostgresContests() {
    for (std::size_t i = 0; i <= clients_max; ++i)
      connections_.push_back(testing::connect(database_.conninfo()));
    query(client(0), schema);
    query(client(hasty_client), "SET synchronous_commit = off");
    for (std::size_t i = 0; i <= clients_max; ++i)
      for (const auto& [name, text] : statements)
        require(PQprepare(client(i), name, text, 0, nullptr));
    prepared_.plans = EnqueueOptions::Plans::prepared;
  }

  Contest one_message(std::size_t clients, int transactions) const;
  Contest one_message_without_waiting(int transactions) const;
  Contest one_message_unnamed(int transactions) const;
  Contest many_messages(std::size_t count, int transactions) const;

 private:
  using Write = std::function<void(PGconn*)>;

  PGconn* client(std::size_t n) const { return connections_[n].get(); }
  std::function<void(std::size_t)> in_transaction(Write write) const {
    return [this, write = std::move(write)](std::size_t n) {
      query(client(n), "BEGIN");
      write(client(n));
      query(client(n), "COMMIT");
    };
  }
  static Write run(const char* name, std::shared_ptr<const std::string> parameter) {
    return [name, parameter = std::move(parameter)](PGconn* connection) {
      const char* value = parameter->c_str();
      require(PQexecPrepared(connection, name, 1, &value, nullptr, nullptr, 0));
    };
  }
  std::function<double()> wal() const {
    return [this] {
      return std::stod(query(client(0), "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"));
    };
  }

  const testing::TestDatabase database_;
  std::vector<testing::Connection> connections_;
  EnqueueOptions prepared_;
  Message message_ = sample_message();
  std::shared_ptr<const std::string> payload_ = std::make_shared<std::string>(message_.payload);
};

Contest PostgresContests::one_message(std::size_t clients, int transactions) const {
  const auto enqueue_prepared = [this](PGconn* connection) {
    enqueue(connection, message_, prepared_);
  };
  return {
      .title = fmt::format("PostgreSQL, 1 message per transaction, prepared, {} client{}", clients,
                           clients == 1 ? "" : "s"),
      .clients = clients,
      .transactions = transactions,
      .contenders = {{"bare INSERT, lean table", in_transaction(run("lean", payload_)), true},
                     {"bare INSERT, the log's columns", in_transaction(run("same", payload_))},
                     {"C++ enqueue", in_transaction(enqueue_prepared), false, 0.95},
                     {"outrider.enqueue", in_transaction(run("function", payload_)), false, 0.85}},
      .wal = wal()};
}

// Where the disk is slow, waiting for it hides what the statements cost; here nobody waits.
Contest PostgresContests::one_message_without_waiting(int transactions) const {
  Contest contest = one_message(1, transactions);
  contest.title += ", synchronous_commit off";
  for (Contender& each : contest.contenders) {
    each.goal = 0;
    each.transaction = [inner = each.transaction](std::size_t) { inner(hasty_client); };
  }
  return contest;
}

Contest PostgresContests::one_message_unnamed(int transactions) const {
  const auto bare = [this](PGconn* connection) {
    const char* value = payload_->c_str();
    require(PQexecParams(connection, lean_text, 1, nullptr, &value, nullptr, nullptr, 0));
  };
  const auto enqueue_unnamed = [this](PGconn* connection) { enqueue(connection, message_); };
  return {.title = "PostgreSQL, 1 message per transaction, unnamed statements, 1 client",
          .transactions = transactions,
          .contenders = {{"bare INSERT, lean table", in_transaction(bare), true},
                         {"C++ enqueue", in_transaction(enqueue_unnamed), false, 0.95}},
          .wal = wal()};
}

void append_number(std::string& out, std::uint32_t value, int bytes) {
  for (int shift = bytes * 8 - 8; shift >= 0; shift -= 8)
    out.push_back(static_cast<char>(value >> shift & 0xff));
}

// What a binary COPY of payloads into the lean table sends.
std::string copy_data(const std::string& payload, std::size_t count) {
  std::string data("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
  for (std::size_t i = 0; i < count; ++i) {
    append_number(data, 1, 2);
    append_number(data, static_cast<std::uint32_t>(payload.size()), 4);
    data += payload;
  }
  append_number(data, 0xffff, 2);
  return data;
}

void bare_copy(PGconn* connection, const std::string& data) {
  require(PQexec(connection, "COPY lean (payload) FROM STDIN (FORMAT binary)"));
  PQputCopyData(connection, data.data(), static_cast<int>(data.size()));
  PQputCopyEnd(connection, nullptr);
  require(PQgetResult(connection));
  while (PGresult* rest = PQgetResult(connection))
    PQclear(rest);
}

Contest PostgresContests::many_messages(std::size_t count, int transactions) const {
  const auto array = std::make_shared<const std::string>(array_of(message_.payload, count));
  const auto enqueue_by = [&](std::size_t copy_threshold) {
    EnqueueOptions options = prepared_;
    options.copy_threshold = copy_threshold;
    return [options, batch = std::vector<Message>(count, message_)](PGconn* connection) {
      enqueue(connection, batch, options);
    };
  };
  const auto copy = [data = copy_data(message_.payload, count)](PGconn* connection) {
    bare_copy(connection, data);
  };
  return {
      .title = fmt::format("PostgreSQL, {} messages per transaction, 1 client", count),
      .transactions = transactions,
      .contenders =
          {{"bare INSERT ... unnest, lean table", in_transaction(run("lean_many", array)), true},
           {"bare COPY, lean table", in_transaction(copy), true},
           {"bare INSERT ... unnest, the log's columns", in_transaction(run("same_many", array))},
           {"C++ enqueue of a span, as it comes",
            in_transaction(enqueue_by(EnqueueOptions().copy_threshold)), false, 0.9},
           {"C++ enqueue of a span, always unnest", in_transaction(enqueue_by(count + 1))},
           {"C++ enqueue of a span, always COPY", in_transaction(enqueue_by(1))},
           {"outrider.enqueue_many", in_transaction(run("function_many", array))}},
      .wal = wal()};
}

}  // namespace

void hold_postgres_contests(int repetitions, int percent,
                            const std::function<void(const Contest&)>& report) {
  const PostgresContests contests;
  const auto scaled = [percent](int transactions) { return 1 + transactions * percent / 100; };
  for (Contest contest :
       {contests.one_message(1, scaled(300)), contests.one_message(8, scaled(150)),
        contests.one_message_without_waiting(scaled(300)),
        contests.one_message_unnamed(scaled(300)), contests.many_messages(100, scaled(60)),
        contests.many_messages(1000, scaled(8))}) {
    hold(contest, repetitions);
    report(contest);
  }
}

}  // namespace outrider::bench
