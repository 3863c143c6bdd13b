#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <sqlite3.h>
#include <string>

#include <outrider/enqueue.hpp>
#include <outrider/error.hpp>

#include "core/digest.hpp"
#include "core/json_text.hpp"
#include "store/enqueue_checks.hpp"
#include "store/sqlite/binding.hpp"
#include "store/sqlite/result_code.hpp"
#include "store/sqlite/sql_text.hpp"
#include "store/value.hpp"

namespace outrider {

namespace {

using sqlite::bind;
using sqlite::ResetAfterUse;
using sqlite::StatementHandle;
namespace sql = sqlite::sql;

StoreTime wall_clock() {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

// The statements of one call, each prepared when it is first needed.
class Writer {
 public:
  explicit Writer(sqlite3* connection) : connection_(connection) {}

  Enqueued write(const Message& message);

 private:
  sqlite3_stmt* ready(StatementHandle& handle, const OwnStatement& statement);
  int step(sqlite3_stmt* statement, const OwnStatement& from);
  std::int64_t find_topic(const Message& message, StoreTime now);
  std::int64_t new_topic(const Message& message, StoreTime now);
  std::optional<Enqueued> take_key(const Message& message, std::int64_t topic, const Uuid& id,
                                   StoreTime now);
  Enqueued find_first(const Message& message, std::int64_t topic, const std::string& tenant,
                      const Sha256& digest);

  sqlite3* connection_;
  StatementHandle topic_, new_topic_, message_, take_key_, find_key_;
  const Message* last_ = nullptr;  // its topic is last_topic_; batches mostly have one topic
  std::int64_t last_topic_ = 0;
};

sqlite3_stmt* Writer::ready(StatementHandle& handle, const OwnStatement& statement) {
  if (!handle)
    handle = sqlite::prepare(connection_, statement.name, statement.text);
  return handle.get();
}

int Writer::step(sqlite3_stmt* statement, const OwnStatement& from) {
  const int code = sqlite3_step(statement);
  if (code == SQLITE_ROW || code == SQLITE_DONE)
    return code;
  throw sqlite::to_error(connection_, code, "cannot enqueue", from.name);
}

void require_known(int breaking) {
  const int known = sql::migrations.back().version;
  if (breaking > known)
    throw Error(Errc::schema_newer,
                fmt::format("cannot enqueue: the schema needs a build that knows version {}, this "
                            "one knows {}; upgrade outrider",
                            breaking, known));
}

std::int64_t Writer::find_topic(const Message& message, StoreTime now) {
  if (last_ && last_->ns == message.ns && last_->topic == message.topic)
    return last_topic_;
  sqlite3_stmt* found = ready(topic_, sql::find_topic);
  const ResetAfterUse reset(found);
  bind(found, 1, message.ns);
  bind(found, 2, message.topic);
  step(found, sql::find_topic);
  require_known(sqlite3_column_int(found, 1));
  last_topic_ = sqlite3_column_type(found, 0) != SQLITE_NULL ? sqlite3_column_int64(found, 0)
                                                             : new_topic(message, now);
  last_ = &message;
  return last_topic_;
}

std::int64_t Writer::new_topic(const Message& message, StoreTime now) {
  sqlite3_stmt* made = ready(new_topic_, sql::insert_topic);
  const ResetAfterUse reset(made);
  bind(made, 1, message.ns);
  bind(made, 2, message.topic);
  bind(made, 3, now);
  step(made, sql::insert_topic);
  const std::int64_t topic = sqlite3_column_int64(made, 0);
  step(made, sql::insert_topic);
  return topic;
}

Enqueued Writer::find_first(const Message& message, std::int64_t topic, const std::string& tenant,
                            const Sha256& digest) {
  sqlite3_stmt* found = ready(find_key_, sql::find_dedupe_key);
  const ResetAfterUse reset(found);
  bind(found, 1, topic);
  bind(found, 2, tenant);
  bind(found, 3, *message.dedupe_key);
  step(found, sql::find_dedupe_key);
  const std::string_view stored = sqlite::column_bytes(found, 1);
  const bool has_digest = sqlite3_column_type(found, 1) != SQLITE_NULL;
  const bool has_payload = sqlite3_column_type(found, 2) != SQLITE_NULL;
  const std::string_view given(reinterpret_cast<const char*>(digest.data()), digest.size());
  const bool differs = has_digest    ? stored != given
                       : has_payload ? sqlite::column_bytes(found, 2) != message.payload
                                     : false;
  return {Uuid::parse(sqlite::column_bytes(found, 0)).value(), false, differs};
}

// nullopt when the key is now this message's.
std::optional<Enqueued> Writer::take_key(const Message& message, std::int64_t topic, const Uuid& id,
                                         StoreTime now) {
  const std::string tenant = message.tenant_id ? message.tenant_id->to_string() : "";
  const Sha256 digest = sha256(message.payload);
  sqlite3_stmt* taken = ready(take_key_, sql::take_dedupe_key);
  const ResetAfterUse reset(taken);
  bind(taken, 1, topic);
  bind(taken, 2, tenant);
  bind(taken, 3, *message.dedupe_key);
  bind(taken, 4, id);
  sqlite::bind_blob(taken, 5, digest);
  bind(taken, 6, now);
  step(taken, sql::take_dedupe_key);
  if (sqlite3_changes(connection_) == 1)
    return std::nullopt;
  return find_first(message, topic, tenant, digest);
}

Enqueued Writer::write(const Message& message) {
  const StoreTime now = wall_clock();
  const std::int64_t topic = find_topic(message, now);
  const Uuid id = message.id ? *message.id : new_uuid();
  if (message.dedupe_key)
    if (const std::optional<Enqueued> first = take_key(message, topic, id, now))
      return *first;
  const std::string headers = message.headers.empty() ? "" : json_object(message.headers);
  sqlite3_stmt* written = ready(message_, sql::insert_message);
  const ResetAfterUse reset(written);
  bind(written, 1, topic);
  bind(written, 2, now);
  bind(written, 3, id);
  bind(written, 4, message.tenant_id);
  bind(written, 5,
       message.deliver_after.count() > 0 ? Value(now + message.deliver_after) : Value());
  bind(written, 6, message.dedupe_key);
  bind(written, 7, message.ordering_key);
  bind(written, 8, headers.empty() ? Value() : Value(headers));
  bind(written, 9, message.payload);
  step(written, sql::insert_message);
  return {id};
}

void run_text(sqlite3* connection, const char* text) {
  const int code = sqlite3_exec(connection, text, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK)
    throw sqlite::to_error(connection, code, "cannot enqueue", "");
}

// Makes one call all or nothing inside the caller's transaction. Without one, which the caller has
// allowed, it is the transaction.
class WholeCall {
 public:
  explicit WholeCall(sqlite3* connection)
      : connection_(connection), is_nested_(sqlite3_get_autocommit(connection) == 0) {
    run_text(connection, is_nested_ ? "SAVEPOINT outrider_enqueue" : "BEGIN IMMEDIATE");
  }
  ~WholeCall() {
    if (is_done_)
      return;
    const char* undo =
        is_nested_ ? "ROLLBACK TO outrider_enqueue; RELEASE outrider_enqueue" : "ROLLBACK";
    sqlite3_exec(connection_, undo, nullptr, nullptr, nullptr);
  }
  WholeCall(const WholeCall&) = delete;
  WholeCall& operator=(const WholeCall&) = delete;

  void finish() {
    run_text(connection_, is_nested_ ? "RELEASE outrider_enqueue" : "COMMIT");
    is_done_ = true;
  }

 private:
  sqlite3* connection_;
  bool is_nested_;
  bool is_done_ = false;
};

void require_writable(sqlite3* connection, const EnqueueOptions& options) {
  if (!connection)
    throw Error(Errc::connection_lost, "cannot enqueue: the connection is not open");
  if (sqlite3_db_readonly(connection, "main") == 1)
    throw Error(Errc::read_only,
                "cannot enqueue: the database was opened read-only; open it for writing");
  if (sqlite3_get_autocommit(connection) != 0 &&
      options.autocommit == EnqueueOptions::Autocommit::refuse)
    throw Error(Errc::not_in_transaction,
                "cannot enqueue: the connection is not in a transaction, so the message would be "
                "committed apart from "
                "your change; BEGIN IMMEDIATE first, or allow autocommit in the options");
}

}  // namespace

Enqueued enqueue(sqlite3* connection, const Message& message, const EnqueueOptions& options) {
  // Without a key it is one INSERT, which needs no savepoint; a new topic may stay when it fails.
  if (message.dedupe_key)
    return enqueue(connection, std::span(&message, 1), options).front();
  validate(message, options.limits);
  require_writable(connection, options);
  return Writer(connection).write(message);
}

std::vector<Enqueued> enqueue(sqlite3* connection, std::span<const Message> messages,
                              const EnqueueOptions& options) {
  if (messages.size() == 1)
    validate(messages.front(), options.limits);
  else
    validate_all(messages, options.limits);
  require_writable(connection, options);
  Writer writer(connection);
  WholeCall whole(connection);
  std::vector<Enqueued> results;
  results.reserve(messages.size());
  for (const Message& message : messages) {
    results.push_back(writer.write(message));
    require_same_payload(results.back(), message, options);
  }
  whole.finish();
  return results;
}

}  // namespace outrider
