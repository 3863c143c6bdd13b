// Commits and checkpoints from several processes at once, some of them killed: what SQLite before
// 3.51.3 may not survive without the lock of store/sqlite/checkpoint.hpp. The bug itself is rare
// enough that a clean run proves little about it; what the run does prove is that the lock neither
// loses an acknowledged commit nor stops anybody for good.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iostream>
#include <poll.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <outrider/outrider.hpp>

#include "conformance/store.hpp"
#include "store/sqlite/session.hpp"

namespace outrider::testing {
namespace {

constexpr int writer_count = 4;
constexpr std::int64_t commits_per_round = 120;
constexpr std::chrono::milliseconds patience{60'000};

using Handle = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;

Handle open_as_application(const std::string& path) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE, nullptr);
  Handle connection(raw, &sqlite3_close);
  if (code != SQLITE_OK)
    throw std::runtime_error(sqlite3_errmsg(raw));
  sqlite3_busy_timeout(raw, static_cast<int>(patience.count()));
  return connection;
}

void run(sqlite3* connection, const std::string& sql) {
  if (sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    throw std::runtime_error(fmt::format("{}: {}", sql, sqlite3_errmsg(connection)));
}

std::string first_cell(sqlite3* connection, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(connection, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
    throw std::runtime_error(fmt::format("{}: {}", sql, sqlite3_errmsg(connection)));
  std::string cell;
  if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0))
    cell = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  return cell;
}

std::int64_t number(sqlite3* connection, const std::string& sql) {
  return std::stoll(first_cell(connection, sql));
}

// What the children share with the test: it closes the writing end to stop them.
struct Stop {
  int ends[2] = {-1, -1};
  Stop() {
    if (::pipe(ends) != 0)
      throw std::runtime_error("no pipe");
  }
  ~Stop() {
    ::close(ends[0]);
    ring();
  }
  void ring() {
    if (ends[1] >= 0)
      ::close(ends[1]);
    ends[1] = -1;
  }
  bool is_rung(int wait_ms = 0) const {
    pollfd waiting{ends[0], POLLIN, 0};
    return ::poll(&waiting, 1, wait_ms) > 0;
  }
};

std::string change(int writer, std::int64_t n) {
  return fmt::format("INSERT INTO hammer VALUES ({}, {}, hex(randomblob(300)))", writer, n);
}

std::int64_t last_of(sqlite3* connection, int writer) {
  return number(connection,
                fmt::format("SELECT coalesce(max(n), 0) FROM hammer WHERE writer = {}", writer));
}

// Returns once stopped. Tells of each commit by a byte, after it was acknowledged.
void write_through_session(const std::string& path, int writer, const Stop& stop, int acks) {
  std::int64_t n = last_of(open_as_application(path).get(), writer);
  const auto session = sqlite::open(path, {.busy_timeout = patience, .wal_pages_max = 8});
  while (!stop.is_rung()) {
    Transaction transaction(*session);
    session->run_ddl(change(writer, ++n));
    transaction.commit();
    if (::write(acks, "+", 1) != 1)
      return;
  }
}

void write_as_application(const std::string& path, int writer, const Stop& stop, int acks) {
  const Handle connection = open_as_application(path);
  run(connection.get(),
      "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA mmap_size = 0;"
      "PRAGMA cache_spill = OFF");
  std::int64_t n = last_of(connection.get(), writer);
  while (!stop.is_rung()) {
    run(connection.get(), "BEGIN IMMEDIATE");
    run(connection.get(), change(writer, ++n));
    enqueue(connection.get(), {.ns = "hammer",
                               .topic = fmt::format("writer-{}", writer),
                               .payload = std::to_string(n),
                               .dedupe_key = std::to_string(n)});
    run(connection.get(), "COMMIT");
    if (::write(acks, "+", 1) != 1)
      return;
  }
}

// Empties the log as soon as there is anything in it. Without the millisecond the writers would
// mostly wait for the checkpointer's locks, and the two would rarely meet.
void checkpoint_after_each_commit(const std::string& path, const Stop& stop) {
  const Handle connection = open_as_application(path);
  number(connection.get(), "SELECT count(*) FROM hammer");  // opens the log
  const sqlite::CheckpointLock lock(path);
  sqlite::Checkpointer checkpointer(connection.get(), lock, 1);
  while (!stop.is_rung(1))
    if (std::filesystem::file_size(path + "-wal") > 0)
      checkpointer.checkpoint();
}

template <typename Work>
pid_t start(Stop& stop, const Work& work) {
  const pid_t child = ::fork();
  if (child != 0)
    return child;
  int status = 0;
  stop.ring();  // the child's copy of the writing end, so that only the test's counts
  try {
    work();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    status = 1;
  }
  ::_exit(status);
}

struct Child {
  pid_t pid = -1;
  int acks = -1;
  bool is_killed = false;
};

class Hammer {
 public:
  explicit Hammer(std::string path) : path_(std::move(path)) {
    const Handle connection = open_as_application(path_);
    run(connection.get(), "CREATE TABLE hammer (writer, n, filler, PRIMARY KEY (writer, n))");
  }

