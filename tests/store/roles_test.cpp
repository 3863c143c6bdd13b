#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include <outrider/outrider.hpp>

#include "support/postgres_server.hpp"

namespace outrider::testing {
namespace {

std::vector<std::string> column(PGconn* connection, const std::string& sql) {
  const std::unique_ptr<PGresult, decltype(&PQclear)> rows(PQexec(connection, sql.c_str()),
                                                           &PQclear);
  std::vector<std::string> found;
  for (int i = 0; i < PQntuples(rows.get()); ++i)
    found.emplace_back(PQgetvalue(rows.get(), i, 0));
  return found;
}

// Every right that a role has on anything in the schema, read from the catalog: "VERB object".
std::set<std::string> rights_of(PGconn* connection, const std::string& role) {
  std::set<std::string> rights;
  for (const std::string verb :
       {"SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"})
    for (const std::string& name :
         column(connection,
                fmt::format("SELECT c.relname FROM pg_class c WHERE c.relnamespace = "
                            "'outrider'::regnamespace AND "
                            "c.relkind IN ('r', 'p', 'v') AND c.relname !~ '^message_[0-9t]' AND "
                            "has_table_privilege('{}', c.oid, '{}')",
                            role, verb)))
      rights.insert(verb + " " + name);
  for (const std::string verb : {"SELECT", "INSERT", "UPDATE", "REFERENCES"})
    for (const std::string& name :
         column(connection,
                fmt::format("SELECT c.relname || '.' || a.attname FROM pg_class c JOIN "
                            "pg_attribute a ON a.attrelid = "
                            "c.oid WHERE c.relnamespace = 'outrider'::regnamespace AND c.relkind "
                            "IN ('r', 'p', 'v') AND "
                            "a.attnum > 0 AND NOT has_table_privilege('{0}', c.oid, '{1}') AND "
                            "has_column_privilege('{0}', c.oid, a.attnum, '{1}')",
                            role, verb)))
      rights.insert(verb + " " + name);
  for (const std::string& name :
       column(connection, fmt::format("SELECT p.proname FROM pg_proc p WHERE p.pronamespace = "
                                      "'outrider'::regnamespace AND "
                                      "has_function_privilege('{}', p.oid, 'EXECUTE')",
                                      role)))
    rights.insert("EXECUTE " + name);
  for (const std::string& name :
       column(connection,
              fmt::format("SELECT c.relname FROM pg_class c WHERE c.relnamespace = "
                          "'outrider'::regnamespace AND c.relkind "
                          "= 'S' AND has_sequence_privilege('{}', c.oid, 'USAGE, SELECT, UPDATE')",
                          role)))
    rights.insert("SEQUENCE " + name);
  return rights;
}

TEST(Roles, AProducerMayEnqueueAndNothingElse) {
  const TestDatabase database;
  const Connection connection = connect(database.conninfo());
  std::set<std::string> expected{"EXECUTE enqueue",        "EXECUTE enqueue_many",
                                 "EXECUTE write_messages", "EXECUTE unregistered",
                                 "EXECUTE topic_id",       "EXECUTE idempotency_key"};
  for (const std::string name : {"topic_id", "id", "tenant_id", "deliver_at", "dedupe_key",
                                 "ordering_key", "topic_name", "headers", "payload"})
    expected.insert("INSERT message." + name);
  EXPECT_EQ(rights_of(connection.get(), "outrider_producer"), expected);
}

TEST(Roles, AReaderMayReadThePublicViewsAndNothingElse) {
  const TestDatabase database;
  const Connection connection = connect(database.conninfo());
  EXPECT_EQ(rights_of(connection.get(), "outrider_reader"),
            (std::set<std::string>{"SELECT outbox_events", "SELECT outbox_messages",
                                   "SELECT outbox_listeners", "SELECT outbox_dead_letters",
                                   "SELECT stats", "EXECUTE topic_matches", "EXECUTE as_json",
                                   "EXECUTE topic_id", "EXECUTE idempotency_key"}));
}

TEST(Roles, AWorkerMayNotRewriteHistory) {
  const TestDatabase database;
  const Connection connection = connect(database.conninfo());
  const std::set<std::string> rights = rights_of(connection.get(), "outrider_worker");
  for (const std::string forbidden : {"UPDATE audit", "DELETE audit", "INSERT migration",
                                      "UPDATE migration", "DELETE migration", "TRUNCATE message"})
    EXPECT_FALSE(rights.contains(forbidden)) << forbidden;
  for (const std::string needed :
       {"INSERT claim", "UPDATE claim", "UPDATE delivery", "INSERT audit", "SELECT message"})
    EXPECT_TRUE(rights.contains(needed)) << needed;
}

// The same, tried for real: each verb on each table by a role that was granted producing only.
TEST(Roles, AProducerIsRefusedEverythingElseWhenItTries) {
  const TestDatabase database;
  const Connection owner = connect(database.conninfo());
  query(owner.get(), "CREATE ROLE only_producer LOGIN; GRANT outrider_producer TO only_producer");
  const Connection producer = connect(database.conninfo("only_producer"));
  query(producer.get(), "BEGIN");
  Message keyed{.ns = "a", .topic = "b", .payload = "1", .dedupe_key = "k"};
  EXPECT_TRUE(enqueue(producer.get(), keyed).inserted);
  EXPECT_FALSE(enqueue(producer.get(), keyed).inserted);
  keyed.dedupe_key.reset();
  EXPECT_TRUE(enqueue(producer.get(), keyed).inserted);
  EnqueueOptions by_copy;
  by_copy.copy_threshold = 1;
  enqueue(producer.get(), std::vector<Message>{keyed, keyed}, by_copy);
  query(producer.get(), "SELECT outrider.enqueue('a', 'b', '1', 'j')");
  query(producer.get(), "COMMIT");
  const std::string denied = "42501";
  for (const std::string& table : column(owner.get(),
                                         "SELECT relname FROM pg_class WHERE relnamespace = "
                                         "'outrider'::regnamespace AND relkind IN ('r', 'p', 'v')"))
    for (const std::string verb :
         {"SELECT count(*) FROM outrider.{}", "DELETE FROM outrider.{}", "TRUNCATE outrider.{}",
          "DROP TABLE outrider.{}", "INSERT INTO outrider.{} DEFAULT VALUES"}) {
      const std::string statement = fmt::format(fmt::runtime(verb), table);
      const std::string state = sqlstate_of(producer.get(), statement);
      if (table == "message" && statement.starts_with("INSERT"))
        continue;  // the one thing it may do, column by column; see above and below
      // Not a table, or a view that nobody can write, is a refusal as well.
      EXPECT_TRUE(state == denied || state == "42809" || state == "55000")
          << statement << " gave " << state;
    }
  EXPECT_EQ(
      sqlstate_of(
          producer.get(),
          "INSERT INTO outrider.message (position, topic_id, id, payload) OVERRIDING SYSTEM VALUE "
          "VALUES (1, 1, gen_random_uuid(), '1')"),
      denied);
  EXPECT_EQ(sqlstate_of(producer.get(),
                        "INSERT INTO outrider.message (xid, topic_id, id, payload) VALUES (1, 1, "
                        "gen_random_uuid(), '1')"),
            denied);
  EXPECT_EQ(sqlstate_of(producer.get(), "SELECT outrider.publish_version()"), denied);
  EXPECT_EQ(sqlstate_of(producer.get(), "CREATE TABLE outrider.mine ()"), denied);
  EXPECT_EQ(query(owner.get(), "SELECT count(*) FROM outrider.message"), "5");
  query(owner.get(), "DROP OWNED BY only_producer; DROP ROLE only_producer");
}

}  // namespace
}  // namespace outrider::testing
