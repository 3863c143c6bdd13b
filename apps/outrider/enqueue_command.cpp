#include <boost/json.hpp>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <iterator>

#include <outrider/error.hpp>

#include "core/text.hpp"
#include "outrider/commands.hpp"
#include "outrider/ndjson.hpp"
#include "outrider/store.hpp"
#include "store/statements.hpp"

namespace outrider::cli {

namespace {

std::string read_payload(const std::string& given) {
  if (given == "-")
    return {std::istreambuf_iterator<char>(std::cin), {}};
  if (!given.starts_with('@'))
    return given;
  std::ifstream file(given.substr(1), std::ios::binary);
  if (!file)
    throw Error(Errc::invalid_argument,
                fmt::format("cannot read the payload: there is no file {}", given.substr(1)));
  return {std::istreambuf_iterator<char>(file), {}};
}

Uuid parse_tenant(const std::string& text) {
  const std::optional<Uuid> tenant = Uuid::parse(text);
  if (!tenant)
    throw Error(Errc::invalid_argument,
                fmt::format("cannot enqueue: tenant \"{}\" is not a UUID", sanitise(text, 64)));
  return *tenant;
}

Message to_message(const EnqueueArguments& arguments) {
  Message message{
      .ns = arguments.ns, .topic = arguments.topic, .payload = read_payload(arguments.payload)};
  message.dedupe_key = arguments.dedupe_key;
  message.ordering_key = arguments.ordering_key;
  if (arguments.tenant)
    message.tenant_id = parse_tenant(*arguments.tenant);
  if (arguments.delay)
    message.deliver_after = parse_delay(*arguments.delay);
  for (const std::string& header : arguments.headers) {
    const std::size_t equals = header.find('=');
    if (equals == header.npos)
      throw Error(
          Errc::invalid_argument,
          fmt::format("cannot enqueue: header \"{}\" is not NAME=VALUE", sanitise(header, 64)));
    message.headers[header.substr(0, equals)] = header.substr(equals + 1);
  }
  return message;
}

// New topics enter the registry after the commit, so that later messages need not carry their
// names.
void register_topics(const Context& context) {
  open_store(context.store_url(), MissingFile::refuse)->run(sql::register_topics);
}

EnqueueOptions options_of(const Context& context) {
  EnqueueOptions options;
  options.limits = context.limits();
  return options;
}

}  // namespace

MessageLimits Context::limits() const {
  MessageLimits limits;
  limits.payload_bytes_max = loaded.values.message_payload_bytes_max;
  limits.payload_depth_max = loaded.values.message_depth_max;
  return limits;
}

int run_enqueue(const Context& context, const EnqueueArguments& arguments) {
  const Message message = to_message(arguments);
  const Enqueued result =
      enqueue_and_commit(context.store_url(), std::span(&message, 1), options_of(context)).front();
  register_topics(context);
  boost::json::object answer{{"id", result.id.to_string()}, {"inserted", result.inserted}};
  if (result.payload_differs)
    answer["payload_differs"] = true;
  std::cout << answer << '\n';
  return done;
}

int run_enqueue_batch(const Context& context, std::istream& lines, std::size_t batch_size) {
  std::size_t line_number = 0, total = 0, inserted = 0;
  std::vector<Message> batch;
  const auto flush = [&] {
    if (batch.empty())
      return;
    for (const Enqueued& result :
         enqueue_and_commit(context.store_url(), batch, options_of(context)))
      inserted += result.inserted ? 1 : 0;
    total += batch.size();
    batch.clear();
  };
  try {
    for (std::string line; std::getline(lines, line);) {
      ++line_number;
      if (line.find_first_not_of(" \t\r") == line.npos)
        continue;
      batch.push_back(parse_message_line(line));
      validate(batch.back(), context.limits());
      if (batch.size() == batch_size)
        flush();
    }
  } catch (const Error& error) {
    throw Error(
        error.code(),
        fmt::format("line {}: {}; {} messages before it were enqueued, the batch it is in was not",
                    line_number, error.what(), total));
  }
  flush();
  register_topics(context);
  std::cout << boost::json::object{{"enqueued", total},
                                   {"inserted", inserted},
                                   {"duplicates", total - inserted}}
            << '\n';
  return done;
}

}  // namespace outrider::cli
