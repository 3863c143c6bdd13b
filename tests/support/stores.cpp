#include <filesystem>
#include <fmt/format.h>
#include <sqlite3.h>
#include <stdexcept>

#include "conformance/store.hpp"
#include "store/migrator.hpp"
#include "store/postgres/session.hpp"
#include "store/sqlite/session.hpp"
#include "support/postgres_server.hpp"

namespace outrider::testing {

namespace {

// Columns are the same in both stores, so that one reader serves both.
constexpr const char* message_columns =
    "position, id, namespace || '/' || topic, payload, tenant_id, dedupe_key, ordering_key, "
    "headers";

class PostgresCaller final : public Caller {
 public:
  explicit PostgresCaller(const std::string& conninfo) : connection_(testing::connect(conninfo)) {}
  void run(const std::string& sql) override { query(connection_.get(), sql); }
  Enqueued enqueue(const Message& message, const EnqueueOptions& options) override {
    return outrider::enqueue(connection_.get(), message, options);
  }
  std::vector<Enqueued> enqueue(std::span<const Message> messages,
                                const EnqueueOptions& options) override {
    return outrider::enqueue(connection_.get(), messages, options);
  }

 private:
  Connection connection_;
};

class PostgresStore final : public Store {
 public:
  explicit PostgresStore(Schema schema)
      : database_(schema == Schema::migrated ? TestDatabase::Schema::migrated
                                             : TestDatabase::Schema::none) {
    query(testing::connect(database_.conninfo()).get(), "CREATE TABLE change (n integer)");
  }
  std::unique_ptr<Caller> connect() override {
    return std::make_unique<PostgresCaller>(database_.conninfo());
  }
  std::unique_ptr<Caller> connect_read_only() override {
    return std::make_unique<PostgresCaller>(database_.conninfo() +
                                            " options='-c default_transaction_read_only=on'");
  }
  std::unique_ptr<Session> session() override { return postgres::open(database_.conninfo()); }
  std::string address() const override { return database_.conninfo(); }
  std::vector<StoredMessage> messages() override;
  std::vector<int> changes() override {
    const Connection connection = testing::connect(database_.conninfo());
    const std::unique_ptr<PGresult, decltype(&PQclear)> rows(
        PQexec(connection.get(), "SELECT n FROM change ORDER BY n"), &PQclear);
    std::vector<int> found;
    for (int i = 0; i < PQntuples(rows.get()); ++i)
      found.push_back(std::atoi(PQgetvalue(rows.get(), i, 0)));
    return found;
  }
  void add_breaking_migration() override {
    query(testing::connect(database_.conninfo()).get(),
          "INSERT INTO outrider.migration VALUES ('outbox', 9999, 'from_the_future', true);"
          "SELECT outrider.publish_version()");
  }

 private:
  TestDatabase database_;
};

std::vector<StoredMessage> PostgresStore::messages() {
  const Connection connection = testing::connect(database_.conninfo());
  const std::string text = fmt::format(
      "SELECT {}, round(extract(epoch FROM deliver_at - created_at) * 1000) FROM "
      "outrider.named_message ORDER BY position",
      message_columns);
  const std::unique_ptr<PGresult, decltype(&PQclear)> rows(PQexec(connection.get(), text.c_str()),
                                                           &PQclear);
  const auto cell = [&](int row, int column) {
    return PQgetisnull(rows.get(), row, column)
               ? std::nullopt
               : std::optional<std::string>(PQgetvalue(rows.get(), row, column));
  };
  std::vector<StoredMessage> found;
  for (int i = 0; i < PQntuples(rows.get()); ++i) {
    const auto delay = cell(i, 8);
    found.push_back({std::stoll(*cell(i, 0)), *cell(i, 1), *cell(i, 2), *cell(i, 3), cell(i, 4),
                     cell(i, 5), cell(i, 6), cell(i, 7),
                     delay ? std::optional(std::stoll(*delay)) : std::nullopt});
  }
  return found;
}

using SqliteHandle = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;

class SqliteCaller final : public Caller {
 public:
  SqliteCaller(const std::string& path, int flags) : connection_(nullptr, &sqlite3_close) {
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
    connection_.reset(raw);
    if (code != SQLITE_OK)
      throw std::runtime_error(sqlite3_errmsg(raw));
    sqlite3_busy_timeout(raw, 20'000);
  }
  // The application begins as the documentation asks for.
  void run(const std::string& sql) override {
    const std::string text = sql == "BEGIN" ? "BEGIN IMMEDIATE" : sql;
    if (sqlite3_exec(connection_.get(), text.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      throw std::runtime_error(sqlite3_errmsg(connection_.get()));
  }
  Enqueued enqueue(const Message& message, const EnqueueOptions& options) override {
    return outrider::enqueue(connection_.get(), message, options);
  }
  std::vector<Enqueued> enqueue(std::span<const Message> messages,
                                const EnqueueOptions& options) override {
    return outrider::enqueue(connection_.get(), messages, options);
  }
  std::vector<std::vector<std::optional<std::string>>> rows(const std::string& sql) {
    std::vector<std::vector<std::optional<std::string>>> found;
    sqlite3_exec(
        connection_.get(), sql.c_str(),
        [](void* out, int count, char** cells, char**) {
          auto& row = static_cast<decltype(found)*>(out)->emplace_back();
          for (int i = 0; i < count; ++i)
            row.push_back(cells[i] ? std::optional<std::string>(cells[i]) : std::nullopt);
          return 0;
        },
        &found, nullptr);
    return found;
  }

 private:
  SqliteHandle connection_;
};

class SqliteStore final : public Store {
 public:
  explicit SqliteStore(Schema schema) {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "outrider-sqlite-XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
      throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    if (schema == Schema::migrated)
      migrate(*session());
    caller()->run("PRAGMA journal_mode = WAL; CREATE TABLE change (n integer)");
  }
  ~SqliteStore() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<Caller> connect() override { return caller(); }
  std::unique_ptr<Caller> connect_read_only() override {
    return std::make_unique<SqliteCaller>(path(), SQLITE_OPEN_READONLY);
  }
  std::unique_ptr<Session> session() override { return sqlite::open(path()); }
  std::string address() const override { return path(); }
  std::vector<StoredMessage> messages() override {
    std::vector<StoredMessage> found;
    const std::string text = fmt::format(
        "SELECT {}, (deliver_at - created_at) / 1000 FROM outrider_named_message ORDER BY position",
        message_columns);
    for (const auto& row : caller()->rows(text))
      found.push_back({std::stoll(*row[0]), *row[1], *row[2], *row[3], row[4], row[5], row[6],
                       row[7], row[8] ? std::optional(std::stoll(*row[8])) : std::nullopt});
    return found;
  }
  std::vector<int> changes() override {
    std::vector<int> found;
    for (const auto& row : caller()->rows("SELECT n FROM change ORDER BY n"))
      found.push_back(std::stoi(*row[0]));
    return found;
  }
  void add_breaking_migration() override {
    caller()->run(
        "INSERT INTO outrider_migration VALUES ('outbox', 9999, 'from_the_future', 1, 0)");
  }

 private:
  std::string path() const { return folder_ + "/app.db"; }
  std::unique_ptr<SqliteCaller> caller() {
    return std::make_unique<SqliteCaller>(path(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  }

  std::string folder_;
};

}  // namespace

std::unique_ptr<Store> make_postgres_store(Store::Schema schema) {
  return std::make_unique<PostgresStore>(schema);
}
std::unique_ptr<Store> make_sqlite_store(Store::Schema schema) {
  return std::make_unique<SqliteStore>(schema);
}

}  // namespace outrider::testing
