#include "core/json_number.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <utility>

namespace outrider {
namespace {

std::string printed(double number) {
  std::string json;
  append_json_number(json, number);
  return json;
}

std::string reprinted(std::string_view number) {
  const auto value = parse_json_number(number);
  return value ? printed(*value) : "too large";
}

// RFC 8785, appendix B: the bits of a double and how they are printed.
TEST(JsonNumber, IsPrintedAsInAppendixB) {
  const std::pair<std::uint64_t, const char*> samples[] = {
      {0x0000000000000000, "0"},
      {0x8000000000000000, "0"},
      {0x0000000000000001, "5e-324"},
      {0x8000000000000001, "-5e-324"},
      {0x7fefffffffffffff, "1.7976931348623157e+308"},
      {0xffefffffffffffff, "-1.7976931348623157e+308"},
      {0x4340000000000000, "9007199254740992"},
      {0xc340000000000000, "-9007199254740992"},
      {0x4430000000000000, "295147905179352830000"},
      {0x44b52d02c7e14af5, "9.999999999999997e+22"},
      {0x44b52d02c7e14af6, "1e+23"},
      {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
      {0x444b1ae4d6e2ef4e, "999999999999999700000"},
      {0x444b1ae4d6e2ef4f, "999999999999999900000"},
      {0x444b1ae4d6e2ef50, "1e+21"},
      {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
      {0x3eb0c6f7a0b5ed8d, "0.000001"},
      {0x41b3de4355555553, "333333333.3333332"},
      {0x41b3de4355555554, "333333333.33333325"},
      {0x41b3de4355555555, "333333333.3333333"},
      {0x41b3de4355555556, "333333333.3333334"},
      {0x41b3de4355555557, "333333333.33333343"},
      {0xbecbf647612f3696, "-0.0000033333333333333333"},
      {0x43143ff3c1cb0959, "1424953923781206.2"},
  };
  for (const auto& [bits, expected] : samples) {
    EXPECT_EQ(printed(std::bit_cast<double>(bits)), expected);
    EXPECT_EQ(reprinted(expected), expected);
  }
}

TEST(JsonNumber, ChangesFormWhereEcmascriptDoes) {
  EXPECT_EQ(reprinted("123456789012345680000"), "123456789012345680000");
  EXPECT_EQ(reprinted("1e20"), "100000000000000000000");
  EXPECT_EQ(reprinted("1e21"), "1e+21");
  EXPECT_EQ(reprinted("0.0000012"), "0.0000012");
  EXPECT_EQ(reprinted("0.00000012"), "1.2e-7");
  EXPECT_EQ(reprinted("1.0"), "1");
  EXPECT_EQ(reprinted("-0.0e7"), "0");
  EXPECT_EQ(reprinted("10E-1"), "1");
  EXPECT_EQ(reprinted("0.5"), "0.5");
  EXPECT_EQ(reprinted("-12.25"), "-12.25");
}

TEST(JsonNumber, IsRefusedWhenItIsTooLarge) {
  for (const auto* number : {"1e309", "-1e309", "1.8e308", "1e99999999999999999999", "0.1e400",
                             "0.00001e400", "123e400"}) {
    EXPECT_EQ(reprinted(number), "too large") << number;
  }
  EXPECT_EQ(reprinted('1' + std::string(400, '0')), "too large");
  EXPECT_EQ(reprinted('1' + std::string(400, '0') + ".5e-10"), "too large");
}

TEST(JsonNumber, IsZeroWhenItIsTooSmall) {
  for (const auto* number : {"1e-400", "-1e-400", "1e-99999999999999999999", "123e-400",
                             "0.001e-330", "0e999", "0.0e-999", "0e99999999999999999999"}) {
    EXPECT_EQ(reprinted(number), "0") << number;
  }
  EXPECT_EQ(reprinted("0." + std::string(400, '0') + '1'), "0");
  EXPECT_EQ(reprinted("0." + std::string(400, '0') + "1e10"), "0");
}

TEST(JsonNumber, LetsManyDigitsAndExponentCancelOut) {
  EXPECT_EQ(reprinted("0." + std::string(399, '0') + "1e401"), "10");
  EXPECT_EQ(reprinted('1' + std::string(400, '0') + "e-399"), "10");
}

RC_GTEST_PROP(JsonNumber, ReadsBackAsTheSameDouble, (std::uint64_t bits)) {
  const auto number = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(number));
  const auto back = parse_json_number(printed(number));
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == number);
  RC_ASSERT(printed(*back) == printed(number));
}

}  // namespace
}  // namespace outrider
