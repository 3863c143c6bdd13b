#pragma once

#include <string_view>

namespace outrider {

// One forward step of the schema, from migrations/NNNN_<name>.sql.
struct Migration {
  int version;
  std::string_view name;
  bool breaking;  // builds that do not know this version must not use the schema
  std::string_view script;
};

}  // namespace outrider
