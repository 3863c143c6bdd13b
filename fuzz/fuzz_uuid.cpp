// What parse accepts, to_string writes back in lower case.
#include <outrider/uuid.hpp>

#include "core/text.hpp"
#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace outrider;
  const std::string_view text = fuzzing::as_text(bytes, size);
  if (const auto id = Uuid::parse(text)) {
    OUTRIDER_ASSERT(id->to_string() == ascii_lower(text));
    OUTRIDER_ASSERT(Uuid::parse(id->to_string()) == id);
    uuid_time(*id);
  }
  return 0;
}
