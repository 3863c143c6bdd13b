#include <outrider/enqueue.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>

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

std::string topic_name(const Message& message) { return message.ns + '/' + message.topic; }

Value delay(const Message& message) {
  return message.deliver_after.count() > 0 ? Value(std::int64_t{message.deliver_after.count()}) : Value();
}

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

Uuid identity(const Message& message) { return message.id ? *message.id : new_uuid(); }

// The distinct topics of a batch, and which of them each message has.
struct Topics {
  std::vector<std::string> names;
  std::vector<std::int64_t> ids;
  std::vector<std::size_t> of_message;  // index into names

  explicit Topics(std::span<const Message> messages) {
    for (const Message& message : messages) {
      std::string name = topic_name(message);
      // Batches have few topics, and mostly one: a search from the back is the quickest.
      const auto found = std::find(names.rbegin(), names.rend(), name);
      if (found != names.rend()) {
        of_message.push_back(static_cast<std::size_t>(names.rend() - found) - 1);
        continue;
      }
      ids.push_back(topic_id(message.ns, message.topic));
      of_message.push_back(names.size());
      names.push_back(std::move(name));
    }
  }
};

std::vector<Enqueued> insert_many(ProducerConnection& connection, std::span<const Message> messages) {
  const Topics topics(messages);
  ArrayBuilder topic_ids(Oid::int8), topic_names(Oid::text), topic(Oid::int8), id(Oid::uuid),
      tenant(Oid::uuid), key(Oid::text), headers(Oid::text), payload(Oid::text), delays(Oid::int8);
  for (std::size_t i = 0; i < topics.names.size(); ++i) {
    topic_ids.add(topics.ids[i]);
    topic_names.add(topics.names[i]);
  }
  std::vector<Enqueued> results;
  results.reserve(messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Message& message = messages[i];
    results.push_back({identity(message)});
    topic.add(static_cast<std::int64_t>(topics.of_message[i] + 1));
    id.add(results.back().id);
    tenant.add(message.tenant_id);
    key.add(message.ordering_key);
    headers.add(text_or_null(json_object(message.headers)));
    payload.add(message.payload);
    delays.add(delay(message));
  }
  const std::array<Value, 9> parameters{topic_ids.binary(), topic_names.binary(), topic.binary(),
                                        id.binary(),        tenant.binary(),      key.binary(),
                                        headers.binary(),   payload.binary(),     delays.binary()};
  connection.run(sql::insert_messages, parameters);
  return results;
}

std::vector<Enqueued> write_keyed(ProducerConnection& connection, std::span<const Message> messages) {
  ArrayBuilder topic(Oid::int8), name(Oid::text), id(Oid::uuid), payload(Oid::text), dedupe(Oid::text),
      tenant(Oid::uuid), key(Oid::text), headers(Oid::text), delays(Oid::int8);
  for (const Message& message : messages) {
    topic.add(topic_id(message.ns, message.topic));
    name.add(topic_name(message));
    id.add(identity(message));
    payload.add(message.payload);
    dedupe.add(message.dedupe_key);
    tenant.add(message.tenant_id);
    key.add(message.ordering_key);
    headers.add(text_or_null(json_object(message.headers)));
    delays.add(delay(message));
  }
  const std::array<Value, 9> parameters{topic.binary(),  name.binary(),   id.binary(),
                                        payload.binary(), dedupe.binary(), tenant.binary(),
                                        key.binary(),     headers.binary(), delays.binary()};
  std::vector<Enqueued> results;
  results.reserve(messages.size());
  for (const auto row : connection.run(sql::write_messages, parameters))
    results.push_back({row.uuid(0), row.boolean(1), row.boolean(2)});
  return results;
}

std::vector<Enqueued> copy_many(ProducerConnection& connection, std::span<const Message> messages) {
  const Topics topics(messages);
  ArrayBuilder topic_ids(Oid::int8), topic_names(Oid::text);
  for (std::size_t i = 0; i < topics.names.size(); ++i) {
    topic_ids.add(topics.ids[i]);
    topic_names.add(topics.names[i]);
  }
  const std::array<Value, 2> parameters{topic_ids.binary(), topic_names.binary()};
  const Rows registry = connection.run(sql::unregistered_names, parameters);

  postgres::CopyStream copy(connection.get(), sql::copy_messages);
  std::vector<Enqueued> results;
  results.reserve(messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Message& message = messages[i];
    const std::size_t topic = topics.of_message[i];
    const auto known = registry[topic];
    results.push_back({identity(message)});
    const std::string headers = json_object(message.headers);
    const std::array<Value, 8> fields{
        topics.ids[topic], known.is_null(0) ? Value() : Value(known.text(0)), results.back().id,
        message.tenant_id, message.ordering_key, text_or_null(headers), message.payload,
        message.deliver_after.count() > 0 ? Value(known.time(1) + message.deliver_after) : Value()};
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
  const std::string name = topic_name(message);
  const std::string headers = json_object(message.headers);
  const std::array<Value, 8> parameters{
      topic_id(message.ns, message.topic), name, result.id, message.tenant_id,
      message.ordering_key, text_or_null(headers), message.payload, delay(message)};
  producer.run(sql::insert_message, parameters);
  return result;
}

std::vector<Enqueued> enqueue(PGconn* connection, std::span<const Message> messages,
                              const EnqueueOptions& options) {
  validate_all(messages, options.limits);
  ProducerConnection producer(connection, options);
  if (messages.empty())
    return {};
  const bool has_keys = std::any_of(messages.begin(), messages.end(),
                                    [](const Message& message) { return message.dedupe_key.has_value(); });
  if (!has_keys)
    return messages.size() < options.copy_threshold ? insert_many(producer, messages)
                                                    : copy_many(producer, messages);
  std::vector<Enqueued> results = write_keyed(producer, messages);
  for (std::size_t i = 0; i < messages.size(); ++i)
    require_same_payload(results[i], messages[i], options);
  return results;
}

}  // namespace outrider
