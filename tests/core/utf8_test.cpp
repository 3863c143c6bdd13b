#include "core/utf8.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>

namespace outrider {
namespace {

using namespace std::string_literals;

TEST(Utf8, AcceptsTheEdgesOfEachLength) {
  for (const auto& text :
       {"\0"s, "\x7F"s, "\xC2\x80"s, "\xDF\xBF"s, "\xE0\xA0\x80"s, "\xED\x9F\xBF"s, "\xEE\x80\x80"s,
        "\xEF\xBF\xBF"s, "\xF0\x90\x80\x80"s, "\xF4\x8F\xBF\xBF"s}) {
    EXPECT_EQ(decode_utf8(text).size, text.size());
    EXPECT_FALSE(find_invalid_utf8(text));
  }
}

TEST(Utf8, RefusesWhatIsNoCharacter) {
  const auto overlong = {"\xC0\x80"s, "\xC1\xBF"s, "\xE0\x9F\xBF"s, "\xF0\x8F\xBF\xBF"s};
  const auto surrogates = {"\xED\xA0\x80"s, "\xED\xBF\xBF"s};
  const auto beyond = {"\xF4\x90\x80\x80"s, "\xF5\x80\x80\x80"s, "\xFF"s};
  const auto broken = {"\x80"s,     "\xC2"s,         "\xC2\x41"s,
                       "\xE2\x82"s, "\xF0\x9F\x98"s, "\xE2\x82\xC2"s};
  for (const auto& group : {overlong, surrogates, beyond, broken}) {
    for (const auto& text : group) {
      EXPECT_EQ(find_invalid_utf8(text), 0U) << testing::PrintToString(text);
    }
  }
}

TEST(Utf8, NamesTheFirstInvalidByte) {
  EXPECT_EQ(find_invalid_utf8("a\xC3\xA9\xE2\x82!"), 3U);
  EXPECT_EQ(decode_utf8("").size, 0U);
}

TEST(Utf8, KnowsControlsAndWhiteSpace) {
  EXPECT_TRUE(is_control(0) && is_control(0x1F) && is_control(0x7F) && is_control(0x9F));
  EXPECT_FALSE(is_control(0x20) || is_control(0x7E) || is_control(0xA0));
  EXPECT_TRUE(is_white_space(' ') && is_white_space(0xA0) && is_white_space(0x3000));
  EXPECT_FALSE(is_white_space('a') || is_white_space(0x200B));
}

RC_GTEST_PROP(Utf8, ReadsBackEveryCharacterItWrites, ()) {
  const auto code = *rc::gen::suchThat(rc::gen::inRange<std::uint32_t>(0, 0x110000),
                                       [](auto c) { return c < 0xD800 || c > 0xDFFF; });
  std::string text;
  append_utf8(text, code);
  const auto [decoded, size] = decode_utf8(text + "tail");
  RC_ASSERT(decoded == static_cast<char32_t>(code));
  RC_ASSERT(size == text.size());
}

}  // namespace
}  // namespace outrider
