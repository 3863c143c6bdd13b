#include <fmt/format.h>
#include <gmock/gmock.h>

#include <outrider/outrider.hpp>

#include "support/postgres_server.hpp"

namespace outrider::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* invalid_parameter = "22023";

struct BadCall {
  std::string arguments;
  std::string state;  // the SQLSTATE of the refusal
  std::string what;   // part of its text
};

// What enqueue and enqueue_many both refuse; {} stands for what comes around one payload.
std::vector<BadCall> bad_calls() {
  const std::string state = invalid_parameter;
  return {
      {"'a b', 't', {}'1'{}", state, "namespace must be"},
      {"'', 't', {}'1'{}", state, "namespace must be"},
      {"E'a\\n', 't', {}'1'{}", state, "namespace must be"},
      {"'a', repeat('x', 129), {}'1'{}", state, "topic must be"},
      {"'a', 'b/c', {}'1'{}", state, "topic must be"},
      {"'a', NULL, {}'1'{}", state, "topic must be"},
      {"'a', 't', {}NULL{}", state, "payload must not be NULL"},
      {"'a', 't', {}to_jsonb(repeat('x', 262143)){}", state, "the limit is 262144"},
      {"'a', 't', {}(repeat('[', 65) || repeat(']', 65))::jsonb{}", state, "64 levels"},
      {"'a', 't', {}repeat('[', 1000000)::jsonb{}", "54001", "stack depth limit exceeded"},
      {"'a', 't', {}'{{\"a\":1,'::jsonb{}", "22P02", "json"},
      {"'a', 't', {}'\"\\u0000\"'::jsonb{}", "22P05", "\\u0000"},
      {"'a', 't', {}'\"\\ud800\"'::jsonb{}", "22P02", "surrogate"},
  };
}

// Each refusal aborts the statement's transaction, as errors of the server do; a savepoint keeps
// it.
void expect_refused(PGconn* connection, const std::string& call, const BadCall& bad) {
  query(connection, "SAVEPOINT before");
  EXPECT_EQ(sqlstate_of(connection, call), bad.state) << call;
  EXPECT_THAT(PQerrorMessage(connection), HasSubstr(bad.what)) << call;
  if (bad.state == invalid_parameter) {
    EXPECT_THAT(PQerrorMessage(connection), HasSubstr("cannot enqueue")) << call;
  }
  query(connection, "ROLLBACK TO before");
}

class SqlFunction : public ::testing::Test {
 protected:
  SqlFunction() {
    query(connection(), "CREATE TABLE change (n integer)");
    query(connection(), "BEGIN; INSERT INTO change VALUES (1)");
  }
  PGconn* connection() { return connection_.get(); }
  // The caller's change is there, and no message.
  void expect_only_the_change() {
    query(connection(), "COMMIT");
    EXPECT_EQ(query(connection(), "SELECT count(*) FROM change"), "1");
    EXPECT_EQ(query(connection(), "SELECT count(*) FROM outrider.message"), "0");
    EXPECT_EQ(query(connection(), "SELECT count(*) FROM outrider.dedupe"), "0");
  }

 private:
  TestDatabase database_;
  Connection connection_ = connect(database_.conninfo());
};

TEST_F(SqlFunction, RefusesBadInputWithAClearText) {
  for (const BadCall& bad : bad_calls())
    expect_refused(connection(),
                   fmt::format("SELECT outrider.enqueue({})",
                               fmt::format(fmt::runtime(bad.arguments), "", "")),
                   bad);
  for (const std::string option :
       {"dedupe_key => ''", "dedupe_key => E'a\\nb'", "dedupe_key => repeat('k', 513)",
        "ordering_key => ''", "ordering_key => repeat('k', 513)", "headers => '[]'",
        "headers => '{\"A\": \"x\"}'", "headers => '{\"a\": 1}'", "deliver_after => '-1 ms'",
        "deliver_after => '1000 years'"})
    expect_refused(connection(), "SELECT outrider.enqueue('a', 't', '1', " + option + ")",
                   {"", invalid_parameter, option.substr(0, option.find(' '))});
  expect_only_the_change();
}

