// Writes an order and the message that tells of it in one transaction of the application's own
// file.
#include <cstdio>
#include <sqlite3.h>

#include <outrider/outrider.hpp>

int main(int count, char** words) {
  sqlite3* db = nullptr;
  if (count != 2 || sqlite3_open_v2(words[1], &db, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK) {
    std::fprintf(stderr,
                 "usage: place_order FILE (made by: outrider migrate --store sqlite:FILE)\n");
    return 2;
  }
  const auto run = [db](const char* sql) {
    return sqlite3_exec(db, sql, nullptr, nullptr, nullptr);
  };
  run("CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, total INTEGER)");
  int status = 0;
  try {
    run("BEGIN IMMEDIATE");
    run("INSERT INTO orders VALUES (7, 4200) ON CONFLICT DO NOTHING");
    const outrider::Enqueued result =
        outrider::enqueue(db, {.ns = "shop",
                               .topic = "order:placed",
                               .payload = R"({"order": 7, "total": 4200})",
                               .dedupe_key = "order-7"});
    run("COMMIT");
    std::printf("%s %s\n", result.id.to_string().c_str(),
                result.inserted ? "enqueued" : "was enqueued before");
  } catch (const outrider::Error& error) {
    run("ROLLBACK");
    std::fprintf(stderr, "%s\n", error.what());
    status = 1;
  }
  sqlite3_close(db);
  return status;
}
