#include "store/migrator.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "conformance/store.hpp"

namespace outrider::testing {
namespace {

class Migrator : public OnBothStores {};
OUTRIDER_ON_BOTH_STORES(Migrator);

TEST_P(Migrator, BringsAnEmptyDatabaseToTheVersionOfThisBuild) {
  const auto store = make(Store::Schema::none);
  const auto session = store->session();
  EXPECT_EQ(schema_state(*session).version, 0);
  EXPECT_TRUE(schema_state(*session).is_behind());
  EXPECT_EQ(pending_migrations(*session).size(), session->migrations().size());
  EXPECT_EQ(migrate(*session).size(), session->migrations().size());
  EXPECT_FALSE(schema_state(*session).is_behind());
  EXPECT_TRUE(migrate(*session).empty()) << "a second run has nothing to do";
  const auto caller = store->connect();
  caller->run("BEGIN");
  caller->enqueue({.ns = "a", .topic = "b", .payload = "1"});
  caller->run("COMMIT");
  EXPECT_EQ(store->messages().size(), 1u);
}

TEST_P(Migrator, LetsEightMigrateAtOnce) {
  const auto store = make(Store::Schema::none);
  std::vector<std::unique_ptr<Session>> sessions;
  for (int i = 0; i < 8; ++i)
    sessions.push_back(store->session());
  std::vector<std::string> failures(8);
  std::vector<std::size_t> applied(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 8; ++i)
      threads.emplace_back([&, i] {
        try {
          applied[i] = migrate(*sessions[i]).size();
        } catch (const std::exception& error) {
          failures[i] = error.what();
        }
      });
  }
  std::size_t total = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(failures[i], "");
    total += applied[i];
  }
  EXPECT_EQ(total, sessions[0]->migrations().size()) << "each migration applied once";
  EXPECT_FALSE(schema_state(*sessions[0]).is_behind());
}

// Kills a migrating process right after its n-th statement.
void migrate_and_die_after(Store& store, int statements) {
  const pid_t child = ::fork();
  if (child == 0) {
    int left = statements;
    const auto session = store.session();
    migrate(*session, [&](const Migration&, std::size_t, std::size_t) {
      if (--left == 0)
        ::kill(::getpid(), SIGKILL);
    });
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
}

TEST_P(Migrator, IsCompletedByTheNextOneWhereverItIsKilled) {
  int statements = 0;
  {
    const auto store = make(Store::Schema::none);
    migrate(*store->session(), [&](const Migration&, std::size_t, std::size_t) { ++statements; });
  }
  ASSERT_GT(statements, 10);
  const auto store = make(Store::Schema::none);
  // Each run gets a little further; one database sees every point, and then is completed.
  for (int n = 1; n <= statements; ++n)
    migrate_and_die_after(*store, n);
  migrate(*store->session());
  EXPECT_FALSE(schema_state(*store->session()).is_behind());
  const auto caller = store->connect();
  caller->run("BEGIN");
  caller->enqueue({.ns = "a", .topic = "b", .payload = "1", .dedupe_key = "k"});
  caller->run("COMMIT");
  EXPECT_EQ(store->messages().size(), 1u);
}

TEST_P(Migrator, RefusesASchemaNewerThanThisBuild) {
  const auto store = make();
  store->add_breaking_migration();
  const auto session = store->session();
  try {
    migrate(*session);
    FAIL() << "migrated a newer schema";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::schema_newer);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("the schema is version 9999"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("upgrade outrider"));
  }
}

}  // namespace
}  // namespace outrider::testing
