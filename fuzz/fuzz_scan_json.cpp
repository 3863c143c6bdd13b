// What scan_json accepts, canonical_json can write, except for numbers beyond a double; and what it
// refuses, canonical_json refuses too.
#include <cstring>

#include <outrider/canonical.hpp>
#include <outrider/error.hpp>

#include "core/json_scan.hpp"
#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace outrider;
  constexpr std::size_t depth_max = 64;
  const std::string_view json = fuzzing::as_text(bytes, size);
  const auto problem = scan_json(json, depth_max);
  OUTRIDER_ASSERT(!problem || problem->offset <= json.size());
  try {
    const std::string canonical = canonical_json(json, depth_max);
    OUTRIDER_ASSERT(!problem);
    OUTRIDER_ASSERT(!scan_json(canonical, depth_max));
    OUTRIDER_ASSERT(canonical_json(canonical, depth_max) == canonical);
  } catch (const Error& error) {
    OUTRIDER_ASSERT(problem || std::strstr(error.what(), "number is too large") != nullptr);
  }
  return 0;
}
