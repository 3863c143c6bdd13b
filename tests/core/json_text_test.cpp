#include "core/json_text.hpp"

#include <gtest/gtest.h>

namespace outrider {
namespace {

TEST(JsonObject, OfNothingIsEmptyBraces) {
  EXPECT_EQ(json_object({}), "{}");
}

TEST(JsonObject, KeepsTheOrderOfTheMapWithoutSpaces) {
  EXPECT_EQ(json_object({{"b", "2"}, {"a", "1"}}), R"({"a":"1","b":"2"})");
}

TEST(JsonObject, EscapesQuotesBackslashesAndControlCharactersInNamesAndValues) {
  EXPECT_EQ(json_object({{"q\"", "\\ \n\t\x01"}}), "{\"q\\\"\":\"\\\\ \\n\\t\\u0001\"}");
}

TEST(JsonObject, LeavesOtherCharactersAsTheyAre) {
  EXPECT_EQ(json_object({{"traceparent", "é/€😀\x7f"}}), "{\"traceparent\":\"é/€😀\x7f\"}");
}

}  // namespace
}  // namespace outrider
