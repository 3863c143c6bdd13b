#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>

#include <outrider/canonical.hpp>
#include <outrider/error.hpp>

#include "core/json_sample.hpp"
#include "core/json_scan.hpp"

namespace outrider {
namespace {

using namespace std::string_literals;

void expect_refused(std::string_view json, std::string_view what) {
  try {
    canonical_json(json);
    FAIL() << json.substr(0, 80);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::invalid_argument);
    EXPECT_EQ(error.what(), "cannot canonicalise JSON: "s + std::string(what));
  }
}

TEST(CanonicalJson, IgnoresOrderSpaceAndSpelling) {
  const auto* canonical = R"({"amount":1,"name":"é","tags":["a",null]})";
  EXPECT_EQ(canonical_json(canonical), canonical);
  EXPECT_EQ(canonical_json("{ \"tags\" : [\"a\",\tnull],\n\"name\":\"\\u00e9\", \"amount\":1.0 }"),
            canonical);
}

// Ruling n: U+10000 is a surrogate pair in UTF-16, and D800 is less than E000.
TEST(CanonicalJson, SortsByUtf16CodeUnits) {
  EXPECT_EQ(canonical_json("{\"\uE000\":1,\"\U00010000\":2,\"\uD7FF\":3,\"\uFFFF\":4}"),
            "{\"\uD7FF\":3,\"\U00010000\":2,\"\uE000\":1,\"\uFFFF\":4}");
  EXPECT_EQ(canonical_json("{\"x\uFFFF\":1,\"x\U0010FFFF\":2,\"x\U0010FFFE\":3,\"x\":4}"),
            "{\"x\":4,\"x\U0010FFFE\":3,\"x\U0010FFFF\":2,\"x\uFFFF\":1}");
}

TEST(CanonicalJson, SortsByTheUnescapedName) {
  EXPECT_EQ(canonical_json(R"({"b":1,"\u0061":2,"\n":3,"\"":4,"!":5})"),
            R"({"\n":3,"!":5,"\"":4,"a":2,"b":1})");
  EXPECT_EQ(canonical_json(R"({"aa":1,"a":2,"":3})"), R"({"":3,"a":2,"aa":1})");
}

TEST(CanonicalJson, SortsNestedObjectsInsideSortedOnes) {
  EXPECT_EQ(canonical_json(R"({"z":{"b":[{"y":1,"x":2}],"a":0},"a":{}})"),
            R"({"a":{},"z":{"a":0,"b":[{"x":2,"y":1}]}})");
}

TEST(CanonicalJson, AcceptsAnyKindOfValueAtTheTop) {
  for (const auto* json : {"null", "true", "0", "\"a\"", "[]", "{}"}) {
    EXPECT_EQ(canonical_json("\n"s + json + " "), json);
  }
}

TEST(CanonicalJson, RefusesWhatIsNoIJson) {
  expect_refused("", "a value is missing at byte 0");
  expect_refused(R"({"a":1,"\u0061":2})", "duplicate member name at byte 7");
  expect_refused("\"\xFF\"", "invalid UTF-8 at byte 1");
  expect_refused(R"("\ud800")", "lone surrogate at byte 1");
  expect_refused(R"("\u0000")", "U+0000 is not allowed at byte 1");
  expect_refused("[1e400]", "a number is too large at byte 1");
}

TEST(CanonicalJson, AcceptsTheDepthAndRefusesOneMore) {
  const std::string deep = std::string(64, '[') + std::string(64, ']');
  EXPECT_EQ(canonical_json(deep), deep);
  EXPECT_THROW(canonical_json('[' + deep + ']'), Error);
  EXPECT_EQ(canonical_json('[' + deep + ']', 65), '[' + deep + ']');
}

TEST(CanonicalJson, RefusesAMillionBracketsCalmly) {
  expect_refused(std::string(1'000'000, '['), "nesting is too deep at byte 64");
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_EQ(canonical_json(deep, 1'000'000), deep);
}

RC_GTEST_PROP(CanonicalJson, IsTheSameForEverySpellingOfAValue, ()) {
  const auto sample = testing::any_json_sample(4);
  const std::string one = testing::spelled(sample);
  const std::string other = testing::spelled(sample);
  RC_ASSERT(canonical_json(one) == canonical_json(other));
}

RC_GTEST_PROP(CanonicalJson, IsItsOwnCanonicalForm, ()) {
  const std::string canonical = canonical_json(testing::spelled(testing::any_json_sample(4)));
  RC_ASSERT(canonical_json(canonical) == canonical);
}

RC_GTEST_PROP(CanonicalJson, IsAlwaysAValidPayload, ()) {
  const std::string canonical = canonical_json(testing::spelled(testing::any_json_sample(4)));
  RC_ASSERT(!scan_json(canonical, 64));
}

RC_GTEST_PROP(CanonicalJson, RefusesAnObjectSpelledWithARepeatedName, ()) {
  testing::JsonSample sample;
  sample.kind = testing::JsonSample::Kind::object;
  for (const auto* name : {"\"größe\"", "other", "\"größe\""}) {
    sample.children.push_back(testing::any_json_sample(2));
    sample.children.back().name = name;
  }
  RC_ASSERT(scan_json(testing::spelled(sample), 64)->what == "duplicate member name");
}

}  // namespace
}  // namespace outrider
