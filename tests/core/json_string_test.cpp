#include "core/json_string.hpp"

#include <gtest/gtest.h>

namespace outrider {
namespace {

std::string unescaped(std::string_view raw) {
  std::string text(raw.size(), '\0');
  text.resize(static_cast<std::size_t>(unescape_json(raw, text.data()) - text.data()));
  return text;
}

std::string quoted(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

TEST(UnescapeJson, ResolvesEveryEscape) {
  EXPECT_EQ(unescaped(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(unescaped(R"(x\u0041\u00e9\u20AC\ud83d\uDE02y)"), "xAé€😂y");
  EXPECT_EQ(unescaped(R"(\\u0041)"), R"(\u0041)");
}

TEST(UnescapeJson, CopiesATextWithoutEscapes) {
  EXPECT_EQ(unescaped(""), "");
  EXPECT_EQ(unescaped("größe 😂"), "größe 😂");
}

TEST(AppendJsonString, EscapesOnlyWhatMustBeAndInTheShortestWay) {
  EXPECT_EQ(quoted("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(quoted("\x01\x0F\x1F"), R"("\u0001\u000f\u001f")");
  EXPECT_EQ(quoted("/é😂\x7F"), "\"/é😂\x7F\"");
  EXPECT_EQ(quoted(""), "\"\"");
}

}  // namespace
}  // namespace outrider
