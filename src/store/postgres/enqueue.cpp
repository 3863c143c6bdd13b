#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>

#include <outrider/enqueue.hpp>
#include <outrider/error.hpp>

#include "core/json_text.hpp"
#include "store/enqueue_checks.hpp"
#include "store/postgres/copy_stream.hpp"
#include "store/postgres/producer_connection.hpp"
#include "store/postgres/sql_text.hpp"
#include "store/postgres/wire.hpp"

namespace outrider {

namespace {

using postgres::ArrayBuilder;
using postgres::Oid;
using postgres::ProducerConnection;
namespace sql = postgres::sql;

std::string topic_name(const Message& message) {
  return message.ns + '/' + message.topic;
}

Value delay(const Message& message) {
  return message.deliver_after.count() > 0 ? Value(std::int64_t{message.deliver_after.count()})
                                           : Value();
}

// As JSON text; empty, and so NULL in the row, when there are none.
std::string header_text(const Message& message) {
  return message.headers.empty() ? std::string() : json_object(message.headers);
}

Value text_or_null(const std::string& text) {
  return text.empty() ? Value() : Value(text);
}

Uuid identity(const Message& message) {
  return message.id ? *message.id : new_uuid();
}

// A message's topic, and the name its row must carry.
struct TopicColumns {
  std::int64_t id;
  std::optional<std::string> name;
};

// Looks topics up; messages of a batch mostly have the topic of the one before.
class TopicLookup {
 public:
  explicit TopicLookup(ProducerConnection& connection) : connection_(connection) {}

  const TopicColumns& find(const Message& message) {
    if (last_ && message.ns == last_->ns && message.topic == last_->topic)
      return columns_;
    const std::string name = topic_name(message);
    const std::int64_t id = topic_id(message.ns, message.topic);
    columns_ = {id, connection_.is_registered(id, name) ? std::nullopt : std::optional(name)};
    last_ = &message;
    return columns_;
  }

 private:
  ProducerConnection& connection_;
  const Message* last_ = nullptr;
  TopicColumns columns_{};
};

std::vector<Enqueued> insert_many(ProducerConnection& connection,
                                  std::span<const Message> messages) {
  ArrayBuilder topic(Oid::int8), name(Oid::text), id(Oid::uuid), tenant(Oid::uuid), key(Oid::text),
      headers(Oid::text), payload(Oid::text), delays(Oid::int8);
  TopicLookup topics(connection);
  std::vector<Enqueued> results;
  results.reserve(messages.size());
  for (const Message& message : messages) {
    results.push_back({identity(message)});
    const TopicColumns& columns = topics.find(message);
    topic.add(columns.id);
    name.add(columns.name);
    id.add(results.back().id);
    tenant.add(message.tenant_id);
    key.add(message.ordering_key);
    headers.add(text_or_null(header_text(message)));
    payload.add(message.payload);
    delays.add(delay(message));
  }
  connection.run(sql::insert_messages,
                 {topic.binary(), name.padded(), id.binary(), tenant.padded(), key.padded(),
                  headers.padded(), payload.binary(), delays.padded()});
  return results;
}

std::vector<Enqueued> write_keyed(ProducerConnection& connection,
                                  std::span<const Message> messages) {
  ArrayBuilder topic(Oid::int8), name(Oid::text), id(Oid::uuid), payload(Oid::text),
      dedupe(Oid::text), tenant(Oid::uuid), key(Oid::text), headers(Oid::text), delays(Oid::int8);
  for (const Message& message : messages) {
    topic.add(topic_id(message.ns, message.topic));
    name.add(topic_name(message));
    id.add(identity(message));
    payload.add(message.payload);
    dedupe.add(message.dedupe_key);
    tenant.add(message.tenant_id);
    key.add(message.ordering_key);
    headers.add(text_or_null(header_text(message)));
    delays.add(delay(message));
  }
  const Rows rows =
      connection.run(sql::write_messages,
                     {topic.binary(), name.binary(), id.binary(), payload.binary(), dedupe.binary(),
                      tenant.padded(), key.padded(), headers.padded(), delays.padded()});
  std::vector<Enqueued> results;
  results.reserve(messages.size());
  for (const auto row : rows)
    results.push_back({row.uuid(0), row.boolean(1), row.boolean(2)});
  return results;
}

std::vector<Enqueued> copy_many(ProducerConnection& connection, std::span<const Message> messages) {
  // Everything that needs an answer is asked before the COPY begins.
  TopicLookup topics(connection);
  std::vector<TopicColumns> columns;
  columns.reserve(messages.size());
  for (const Message& message : messages)
    columns.push_back(topics.find(message));
  const bool has_delays = std::any_of(messages.begin(), messages.end(), [](const Message& message) {
    return message.deliver_after.count() > 0;
  });
  const StoreTime now = has_delays ? connection.run(sql::server_time, {})[0].time(0) : StoreTime();

  postgres::CopyStream copy(connection.get(), sql::copy_messages);
  std::vector<Enqueued> results;
  results.reserve(messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Message& message = messages[i];
    results.push_back({identity(message)});
    const std::string headers = header_text(message);
    const Value deliver_at =
        message.deliver_after.count() > 0 ? Value(now + message.deliver_after) : Value();
    const std::array<Value, 8> fields{
        columns[i].id,        columns[i].name,       results.back().id, message.tenant_id,
        message.ordering_key, text_or_null(headers), message.payload,   deliver_at};
    copy.add_row(fields);
  }
  copy.finish();
  return results;
}

}  // namespace

Enqueued enqueue(PGconn* connection, const Message& message, const EnqueueOptions& options) {
  validate(message, options.limits);
  ProducerConnection producer(connection, options);
  if (message.dedupe_key) {
    const Enqueued result = write_keyed(producer, std::span(&message, 1)).front();
    require_same_payload(result, message, options);
    return result;
  }
  const Enqueued result{identity(message)};
  TopicLookup topics(producer);
  const TopicColumns& topic = topics.find(message);
  const std::string headers = header_text(message);
  producer.run(sql::insert_message,
               {topic.id, topic.name, result.id, message.tenant_id, message.ordering_key,
                text_or_null(headers), message.payload, delay(message)});
  return result;
}

std::vector<Enqueued> enqueue(PGconn* connection, std::span<const Message> messages,
                              const EnqueueOptions& options) {
  validate_all(messages, options.limits);
  ProducerConnection producer(connection, options);
  if (messages.empty())
    return {};
  const bool has_keys = std::any_of(messages.begin(), messages.end(), [](const Message& message) {
    return message.dedupe_key.has_value();
  });
  if (!has_keys)
    return messages.size() < options.copy_threshold ? insert_many(producer, messages)
                                                    : copy_many(producer, messages);
  std::vector<Enqueued> results = write_keyed(producer, messages);
  for (std::size_t i = 0; i < messages.size(); ++i)
    require_same_payload(results[i], messages[i], options);
  return results;
}

}  // namespace outrider
