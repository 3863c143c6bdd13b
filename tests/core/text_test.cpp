#include "core/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>

#include "core/utf8.hpp"

namespace outrider {
namespace {

using namespace std::string_literals;

TEST(Sanitise, KeepsAnOrdinaryText) {
  EXPECT_EQ(sanitise("connection refused: größe 😂", 2000), "connection refused: größe 😂");
  EXPECT_EQ(sanitise("", 2000), "");
}

TEST(Sanitise, TurnsControlCharactersIntoSpaces) {
  EXPECT_EQ(sanitise("a\0b\nc\x1B[0m\x7F\xC2\x85z"s, 2000), "a b c [0m  z");
}

TEST(Sanitise, ReplacesInvalidBytes) {
  EXPECT_EQ(sanitise("a\xFFz", 2000), "a\xEF\xBF\xBDz");
  EXPECT_EQ(sanitise("a\xE2\x82", 2000), "a\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Sanitise, KeepsATextOfExactlyTheBound) {
  EXPECT_EQ(sanitise("abcdef", 6), "abcdef");
  EXPECT_EQ(sanitise("abcdefg", 6), "abc...");
}

TEST(Sanitise, CutsOnACharacterBoundary) {
  EXPECT_EQ(sanitise("ab😂😂", 9), "ab😂...");
  EXPECT_EQ(sanitise("ab😂😂", 8), "ab...");
  EXPECT_EQ(sanitise("😂😂😂", 5), "...");
}

TEST(Sanitise, HasNoRoomForDotsInATinyBound) {
  EXPECT_EQ(sanitise("abcdef", 2), "ab");
  EXPECT_EQ(sanitise("😂", 2), "");
  EXPECT_EQ(sanitise("abcdef", 0), "");
}

TEST(AsciiLower, ChangesAsciiLettersOnly) {
  EXPECT_EQ(ascii_lower("AZaz09[@`{ Ä İ"), "azaz09[@`{ Ä İ");
}

RC_GTEST_PROP(Sanitise, GivesValidBoundedTextWithoutControlsForAnyBytes, (std::string bytes)) {
  const auto bound = *rc::gen::inRange<std::size_t>(0, 40);
  const std::string clean = sanitise(bytes, bound);
  RC_ASSERT(clean.size() <= bound);
  RC_ASSERT(!find_invalid_utf8(clean));
  RC_ASSERT(sanitise(clean, bound) == clean);
}

}  // namespace
}  // namespace outrider