TEST_F(SqlFunction, RefusesManyForOneThatIsBadAndSaysWhich) {
  for (BadCall bad : bad_calls()) {
    if (bad.what.find("payload") != std::string::npos)
      bad.what = "cannot enqueue message 2 of 2: " + bad.what;
    expect_refused(
        connection(),
        fmt::format("SELECT outrider.enqueue_many({})",
                    fmt::format(fmt::runtime(bad.arguments), "ARRAY['1', ", "]::jsonb[]")),
        bad);
  }
  for (const std::string option :
       {"dedupe_keys => ARRAY['k', '']", "ordering_keys => ARRAY['k', '']",
        "headers => ARRAY[NULL, '[]']::jsonb[]"})
    expect_refused(
        connection(),
        "SELECT outrider.enqueue_many('a', 't', ARRAY['1', '2']::jsonb[], " + option + ")",
        {"", invalid_parameter, "message 2 of 2"});
  for (const std::string delay : {"-1 ms", "1000 years"})
    expect_refused(
        connection(),
        "SELECT outrider.enqueue_many('a', 't', ARRAY['1']::jsonb[], deliver_after => '" + delay +
            "')",
        {"", invalid_parameter, "deliver_after must be"});
  expect_refused(connection(),
                 "SELECT outrider.enqueue_many('a', 't', ARRAY['1', '2']::jsonb[], dedupe_keys => "
                 "ARRAY['k'])",
                 {"", invalid_parameter, "the arrays must all have 2 elements"});
  expect_only_the_change();
}

// The server checks bytes before any function sees them.
TEST_F(SqlFunction, NeverSeesInvalidUtf8) {
  for (const std::string call :
       {"SELECT outrider.enqueue($1, 't', '1')", "SELECT outrider.enqueue('a', $1, '1')",
        "SELECT outrider.enqueue('a', 't', $1::text::jsonb)",
        "SELECT outrider.enqueue('a', 't', '1', dedupe_key => $1)",
        "SELECT outrider.enqueue_many('a', 't', ARRAY[$1::text]::jsonb[])"}) {
    query(connection(), "SAVEPOINT before");
    const char* values[] = {"\"\xff\""};
    const std::unique_ptr<PGresult, decltype(&PQclear)> result(
        PQexecParams(connection(), call.c_str(), 1, nullptr, values, nullptr, nullptr, 0),
        &PQclear);
    EXPECT_STREQ(PQresultErrorField(result.get(), PG_DIAG_SQLSTATE), "22021") << call;
    EXPECT_THAT(PQerrorMessage(connection()), HasSubstr("invalid byte sequence")) << call;
    query(connection(), "ROLLBACK TO before");
  }
  expect_only_the_change();
}

TEST_F(SqlFunction, TakesWhatIsAtTheLimits) {
  query(connection(), "SELECT outrider.enqueue('a', 't', to_jsonb(repeat('x', 262142)))");
  query(connection(),
        "SELECT outrider.enqueue_many('a', 't', ARRAY[to_jsonb(repeat('x', 262142))])");
  query(connection(),
        "SELECT outrider.enqueue(repeat('n', 128), 'A-z.0_:9', (repeat('[', 64) || repeat(']', "
        "64))::jsonb, repeat('k', 512))");
  query(connection(), "COMMIT");
  EXPECT_EQ(query(connection(),
                  "SELECT string_agg(octet_length(payload)::text, ' ' ORDER BY position) FROM "
                  "outrider.message"),
            "262144 262144 128");
}

TEST_F(SqlFunction, SaysSoWhenItCannotWriteOrIsNotThere) {
  query(connection(), "COMMIT; BEGIN READ ONLY");
  expect_refused(connection(), "SELECT outrider.enqueue('a', 't', '1')",
                 {"", "25006", "read-only transaction"});
  expect_refused(connection(), "SELECT outrider.enqueue_many('a', 't', ARRAY['1']::jsonb[])",
                 {"", "25006", "read-only transaction"});
  expect_only_the_change();
  const TestDatabase empty(TestDatabase::Schema::none);
  const Connection stranger = connect(empty.conninfo());
  query(stranger.get(), "BEGIN");
  expect_refused(stranger.get(), "SELECT outrider.enqueue('a', 't', '1')",
                 {"", "3F000", "schema \"outrider\" does not exist"});
  EXPECT_EQ(query(stranger.get(), "SELECT 7"), "7");
}

}  // namespace
}  // namespace outrider::testing
