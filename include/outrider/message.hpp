#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <outrider/uuid.hpp>

namespace outrider {

// What a message may not exceed. The defaults are the product's limits; a producer may only narrow
// them.
struct MessageLimits {
  std::size_t name_bytes_max = 128;
  std::size_t key_bytes_max = 512;
  std::size_t payload_bytes_max = 256 * 1024;
  std::size_t payload_depth_max = 64;
  std::size_t header_count_max = 64;
  std::size_t headers_bytes_max = 16 * 1024;
  std::chrono::milliseconds delay_max = std::chrono::hours{24 * 366};
};

// What a producer enqueues. The payload is JSON text and is carried byte for byte.
struct Message {
  std::string ns;       // the namespace, [A-Za-z0-9._:-]{1,128}
  std::string topic;    // [A-Za-z0-9._:-]{1,128}
  std::string payload;  // JSON, valid UTF-8

  // Messages with the same (namespace, topic, tenant, dedupe key) are enqueued once.
  std::optional<std::string> dedupe_key{};
  std::optional<Uuid> tenant_id{};
  // Listeners with ordering "key" deliver messages of one ordering key in order.
  std::optional<std::string> ordering_key{};
  // Sent along to every sink. Names are lower-case tokens.
  std::map<std::string, std::string> headers{};
  // Not delivered before this much time has passed since the enqueue.
  std::chrono::milliseconds deliver_after{0};
  // The message's identity. Left out, a fresh UUIDv7 is made.
  std::optional<Uuid> id{};
};

// Everything that is wrong with the message, one sentence each, naming the field; empty when it may
// be enqueued. Pure: touches no database. Safe for any bytes: it never recurses on the payload.
std::vector<std::string> problems(const Message& message, const MessageLimits& limits = {});

// Throws Error(invalid_argument) listing all problems, if there are any.
void validate(const Message& message, const MessageLimits& limits = {});

// The place of a name in the log: the first eight bytes of the SHA-256 of "namespace/topic", as a
// signed integer. The same in every language and on every store.
std::int64_t topic_id(std::string_view ns, std::string_view topic);

}  // namespace outrider
