#pragma once

#include <libpq-fe.h>
#include <string_view>

#include <outrider/error.hpp>

namespace outrider::postgres {

// The code for a SQLSTATE; store_failure for one without a meaning of its own here.
Errc to_code(std::string_view sqlstate);

// What the server answered, as our error. `attempted` begins the text, for example "cannot
// enqueue". A result without SQLSTATE means that the connection broke.
Error to_error(const PGresult* result, PGconn* connection, std::string_view attempted,
               std::string_view statement);

// Throws to_error unless the result is one of success (command, rows, COPY begun).
void require_success(const PGresult* result, PGconn* connection, std::string_view attempted,
                     std::string_view statement);

}  // namespace outrider::postgres
