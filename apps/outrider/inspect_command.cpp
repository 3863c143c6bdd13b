#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <fmt/format.h>
#include <iostream>

#include <outrider/error.hpp>

#include "outrider/commands.hpp"
#include "outrider/store.hpp"
#include "store/migrator.hpp"

namespace outrider::cli {

namespace {

namespace json = boost::json;

json::value or_null(const std::optional<std::string>& text) {
  return text ? json::value(*text) : json::value();
}

json::value time_or_null(const std::optional<StoreTime>& time) {
  return time ? json::value(to_rfc3339(*time)) : json::value();
}

json::object to_json(const ListenerStatus& status) {
  return {{"listener", status.listener},
          {"status", status.status},
          {"attempts", status.attempts},
          {"next_attempt_at", time_or_null(status.next_attempt_at)},
          {"last_error", or_null(status.last_error)}};
}

json::object to_json(const MessageEntry& entry) {
  json::object object{
      {"id", entry.id.to_string()},
      {"position", entry.position},
      {"namespace", entry.ns},
      {"topic", entry.topic},
      {"tenant", entry.tenant_id ? json::value(entry.tenant_id->to_string()) : json::value()},
      {"dedupe_key", or_null(entry.dedupe_key)},
      {"ordering_key", or_null(entry.ordering_key)},
      {"created_at", to_rfc3339(entry.created_at)},
      {"deliver_at", time_or_null(entry.deliver_at)},
      {"payload_bytes", entry.payload_bytes}};
  if (!entry.statuses.empty()) {
    json::array statuses;
    for (const ListenerStatus& status : entry.statuses)
      statuses.push_back(to_json(status));
    object["listeners"] = std::move(statuses);
  }
  return object;
}

void print_table(const std::vector<MessageEntry>& entries) {
  std::cout << fmt::format("{:<36}  {:<27}  {:<32}  {:>8}  {}\n", "ID", "CREATED", "TOPIC", "BYTES",
                           "STATUS");
  for (const MessageEntry& entry : entries) {
    std::string status = entry.statuses.empty() ? ""
                                                : fmt::format("{} {}", entry.statuses[0].listener,
                                                              entry.statuses[0].status);
    std::cout << fmt::format("{:<36}  {:<27}  {:<32}  {:>8}  {}\n", entry.id.to_string(),
                             to_rfc3339(entry.created_at), entry.ns + "/" + entry.topic,
                             entry.payload_bytes, status);
  }
}

void print_story(const MessageEntry& entry) {
  const auto line = [](std::string_view name, const std::optional<std::string>& value) {
    if (value)
      std::cout << fmt::format("{:<13} {}\n", name, *value);
  };
  line("id", entry.id.to_string());
  line("topic", entry.ns + "/" + entry.topic);
  line("position", std::to_string(entry.position));
  line("created", to_rfc3339(entry.created_at));
  if (entry.deliver_at)
    line("not before", to_rfc3339(*entry.deliver_at));
  if (entry.tenant_id)
    line("tenant", entry.tenant_id->to_string());
  line("dedupe key", entry.dedupe_key);
  line("ordering key", entry.ordering_key);
  line("headers", entry.headers);
  for (const ListenerStatus& status : entry.statuses)
    line("listener",
         fmt::format("{}: {}, {} attempts{}", status.listener, status.status, status.attempts,
                     status.last_error ? ", last error: " + *status.last_error : ""));
  if (entry.statuses.empty())
    line("listeners", "none wants this topic");
  std::cout << "payload\n" << entry.payload << '\n';
}

Position parse_after(const std::string& text) {
  Position position = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error(Errc::invalid_argument,
                fmt::format("cannot list: --after takes the \"after\" of an earlier page, not "
                            "\"{}\"",
                            text));
  return position;
}

Uuid parse_id(const std::string& text, std::string_view what) {
  const std::optional<Uuid> id = Uuid::parse(text);
  if (!id)
    throw Error(Errc::invalid_argument, fmt::format("\"{}\" is not a {} (a UUID such as "
                                                    "01890a5d-ac96-774b-bcce-b302099a8057)",
                                                    text, what));
  return *id;
}

}  // namespace

int run_list(const Context& context, ListArguments arguments) {
  MessageFilter& filter = arguments.filter;
  if (arguments.tenant)
    filter.tenant_id = parse_id(*arguments.tenant, "tenant");
  if (arguments.after)
    filter.before = parse_after(*arguments.after);
  const std::unique_ptr<Session> session = open_store(context.store_url(), MissingFile::refuse);
  require_schema(*session, "cannot list");
  const std::vector<MessageEntry> entries = list_messages(*session, filter);
  const bool has_more = static_cast<std::int64_t>(entries.size()) == filter.limit;
  const std::string after = has_more ? std::to_string(entries.back().position) : "";
  if (context.json) {
    json::array messages;
    for (const MessageEntry& entry : entries)
      messages.push_back(to_json(entry));
    std::cout << json::object{{"messages", std::move(messages)},
                              {"after", has_more ? json::value(after) : json::value()}}
              << '\n';
    return done;
  }
  if (entries.empty())
    std::cout << "no messages\n";
  else
    print_table(entries);
  if (has_more)
    std::cout << fmt::format("more: --after {}\n", after);
  return done;
}

int run_show(const Context& context, const std::string& id_text) {
  const Uuid id = parse_id(id_text, "message id");
  const std::unique_ptr<Session> session = open_store(context.store_url(), MissingFile::refuse);
  require_schema(*session, "cannot show the message");
  const std::optional<MessageEntry> entry = find_message(*session, id);
  if (!entry)
    throw Error(Errc::not_found,
                fmt::format("there is no message {}: it was never committed here, or retention has "
                            "removed it",
                            id.to_string()));
  if (!context.json) {
    print_story(*entry);
    return done;
  }
  // The payload's own bytes go out, not a re-serialisation: numbers keep their digits.
  std::string object = json::serialize(to_json(*entry));
  object.pop_back();
  std::cout << fmt::format("{},\"headers\":{},\"payload\":{}}}\n", object,
                           entry->headers.value_or("null"), entry->payload);
  return done;
}

}  // namespace outrider::cli
