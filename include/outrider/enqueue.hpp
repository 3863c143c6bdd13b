#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <outrider/message.hpp>
#include <outrider/uuid.hpp>

struct pg_conn;  // libpq's PGconn
struct sqlite3;

namespace outrider {

// What became of one enqueued message. A duplicate is a success: the message exists once.
struct Enqueued {
  Uuid id;                       // of the message that exists: the first one, for a duplicate
  bool inserted = true;          // false if the dedupe key was taken already
  bool payload_differs = false;  // a duplicate whose payload is not that of the first
};

struct EnqueueOptions {
  // Without an open transaction the message would be committed on its own, apart from the change it
  // tells of. That is refused unless `allow` says that it is meant.
  enum class Autocommit { refuse, allow };
  Autocommit autocommit = Autocommit::refuse;

  // What to do when a dedupe key is taken by a message with another payload: report it in
  // Enqueued::payload_differs, or throw Error(payload_differs).
  enum class PayloadConflict { report, fail };
  PayloadConflict payload_conflict = PayloadConflict::report;

  // PostgreSQL: `prepared` keeps our statements prepared on the connection, which saves the server
  // parsing and planning. Only for connections that no pooler shares between transactions and on
  // which nobody runs DISCARD ALL or DEALLOCATE ALL.
  enum class Plans { unnamed, prepared };
  Plans plans = Plans::unnamed;

  // Many messages without dedupe keys go through COPY from this count on (PostgreSQL).
  std::size_t copy_threshold = 100;

  MessageLimits limits;
};

// Writes the message in the caller's open transaction on the caller's connection. It becomes
// deliverable when, and only if, the caller commits. One round trip; no other lock than the row's
// own, except that a dedupe key waits for another open transaction that uses the same key.
//
// The connection stays the caller's: it is used by this call only, from the calling thread, and
// not kept. A message that breaks the rules is refused with Error(invalid_argument) before any SQL
// runs, so that the caller's transaction stays usable; so are not_in_transaction, a read-only
// connection, a PostgreSQL client_encoding other than UTF-8, and a schema that is missing or does
// not fit. Errors of the database itself (permission_denied, serialization_failure, a transaction
// set READ ONLY by hand on a connection that has enqueued before, ...) leave the transaction as the
// database does: on PostgreSQL it is aborted.
Enqueued enqueue(pg_conn* connection, const Message& message, const EnqueueOptions& options = {});

// The same on SQLite. The caller should have begun with BEGIN IMMEDIATE: a deferred transaction
// that has read before may be refused with Error(busy), and must then be repeated from its start.
Enqueued enqueue(sqlite3* connection, const Message& message, const EnqueueOptions& options = {});

// Writes all messages, or throws and has written none that the caller could commit by mistake: all
// are validated before the first is sent. Results are in the order of the messages. Two messages of
// the span with the same dedupe key are enqueued once.
std::vector<Enqueued> enqueue(pg_conn* connection, std::span<const Message> messages,
                              const EnqueueOptions& options = {});
std::vector<Enqueued> enqueue(sqlite3* connection, std::span<const Message> messages,
                              const EnqueueOptions& options = {});

}  // namespace outrider
