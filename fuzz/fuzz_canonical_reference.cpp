// A canonical reference is a fixed point and keeps the id.
#include <string>

#include <outrider/canonical.hpp>
#include <outrider/error.hpp>

#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace outrider;
  const std::string_view text = fuzzing::as_text(bytes, size);
  try {
    const std::string canonical = canonical_reference(text);
    OUTRIDER_ASSERT(canonical_reference(canonical) == canonical);
    OUTRIDER_ASSERT(canonical.size() == text.size());
    OUTRIDER_ASSERT(canonical.substr(canonical.find(':')) == text.substr(text.find(':')));
  } catch (const Error& error) {
    OUTRIDER_ASSERT(error.code() == Errc::invalid_argument);
  }
  return 0;
}
