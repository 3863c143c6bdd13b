#include "outrider/ndjson.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <outrider/error.hpp>

#include "core/json_scan.hpp"
#include "core/units.hpp"

namespace outrider::cli {

namespace {

constexpr std::size_t line_depth_max = 1000;

[[noreturn]] void refuse(const std::string& what) {
  throw Error(Errc::invalid_argument, "cannot enqueue: " + what);
}

// The end of the string that begins at `at`.
std::size_t skip_string(std::string_view json, std::size_t at) {
  for (++at; json[at] != '"'; ++at)
    if (json[at] == '\\')
      ++at;
  return at + 1;
}

// The end of the value that begins at `at`, without trailing space.
std::size_t skip_value(std::string_view json, std::size_t at) {
  if (json[at] == '"')
    return skip_string(json, at);
  if (json[at] != '{' && json[at] != '[')
    return json.find_first_of(",} \t\r\n", at);
  int depth = 0;
  do {
    if (json[at] == '"') {
      at = skip_string(json, at);
      continue;
    }
    depth += json[at] == '{' || json[at] == '[' ? 1 : 0;
    depth -= json[at] == '}' || json[at] == ']' ? 1 : 0;
    ++at;
  } while (depth > 0);
  return at;
}

std::string text_of(const boost::json::value& value, std::string_view name) {
  if (!value.is_string())
    refuse(fmt::format("\"{}\" must be a string", name));
  return std::string(value.get_string());
}

Uuid uuid_of(const boost::json::value& value, std::string_view name) {
  const std::optional<Uuid> parsed = Uuid::parse(text_of(value, name));
  if (!parsed)
    refuse(fmt::format("\"{}\" must be a UUID", name));
  return *parsed;
}

void set_member(Message& message, std::string_view name, const boost::json::value& value) {
  if (name == "namespace")
    message.ns = text_of(value, name);
  else if (name == "topic")
    message.topic = text_of(value, name);
  else if (name == "payload" || value.is_null())
    return;  // the payload is taken as its bytes; null means left out
  else if (name == "dedupe_key")
    message.dedupe_key = text_of(value, name);
  else if (name == "ordering_key")
    message.ordering_key = text_of(value, name);
  else if (name == "tenant")
    message.tenant_id = uuid_of(value, name);
  else if (name == "id")
    message.id = uuid_of(value, name);
  else if (name == "delay")
    message.deliver_after = parse_duration(text_of(value, name));
  else if (name == "headers" && value.is_object())
    for (const auto& [key, header] : value.get_object())
      message.headers[std::string(key)] = text_of(header, "headers");
  else
    refuse(
        fmt::format("\"{}\" is not a member of a message; there are namespace, topic, payload, "
                    "dedupe_key, tenant, "
                    "ordering_key, headers (an object), delay and id",
                    name));
}

}  // namespace

std::optional<std::string_view> raw_member(std::string_view object, std::string_view name) {
  std::size_t at = object.find('{') + 1;
  for (;;) {
    at = object.find_first_of("\"}", at);
    if (object[at] == '}')
      return std::nullopt;
    const std::size_t name_end = skip_string(object, at);
    const std::string_view found = object.substr(at + 1, name_end - at - 2);
    const std::size_t start = object.find_first_not_of(" \t\r\n", object.find(':', name_end) + 1);
    const std::size_t end = skip_value(object, start);
    if (found == name)
      return object.substr(start, end - start);
    at = end;
  }
}

Message parse_message_line(std::string_view line) {
  if (const auto problem = scan_json(line, line_depth_max))
    refuse(fmt::format("the line is not JSON: {} at byte {}", problem->what, problem->offset));
  boost::json::parse_options options;
  options.max_depth = line_depth_max + 1;
  const boost::json::value parsed =
      boost::json::parse(boost::json::string_view(line.data(), line.size()), {}, options);
  if (!parsed.is_object())
    refuse("the line is not a JSON object");
  Message message;
  for (const auto& [name, value] : parsed.get_object())
    set_member(message, std::string_view(name.data(), name.size()), value);
  const std::optional<std::string_view> payload = raw_member(line, "payload");
  if (!payload)
    refuse("\"payload\" is missing");
  message.payload = *payload;
  return message;
}

}  // namespace outrider::cli
