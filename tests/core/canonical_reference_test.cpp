#include <gtest/gtest.h>
#include <string>

#include <outrider/canonical.hpp>
#include <outrider/error.hpp>

namespace outrider {
namespace {

using namespace std::string_literals;

// Ruling o.
TEST(CanonicalReference, LowersTheProviderAndKeepsTheId) {
  EXPECT_EQ(canonical_reference("STRIPE:pi_A"), "stripe:pi_A");
  EXPECT_EQ(canonical_reference("STRIPE:pi_A"), canonical_reference("stripe:pi_A"));
  EXPECT_NE(canonical_reference("stripe:pi_A"), canonical_reference("stripe:pi_a"));
}

TEST(CanonicalReference, SplitsAtTheFirstColon) {
  EXPECT_EQ(canonical_reference("A:B:C"), "a:B:C");
  EXPECT_EQ(canonical_reference("a::"), "a::");
}

TEST(CanonicalReference, KeepsPartsOfUpTo255Bytes) {
  const std::string part(255, 'x');
  EXPECT_EQ(canonical_reference(part + ':' + part), part + ':' + part);
  EXPECT_THROW(canonical_reference(part + "x:" + part), Error);
  EXPECT_THROW(canonical_reference(part + ':' + part + 'x'), Error);
}

TEST(CanonicalReference, LowersAsciiOnly) {
  EXPECT_EQ(canonical_reference("ÄB:é"), "Äb:é");
}

TEST(CanonicalReference, RefusesWhatIsNoReference) {
  for (const auto& text :
       {""s, "stripe"s, ":"s, "stripe:"s, ":pi_A"s, " stripe:pi_A"s, "stripe:pi_A "s,
        "stripe: pi_A"s, "str ipe:a"s, "a:b\tc"s, "a:b\n"s, "a:\0"s, "a:\x7F"s, "a:\xC2\x85"s,
        "a:\u00A0"s, "a:\u3000b"s, "a:\xFF"s, "\xC3:b"s}) {
    try {
      canonical_reference(text);
      FAIL() << ::testing::PrintToString(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::invalid_argument);
    }
  }
}

}  // namespace
}  // namespace outrider
