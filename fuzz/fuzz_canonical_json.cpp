// The canonical form of any depth is a fixed point, does not depend on the white space around it,
// and is refused with an Error or not at all.
#include <string>

#include <outrider/canonical.hpp>
#include <outrider/error.hpp>

#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace outrider;
  fuzzing::Input input(bytes, size);
  const std::size_t depth_max = input.byte();
  const std::string json(input.rest());
  try {
    const std::string canonical = canonical_json(json, depth_max);
    OUTRIDER_ASSERT(canonical_json(canonical, depth_max) == canonical);
    OUTRIDER_ASSERT(canonical_json("\n " + json + "\t\r", depth_max) == canonical);
    OUTRIDER_ASSERT(canonical_json('[' + json + ']', depth_max + 1) == '[' + canonical + ']');
    OUTRIDER_ASSERT(canonical_json("{\"b\":" + json + ",\"a\":0}", depth_max + 1) ==
                    "{\"a\":0,\"b\":" + canonical + '}');
  } catch (const Error& error) {
    OUTRIDER_ASSERT(error.code() == Errc::invalid_argument);
  }
  return 0;
}
