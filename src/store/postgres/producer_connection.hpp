#pragma once

#include <libpq-fe.h>

#include <span>

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
  PGconn* get() const { return connection_; }

 private:
  PGconn* connection_;
};

}  // namespace outrider::postgres
