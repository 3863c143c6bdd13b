#pragma once

#include <sqlite3.h>
#include <string>
#include <string_view>

#include <outrider/error.hpp>

namespace outrider::sqlite {

// The name of a result code, extended if there is one: "SQLITE_BUSY_SNAPSHOT".
std::string code_name(int result_code);

// What SQLite answered, as our error. To be called before the connection is used again, because the
// connection holds the text, the extended code and the system's error number. `attempted` begins
// the text, for example "cannot enqueue"; `statement` may be empty. A null connection means that
// SQLite could not even make one.
Error to_error(sqlite3* connection, int result_code, std::string_view attempted,
               std::string_view statement);

}  // namespace outrider::sqlite
