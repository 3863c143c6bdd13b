// Any bytes become valid, bounded text without control characters, and stay it when done twice.
#include "core/text.hpp"
#include "core/utf8.hpp"
#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace outrider;
  fuzzing::Input input(bytes, size);
  const std::size_t bytes_max = input.byte();
  const std::string clean = sanitise(input.rest(), bytes_max);
  OUTRIDER_ASSERT(clean.size() <= bytes_max);
  OUTRIDER_ASSERT(sanitise(clean, bytes_max) == clean);
  for (std::string_view rest = clean; !rest.empty();) {
    const auto [code, length] = decode_utf8(rest);
    OUTRIDER_ASSERT(length > 0 && !is_control(code));
    rest.remove_prefix(length);
  }
  return 0;
}
