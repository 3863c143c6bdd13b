#include <gmock/gmock.h>
#include <sqlite3.h>

#include <outrider/outrider.hpp>

#include "conformance/store.hpp"

namespace outrider::testing {
namespace {

using ::testing::HasSubstr;

// The row a program in another language inserts. Text is bound as its bytes, whatever they are.
struct Row {
  std::string ns = "shop";
  std::string topic = "order";
  std::string payload = "1";
  std::optional<std::string> dedupe_key{}, ordering_key{}, headers{};
  std::int64_t deliver_after = 0;
};

// A foreign program's connection, which knows nothing of Outrider but the view.
class Foreigner {
 public:
  explicit Foreigner(const Store& store, int flags = SQLITE_OPEN_READWRITE)
      : connection_(nullptr, &sqlite3_close) {
    sqlite3* raw = nullptr;
    sqlite3_open_v2(store.address().c_str(), &raw, flags, nullptr);
    connection_.reset(raw);
  }

  // "" for success, else the error's text.
  std::string run(const std::string& sql) {
    return sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK
               ? ""
               : sqlite3_errmsg(connection_.get());
  }

  std::string insert(const Row& row) {
    sqlite3_stmt* raw = nullptr;
    sqlite3_prepare_v2(connection_.get(),
                       "INSERT INTO outrider_enqueue (namespace, topic, payload, dedupe_key, "
                       "ordering_key, headers, deliver_after) VALUES (?, ?, ?, ?, ?, ?, ?)",
                       -1, &raw, nullptr);
    const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(raw,
                                                                               &sqlite3_finalize);
    const auto bind = [&](int index, const std::optional<std::string>& text) {
      if (text)
        sqlite3_bind_text(raw, index, text->data(), static_cast<int>(text->size()),
                          SQLITE_TRANSIENT);
    };
    bind(1, row.ns);
    bind(2, row.topic);
    bind(3, row.payload);
    bind(4, row.dedupe_key);
    bind(5, row.ordering_key);
    bind(6, row.headers);
    sqlite3_bind_int64(raw, 7, row.deliver_after);
    return raw && sqlite3_step(raw) == SQLITE_DONE ? "" : sqlite3_errmsg(connection_.get());
  }

