#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <set>
#include <sstream>

#include <outrider/outrider.hpp>

#include "support/postgres_server.hpp"

namespace outrider::testing {
namespace {

using ::testing::HasSubstr;

Message order(std::string payload = "{\"n\": 1}") {
  return {.ns = "shop", .topic = "order", .payload = std::move(payload)};
}

Message keyed_order() {
  Message message = order();
  message.dedupe_key = "k";
  return message;
}

// Runs until it is not told to repeat the transaction, as an application would.
Enqueued enqueue_repeating(PGconn* connection, const std::string& isolation) {
  for (;;) {
    query(connection, "BEGIN ISOLATION LEVEL " + isolation);
    query(connection, "SELECT 1");
    try {
      const Enqueued result = enqueue(connection, keyed_order());
      query(connection, "SELECT 'the statement after a duplicate still works'");
      query(connection, "COMMIT");
      return result;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::serialization_failure) << error.what();
      EXPECT_TRUE(error.retryable());
      EXPECT_EQ(error.state(), "40001");
      query(connection, "ROLLBACK");
    }
  }
}

TEST(PostgresProducer, KeepsTheTransactionUsableAfterADuplicateAtEveryIsolationLevel) {
  for (const std::string isolation : {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"}) {
    SCOPED_TRACE(isolation);
    const TestDatabase database;
    const Connection connection = connect(database.conninfo());
    EXPECT_TRUE(enqueue_repeating(connection.get(), isolation).inserted);
    EXPECT_FALSE(enqueue_repeating(connection.get(), isolation).inserted);
  }
}

TEST(PostgresProducer, PassesASerializationFailureThroughWhenTheFirstCommitsMeanwhile) {
  const TestDatabase database;
  const Connection late = connect(database.conninfo());
  const Connection first = connect(database.conninfo());
  query(late.get(), "BEGIN ISOLATION LEVEL REPEATABLE READ");
  query(late.get(), "SELECT 1");  // takes its snapshot
  query(first.get(), "BEGIN");
  const Enqueued won = enqueue(first.get(), keyed_order());
  query(first.get(), "COMMIT");
  EXPECT_THROW(enqueue(late.get(), keyed_order()), Error);
  query(late.get(), "ROLLBACK");
  const Enqueued again = enqueue_repeating(late.get(), "REPEATABLE READ");
  EXPECT_FALSE(again.inserted);
  EXPECT_EQ(again.id, won.id);
}

TEST(PostgresProducer, DoesNotWaitForAnotherFirstUseOfTheSameTopic) {
  const TestDatabase database;
  const Connection one = connect(database.conninfo());
  const Connection two = connect(database.conninfo());
  for (const auto* connection : {&one, &two})
    query(connection->get(), "SET lock_timeout = '2s'; BEGIN");
  enqueue(one.get(), order());
  enqueue(two.get(), order());
  query(one.get(), "SELECT outrider.enqueue('shop', 'order', '1')");
  query(two.get(), "SELECT outrider.enqueue('shop', 'order', '1')");
  query(two.get(), "COMMIT");
  query(one.get(), "COMMIT");
  EXPECT_EQ(query(one.get(), "SELECT count(*) FROM outrider.named_message WHERE topic = 'order'"),
            "4");
}

TEST(PostgresProducer, CarriesTheNameOnlyUntilTheTopicIsRegistered) {
  const TestDatabase database;
  const Connection first = connect(database.conninfo());
  query(first.get(), "BEGIN");
  enqueue(first.get(), order());
  query(first.get(), "COMMIT");
  query(first.get(),
        "INSERT INTO outrider.topic VALUES (outrider.topic_id('shop', 'order'), 'shop', 'order')");
  const Connection second = connect(database.conninfo());
  query(second.get(), "BEGIN");
  enqueue(second.get(), order());
  query(second.get(), "SELECT outrider.enqueue('shop', 'order', '1')");
  query(second.get(), "COMMIT");
  EXPECT_EQ(query(first.get(),
                  "SELECT string_agg(coalesce(topic_name, '-'), ' ' ORDER BY position) FROM "
                  "outrider.message"),
            "shop/order - -");
  EXPECT_EQ(query(first.get(), "SELECT outrider.topic_id('shop', 'order')"),
            std::to_string(topic_id("shop", "order")));
}

TEST(PostgresProducer, FindsATransactionReadOnlyBeforeItWritesOnAFreshConnection) {
  const TestDatabase database;
  const Connection connection = connect(database.conninfo());
  const auto code = [&] {
    try {
      enqueue(connection.get(), order());
    } catch (const Error& error) {
      return error.code();
    }
    return Errc::internal;
  };
  query(connection.get(), "BEGIN READ ONLY");
  EXPECT_EQ(code(), Errc::read_only);
  query(connection.get(), "SELECT 'still usable'");
  query(connection.get(), "COMMIT; BEGIN");
  enqueue(connection.get(), order());
  // Asking every time would double the cost; from now on the server itself refuses.
  query(connection.get(), "COMMIT; BEGIN READ ONLY");
  EXPECT_EQ(code(), Errc::read_only);
  EXPECT_EQ(PQtransactionStatus(connection.get()), PQTRANS_INERROR);
  query(connection.get(), "ROLLBACK");
  EXPECT_EQ(query(connection.get(), "SELECT count(*) FROM outrider.message"), "1");
}

// The server would take our UTF-8 for something else and change the payload's bytes.
TEST(PostgresProducer, RefusesAConnectionThatSpeaksAnotherEncoding) {
  const TestDatabase database;
  const Connection connection = connect(database.conninfo());
  query(connection.get(), "SET client_encoding = 'LATIN1'; BEGIN");
  try {
    enqueue(connection.get(), order("\"\u00e9\""));
    FAIL() << "enqueued in another encoding";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::invalid_argument);
    EXPECT_THAT(error.what(), HasSubstr("client_encoding is LATIN1"));
  }
  query(connection.get(), "SET client_encoding = 'UTF8'");
  enqueue(connection.get(), order("\"\u00e9\""));
  query(connection.get(), "COMMIT");
  EXPECT_EQ(query(connection.get(), "SELECT payload FROM outrider.message"), "\"\u00e9\"");
}

TEST(PostgresProducer, PreparesItsStatementsWhenAskedAndSurvivesTheirLoss) {
  const TestDatabase database;
  const Connection connection = connect(database.conninfo());
  EnqueueOptions options;
  options.plans = EnqueueOptions::Plans::prepared;
  const auto enqueue_committed = [&] {
    query(connection.get(), "BEGIN");
    enqueue(connection.get(), order(), options);
    query(connection.get(), "COMMIT");
  };
  enqueue_committed();
  EXPECT_EQ(
      query(connection.get(),
            "SELECT count(*) FROM pg_prepared_statements WHERE name = 'outrider_insert_message'"),
      "1");
  query(connection.get(), "DEALLOCATE ALL");
  EXPECT_THROW(enqueue_committed(), Error);
  query(connection.get(), "ROLLBACK");
  enqueue_committed();
  EXPECT_EQ(query(connection.get(), "SELECT count(*) FROM outrider.message"), "2");
}

// What an enqueue without a dedupe key costs, read from the write-ahead log itself.
TEST(PostgresProducer, WritesOneHeapTupleAndOneIndexEntry) {
  const TestDatabase database;
  const Connection connection = connect(database.conninfo());
  query(connection.get(),
        "INSERT INTO outrider.topic VALUES (outrider.topic_id('shop', 'order'), 'shop', 'order')");
  const auto records_of = [&](const std::function<void()>& write) {
    query(connection.get(), "CHECKPOINT");
    query(connection.get(), "BEGIN");
    write();  // pays for the page images and the sequence's first record
    query(connection.get(), "COMMIT");
    query(connection.get(), "BEGIN");
    write();
    const std::string xid = query(connection.get(), "SELECT pg_current_xact_id()::xid");
    const std::string start =
        query(connection.get(), "SELECT pg_walfile_name(pg_current_wal_insert_lsn())");
    query(connection.get(), "COMMIT");
    PostgresServer& server = PostgresServer::instance();
    const std::string command = server.program("pg_waldump") + " -p " + server.data_folder() +
                                "/pg_wal -x " + xid + " " + start + " 2>/dev/null";
    std::map<std::string, int> counts;
    FILE* output = ::popen(command.c_str(), "r");
    char line[4096];
    while (std::fgets(line, sizeof line, output)) {
      const std::string text(line);
      for (const std::string kind : {"Heap ", "Btree ", "BRIN ", "Sequence ", "Transaction "})
        if (text.find("rmgr: " + kind) != text.npos)
          ++counts[kind];
    }
    ::pclose(output);
    return counts;
  };
  const std::map<std::string, int> once{{"Btree ", 1}, {"Heap ", 1}, {"Transaction ", 1}};
  EXPECT_EQ(records_of([&] { enqueue(connection.get(), order()); }), once);
  EXPECT_EQ(
      records_of([&] { query(connection.get(), "SELECT outrider.enqueue('shop', 'order', '1')"); }),
      once);
}

TEST(PostgresProducer, AgreesWithSqlOnIdempotencyKeys) {
  const TestDatabase database;
  const Connection connection = connect(database.conninfo());
  std::ifstream vectors(OUTRIDER_SOURCE_DIR "/tests/vectors/idempotency_keys.tsv");
  ASSERT_TRUE(vectors) << "the table of vectors is missing";
  int count = 0;
  for (std::string line; std::getline(vectors, line);) {
    if (line.starts_with('#') || line.empty())
      continue;
    std::vector<std::string> fields;
    std::stringstream split(line);
    for (std::string field; std::getline(split, field, '\t');)
      fields.push_back(field);
    ASSERT_EQ(fields.size(), 7u) << line;
    if (fields[0] == "tenant")
      continue;
    const char* parts[] = {fields[0].c_str(), fields[1].c_str(), fields[2].c_str(),
                           fields[3].c_str(), fields[4].c_str()};
    const std::unique_ptr<PGresult, decltype(&PQclear)> result(
        PQexecParams(connection.get(), "SELECT outrider.idempotency_key($1, $2, $3, $4, $5)", 5,
                     nullptr, parts, nullptr, nullptr, 0),
        &PQclear);
    ASSERT_EQ(PQresultStatus(result.get()), PGRES_TUPLES_OK) << PQerrorMessage(connection.get());
    EXPECT_EQ(PQgetvalue(result.get(), 0, 0), fields[5]) << line;
    EXPECT_EQ(create_key(fields[0], fields[1], fields[2], fields[3], fields[4]).to_string(),
              fields[5])
        << line;
    ++count;
  }
  EXPECT_GE(count, 8);
}

}  // namespace
}  // namespace outrider::testing
