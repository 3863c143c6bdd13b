// What an enqueue costs, as a ratio to the bare INSERT into the leanest table with the same
// payload: same server, same run, repetitions interleaved. 1.00 means as fast as the bare INSERT.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <sqlite3.h>
#include <string>
#include <vector>

#include <outrider/outrider.hpp>

#include "store/migrator.hpp"
#include "store/sqlite/session.hpp"
#include "support/postgres_server.hpp"

using namespace outrider;
using outrider::testing::query;

namespace {

constexpr int repetitions = 9;

struct Contender {
  std::string name;
  std::function<void()> transaction;
  std::vector<double> micros{};
  double wal_bytes = 0;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Runs everybody in turn, again and again, so that a noisy moment hits them all.
void measure(const std::string& title, int transactions, std::vector<Contender> contenders,
             const std::function<double()>& wal = {}) {
  for (int n = 0; n < repetitions; ++n)
    for (Contender& each : contenders) {
      const double before = wal ? wal() : 0;
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < transactions; ++i)
        each.transaction();
      const std::chrono::duration<double, std::micro> took =
          std::chrono::steady_clock::now() - start;
      each.micros.push_back(took.count() / transactions);
      each.wal_bytes = wal ? (wal() - before) / transactions : 0;
    }
  fmt::print("\n{}\n{:<34} {:>10} {:>10} {:>10} {:>8} {:>9} {:>6}\n", title, "", "median us", "min",
             "max", "ratio", "WAL bytes", "ratio");
  const double floor = median(contenders.front().micros);
  for (const Contender& each : contenders) {
    const auto [least, most] = std::minmax_element(each.micros.begin(), each.micros.end());
    fmt::print("{:<34} {:>10.1f} {:>10.1f} {:>10.1f} {:>8.2f}", each.name, median(each.micros),
               *least, *most, floor / median(each.micros));
    if (wal)
      fmt::print(" {:>9.0f} {:>6.2f}", each.wal_bytes,
                 each.wal_bytes / contenders.front().wal_bytes);
    fmt::print("\n");
  }
}

Message sample() {
  return {.ns = "bench", .topic = "sample", .payload = "{\"k\":\"" + std::string(192, 'x') + "\"}"};
}

void bench_postgres() {
  const testing::TestDatabase database;
  const testing::Connection owner = testing::connect(database.conninfo());
  PGconn* connection = owner.get();
  query(connection,
        "CREATE TABLE lean (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload text NOT "
        "NULL)");
  query(connection,
        "INSERT INTO outrider.topic VALUES (outrider.topic_id('bench', 'sample'), 'bench', "
        "'sample')");
  const Message message = sample();
  const std::vector<Message> hundred(100, message), thousand(1000, message);
  const char* payload = message.payload.c_str();
  const auto prepare = [&](const char* name, const char* sql) {
    PQclear(PQprepare(connection, name, sql, 0, nullptr));
  };
  prepare("lean", "INSERT INTO lean (payload) VALUES ($1)");
  prepare("lean_many", "INSERT INTO lean (payload) SELECT unnest($1::text[])");
  prepare("fn", "SELECT id, inserted FROM outrider.enqueue('bench', 'sample', $1::jsonb)");
  prepare("fn_many", "SELECT id FROM outrider.enqueue_many('bench', 'sample', $1::jsonb[])");
  const auto run_one = [&](const char* name, const char* parameter) {
    PQclear(PQexecPrepared(connection, name, 1, &parameter, nullptr, nullptr, 0));
  };
  const auto array_of = [&](std::size_t count) {
    std::string quoted = "\"";
    for (const char each : message.payload)
      quoted += each == '"' ? std::string("\\\"") : std::string(1, each);
    quoted += '"';
    std::string array = "{" + quoted;
    for (std::size_t i = 1; i < count; ++i)
      array += "," + quoted;
    return array + "}";
  };
  const std::string array100 = array_of(100), array1000 = array_of(1000);
  EnqueueOptions prepared;
  prepared.plans = EnqueueOptions::Plans::prepared;
  const auto in_transaction = [&](std::function<void()> write) {
    return [connection, write = std::move(write)] {
      query(connection, "BEGIN");
      write();
      query(connection, "COMMIT");
    };
  };
  const auto unnamed_lean = [&] {
    PQclear(PQexecParams(connection, "INSERT INTO lean (payload) VALUES ($1)", 1, nullptr, &payload,
                         nullptr, nullptr, 0));
  };
  const auto wal = [&] {
    return std::stod(query(connection, "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"));
  };
  measure("PostgreSQL, 1 message per transaction, prepared", 300,
          {{"bare INSERT", in_transaction([&] { run_one("lean", payload); })},
           {"C++ enqueue", in_transaction([&] { enqueue(connection, message, prepared); })},
           {"outrider.enqueue", in_transaction([&] { run_one("fn", payload); })}},
          wal);
  measure("PostgreSQL, 1 message per transaction, unnamed statements", 300,
          {{"bare INSERT", in_transaction(unnamed_lean)},
           {"C++ enqueue", in_transaction([&] { enqueue(connection, message); })}},
          wal);
  measure(
      "PostgreSQL, 100 messages per transaction", 100,
      {{"bare INSERT ... unnest", in_transaction([&] { run_one("lean_many", array100.c_str()); })},
       {"C++ enqueue of a span", in_transaction([&] { enqueue(connection, hundred, prepared); })},
       {"outrider.enqueue_many", in_transaction([&] { run_one("fn_many", array100.c_str()); })}},
      wal);
  measure(
      "PostgreSQL, 1000 messages per transaction", 10,
      {{"bare INSERT ... unnest", in_transaction([&] { run_one("lean_many", array1000.c_str()); })},
       {"C++ enqueue of a span (COPY)",
        in_transaction([&] { enqueue(connection, thousand, prepared); })}},
      wal);
}

void bench_sqlite() {
  const auto folder = std::filesystem::temp_directory_path() /
                      fmt::format("outrider-bench-{}", random_uuid().to_string());
  std::filesystem::create_directory(folder);
  const std::string path = (folder / "bench.db").string();
  migrate(*sqlite::open(path));
  sqlite3* raw = nullptr;
  sqlite3_open(path.c_str(), &raw);
  const auto run = [&](const char* sql) { sqlite3_exec(raw, sql, nullptr, nullptr, nullptr); };
  run("PRAGMA synchronous = FULL; CREATE TABLE lean (id INTEGER PRIMARY KEY, payload TEXT NOT "
      "NULL)");
  const Message message = sample();
  const std::vector<Message> hundred(100, message);
  sqlite3_stmt* lean = nullptr;
  sqlite3_prepare_v2(raw, "INSERT INTO lean (payload) VALUES (?)", -1, &lean, nullptr);
  const auto bare = [&] {
    sqlite3_bind_text(lean, 1, message.payload.data(), static_cast<int>(message.payload.size()),
                      SQLITE_STATIC);
    sqlite3_step(lean);
    sqlite3_reset(lean);
  };
  const auto in_transaction = [&](std::function<void()> write) {
    return [&run, write = std::move(write)] {
      run("BEGIN IMMEDIATE");
      write();
      run("COMMIT");
    };
  };
  measure("SQLite, 1 message per transaction", 200,
          {{"bare INSERT", in_transaction(bare)},
           {"C++ enqueue", in_transaction([&] { enqueue(raw, message); })}});
  measure("SQLite, 100 messages per transaction", 50,
          {{"bare INSERT", in_transaction([&] {
              for (int i = 0; i < 100; ++i)
                bare();
            })},
           {"C++ enqueue of a span", in_transaction([&] { enqueue(raw, hundred); })}});
  sqlite3_finalize(lean);
  sqlite3_close(raw);
  std::filesystem::remove_all(folder);
}

}  // namespace

int main() {
  fmt::print("outrider {}: {} repetitions, interleaved; ratio above 1 is faster than bare\n",
             version(), repetitions);
  bench_postgres();
  bench_sqlite();
}
