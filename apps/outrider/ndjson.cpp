#include "outrider/ndjson.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <outrider/error.hpp>

#include "core/json_scan.hpp"
#include "core/text.hpp"
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
  else if (value.is_null())
    return;  // the same as left out
  else if (name == "dedupe_key")
    message.dedupe_key = text_of(value, name);
  else if (name == "ordering_key")
    message.ordering_key = text_of(value, name);
  else if (name == "tenant")
    message.tenant_id = uuid_of(value, name);
  else if (name == "id")
    message.id = uuid_of(value, name);
  else if (name == "delay")
    message.deliver_after = parse_delay(text_of(value, name));
  else if (name == "headers" && value.is_object())
    for (const auto& [key, header] : value.get_object())
      message.headers[std::string(key)] = text_of(header, "headers");
  else
    refuse(
        fmt::format("\"{}\" is not a member of a message; there are namespace, topic, payload, "
                    "dedupe_key, tenant, "
                    "ordering_key, headers (an object), delay and id",
                    sanitise(name, 64)));
}

boost::json::value parse_value(std::string_view text, std::string_view what) {
  boost::json::parse_options options;
  options.max_depth = line_depth_max + 1;
  boost::json::error_code problem;
  boost::json::value value =
      boost::json::parse(boost::json::string_view(text.data(), text.size()), problem, {}, options);
  if (problem)
    refuse(fmt::format("\"{}\" cannot be read: {}", what, problem.message()));
  return value;
}

// Reads the members of a valid JSON object. The payload is never parsed: it keeps its bytes, and
// what no parser of numbers can hold is still a valid payload.
void read_members(Message& message, std::string_view object) {
  for (std::size_t at = object.find('{') + 1;;) {
    at = object.find_first_of("\"}", at);
    if (object[at] == '}')
      return;
    const std::size_t name_end = skip_string(object, at);
    const std::string name = text_of(parse_value(object.substr(at, name_end - at), "name"), "name");
    const std::size_t start = object.find_first_not_of(" \t\r\n", object.find(':', name_end) + 1);
    at = skip_value(object, start);
    const std::string_view value = object.substr(start, at - start);
    if (name == "payload")
      message.payload = value;
    else
      set_member(message, name, parse_value(value, name));
  }
}

}  // namespace

std::chrono::milliseconds parse_delay(std::string_view text) {
  try {
    return parse_duration(text);
  } catch (const Error& error) {
    refuse(fmt::format("the delay {}", error.what()));
  }
}

Message parse_message_line(std::string_view line) {
  if (const auto problem = scan_json(line, line_depth_max))
    refuse(fmt::format("the line is not JSON: {} at byte {}", problem->what, problem->offset));
  if (line[line.find_first_not_of(" \t\r\n")] != '{')
    refuse("the line is not a JSON object");
  Message message;
  read_members(message, line);
  if (message.payload.empty())
    refuse("\"payload\" is missing");
  return message;
}

}  // namespace outrider::cli
