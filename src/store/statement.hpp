#pragma once

#include <cstddef>
#include <string_view>

namespace outrider {

// The name of a statement that both dialects have. Its text is the file sql/<name>.sql of the
// session's dialect; the same name appears in errors, logs and metrics. The constants are generated
// into store/statements.hpp.
struct Statement {
  std::size_t index;
  std::string_view name;
};

// A statement only one dialect has, with its text.
struct OwnStatement {
  std::string_view name;
  std::string_view text;
};

}  // namespace outrider
