#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>

#include <outrider/outrider.hpp>

#include "conformance/store.hpp"
#include "support/postgres_server.hpp"

namespace outrider::testing {
namespace {

// Runs a program and returns what it printed, standard error included.
std::string output_of(const std::string& command) {
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe))
    output.append(part.data(), count);
  ::pclose(pipe);
  return output;
}

TEST(OtherLanguages, PsqlEnqueuesThroughTheFunction) {
  const TestDatabase database;
  const std::string script = fmt::format(
      "{} -X -q -At '{}' -c \"BEGIN\" -c \"SELECT inserted FROM outrider.enqueue(namespace => "
      "'mini-chat', topic => "
      "'usage', payload => '{{\\\"turn_id\\\": 1}}', dedupe_key => 'k')\" -c \"SELECT inserted "
      "FROM "
      "outrider.enqueue('mini-chat', 'usage', '1', 'k')\" -c \"SELECT count(*) FROM "
      "outrider.enqueue_many('mini-chat', "
      "'usage', ARRAY['1', '2']::jsonb[])\" -c COMMIT",
      PostgresServer::instance().program("psql"), database.conninfo());
  EXPECT_EQ(output_of(script), "t\nf\n2\n");
  EXPECT_EQ(query(connect(database.conninfo()).get(),
                  "SELECT count(*) FROM outrider.named_message WHERE topic = 'usage'"),
            "3");
}

TEST(OtherLanguages, TheStatementOfTheReadmeRuns) {
  std::ifstream file(OUTRIDER_SOURCE_DIR "/README.md");
  const std::string readme(std::istreambuf_iterator<char>(file), {});
  const std::size_t start = readme.find("SELECT id, inserted FROM outrider.enqueue(");
  ASSERT_NE(start, readme.npos);
  const TestDatabase database;
  const Connection connection = connect(database.conninfo());
  query(connection.get(), readme.substr(start, readme.find("```", start) - start));
  EXPECT_EQ(query(connection.get(), "SELECT payload FROM outrider.named_message"),
            "{\"order\": 7}");
}

TEST(OtherLanguages, NodeEnqueuesThroughTheFunctionAsAProducerOnly) {
  const TestDatabase database;
  const Connection connection = connect(database.conninfo());
  query(connection.get(),
        "CREATE TABLE change (n integer); CREATE ROLE node_app LOGIN; GRANT INSERT ON change TO "
        "node_app; GRANT "
        "outrider_producer TO node_app");
  const std::string printed =
      output_of(fmt::format("node {}/tests/e2e/enqueue.js {} {} node_app", OUTRIDER_SOURCE_DIR,
                            PQhost(connection.get()), PQdb(connection.get())));
  EXPECT_EQ(printed, "{\"first\":true,\"again\":false,\"same\":true}\n");
  EXPECT_EQ(query(connection.get(), "SELECT payload FROM outrider.message"),
            "{\"note\": \"Größe 😀\", \"order\": 7}");
  query(connection.get(), "DROP OWNED BY node_app; DROP ROLE node_app");
}

TEST(OtherLanguages, PythonEnqueuesThroughTheViewOnSqlite) {
  const auto store = make_sqlite_store(Store::Schema::migrated);
  const std::string printed = output_of(
      fmt::format("python3 {}/tests/e2e/enqueue.py {}", OUTRIDER_SOURCE_DIR, store->address()));
  EXPECT_EQ(printed, "{\"ids\": 1, \"wrong\": []}\n");
  ASSERT_EQ(store->messages().size(), 2u);
  EXPECT_EQ(store->messages()[0].payload, "{\"order\": 7}");
  EXPECT_EQ(Uuid::parse(store->messages()[0].id)->to_string(), store->messages()[0].id);
  EXPECT_TRUE(uuid_time(*Uuid::parse(store->messages()[0].id)).has_value()) << "a UUIDv7";
  EXPECT_EQ(store->changes(), std::vector<int>{7});
  // The C++ side sees the key that the view took.
  const auto caller = store->connect();
  caller->run("BEGIN");
  const Enqueued again = caller->enqueue(
      {.ns = "shop", .topic = "order", .payload = "{\"order\": 7}", .dedupe_key = "order-7"});
  const Enqueued other =
      caller->enqueue({.ns = "shop", .topic = "order", .payload = "8", .dedupe_key = "order-7"});
  caller->run("COMMIT");
  EXPECT_FALSE(again.inserted);
  EXPECT_FALSE(again.payload_differs);
  EXPECT_TRUE(other.payload_differs);
}

