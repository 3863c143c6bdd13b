#include <gmock/gmock.h>
#include <random>
#include <set>
#include <thread>

#include "conformance/store.hpp"

namespace outrider::testing {
namespace {

using ::testing::HasSubstr;

Message message(std::string payload = R"({"n":1})") {
  return {.ns = "shop", .topic = "order:placed", .payload = std::move(payload)};
}

Message keyed(std::string key, std::string payload = R"({"n":1})") {
  Message made = message(std::move(payload));
  made.dedupe_key = std::move(key);
  return made;
}

Errc code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return Errc::internal;
}

class Enqueue : public OnBothStores {
 protected:
  static void enqueue_on_nothing(std::span<const Message> messages) {
    if (GetParam() == "postgres")
      messages.size() == 1 ? (void)enqueue(static_cast<pg_conn*>(nullptr), messages.front())
                           : (void)enqueue(static_cast<pg_conn*>(nullptr), messages);
    else
      messages.size() == 1 ? (void)enqueue(static_cast<sqlite3*>(nullptr), messages.front())
                           : (void)enqueue(static_cast<sqlite3*>(nullptr), messages);
  }
};
OUTRIDER_ON_BOTH_STORES(Enqueue);

TEST_P(Enqueue, CommitsAndRollsBackWithTheCallersChangeInThousandRandomCases) {
  const auto store = make();
  const auto caller = store->connect();
  const auto seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::vector<int> expected;
  for (int n = 0; n < 1000; ++n) {
    std::vector<int> written;
    caller->run("BEGIN");
    const int steps = 1 + static_cast<int>(random() % 3);
    for (int step = 0; step < steps; ++step) {
      const int number = n * 10 + step;
      const bool is_kept = random() % 3 != 0;
      caller->run("SAVEPOINT s");
      caller->run("INSERT INTO change VALUES (" + std::to_string(number) + ")");
      Message made = message(std::to_string(number));
      if (random() % 2 == 0)
        made.dedupe_key = "key-" + std::to_string(number);
      caller->enqueue(made);
      caller->run(is_kept ? "RELEASE SAVEPOINT s" : "ROLLBACK TO SAVEPOINT s");
      if (is_kept)
        written.push_back(number);
    }
    const bool is_committed = random() % 2 == 0;
    caller->run(is_committed ? "COMMIT" : "ROLLBACK");
    if (is_committed)
      expected.insert(expected.end(), written.begin(), written.end());
  }
  std::vector<int> messages;
  for (const StoredMessage& stored : store->messages())
    messages.push_back(std::stoi(stored.payload));
  EXPECT_EQ(messages, expected);
  EXPECT_EQ(store->changes(), expected);
}

TEST_P(Enqueue, KeepsEverythingTheProducerGave) {
  const auto store = make();
  const auto caller = store->connect();
  Message made = message("  {\"b\" : 1.50, \"a\":\"\\u00e9\u00e9 \\\"\" }\n");
  made.tenant_id = Uuid::parse("5d0f7c3e-9a60-4f0e-9a77-4a4f5c8b1d21");
  made.ordering_key = "customer/7";
  made.dedupe_key = "order-7";
  made.headers = {{"traceparent", "00-ab"}, {"x-note", "a \"b\" \\ \u00fc"}};
  made.deliver_after = std::chrono::minutes(5);
  caller->run("BEGIN");
  const Enqueued result = caller->enqueue(made);
  caller->run("COMMIT");
  ASSERT_EQ(store->messages().size(), 1u);
  const StoredMessage stored = store->messages()[0];
  EXPECT_EQ(stored.id, result.id.to_string());
  EXPECT_EQ(stored.topic, "shop/order:placed");
  EXPECT_EQ(stored.payload, made.payload) << "byte for byte";
  EXPECT_EQ(stored.tenant_id, made.tenant_id->to_string());
  EXPECT_EQ(stored.ordering_key, made.ordering_key);
  EXPECT_EQ(stored.dedupe_key, made.dedupe_key);
  EXPECT_EQ(stored.headers, "{\"traceparent\":\"00-ab\",\"x-note\":\"a \\\"b\\\" \\\\ \u00fc\"}");
  ASSERT_TRUE(stored.delay_ms);
  EXPECT_NEAR(static_cast<double>(*stored.delay_ms), 300'000, 2'000);
}

TEST_P(Enqueue, AnswersADuplicateWithTheFirstMessageAndLeavesTheTransactionUsable) {
  const auto store = make();
  const auto caller = store->connect();
  caller->run("BEGIN");
  const Enqueued first = caller->enqueue(keyed("k"));
  const Enqueued again = caller->enqueue(keyed("k"));
  const Enqueued other = caller->enqueue(keyed("k", R"({"n":2})"));
  caller->run("INSERT INTO change VALUES (1)");
  caller->run("COMMIT");
  EXPECT_TRUE(first.inserted);
  EXPECT_FALSE(again.inserted);
  EXPECT_EQ(again.id, first.id);
  EXPECT_FALSE(again.payload_differs);
  EXPECT_EQ(other.id, first.id);
  EXPECT_TRUE(other.payload_differs);
  EXPECT_EQ(store->messages().size(), 1u);
  EXPECT_EQ(store->changes(), std::vector<int>{1});
}

TEST_P(Enqueue, FailsOnADifferentPayloadWhenAskedTo) {
  const auto store = make();
  const auto caller = store->connect();
  EnqueueOptions options;
  options.payload_conflict = EnqueueOptions::PayloadConflict::fail;
  caller->run("BEGIN");
  caller->enqueue(keyed("k"), options);
  EXPECT_EQ(code_of([&] { caller->enqueue(keyed("k", "2"), options); }), Errc::payload_differs);
  caller->run("COMMIT");
  EXPECT_EQ(store->messages().size(), 1u);
}

TEST_P(Enqueue, ScopesDedupeKeysByTopicAndTenantWithNullTenantsEqual) {
  const auto store = make();
  const auto caller = store->connect();
  Message plain = keyed("k");
  Message tenant_a = keyed("k"), tenant_b = keyed("k"), other_topic = keyed("k"),
          other_ns = keyed("k");
  tenant_a.tenant_id = random_uuid();
  tenant_b.tenant_id = random_uuid();
  other_topic.topic = "order:paid";
  other_ns.ns = "depot";
  caller->run("BEGIN");
  for (const Message& each : {plain, tenant_a, tenant_b, other_topic, other_ns})
    EXPECT_TRUE(caller->enqueue(each).inserted);
  for (const Message& each : {plain, tenant_a, tenant_b, other_topic, other_ns})
    EXPECT_FALSE(caller->enqueue(each).inserted);
  caller->run("COMMIT");
  EXPECT_EQ(store->messages().size(), 5u);
}

TEST_P(Enqueue, AllowsDuplicatesWithoutAKeyAndAfterTheFirstRolledBack) {
  const auto store = make();
  const auto caller = store->connect();
  caller->run("BEGIN");
  caller->enqueue(keyed("k"));
  caller->run("ROLLBACK");
  caller->run("BEGIN");
  EXPECT_TRUE(caller->enqueue(keyed("k")).inserted);
  EXPECT_TRUE(caller->enqueue(message()).inserted);
  EXPECT_TRUE(caller->enqueue(message()).inserted);
  caller->run("COMMIT");
  EXPECT_EQ(store->messages().size(), 3u);
}

TEST_P(Enqueue, WritesOneMessageForSixtyFourConcurrentCallersOfOneKey) {
  const auto store = make();
  std::vector<std::unique_ptr<Caller>> callers;
  for (int i = 0; i < 64; ++i)
    callers.push_back(store->connect());
  std::vector<Enqueued> results(callers.size());
  std::vector<std::string> failures(callers.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < callers.size(); ++i)
      threads.emplace_back([&, i] {
        try {
          callers[i]->run("BEGIN");
          results[i] = callers[i]->enqueue(keyed("one"));
          callers[i]->run("INSERT INTO change VALUES (" + std::to_string(i) + ")");
          callers[i]->run("COMMIT");
        } catch (const std::exception& error) {
          failures[i] = error.what();
        }
      });
  }
  std::set<Uuid> ids;
  int inserted = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(failures[i], "");
    ids.insert(results[i].id);
    inserted += results[i].inserted ? 1 : 0;
  }
  EXPECT_EQ(ids.size(), 1u);
  EXPECT_EQ(inserted, 1);
  ASSERT_EQ(store->messages().size(), 1u);
  EXPECT_EQ(store->messages()[0].id, ids.begin()->to_string());
  EXPECT_EQ(store->changes().size(), 64u);
}

