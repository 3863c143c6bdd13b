// Any text is read as a duration or a size, or refused with Error, and stays within the bounds.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <outrider/error.hpp>

#include "core/assert.hpp"
#include "core/units.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    const auto duration = outrider::parse_duration(text);
    OUTRIDER_ASSERT(duration.count() >= 0 && duration <= outrider::duration_max);
  } catch (const outrider::Error& error) {
    OUTRIDER_ASSERT(error.code() == outrider::Errc::invalid_argument);
  }
  try {
    const std::uint64_t parsed = outrider::parse_size(text);
    OUTRIDER_ASSERT(parsed <= outrider::size_max);
    OUTRIDER_ASSERT(outrider::parse_size(outrider::format_size(parsed)) == parsed);
  } catch (const outrider::Error& error) {
    OUTRIDER_ASSERT(error.code() == outrider::Errc::invalid_argument);
  }
  return 0;
}
