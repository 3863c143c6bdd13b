#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <outrider/uuid.hpp>

#include "core/position_set.hpp"
#include "store/session.hpp"

namespace outrider {

// What became of a message at one listener.
struct ListenerStatus {
  std::string listener;
  std::string status;  // pending, processing, delivered, dead or skipped
  std::int64_t attempts = 0;
  std::optional<StoreTime> next_attempt_at;
  std::optional<std::string> last_error;
};

// A message as people look at it. Headers and payload are filled by find_message only.
struct MessageEntry {
  Position position = 0;
  Uuid id;
  std::string ns;
  std::string topic;
  std::optional<Uuid> tenant_id;
  std::optional<std::string> dedupe_key;
  std::optional<std::string> ordering_key;
  StoreTime created_at;
  std::optional<StoreTime> deliver_at;
  std::int64_t payload_bytes = 0;
  std::optional<std::string> headers;  // JSON object
  std::string payload;                 // JSON
  std::vector<ListenerStatus> statuses;
};

struct MessageFilter {
  std::optional<std::string> ns;
  std::optional<std::string> topic;
  std::optional<Uuid> tenant_id;
  std::optional<std::string> listener;
  std::optional<std::string> status;  // also "failed": pending with a failed attempt
  Position before = std::numeric_limits<Position>::max();
  std::int64_t limit = 50;
};

// The newest messages that pass the filter, newest first. With a listener or a status in the
// filter, one entry per message and listener, with that listener's status.
std::vector<MessageEntry> list_messages(Session& session, const MessageFilter& filter);

// One message with its payload and every listener's status; nullopt if there is none.
std::optional<MessageEntry> find_message(Session& session, const Uuid& id);

}  // namespace outrider