TEST_P(Enqueue, WritesManyInTheOrderGivenByArraysAndByCopy) {
  for (const std::size_t threshold : {std::size_t{1000}, std::size_t{10}}) {
    const auto store = make();
    const auto caller = store->connect();
    EnqueueOptions options;
    options.copy_threshold = threshold;
    std::vector<Message> batch;
    for (int i = 0; i < 300; ++i) {
      batch.push_back(message(std::to_string(i)));
      batch.back().topic = i % 7 == 0 ? "order:paid" : "order:placed";
      if (i % 5 == 0)
        batch.back().headers = {{"n", std::to_string(i)}};
      if (i % 11 == 0)
        batch.back().deliver_after = std::chrono::seconds(10);
    }
    caller->run("BEGIN");
    const std::vector<Enqueued> results = caller->enqueue(batch, options);
    EXPECT_TRUE(caller->enqueue(std::span<const Message>(), options).empty());
    caller->run("COMMIT");
    const std::vector<StoredMessage> stored = store->messages();
    ASSERT_EQ(stored.size(), batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      EXPECT_EQ(stored[i].payload, batch[i].payload);
      EXPECT_EQ(stored[i].id, results[i].id.to_string());
      EXPECT_EQ(stored[i].topic, "shop/" + batch[i].topic);
      EXPECT_EQ(stored[i].headers.has_value(), i % 5 == 0);
      EXPECT_EQ(stored[i].delay_ms.has_value(), i % 11 == 0);
    }
  }
}