 private:
  std::unique_ptr<sqlite3, decltype(&sqlite3_close)> connection_;
};

std::string zero_byte_in(std::string text) {
  text.replace(text.find('0'), 1, 1, '\0');
  return text;
}

struct BadRow {
  std::string what;  // part of the refusal
  Row row;
};

std::vector<BadRow> bad_names() {
  std::vector<BadRow> rows;
  for (const std::string name :
       {"", "a b", "a/b", "a\n", "gr\u00fc\u00df", "a\xff", "a\x80", "\xe2\x82"}) {
    rows.push_back({"namespace must be", {.ns = name}});
    rows.push_back({"topic must be", {.topic = name}});
  }
  rows.push_back({"namespace must be", {.ns = std::string(129, 'x')}});
  rows.push_back({"topic must be", {.topic = std::string(129, 'x')}});
  rows.push_back({"U+0000", {.ns = zero_byte_in("a0b")}});
  rows.push_back({"U+0000", {.topic = zero_byte_in("a0 not a name")}});
  return rows;
}

std::vector<BadRow> bad_payloads() {
  std::vector<BadRow> rows;
  for (const std::string json :
       {"", "{", "{\"a\":1,", "[1,]", "{a:1}", "01", "nan", "1 2", "'a'", "\"a\nb\"", "\"\\x\"",
        "\xef\xbb\xbf"
        "1"})
    rows.push_back({"JSON", {.payload = json}});
  for (const std::string bytes : {"\xff", "\x9f", "\xe2\x82", "\xc0\xaf", "\xed\xa0\x80", "\xc3",
                                  "\xf4\x90\x80\x80", "\u00e9\xa9", "\xf0\x9f\x98"})
    rows.push_back({"UTF-8", {.payload = "{\"a\":\"" + bytes + "\"}"}});
  for (const std::string escape :
       {"\\u0000", "\\\\\\u0000", "\\ud800", "\\udc00", "\\ud83d\\u0041", "\\ud83d\\\\\\ude00",
        "\\uDE00\\uD83D", "\\ud83d\\ude00\\uDE00", "abcdef\\ude00"})
    rows.push_back({"lone surrogate", {.payload = "{\"a\":\"" + escape + "\"}"}});
  rows.push_back({"U+0000", {.payload = zero_byte_in("\"0\"")}});
  rows.push_back({"U+0000", {.payload = zero_byte_in("{\"a\":1}0 and what nobody checked")}});
  rows.push_back({"duplicate", {.payload = "{\"a\":1,\"\\u0061\":2}"}});
  rows.push_back({"64 levels", {.payload = std::string(65, '[') + std::string(65, ']')}});
  rows.push_back({"262144 bytes", {.payload = std::string(1'000'000, '[')}});
  rows.push_back({"JSON", {.payload = std::string(262'144, '[')}});
  rows.push_back({"262144 bytes", {.payload = '"' + std::string(262'143, 'x') + '"'}});
  return rows;
}

std::vector<BadRow> bad_keys_headers_and_delays() {
  std::vector<BadRow> rows;
  for (const std::string& key : {std::string(), std::string("a\nb"), std::string("\x7f"),
                                 std::string("\u0085"), std::string(513, 'k')}) {
    rows.push_back({"dedupe_key must be", {.dedupe_key = key}});
    rows.push_back({"ordering_key must be", {.ordering_key = key}});
  }
  rows.push_back({"UTF-8", {.dedupe_key = "\xff"}});
  rows.push_back({"UTF-8", {.ordering_key = "a\xa0"}});
  rows.push_back({"U+0000", {.dedupe_key = zero_byte_in("a0b")}});
  rows.push_back({"U+0000", {.ordering_key = zero_byte_in("a0b")}});
  for (const std::string headers : {"[]", "{", "1", ""})
    rows.push_back({"JSON object", {.headers = headers}});
  for (const std::string headers :
       {R"({"A":"x"})", R"({"":"x"})", R"({"a":1})", R"({"a":{"b":"c"}})", R"({"a":"x\ny"})"})
    rows.push_back({"lower-case token", {.headers = headers}});
  rows.push_back({"duplicate", {.headers = R"({"a":"x","a":"y"})"}});
  rows.push_back({"U+0000", {.headers = R"({"a":"\u0000"})"}});
  rows.push_back({"UTF-8", {.headers = "{\"a\":\"\xff\"}"}});
  rows.push_back({"deliver_after", {.deliver_after = -1}});
  rows.push_back({"deliver_after", {.deliver_after = std::int64_t{1} << 62}});
  return rows;
}

TEST(SqliteView, RefusesBadRowsAndKeepsTheTransactionUsable) {
  const auto store = make_sqlite_store(Store::Schema::migrated);
  Foreigner foreigner(*store);
  ASSERT_EQ(foreigner.run("BEGIN IMMEDIATE; INSERT INTO change VALUES (1)"), "");
  for (const auto& rows : {bad_names(), bad_payloads(), bad_keys_headers_and_delays()})
    for (const auto& [what, row] : rows) {
      const std::string error = foreigner.insert(row);
      EXPECT_THAT(error, HasSubstr("outrider: cannot enqueue: ")) << row.payload.substr(0, 80);
      EXPECT_THAT(error, HasSubstr(what)) << row.payload.substr(0, 80);
    }
  ASSERT_EQ(foreigner.run("INSERT INTO change VALUES (2); COMMIT"), "");
  EXPECT_TRUE(store->messages().empty());
  EXPECT_EQ(store->changes(), (std::vector<int>{1, 2}));
}

TEST(SqliteView, TakesBlobsForNothing) {
  const auto store = make_sqlite_store(Store::Schema::migrated);
  Foreigner foreigner(*store);
  for (const std::string values : {"X'61', 'b', '1'", "'a', X'62', '1'", "'a', 'b', X'31'"})
    EXPECT_THAT(foreigner.run("INSERT INTO outrider_enqueue (namespace, topic, payload) VALUES (" +
                              values + ")"),
                HasSubstr("not a blob"));
  EXPECT_TRUE(store->messages().empty());
}

TEST(SqliteView, TakesWhatIsAtTheLimits) {
  const auto store = make_sqlite_store(Store::Schema::migrated);
  Foreigner foreigner(*store);
  std::vector<Row> rows;
  for (const std::string& payload :
       {'"' + std::string(262'142, 'x') + '"', std::string(64, '[') + std::string(64, ']'),
        std::string("\"\u00e9 \u20ac \U0001f600 \ufffd \ufffe \uffff \U0010ffff \ue000\""),
        std::string(R"("\\u0000 \\ud800 \ud83d\ude00 \uD83D\uDE00\ud83d\ude00 \u0041 \" \\")"),
        std::string("\"[{[{ are only text\""), std::string(" 1e400\n")})
    rows.push_back({.payload = payload});
  rows.push_back({.ns = std::string(128, 'n'), .topic = "A-z.0_:9"});
  rows.push_back({.dedupe_key = std::string(512, 'k'), .ordering_key = "\u00fc\u20ac"});
  rows.push_back({.headers = "{\"x-a\":\"\u00e9\"}", .deliver_after = 31'622'400'000});
  for (const Row& row : rows)
    EXPECT_EQ(foreigner.insert(row), "") << row.payload.substr(0, 80);
  const std::vector<StoredMessage> stored = store->messages();
  ASSERT_EQ(stored.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(stored[i].payload, rows[i].payload);
    EXPECT_TRUE(
        problems({.ns = rows[i].ns, .topic = rows[i].topic, .payload = rows[i].payload}).empty())
        << "the C++ side agrees";
  }
}

TEST(SqliteView, SaysSoWhenItCannotBeWritten) {
  const auto store = make_sqlite_store(Store::Schema::migrated);
  Foreigner reader(*store, SQLITE_OPEN_READONLY);
  ASSERT_EQ(reader.run("BEGIN"), "");
  EXPECT_THAT(reader.insert({}), HasSubstr("readonly"));
  EXPECT_EQ(reader.run("SELECT n FROM change; COMMIT"), "");

  const auto empty = make_sqlite_store(Store::Schema::none);
  Foreigner stranger(*empty);
  ASSERT_EQ(stranger.run("BEGIN IMMEDIATE; INSERT INTO change VALUES (1)"), "");
  EXPECT_THAT(stranger.insert({}), HasSubstr("outrider_enqueue"));
  ASSERT_EQ(stranger.run("COMMIT"), "");
  EXPECT_EQ(empty->changes(), std::vector<int>{1});
}

}  // namespace
}  // namespace outrider::testing