TEST(OtherLanguages, TheFunctionRefusesBadInputWithAClearText) {
  const TestDatabase database;
  const Connection connection = connect(database.conninfo());
  for (const std::string call :
       {"'a b', 't', '1'", "'', 't', '1'", "'a', repeat('x', 129), '1'", "'a', NULL, '1'",
        "'a', 't', NULL", "'a', 't', to_jsonb(repeat('x', 262144))",
        "'a', 't', (repeat('[', 65) || repeat(']', 65))::jsonb", "'a', 't', '1', ''",
        "'a', 't', '1', E'a\\nb'", "'a', 't', '1', repeat('k', 513)",
        "'a', 't', '1', ordering_key => ''", "'a', 't', '1', headers => '[]'",
        "'a', 't', '1', headers => '{\"A\": \"x\"}'", "'a', 't', '1', headers => '{\"a\": 1}'"}) {
    EXPECT_EQ(sqlstate_of(connection.get(), "SELECT outrider.enqueue(" + call + ")"), "22023")
        << call;
    EXPECT_THAT(PQerrorMessage(connection.get()), ::testing::HasSubstr("cannot enqueue: ")) << call;
  }
  EXPECT_EQ(sqlstate_of(connection.get(),
                        "SELECT outrider.enqueue_many('a', 't', ARRAY['1', '2']::jsonb[], "
                        "dedupe_keys => ARRAY['k'])"),
            "22023");
  EXPECT_EQ(query(connection.get(), "SELECT count(*) FROM outrider.message"), "0");
}

// The function runs with its owner's rights, so what a caller puts into the search path must never
// be called by it: here an operator, a function and a type that shadow the server's own.
TEST(OtherLanguages, TheFunctionIgnoresTheCallersSearchPath) {
  const TestDatabase database;
  const Connection connection = connect(database.conninfo());
  query(connection.get(),
        "INSERT INTO outrider.topic VALUES (outrider.topic_id('shop', 'order'), 'shop', 'order')");
  query(connection.get(),
        "CREATE SCHEMA hostile;"
        "CREATE FUNCTION hostile.seize() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION 'seized' USING ERRCODE = 'XX000'; END $$;"
        "CREATE DOMAIN hostile.text AS pg_catalog.text CHECK (hostile.seize())");
  for (const std::string type : {"text", "int4", "int8", "float8", "bool"})
    for (const std::string sign :
         {"=", "<=", ">=", "<", ">", "-", "+", "!~", "*", "&", "|", "||"}) {
      const std::string both = "(a pg_catalog." + type + ", b pg_catalog." + type + ")";
      query(connection.get(), "CREATE OR REPLACE FUNCTION hostile.act" + both +
                                  " RETURNS boolean LANGUAGE sql AS 'SELECT hostile.seize()'");
      query(connection.get(), "CREATE OPERATOR hostile." + sign + " (FUNCTION = hostile.act, " +
                                  "LEFTARG = pg_catalog." + type + ", RIGHTARG = pg_catalog." +
                                  type + ")");
    }
  for (const std::string call :
       {"clock_timestamp()", "gen_random_uuid()", "octet_length(pg_catalog.text)",
        "translate(pg_catalog.text, pg_catalog.text, pg_catalog.text)"})
    query(connection.get(), "CREATE FUNCTION hostile." + call +
                                " RETURNS boolean LANGUAGE sql AS 'SELECT hostile.seize()'");
  query(connection.get(), "SET search_path = hostile, pg_catalog");
  for (const std::string arguments :
       {"'shop', 'order', '1'", "'shop', 'order', '2', ordering_key => 'a'",
        "'shop', 'order', '3', deliver_after => '1 second'", "'shop', 'order', '4', 'key'",
        "'shop', 'order', '5', headers => '{\"a\": \"b\"}'", "'shop', 'other', '6'"})
    EXPECT_EQ(sqlstate_of(connection.get(), "SELECT outrider.enqueue(" + arguments + ")"), "")
        << arguments << ": " << PQerrorMessage(connection.get());
  EXPECT_EQ(sqlstate_of(connection.get(),
                        "SELECT outrider.enqueue_many('shop', 'order', "
                        "pg_catalog.array_fill('7'::pg_catalog.jsonb, '{1}'))"),
            "")
      << PQerrorMessage(connection.get());
  EXPECT_EQ(sqlstate_of(connection.get(), "SELECT 'a'::pg_catalog.text = 'a'::pg_catalog.text"),
            "XX000")
      << "the search path was not hostile at all";
  query(connection.get(), "SET search_path = pg_catalog");
  EXPECT_EQ(query(connection.get(), "SELECT count(*) FROM outrider.message"), "7");
}

}  // namespace
}  // namespace outrider::testing
