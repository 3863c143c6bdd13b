#pragma once

#include <chrono>
#include <cstdint>
#include <libpq-fe.h>
#include <map>
#include <set>
#include <string_view>

namespace outrider::postgres {

// What has been learned about a caller's connection, kept with the connection itself: libpq holds
// it, drops it when the connection is reset, and frees it when the connection is finished.
struct ConnectionNote {
  bool schema_fits = false;
  std::set<std::string_view> prepared;       // names of our statements the server holds
  std::set<std::int64_t> registered_topics;  // a registered topic stays registered
  // Topics the registry did not know when it was asked, and when to ask again.
  std::map<std::int64_t, std::chrono::steady_clock::time_point> unregistered_topics;

  // The connection's note, made on first use.
  static ConnectionNote& of(PGconn* connection);
};

}  // namespace outrider::postgres
