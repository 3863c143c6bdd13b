// docs/reference/schema.*.sql show what the migrations add up to, for those who read a schema
// rather than its history, and so that a change of the migrations shows its effect in a review.

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sstream>

#include "conformance/store.hpp"
#include "support/postgres_server.hpp"

namespace outrider::testing {
namespace {

constexpr const char* note =
    "-- The schema after all migrations. Made by \"make schema\"; do not edit.\n\n";

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  std::string text;
  for (int c = 0; pipe && (c = std::fgetc(pipe.get())) != EOF;)
    text.push_back(static_cast<char>(c));
  return text;
}

std::size_t marks_in(std::string_view line, std::string_view mark) {
  std::size_t count = 0;
  for (std::size_t at = line.find(mark); at != line.npos; at = line.find(mark, at + mark.size()))
    ++count;
  return count;
}

// Without what differs between versions of pg_dump or says nothing about the schema: comments,
// settings of the restoring session, and the guards of psql. The body of a function stays whole.
std::string cleaned(const std::string& dump) {
  std::istringstream lines(dump);
  std::string text, line;
  bool in_body = false, was_blank = true;
  while (std::getline(lines, line)) {
    if ((marks_in(line, "$$") + marks_in(line, "$_$")) % 2 == 1)
      in_body = !in_body;
    const bool is_noise = line.starts_with("--") || line.starts_with("SET ") ||
                          line.starts_with("SELECT pg_catalog.set_config") ||
                          line.starts_with('\\');
    if (!in_body && (is_noise || (line.empty() && was_blank)))
      continue;
    was_blank = line.empty();
    text += line + "\n";
  }
  while (text.ends_with("\n\n"))
    text.pop_back();
  return text;
}

// One partition of the log stands for its equals.
std::string postgres_schema() {
  const TestDatabase database;
  return cleaned(
      output_of(fmt::format("{} --schema-only --no-owner --schema=outrider "
                            "--exclude-table='outrider.message_[1-9]*' '{}'",
                            PostgresServer::instance().program("pg_dump"), database.conninfo())));
}

std::string sqlite_schema() {
  const auto store = make_sqlite_store(Store::Schema::migrated);
  sqlite3* raw = nullptr;
  sqlite3_open_v2(store->address().c_str(), &raw, SQLITE_OPEN_READONLY, nullptr);
  std::string text;
  sqlite3_exec(
      raw,
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name LIKE 'outrider%' "
      "ORDER BY rowid",
      [](void* out, int, char** cells, char**) {
        *static_cast<std::string*>(out) += std::string(cells[0]) + ";\n\n";
        return 0;
      },
      &text, nullptr);
  sqlite3_close(raw);
  if (!text.empty())
    text.pop_back();
  return text;
}

void expect_committed(const std::string& name, const std::string& schema) {
  ASSERT_NE(schema.find("CREATE TABLE"), schema.npos) << "the dump is empty";
  const std::string path = std::string(OUTRIDER_SOURCE_DIR) + "/docs/reference/" + name;
  if (std::getenv("OUTRIDER_UPDATE"))
    std::ofstream(path) << note << schema;
  std::ifstream file(path);
  std::ostringstream committed;
  committed << file.rdbuf();
  EXPECT_EQ(committed.str(), note + schema)
      << path << " is not what the migrations make; run \"make schema\" and look at the difference";
}

TEST(SchemaDump, OfPostgresIsWhatTheMigrationsMake) {
  expect_committed("schema.postgres.sql", postgres_schema());
}

TEST(SchemaDump, OfSqliteIsWhatTheMigrationsMake) {
  expect_committed("schema.sqlite.sql", sqlite_schema());
}

}  // namespace
}  // namespace outrider::testing
