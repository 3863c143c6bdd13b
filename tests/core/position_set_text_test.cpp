#include <gtest/gtest.h>
#include <limits>
#include <string>

#include <outrider/error.hpp>

#include "core/position_set.hpp"

namespace outrider {
namespace {

constexpr Position lowest = std::numeric_limits<Position>::min();
constexpr Position highest = std::numeric_limits<Position>::max();

PositionSet two_runs() {
  PositionSet set;
  set.add(1, 3);
  set.add(7);
  return set;
}

PositionSet run(Position first, Position last) {
  PositionSet set;
  set.add(first, last);
  return set;
}

template <typename Parse>
void expect_refused(Parse parse, const std::string& text) {
  try {
    parse(text);
    FAIL() << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::invalid_argument);
  }
}

TEST(Multirange, IsWrittenAsTheServerPrintsIt) {
  EXPECT_EQ(PositionSet().to_multirange(), "{}");
  EXPECT_EQ(two_runs().to_multirange(), "{[1,4),[7,8)}");
  EXPECT_EQ(run(-5, 0).to_multirange(), "{[-5,1)}");
}

TEST(Multirange, HasNoUpperBoundAtTheLargestPosition) {
  EXPECT_EQ(run(7, highest).to_multirange(), "{[7,)}");
  EXPECT_EQ(run(7, highest - 1).to_multirange(), "{[7,9223372036854775807)}");
  EXPECT_EQ(PositionSet::parse_multirange("{[7,)}"), run(7, highest));
  EXPECT_EQ(PositionSet::parse_multirange("{(,)}"), run(lowest, highest));
  EXPECT_EQ(PositionSet::parse_multirange("{(,7)}"), run(lowest, 6));
  EXPECT_EQ(PositionSet::parse_multirange(run(lowest, highest).to_multirange()),
            run(lowest, highest));
}

TEST(Multirange, IsReadAsTheServerPrintsIt) {
  EXPECT_TRUE(PositionSet::parse_multirange("{}").empty());
  EXPECT_EQ(PositionSet::parse_multirange("{[1,4),[7,8)}"), two_runs());
}

TEST(Multirange, IsRefusedInAnyOtherForm) {
  for (const auto* text : {"",
                           "{",
                           "}",
                           "{}x",
                           "{[1,4)",
                           "[1,4)",
                           "{[1,4)}}",
                           "{[1,4],}",
                           "{[1,4]}",
                           "{(1,4)}",
                           "{[4,4)}",
                           "{[4,1)}",
                           "{[1,4),}",
                           "{,}",
                           "{[7,8),[1,4)}",
                           "{[1,4),[4,8)}",
                           "{[1,4),[2,8)}",
                           "{[1, 4)}",
                           "{[1,),[5,6)}",
                           "{(,4),(,9)}",
                           "{[+1,4)}",
                           "{[01,4)}",
                           "{[-0,4)}",
                           "{[1.0,4)}",
                           "{[a,4)}",
                           "{[1,9223372036854775808)}",
                           "{[-9223372036854775809,1)}",
                           "{(,-9223372036854775808)}",
                           "{(,),[1,2)}",
                           "{empty}",
                           "{[1,4) ,[7,8)}"}) {
    expect_refused(PositionSet::parse_multirange, text);
  }
}

TEST(PositionSetJson, HasBothEndsInclusive) {
  EXPECT_EQ(PositionSet().to_json(), "[]");
  EXPECT_EQ(two_runs().to_json(), "[[1,3],[7,7]]");
  EXPECT_EQ(run(lowest, highest).to_json(), "[[-9223372036854775808,9223372036854775807]]");
}

TEST(PositionSetJson, ReadsBackWhatItWrites) {
  for (const auto& set : {PositionSet(), two_runs(), run(lowest, lowest), run(highest, highest)}) {
    EXPECT_EQ(PositionSet::parse_json(set.to_json()), set);
  }
}

TEST(PositionSetJson, IsRefusedInAnyOtherForm) {
  for (const auto* text :
       {"", "[", "[]]", "{}", "[1,2]", "[[1,2]", "[[1,2],]", "[[1]]", "[[1,2,3]]", "[[2,1]]",
        "[[5,6],[1,2]]", "[[1,2],[3,4]]", "[[1,2],[2,4]]", "[[1, 2]]", "[[01,2]]", "[[1,2.0]]",
        "[[1,9223372036854775808]]", "[[1,9223372036854775807],[-9223372036854775808,3]]",
        "null"}) {
    expect_refused(PositionSet::parse_json, text);
  }
}

}  // namespace
}  // namespace outrider
