#pragma once

#include <initializer_list>
#include <libpq-fe.h>
#include <span>
#include <string_view>

#include <outrider/enqueue.hpp>

#include "store/rows.hpp"
#include "store/statement.hpp"
#include "store/value.hpp"

namespace outrider::postgres {

// A connection that belongs to somebody else and is borrowed for one enqueue.
class ProducerConnection {
 public:
  // Throws, without having touched the caller's transaction, if the connection cannot take a
  // message: broken, in pipeline mode, without a transaction, read-only, or with a schema that is
  // missing or too new. What does not change is asked once per connection and remembered with it.
  ProducerConnection(PGconn* connection, const EnqueueOptions& options);

  Rows run(const OwnStatement& statement, std::span<const Value> parameters);
  Rows run(const OwnStatement& statement, std::initializer_list<Value> parameters) {
    return run(statement, std::span<const Value>(parameters.begin(), parameters.size()));
  }

  // Whether messages of the topic need not carry its name. Asks the database only for a topic that
  // was not known to be registered a few seconds ago.
  bool is_registered(std::int64_t topic, std::string_view name);

  PGconn* get() const { return connection_; }

 private:
  PGconn* connection_;
  EnqueueOptions::Plans plans_;
};

}  // namespace outrider::postgres