TEST_P(Enqueue, WritesEachKeyOfABatchOnce) {
  const auto store = make();
  const auto caller = store->connect();
  caller->run("BEGIN");
  const Enqueued before = caller->enqueue(keyed("a"));
  const std::vector<Message> batch{keyed("b"), message("0"), keyed("a"), keyed("b", "7"),
                                   message("0")};
  const std::vector<Enqueued> results = caller->enqueue(batch);
  caller->run("COMMIT");
  ASSERT_EQ(results.size(), 5u);
  EXPECT_TRUE(results[0].inserted);
  EXPECT_TRUE(results[1].inserted);
  EXPECT_FALSE(results[2].inserted);
  EXPECT_EQ(results[2].id, before.id);
  EXPECT_FALSE(results[3].inserted);
  EXPECT_EQ(results[3].id, results[0].id);
  EXPECT_TRUE(results[3].payload_differs);
  EXPECT_TRUE(results[4].inserted);
  EXPECT_EQ(store->messages().size(), 4u);
}

TEST_P(Enqueue, RefusesBadInputBeforeAnySqlAndKeepsTheTransactionUsable) {
  const auto store = make();
  const auto caller = store->connect();
  std::vector<Message> bad;
  const auto add = [&](const std::function<void(Message&)>& spoil) {
    spoil(bad.emplace_back(message()));
  };
  add([](Message& m) { m.ns = ""; });
  add([](Message& m) { m.ns = "a b"; });
  add([](Message& m) { m.topic = std::string(129, 'x'); });
  add([](Message& m) { m.topic = "a/b"; });
  add([](Message& m) { m.ns = std::string("a\0b", 3); });
  add([](Message& m) { m.topic = "a\xff"; });
  add([](Message& m) { m.payload = "{\"a\":\"\xff\"}"; });
  add([](Message& m) { m.payload = "\"\\u0000\""; });
  add([](Message& m) { m.payload = std::string("\"\0\"", 3); });
  add([](Message& m) { m.payload = "\"\\ud800\""; });
  add([](Message& m) { m.payload = "{\"a\":1,"; });
  add([](Message& m) { m.payload = "{\"a\":1,\"\\u0061\":2}"; });
  add([](Message& m) { m.payload = std::string(1'000'000, '['); });
  add([](Message& m) { m.payload = '"' + std::string(256 * 1024 - 1, 'x') + '"'; });
  add([](Message& m) { m.dedupe_key = ""; });
  add([](Message& m) { m.dedupe_key = "a\nb"; });
  add([](Message& m) { m.dedupe_key = std::string("a\0b", 3); });
  add([](Message& m) { m.ordering_key = "\xe2\x82"; });
  add([](Message& m) { m.ordering_key = std::string(513, 'k'); });
  add([](Message& m) { m.headers = {{"Bad Name", "x"}}; });
  add([](Message& m) { m.headers = {{"x", "a\r\nb"}}; });
  add([](Message& m) { m.headers = {{"x", "\xff"}}; });
  add([](Message& m) { m.headers = {{"x", std::string(1, '\0')}}; });
  add([](Message& m) { m.deliver_after = std::chrono::milliseconds(-1); });
  caller->run("BEGIN");
  caller->run("INSERT INTO change VALUES (1)");
  for (const Message& each : bad) {
    const std::vector<Message> batch{message(), each};
    EXPECT_EQ(code_of([&] { caller->enqueue(each); }), Errc::invalid_argument);
    EXPECT_EQ(code_of([&] { caller->enqueue(batch); }), Errc::invalid_argument);
    // Without a connection there is nothing that SQL could run on, and the answer is the same.
    EXPECT_EQ(code_of([&] { enqueue_on_nothing(std::span(&each, 1)); }), Errc::invalid_argument);
    EXPECT_EQ(code_of([&] { enqueue_on_nothing(batch); }), Errc::invalid_argument);
  }
  caller->run("COMMIT");
  EXPECT_TRUE(store->messages().empty());
  EXPECT_EQ(store->changes(), std::vector<int>{1});
  const Message good = message();
  EXPECT_EQ(code_of([&] { enqueue_on_nothing(std::span(&good, 1)); }), Errc::connection_lost);
}

