// Published samples of RFC 8785: section 3.2.2 and 3.2.3 of the RFC itself, and the samples that
// its authors publish as testdata of cyberphone/json-canonicalization (Apache License 2.0). The
// numbers of appendix B are in json_number_test.cpp.
#include <gtest/gtest.h>
#include <string>

#include <outrider/canonical.hpp>

namespace outrider {
namespace {

TEST(CanonicalVectors, SerializesTheSampleOfSection322) {
  EXPECT_EQ(canonical_json(R"({
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
})"),
            R"({"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],)"
            R"("string":"€$\u000f\nA'B\"\\\\\"/"})");
}

TEST(CanonicalVectors, SortsTheSampleOfSection323) {
  EXPECT_EQ(canonical_json(R"({
  "\u20ac": "Euro Sign",
  "\r": "Carriage Return",
  "\ufb33": "Hebrew Letter Dalet With Dagesh",
  "1": "One",
  "\ud83d\ude00": "Emoji: Grinning Face",
  "\u0080": "Control",
  "\u00f6": "Latin Small Letter O With Diaeresis"
})"),
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
            "\"\u00f6\":\"Latin Small Letter O With Diaeresis\",\"\u20ac\":\"Euro Sign\","
            "\"\U0001F600\":\"Emoji: Grinning Face\","
            "\"\uFB33\":\"Hebrew Letter Dalet With Dagesh\"}");
}

TEST(CanonicalVectors, Arrays) {
  EXPECT_EQ(canonical_json(R"([ 56, { "d": true, "10": null, "1": [ ] } ])"),
            R"([56,{"1":[],"10":null,"d":true}])");
}

TEST(CanonicalVectors, FrenchIsNotSortedTheFrenchWay) {
  EXPECT_EQ(canonical_json(R"({
  "peach": "This sorting order",
  "péché": "is wrong according to French",
  "pêche": "but canonicalization MUST",
  "sin":   "ingnore locale"
})"),
            R"({"peach":"This sorting order","péché":"is wrong according to French",)"
            R"("pêche":"but canonicalization MUST","sin":"ingnore locale"})");
}

TEST(CanonicalVectors, Structures) {
  EXPECT_EQ(canonical_json(R"({
  "1": {"f": {"f": "hi","F": 5} ,"\n": 56.0},
  "10": { },
  "": "empty",
  "a": { },
  "111": [ { } ],
  "A": { }
})"),
            R"({"":"empty","1":{"\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{}],"A":{},"a":{}})");
}

TEST(CanonicalVectors, UnicodeIsNotNormalised) {
  EXPECT_EQ(canonical_json(R"({"Unnormalized Unicode":"\u1e0d\u0307"})"),
            "{\"Unnormalized Unicode\":\"\u1e0d\u0307\"}");
}

TEST(CanonicalVectors, Values) {
  EXPECT_EQ(canonical_json(R"({
  "numbers": [1E30, 4.50, 333333333.33333329, 2e-3, 0.000000000000000000000000001],
  "escaping": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
})"),
            R"({"escaping":"€$\u000f\nA'B\"\\\\\"/","literals":[null,true,false],)"
            R"("numbers":[1e+30,4.5,333333333.3333333,0.002,1e-27]})");
}

TEST(CanonicalVectors, Weird) {
  EXPECT_EQ(canonical_json(R"({
  "\u20ac": "Euro Sign",
  "1": "One",
  "\u0080": "Control\u007f",
  "\ud83d\ude02": "Smiley",
  "\u00f6": "Latin Small Letter O With Diaeresis",
  "\ufb33": "Hebrew Letter Dalet With Dagesh",
  "</script>": "Browser Challenge"
})"),
            "{\"1\":\"One\",\"</script>\":\"Browser Challenge\",\"\u0080\":\"Control\x7F\","
            "\"\u00f6\":\"Latin Small Letter O With Diaeresis\",\"\u20ac\":\"Euro Sign\","
            "\"\U0001F602\":\"Smiley\",\"\uFB33\":\"Hebrew Letter Dalet With Dagesh\"}");
}

}  // namespace
}  // namespace outrider
