#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <outrider/enqueue.hpp>

#include "store/session.hpp"

namespace outrider::cli {

// Where a store URL leads: "sqlite:PATH", or a postgres:// URL or libpq connection string.
struct StoreAddress {
  enum class Kind { postgres, sqlite };
  Kind kind;
  std::string target;  // the path, or the connection string
};

// Throws Error(invalid_argument) saying what forms there are.
StoreAddress parse_store_url(const std::string& url);

// What to do about a SQLite file that is not there: refuse with Error(schema_missing), make it, or
// look at an empty database instead, so that looking never leaves a file behind.
enum class MissingFile { refuse, make, look_at_nothing };

// Opens a session for looking and migrating.
std::unique_ptr<Session> open_store(const std::string& url, MissingFile missing);

// Enqueues in a transaction of its own and commits it.
std::vector<Enqueued> enqueue_and_commit(const std::string& url, std::span<const Message> messages,
                                         const EnqueueOptions& options);

}  // namespace outrider::cli