TEST_P(Enqueue, TakesAPayloadOfExactlyTheLimitOnEveryPath) {
  const auto store = make();
  const auto caller = store->connect();
  const std::string largest = '"' + std::string(256 * 1024 - 2, 'x') + '"';
  EnqueueOptions by_copy;
  by_copy.copy_threshold = 1;
  caller->run("BEGIN");
  caller->enqueue(message(largest));
  caller->enqueue(keyed("k", largest));
  caller->enqueue(std::vector{message(largest), message(largest)});
  caller->enqueue(std::vector{message(largest), message(largest)}, by_copy);
  caller->enqueue(std::vector{keyed("l", largest)});
  caller->run("COMMIT");
  ASSERT_EQ(store->messages().size(), 7u);
  for (const StoredMessage& stored : store->messages())
    EXPECT_EQ(stored.payload, largest);
}

TEST_P(Enqueue, TakesNarrowerLimitsButNoWiderOnes) {
  const auto store = make();
  const auto caller = store->connect();
  EnqueueOptions options;
  options.limits.payload_bytes_max = 5;
  caller->run("BEGIN");
  caller->enqueue(message("12345"), options);
  EXPECT_EQ(code_of([&] { caller->enqueue(message("123456"), options); }), Errc::invalid_argument);
  options.limits.payload_bytes_max = std::size_t{1} << 30U;
  const Message over = message('"' + std::string(256 * 1024 - 1, 'x') + '"');
  EXPECT_EQ(code_of([&] { caller->enqueue(over, options); }), Errc::invalid_argument);
  caller->run("COMMIT");
  EXPECT_EQ(store->messages().size(), 1u);
}

TEST_P(Enqueue, RefusesAConnectionWithoutATransactionUnlessAutocommitIsMeant) {
  const auto store = make();
  const auto caller = store->connect();
  EXPECT_EQ(code_of([&] { caller->enqueue(message()); }), Errc::not_in_transaction);
  const std::vector<Message> batch{message(), keyed("k")};
  EXPECT_EQ(code_of([&] { caller->enqueue(batch); }), Errc::not_in_transaction);
  EXPECT_TRUE(store->messages().empty());
  EnqueueOptions options;
  options.autocommit = EnqueueOptions::Autocommit::allow;
  caller->enqueue(message(), options);
  caller->enqueue(batch, options);
  EXPECT_EQ(store->messages().size(), 3u);
}

TEST_P(Enqueue, RefusesAReadOnlyConnectionAndKeepsItsTransactionUsable) {
  const auto store = make();
  const auto caller = store->connect_read_only();
  // The caller of the tests begins for writing on SQLite, which is what this one cannot do.
  caller->run(GetParam() == "postgres" ? "BEGIN" : "SAVEPOINT s");
  EXPECT_EQ(code_of([&] { caller->enqueue(message()); }), Errc::read_only);
  EXPECT_EQ(code_of([&] { caller->enqueue(keyed("k")); }), Errc::read_only);
  EXPECT_EQ(code_of([&] { caller->enqueue(std::vector{message(), keyed("k")}); }), Errc::read_only);
  caller->run("SELECT n FROM change");
  caller->run("COMMIT");
  EXPECT_TRUE(store->messages().empty());
}

TEST_P(Enqueue, SaysWhatToDoAboutADatabaseThatIsNotMigrated) {
  const auto store = make(Store::Schema::none);
  const auto caller = store->connect();
  caller->run("BEGIN");
  try {
    caller->enqueue(message());
    FAIL() << "enqueued into nothing";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::schema_missing);
    EXPECT_THAT(error.what(), HasSubstr("outrider migrate"));
  }
  EXPECT_EQ(code_of([&] { caller->enqueue(keyed("k")); }), Errc::schema_missing);
  EXPECT_EQ(code_of([&] {
              caller->enqueue(std::vector{message(), message()});
            }),
            Errc::schema_missing);
  caller->run("INSERT INTO change VALUES (1)");
  caller->run("COMMIT");
  EXPECT_EQ(store->changes(), std::vector<int>{1});
}

TEST_P(Enqueue, RefusesASchemaThatANewerBuildHasBroken) {
  const auto store = make();
  store->add_breaking_migration();
  const auto caller = store->connect();
  caller->run("BEGIN");
  EXPECT_EQ(code_of([&] { caller->enqueue(message()); }), Errc::schema_newer);
  EXPECT_EQ(code_of([&] { caller->enqueue(keyed("k")); }), Errc::schema_newer);
  EXPECT_EQ(code_of([&] {
              caller->enqueue(std::vector{message(), message()});
            }),
            Errc::schema_newer);
  caller->run("INSERT INTO change VALUES (1)");
  caller->run("COMMIT");
  EXPECT_EQ(store->changes(), std::vector<int>{1});
}

}  // namespace
}  // namespace outrider::testing
