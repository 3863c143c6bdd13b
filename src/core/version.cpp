#include <outrider/version.hpp>

namespace outrider {

std::string_view version() {
  return OUTRIDER_VERSION;
}

}  // namespace outrider
