#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <outrider/error.hpp>
#include <outrider/message.hpp>

#include "core/digest.hpp"
#include "core/json_scan.hpp"
#include "core/utf8.hpp"

namespace outrider {

namespace {

using Problems = std::vector<std::string>;

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_name_character(char c) {
  return is_letter_or_digit(c) || c == '.' || c == '_' || c == ':' || c == '-';
}

// A token of RFC 9110 without upper-case letters, so that one name has one spelling.
bool is_header_name_character(char c) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
         marks.find(c) != std::string_view::npos;
}

// What forbids a text to be a key or a header value; empty if nothing does.
std::string_view text_problem(std::string_view text) {
  while (!text.empty()) {
    const auto [code, size] = decode_utf8(text);
    if (size == 0) {
      return "is not valid UTF-8";
    }
    if (is_control(code)) {
      return "contains a control character";
    }
    text.remove_prefix(size);
  }
  return {};
}

MessageLimits narrowed(const MessageLimits& asked) {
  MessageLimits limits;
  limits.name_bytes_max = std::min(limits.name_bytes_max, asked.name_bytes_max);
  limits.key_bytes_max = std::min(limits.key_bytes_max, asked.key_bytes_max);
  limits.payload_bytes_max = std::min(limits.payload_bytes_max, asked.payload_bytes_max);
  limits.payload_depth_max = std::min(limits.payload_depth_max, asked.payload_depth_max);
  limits.header_count_max = std::min(limits.header_count_max, asked.header_count_max);
  limits.headers_bytes_max = std::min(limits.headers_bytes_max, asked.headers_bytes_max);
  limits.delay_max = std::min(limits.delay_max, asked.delay_max);
  return limits;
}

void check_name(std::string_view field, std::string_view name, std::size_t bytes_max,
                Problems& found) {
  if (name.empty() || name.size() > bytes_max ||
      !std::all_of(name.begin(), name.end(), is_name_character)) {
    found.push_back(
        fmt::format("{} must be 1 to {} characters of [A-Za-z0-9._:-]", field, bytes_max));
  }
}

void check_key(std::string_view field, const std::optional<std::string>& key, std::size_t bytes_max,
               Problems& found) {
  if (!key) {
    return;
  }
  if (key->empty()) {
    found.push_back(fmt::format("{} is empty; leave it out instead", field));
  } else if (key->size() > bytes_max) {
    found.push_back(
        fmt::format("{} has {} bytes; at most {} are allowed", field, key->size(), bytes_max));
  } else if (const auto problem = text_problem(*key); !problem.empty()) {
    found.push_back(fmt::format("{} {}", field, problem));
  }
}

// An id is the identity of a message, and a nil one is most often a variable nobody has set.
void check_id(std::string_view field, const std::optional<Uuid>& id, Problems& found) {
  if (id && id->is_nil()) {
    found.push_back(fmt::format("{} is the nil UUID; leave it out instead", field));
  }
}

void check_payload(std::string_view payload, const MessageLimits& limits, Problems& found) {
  // Size first, so that no time goes into reading what is refused anyway.
  if (payload.size() > limits.payload_bytes_max) {
    found.push_back(fmt::format("payload has {} bytes; at most {} are allowed", payload.size(),
                                limits.payload_bytes_max));
  } else if (const auto problem = scan_json(payload, limits.payload_depth_max)) {
    found.push_back(fmt::format("payload is not acceptable JSON: {} at byte {}", problem->what,
                                problem->offset));
  }
}

void check_headers(const std::map<std::string, std::string>& headers, const MessageLimits& limits,
                   Problems& found) {
  if (headers.size() > limits.header_count_max) {
    found.push_back(fmt::format("headers: {} given; at most {} are allowed", headers.size(),
                                limits.header_count_max));
    return;
  }
  std::size_t bytes = 0;
  std::size_t number = 0;
  for (const auto& [name, value] : headers) {
    ++number;
    bytes += name.size() + value.size();
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_header_name_character)) {
      found.push_back(fmt::format("headers: name {} in order must be a lower-case token", number));
    } else if (const auto problem = text_problem(value); !problem.empty()) {
      found.push_back(fmt::format("headers: the value of {} {}", name, problem));
    }
  }
  if (bytes > limits.headers_bytes_max) {
    found.push_back(fmt::format("headers have {} bytes together; at most {} are allowed", bytes,
                                limits.headers_bytes_max));
  }
}

void check_delay(std::chrono::milliseconds delay, std::chrono::milliseconds max, Problems& found) {
  if (delay.count() < 0 || delay > max) {
    found.push_back(fmt::format("deliver_after is {} ms; it must be from 0 to {} ms", delay.count(),
                                max.count()));
  }
}

}  // namespace

std::vector<std::string> problems(const Message& message, const MessageLimits& limits) {
  const MessageLimits allowed = narrowed(limits);
  Problems found;
  check_name("namespace", message.ns, allowed.name_bytes_max, found);
  check_name("topic", message.topic, allowed.name_bytes_max, found);
  check_payload(message.payload, allowed, found);
  check_key("dedupe_key", message.dedupe_key, allowed.key_bytes_max, found);
  check_id("tenant_id", message.tenant_id, found);
  check_key("ordering_key", message.ordering_key, allowed.key_bytes_max, found);
  check_headers(message.headers, allowed, found);
  check_delay(message.deliver_after, allowed.delay_max, found);
  check_id("id", message.id, found);
  return found;
}

void validate(const Message& message, const MessageLimits& limits) {
  const auto found = problems(message, limits);
  if (!found.empty()) {
    throw Error(Errc::invalid_argument,
                fmt::format("cannot enqueue the message: {}", fmt::join(found, "; ")));
  }
}

std::int64_t topic_id(std::string_view ns, std::string_view topic) {
  const Sha256 digest = sha256({ns, "/", topic});
  std::uint64_t id = 0;
  for (std::size_t i = 0; i < sizeof(id); ++i) {
    id = id << 8U | digest[i];
  }
  return static_cast<std::int64_t>(id);
}

}  // namespace outrider
