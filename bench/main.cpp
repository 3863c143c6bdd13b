// What an enqueue costs, as a ratio to the bare INSERT into the leanest table with the same
// payload: same server, same run, repetitions interleaved.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fstream>
#include <libpq-fe.h>
#include <sqlite3.h>
#include <string>
#include <thread>

#include <outrider/version.hpp>

#include "contests.hpp"
#include "support/postgres_server.hpp"

namespace outrider::bench {

Message sample_message() {
  return {.ns = "bench", .topic = "sample", .payload = "{\"k\":\"" + std::string(192, 'x') + "\"}"};
}

namespace {

std::string processor() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);)
    if (line.starts_with("model name"))
      return line.substr(line.find(':') + 2);
  return "an unknown processor";
}

// How busy the machine is, with others too: a figure taken on a busy one says little.
double load() {
  double last_minute = 0;
  std::ifstream("/proc/loadavg") >> last_minute;
  return last_minute;
}

std::string preface(int repetitions) {
  const testing::TestDatabase database;
  const std::string server =
      testing::query(testing::connect(database.conninfo()).get(), "SHOW server_version");
  constexpr const char* text = R"(# Benchmarks

Written by `make bench`. Outrider {} on {:%Y-%m-%d}, {} ({} threads), PostgreSQL {}, SQLite {}.
Load of the machine at the start: {:.1f}; above its threads, little can be read from the figures.

Times are microseconds per transaction, with `fsync` on; payloads are 200 bytes of JSON. {}
interleaved repetitions. The floor is the fastest bare statement into a table that has only a
bigint key and the payload. A ratio is the median over the repetitions of floor by own time, so
1 is as fast as the floor and more is faster; "middle half" is where half of the repetitions
lie, and a goal is met or missed when all of it says so. "The log's columns" is a bare INSERT
into a table that has the columns and the index of the log. Why it costs what it costs:
`decisions/0003-what-an-enqueue-costs.md`.

)";
  return fmt::format(text, version(), fmt::gmtime(std::time(nullptr)), processor(),
                     std::thread::hardware_concurrency(), server, sqlite3_libversion(), load(),
                     repetitions);
}

// outrider_bench [REPETITIONS [PERCENT [FILE]]]: PERCENT shortens each repetition, FILE is written.
int run(int count, char** arguments) {
  const int repetitions = count > 1 ? std::atoi(arguments[1]) : 15;
  const int percent = count > 2 ? std::atoi(arguments[2]) : 100;
  if (repetitions < 1 || percent < 0) {
    fmt::print(stderr, "usage: outrider_bench [REPETITIONS [PERCENT [FILE]]]\n");
    return 2;
  }
  std::string text = preface(repetitions);
  fmt::print("{}", text);
  const auto report = [&text](const Contest& contest) {
    const std::string table = table_of(contest);
    fmt::print("{}", table);
    std::fflush(stdout);
    text += table;
  };
  hold_postgres_contests(repetitions, percent, report);
  hold_sqlite_contests(repetitions, percent, report);
  text.pop_back();
  if (count > 3 && !(std::ofstream(arguments[3]) << text).flush())
    throw std::runtime_error(fmt::format("cannot write {}", arguments[3]));
  return 0;
}

}  // namespace

}  // namespace outrider::bench

int main(int count, char** arguments) {
  try {
    return outrider::bench::run(count, arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "outrider_bench: {}\n", error.what());
    return 1;
  }
}
