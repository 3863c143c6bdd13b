#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace outrider {

// Why an operation could not be done. The text of each code (to_string) is stable: it appears in
// logs, JSON and docs/reference/errors.md, which says what to do about it.
enum class Errc {
  invalid_argument,       // a name, payload, key or option breaks its rules; nothing was sent
  not_in_transaction,     // enqueue was called on a connection without an open transaction
  read_only,              // the transaction or the database cannot be written
  schema_missing,         // the database has no Outrider schema; run "outrider migrate"
  schema_behind,          // the schema is older than this build needs
  schema_newer,           // the schema is newer than this build understands
  permission_denied,      // the database role lacks a right
  not_found,              // the thing named does not exist
  payload_differs,        // the dedupe key is taken by a message with another payload
  busy,                   // the database is locked by another writer; try again
  serialization_failure,  // the whole transaction must be repeated by the caller
  connection_lost,        // the connection failed; nothing is known to be committed
  commit_in_doubt,        // the answer to COMMIT never came: look before repeating
  disk_full,              // the database has no room left
  store_failure,          // any other refusal by the database
  internal,               // a bug in Outrider
};

// The stable text of a code, for example "not_in_transaction".
std::string_view to_string(Errc code);

// The one exception Outrider throws. It means that what was asked could not be done; whatever is a
// normal answer (a duplicate, a refused delivery) is a value instead. what() is lower-case, says
// what was attempted, what is wrong and what to do, and never contains a payload or a secret.
class Error : public std::runtime_error {
 public:
  Error(Errc code, const std::string& what);

  Errc code() const noexcept { return code_; }

  // True when repeating the same call, or for a producer its whole transaction, may succeed without
  // anybody changing anything. commit_in_doubt is not retryable: the caller must look first.
  bool retryable() const noexcept;

  // The SQLSTATE of the refusal, or the name of SQLite's extended result code; empty otherwise.
  const std::string& state() const noexcept { return state_; }
  // The name of the statement that was refused (the .sql file without its ending), or empty.
  const std::string& statement() const noexcept { return statement_; }

  Error& with_state(std::string state);
  Error& with_statement(std::string statement);

 private:
  Errc code_;
  std::string state_;
  std::string statement_;
};

}  // namespace outrider
