#include "core/units.hpp"

#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include <outrider/error.hpp>

namespace outrider {
namespace {

using namespace std::chrono_literals;

template <typename Parse>
std::string refusal(Parse parse, std::string_view text) {
  try {
    parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::invalid_argument) << text;
    return error.what();
  }
  ADD_FAILURE() << "accepted: " << text;
  return "";
}

TEST(ParseDuration, ReadsEveryUnit) {
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  EXPECT_EQ(parse_duration("1s"), 1s);
  EXPECT_EQ(parse_duration("5m"), 5min);
  EXPECT_EQ(parse_duration("2h"), 2h);
  EXPECT_EQ(parse_duration("7d"), 24h * 7);
  EXPECT_EQ(parse_duration("0s"), 0ms);
}

TEST(ParseDuration, AddsUnitsFromLargeToSmall) {
  EXPECT_EQ(parse_duration("1h30m"), 90min);
  EXPECT_EQ(parse_duration("1d2h3m4s5ms"), 24h + 2h + 3min + 4s + 5ms);
  EXPECT_EQ(parse_duration("1m500ms"), 60'500ms);
}

TEST(ParseDuration, RefusesWhatIsNotADuration) {
  for (const char* text : {"", "5", "m", "5 m", " 5m", "5m ", "-5m", "+5m", "1.5h", "5M", "5min",
                           "1e3s", "30m1h", "1m1m", "1s1ms1ms", "5m3", "0x5m", "5\xc2\xb5s"}) {
    EXPECT_NE(refusal(parse_duration, text).find("not a duration"), std::string::npos) << text;
  }
}

TEST(ParseDuration, StopsAtTheLongestDuration) {
  EXPECT_EQ(parse_duration("36525d"), duration_max);
  for (const char* text : {"36525d1ms", "36526d", "876601h", "99999999999999999999999999999999ms",
                           "18446744073709551616s", "18446744073709551615d"}) {
    EXPECT_NE(refusal(parse_duration, text).find("too long"), std::string::npos) << text;
  }
}

TEST(ParseDuration, LeadingZerosDoNotMatter) {
  EXPECT_EQ(parse_duration(std::string(100, '0') + "5m"), 5min);
}

TEST(ParseSize, ReadsBytesAndUnits) {
  EXPECT_EQ(parse_size("0"), 0U);
  EXPECT_EQ(parse_size("262144"), 262'144U);
  EXPECT_EQ(parse_size("12B"), 12U);
  EXPECT_EQ(parse_size("10kB"), 10'000U);
  EXPECT_EQ(parse_size("10MB"), 10'000'000U);
  EXPECT_EQ(parse_size("1GB"), 1'000'000'000U);
  EXPECT_EQ(parse_size("256KiB"), 262'144U);
  EXPECT_EQ(parse_size("64MiB"), 67'108'864U);
  EXPECT_EQ(parse_size("1GiB"), 1'073'741'824U);
}

TEST(ParseSize, RefusesWhatIsNotASize) {
  for (const char* text : {"", "KiB", "1 KiB", " 1", "1 ", "-1", "+1", "1.5MiB", "1KB", "1kib",
                           "1K", "1KiB2", "0x10", "1e6", "1TiB"}) {
    EXPECT_NE(refusal(parse_size, text).find("not a size"), std::string::npos) << text;
  }
}

TEST(ParseSize, StopsAtTheLargestSize) {
  EXPECT_EQ(parse_size("1024GiB"), size_max);
  for (const char* text :
       {"1025GiB", "1099511627777", "18446744073709551616", "99999999999999999999GiB"}) {
    EXPECT_NE(refusal(parse_size, text).find("too large"), std::string::npos) << text;
  }
}

TEST(ParseSize, QuotesABadTextShortAndClean) {
  const std::string what = refusal(parse_size, std::string(10'000, 'x') + "\n");
  EXPECT_LT(what.size(), 200U);
  EXPECT_EQ(refusal(parse_size, "1\n2").find('\n'), std::string::npos);
}

TEST(FormatSize, IsTheShortestTextThatReadsBackAsTheSameNumber) {
  EXPECT_EQ(format_size(0), "0");
  EXPECT_EQ(format_size(1), "1");
  EXPECT_EQ(format_size(1000), "1000");
  EXPECT_EQ(format_size(1024), "1KiB");
  EXPECT_EQ(format_size(262'144), "256KiB");
  EXPECT_EQ(format_size(67'108'864), "64MiB");
  EXPECT_EQ(format_size(size_max), "1024GiB");
  for (const std::uint64_t bytes :
       {std::uint64_t{7}, std::uint64_t{1536}, std::uint64_t{1} << 33}) {
    EXPECT_EQ(parse_size(format_size(bytes)), bytes);
  }
}

}  // namespace
}  // namespace outrider
