#pragma once

#include <string_view>

namespace outrider {

// The version of this build, for example "0.1.0".
std::string_view version();

}  // namespace outrider
