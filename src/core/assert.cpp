#include "core/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace outrider {

void assertion_failed(const char* expression, const char* file, int line) noexcept {
  // No formatting library and no logger here: whatever is broken, stderr still works.
  std::fprintf(stderr, "outrider: broken invariant: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace outrider