  void round(int number);
  std::int64_t acknowledged() const { return total_; }

 private:
  void start_children(Stop& stop);
  void collect(std::int64_t wanted);
  void finish(Stop& stop, int round);
  void check();

  std::string path_;
  std::vector<Child> writers_;
  Child checkpointer_;
  std::vector<std::int64_t> acknowledged_ = std::vector<std::int64_t>(writer_count);
  std::int64_t total_ = 0;
};

void Hammer::start_children(Stop& stop) {
  writers_.assign(writer_count, {});
  for (int i = 0; i < writer_count; ++i) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const auto work = [&] {
      ::close(ends[0]);
      if (i % 2 == 0)
        write_through_session(path_, i, stop, ends[1]);
      else
        write_as_application(path_, i, stop, ends[1]);
    };
    writers_[static_cast<std::size_t>(i)] = {start(stop, work), ends[0], false};
    ::close(ends[1]);
  }
  checkpointer_ = {start(stop, [&] { checkpoint_after_each_commit(path_, stop); }), -1, false};
}

// Reads acknowledgements until there are enough, or until every writer is gone.
void Hammer::collect(std::int64_t wanted) {
  std::int64_t seen = 0;
  while (seen < wanted) {
    std::vector<pollfd> waiting;
    for (const Child& writer : writers_)
      waiting.push_back({writer.acks, POLLIN, 0});
    if (std::all_of(waiting.begin(), waiting.end(), [](const pollfd& p) { return p.fd < 0; }))
      return;
    ::poll(waiting.data(), waiting.size(), -1);
    for (std::size_t i = 0; i < writers_.size(); ++i) {
      if (waiting[i].revents == 0)
        continue;
      char bytes[256];
      const ssize_t count = ::read(writers_[i].acks, bytes, sizeof(bytes));
      if (count <= 0) {
        ::close(writers_[i].acks);
        writers_[i].acks = -1;
        continue;
      }
      acknowledged_[i] += count;
      total_ += count;
      seen += count;
    }
  }
}

// Every other round kills a writer of each kind and the checkpointer, wherever they are.
void Hammer::finish(Stop& stop, int round) {
  if (round % 2 == 1)
    for (Child* child : {&writers_[0], &writers_[1], &checkpointer_}) {
      child->is_killed = true;
      ::kill(child->pid, SIGKILL);
    }
  stop.ring();
  collect(std::numeric_limits<std::int64_t>::max());
  std::vector<Child> all = writers_;
  all.push_back(checkpointer_);
  for (const Child& child : all) {
    int status = 0;
    ::waitpid(child.pid, &status, 0);
    if (child.is_killed)
      EXPECT_TRUE(WIFSIGNALED(status)) << "it ended before it was killed: " << status;
    else
      EXPECT_EQ(status, 0) << "a child failed";
  }
}

void Hammer::check() {
  const Handle connection = open_as_application(path_);
  EXPECT_EQ(first_cell(connection.get(), "PRAGMA integrity_check"), "ok");
  for (int i = 0; i < writer_count; ++i) {
    std::int64_t& acknowledged = acknowledged_[static_cast<std::size_t>(i)];
    const std::int64_t last = last_of(connection.get(), i);
    const std::string counting = fmt::format("SELECT count(*) FROM hammer WHERE writer = {}", i);
    EXPECT_EQ(number(connection.get(), counting), last) << "writer " << i << " has a gap";
    EXPECT_GE(last, acknowledged) << "writer " << i << " lost acknowledged commits";
    EXPECT_LE(last, acknowledged + 1) << "writer " << i << " has rows that it never committed";
    acknowledged = last;  // a writer killed between its commit and its acknowledgement
    if (i % 2 == 0)
      continue;
    const std::string messages =
        fmt::format("SELECT count(*) FROM outrider_named_message WHERE topic = 'writer-{}'", i);
    EXPECT_EQ(number(connection.get(), messages), last)
        << "writer " << i << ": a message for each change, and none without";
  }
}

void Hammer::round(int number) {
  Stop stop;
  start_children(stop);
  collect(commits_per_round);
  finish(stop, number);
  check();
}

TEST(SqliteHammer, LosesNothingWhileProcessesCommitCheckpointAndDie) {
  const char* asked = std::getenv("OUTRIDER_CHAOS_ROUNDS");
  const int rounds = asked ? std::max(1, std::atoi(asked)) : 4;
  const auto store = make_sqlite_store(Store::Schema::migrated);
  Hammer hammer(store->address());
  for (int i = 1; i <= rounds && !HasFailure(); ++i) {
    hammer.round(i);
    if (asked)
      std::cerr << fmt::format("round {} of {}: {} commits acknowledged, all there\n", i, rounds,
                               hammer.acknowledged());
  }
  EXPECT_GE(hammer.acknowledged(), rounds * commits_per_round);
}

}  // namespace
}  // namespace outrider::testing
