// Both readers accept only what the writers print. The one exception: the server may leave out a
// lower bound, which is written as the smallest position.
#include <string>

#include <outrider/error.hpp>

#include "core/position_set.hpp"
#include "fuzz_input.hpp"

namespace {

using outrider::PositionSet;

void expect_round_trip(const PositionSet& set) {
  OUTRIDER_ASSERT(PositionSet::parse_json(set.to_json()) == set);
  OUTRIDER_ASSERT(PositionSet::parse_multirange(set.to_multirange()) == set);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace outrider;
  const std::string_view text = fuzzing::as_text(bytes, size);
  try {
    const PositionSet set = PositionSet::parse_json(text);
    OUTRIDER_ASSERT(set.to_json() == text);
    expect_round_trip(set);
  } catch (const Error& error) {
    OUTRIDER_ASSERT(error.code() == Errc::invalid_argument);
  }
  try {
    const PositionSet set = PositionSet::parse_multirange(text);
    OUTRIDER_ASSERT(text.starts_with("{(,") || set.to_multirange() == text);
    expect_round_trip(set);
  } catch (const Error& error) {
    OUTRIDER_ASSERT(error.code() == Errc::invalid_argument);
  }
  return 0;
}
