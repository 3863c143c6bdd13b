#include "store/catalogue.hpp"

#include "store/statements.hpp"

namespace outrider {

namespace {

// The columns that list_messages, list_statuses and show_message begin with.
MessageEntry read_entry(const Rows::Row& row) {
  MessageEntry entry;
  entry.position = row.integer(0);
  entry.id = row.uuid(1);
  entry.ns = row.text(2);
  entry.topic = row.text(3);
  entry.tenant_id = row.optional_uuid(4);
  entry.dedupe_key = row.optional_text(5);
  entry.ordering_key = row.optional_text(6);
  entry.created_at = row.time(7);
  entry.deliver_at = row.optional_time(8);
  entry.payload_bytes = row.integer(9);
  return entry;
}

ListenerStatus read_status(const Rows::Row& row, std::size_t first) {
  return {std::string(row.text(first)), std::string(row.text(first + 1)), row.integer(first + 2),
          row.optional_time(first + 3), row.optional_text(first + 4)};
}

}  // namespace

std::vector<MessageEntry> list_messages(Session& session, const MessageFilter& filter) {
  const bool with_status = filter.listener || filter.status;
  const Rows rows =
      with_status ? session.run(sql::list_statuses,
                                {filter.ns, filter.topic, filter.tenant_id, filter.before,
                                 filter.limit, filter.listener, filter.status})
                  : session.run(sql::list_messages, {filter.ns, filter.topic, filter.tenant_id,
                                                     filter.before, filter.limit});
  std::vector<MessageEntry> entries;
  for (const auto row : rows) {
    entries.push_back(read_entry(row));
    if (with_status)
      entries.back().statuses.push_back(read_status(row, 10));
  }
  return entries;
}

std::optional<MessageEntry> find_message(Session& session, const Uuid& id) {
  const Rows found = session.run(sql::show_message, {id});
  if (found.empty())
    return std::nullopt;
  MessageEntry entry = read_entry(found[0]);
  entry.headers = found[0].optional_text(10);
  entry.payload = found[0].text(11);
  for (const auto row : session.run(sql::show_statuses, {id}))
    entry.statuses.push_back(read_status(row, 0));
  return entry;
}

}  // namespace outrider
