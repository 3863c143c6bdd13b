#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/store.hpp"
#include "store/migrator.hpp"
#include "store/sqlite/session.hpp"
#include "store/statements.hpp"

namespace outrider::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* one_change = "INSERT INTO change VALUES (1)";

bool is_refused_after_fork(const std::function<void()>& call) {
  try {
    call();
    return false;
  } catch (const Error& error) {
    return std::string_view(error.what()).find("after a fork") != std::string_view::npos;
  }
}

TEST(SqliteSession, RefusesAChildOfItsProcessAndServesTheParentOn) {
  const auto store = make_sqlite_store(Store::Schema::migrated);
  auto session = sqlite::open(store->address());
  session->begin();
  session->run_ddl(one_change);

  const pid_t child = ::fork();
  if (child == 0) {
    const bool refused = is_refused_after_fork([&] { session->run(sql::register_topics); }) &&
                         is_refused_after_fork([&] { session->run_ddl(one_change); }) &&
                         is_refused_after_fork([&] { session->begin(); }) &&
                         is_refused_after_fork([&] { session->commit(); }) &&
                         is_refused_after_fork([&] { session->rollback(); });
    session.reset();
    ::_exit(refused ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << "the child was not refused everything";

  session->commit();
  EXPECT_EQ(store->changes(), std::vector<int>{1});
}

TEST(SqliteSession, LetsGoOfTheWriteLockWhenItCannotCommit) {
  const auto store = make_sqlite_store(Store::Schema::migrated);
  const auto session =
      sqlite::open(store->address(), {.busy_timeout = std::chrono::milliseconds{0}});
  {
    const sqlite::CheckpointLock lock(store->address());
    const auto checkpoint = lock.try_exclude();
    ASSERT_TRUE(checkpoint);
    Transaction transaction(*session);
    session->run_ddl(one_change);
    try {
      transaction.commit();
      FAIL() << "committed during a checkpoint";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::busy);
      EXPECT_TRUE(error.retryable());
    }
  }
  EXPECT_EQ(store->changes(), std::vector<int>{});
  Transaction again(*session);
  session->run_ddl(one_change);
  again.commit();
  EXPECT_EQ(store->changes(), std::vector<int>{1});
}

TEST(SqliteSession, CheckpointsNothingWhileSomebodyCommits) {
  const auto store = make_sqlite_store(Store::Schema::migrated);
  const sqlite::CheckpointLock commit(store->address()), other(store->address());
  {
    const auto hold = commit.share(std::chrono::milliseconds{0});
    EXPECT_FALSE(other.try_exclude());
    EXPECT_NO_THROW(other.share(std::chrono::milliseconds{0})) << "commits do not exclude commits";
  }
  EXPECT_TRUE(other.try_exclude());
}

// A deferred transaction that has read cannot become a writer once somebody else has written, and
// no waiting helps: the caller has to begin again.
TEST(SqliteProducer, AnswersADeferredTransactionThatWasOvertakenWithARetryableError) {
  const auto store = make_sqlite_store(Store::Schema::migrated);
  const auto caller = store->connect(), other = store->connect();
  const auto overtaken = [&] {
    caller->run("BEGIN DEFERRED");
    caller->run("SELECT count(*) FROM change");
    other->run(one_change);
  };
  for (const auto& key : {std::optional<std::string>(), std::optional<std::string>("k")}) {
    overtaken();
    try {
      caller->enqueue({.ns = "a", .topic = "b", .payload = "1", .dedupe_key = key});
      FAIL() << "wrote from an old snapshot";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::busy);
      EXPECT_TRUE(error.retryable());
      EXPECT_EQ(error.state(), "SQLITE_BUSY_SNAPSHOT");
      EXPECT_THAT(error.what(), HasSubstr("BEGIN IMMEDIATE"));
    }
    caller->run("ROLLBACK");
  }
  EXPECT_TRUE(store->messages().empty());
}

TEST(SqliteProducer, AnswersBusyWhenAnotherWriterDoesNotFinish) {
  const auto store = make_sqlite_store(Store::Schema::migrated);
  const auto caller = store->connect(), other = store->connect();
  other->run("BEGIN");
  caller->run("PRAGMA busy_timeout = 0");
  caller->run("BEGIN DEFERRED");
  try {
    caller->enqueue({.ns = "a", .topic = "b", .payload = "1"});
    FAIL() << "two writers at once";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::busy);
    EXPECT_TRUE(error.retryable());
  }
}

}  // namespace
}  // namespace outrider::testing
