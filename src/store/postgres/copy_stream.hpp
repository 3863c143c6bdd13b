#pragma once

#include <libpq-fe.h>
#include <span>
#include <string>

#include "store/statement.hpp"
#include "store/value.hpp"

namespace outrider::postgres {

// Sends rows through COPY ... FROM STDIN (FORMAT binary). Destroyed without finish(), it tells the
// server to give up, so that the connection can be used again.
class CopyStream {
 public:
  CopyStream(PGconn* connection, const OwnStatement& statement);
  ~CopyStream();
  CopyStream(const CopyStream&) = delete;
  CopyStream& operator=(const CopyStream&) = delete;

  void add_row(std::span<const Value> fields);
  void finish();

 private:
  void push();

  PGconn* connection_;
  std::string_view name_;
  std::string buffer_;
  bool is_open_ = false;
};

}  // namespace outrider::postgres
