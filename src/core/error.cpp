#include <utility>

#include <outrider/error.hpp>

#include "core/assert.hpp"

namespace outrider {

// No default case, so that the compiler names the code that was forgotten here.
std::string_view to_string(Errc code) {
  switch (code) {
    case Errc::invalid_argument:
      return "invalid_argument";
    case Errc::not_in_transaction:
      return "not_in_transaction";
    case Errc::read_only:
      return "read_only";
    case Errc::schema_missing:
      return "schema_missing";
    case Errc::schema_behind:
      return "schema_behind";
    case Errc::schema_newer:
      return "schema_newer";
    case Errc::permission_denied:
      return "permission_denied";
    case Errc::not_found:
      return "not_found";
    case Errc::payload_differs:
      return "payload_differs";
    case Errc::busy:
      return "busy";
    case Errc::serialization_failure:
      return "serialization_failure";
    case Errc::connection_lost:
      return "connection_lost";
    case Errc::commit_in_doubt:
      return "commit_in_doubt";
    case Errc::disk_full:
      return "disk_full";
    case Errc::store_failure:
      return "store_failure";
    case Errc::internal:
      return "internal";
  }
  assertion_failed("known Errc", __FILE__, __LINE__);
}

Error::Error(Errc code, const std::string& what) : std::runtime_error(what), code_(code) {}

bool Error::retryable() const noexcept {
  return code_ == Errc::busy || code_ == Errc::serialization_failure ||
         code_ == Errc::connection_lost;
}

Error& Error::with_state(std::string state) {
  state_ = std::move(state);
  return *this;
}

Error& Error::with_statement(std::string statement) {
  statement_ = std::move(statement);
  return *this;
}

}  // namespace outrider
