#include "core/position_set.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>
#include <set>
#include <vector>

namespace outrider {
namespace {

using Interval = PositionSet::Interval;
using Intervals = std::vector<Interval>;

constexpr Position lowest = std::numeric_limits<Position>::min();
constexpr Position highest = std::numeric_limits<Position>::max();

PositionSet set_of(const Intervals& intervals) {
  PositionSet set;
  for (const auto& [first, last] : intervals) {
    set.add(first, last);
  }
  return set;
}

TEST(PositionSet, IsEmptyAtFirst) {
  const PositionSet set;
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.size(), 0U);
  EXPECT_FALSE(set.min());
  EXPECT_FALSE(set.max());
  EXPECT_FALSE(set.contains(0));
}

TEST(PositionSet, JoinsRunsThatTouchOrOverlap) {
  EXPECT_EQ(set_of({{1, 3}, {4, 6}}).intervals(), (Intervals{{1, 6}}));
  EXPECT_EQ(set_of({{4, 6}, {1, 3}}).intervals(), (Intervals{{1, 6}}));
  EXPECT_EQ(set_of({{1, 3}, {2, 9}}).intervals(), (Intervals{{1, 9}}));
  EXPECT_EQ(set_of({{1, 1}, {3, 3}, {2, 2}}).intervals(), (Intervals{{1, 3}}));
  EXPECT_EQ(set_of({{1, 2}, {5, 6}, {9, 9}, {0, 20}}).intervals(), (Intervals{{0, 20}}));
}

TEST(PositionSet, KeepsRunsWithAGapApart) {
  const PositionSet set = set_of({{5, 6}, {1, 3}});
  EXPECT_EQ(set.intervals(), (Intervals{{1, 3}, {5, 6}}));
  EXPECT_EQ(set.size(), 5U);
  EXPECT_EQ(set.min(), 1);
  EXPECT_EQ(set.max(), 6);
  EXPECT_TRUE(set.contains(3));
  EXPECT_FALSE(set.contains(4));
}

TEST(PositionSet, StaysTinyForAContiguousRun) {
  PositionSet set;
  for (Position position = 0; position < 100'000; ++position) {
    set.add(position);
  }
  EXPECT_EQ(set.interval_count(), 1U);
}

TEST(PositionSet, SplitsARunWhenItsMiddleIsRemoved) {
  PositionSet set = set_of({{1, 9}});
  set.remove(4, 6);
  EXPECT_EQ(set.intervals(), (Intervals{{1, 3}, {7, 9}}));
  set.remove(0, 1);
  set.remove(9, 100);
  EXPECT_EQ(set.intervals(), (Intervals{{2, 3}, {7, 8}}));
  set.remove(3, 7);
  EXPECT_EQ(set.intervals(), (Intervals{{2, 2}, {8, 8}}));
  set.remove(2);
  set.remove(5);
  EXPECT_EQ(set.intervals(), (Intervals{{8, 8}}));
}

TEST(PositionSet, DropsEverythingUpToAPosition) {
  PositionSet set = set_of({{1, 3}, {5, 9}});
  set.remove_through(6);
  EXPECT_EQ(set.intervals(), (Intervals{{7, 9}}));
  set.remove_through(highest);
  EXPECT_TRUE(set.empty());
  set.remove_through(5);
  EXPECT_TRUE(set.empty());
}

TEST(PositionSet, IntersectsRunByRun) {
  const PositionSet a = set_of({{1, 5}, {8, 12}, {20, 20}});
  const PositionSet b = set_of({{0, 1}, {4, 9}, {11, 30}});
  const Intervals both{{1, 1}, {4, 5}, {8, 9}, {11, 12}, {20, 20}};
  EXPECT_EQ(a.intersect(b).intervals(), both);
  EXPECT_EQ(b.intersect(a).intervals(), both);
}

TEST(PositionSet, DoesNotOverflowAtTheEndsOfItsRange) {
  PositionSet set = set_of({{highest, highest}, {lowest, lowest}});
  EXPECT_EQ(set.interval_count(), 2U);
  EXPECT_EQ(set.size(), 2U);
  set.add(highest - 1);
  set.add(lowest + 1);
  EXPECT_EQ(set.intervals(), (Intervals{{lowest, lowest + 1}, {highest - 1, highest}}));
  set.remove(highest);
  set.remove(lowest);
  EXPECT_EQ(set.intervals(), (Intervals{{lowest + 1, lowest + 1}, {highest - 1, highest - 1}}));
}

TEST(PositionSet, HoldsEveryPositionThereIs) {
  PositionSet all = set_of({{lowest, -1}, {0, highest}});
  EXPECT_EQ(all.intervals(), (Intervals{{lowest, highest}}));
  EXPECT_EQ(all.size(), std::numeric_limits<std::uint64_t>::max());
  PositionSet rest = all;
  rest.remove(set_of({{lowest, 4}, {6, highest}}));
  EXPECT_EQ(rest.intervals(), (Intervals{{5, 5}}));
  rest = all;
  rest.remove(PositionSet());
  EXPECT_EQ(rest, all);
  all.remove(lowest, highest);
  EXPECT_TRUE(all.empty());
}

TEST(PositionSet, CanBeAddedToAndRemovedFromItself) {
  PositionSet set = set_of({{1, 3}, {5, 9}});
  const PositionSet before = set;
  set.add(set);
  EXPECT_EQ(set, before);
  set.remove(set);
  EXPECT_TRUE(set.empty());
}

TEST(PositionSetDeathTest, RefusesARunThatEndsBeforeItBegins) {
  PositionSet set;
  EXPECT_DEATH(set.add(2, 1), "first <= last");
  EXPECT_DEATH(set.remove(2, 1), "first <= last");
}

// The model: the same operations on a plain set of a small range, which may lie at either end.
struct Model {
  Position origin;
  PositionSet set;
  std::set<int> members;

  void check() const {
    RC_ASSERT(set.size() == members.size());
    for (int i = 0; i <= 40; ++i) {
      RC_ASSERT(set.contains(at(i)) == members.contains(i));
    }
    const auto& runs = set.intervals();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      RC_ASSERT(runs[i].first <= runs[i].last);
      if (i > 0) {
        RC_ASSERT(runs[i - 1].last < runs[i].first - 1);
      }
    }
  }

  Position at(int offset) const { return origin + offset; }
};

Model empty_model() {
  const auto origin = *rc::gen::element<Position>(0, -20, lowest, highest - 40);
  return {origin, {}, {}};
}

void change(Model& model) {
  const int a = *rc::gen::inRange(0, 41);
  const int b = *rc::gen::inRange(0, 41);
  const auto [first, last] = std::minmax(a, b);
  if (*rc::gen::arbitrary<bool>()) {
    model.set.add(model.at(first), model.at(last));
    for (int i = first; i <= last; ++i) {
      model.members.insert(i);
    }
  } else {
    model.set.remove(model.at(first), model.at(last));
    for (int i = first; i <= last; ++i) {
      model.members.erase(i);
    }
  }
}

Model some_model(Position origin) {
  Model model{origin, {}, {}};
  const int changes = *rc::gen::inRange(0, 12);
  for (int i = 0; i < changes; ++i) {
    change(model);
  }
  return model;
}

RC_GTEST_PROP(PositionSet, BehavesLikeASetOfIntegers, ()) {
  Model model = empty_model();
  const int changes = *rc::gen::inRange(0, 30);
  for (int i = 0; i < changes; ++i) {
    change(model);
    model.check();
  }
}

RC_GTEST_PROP(PositionSet, CombinesLikeSetsOfIntegers, ()) {
  const Position origin = empty_model().origin;
  const Model a = some_model(origin);
  const Model b = some_model(origin);
  Model both{origin, a.set.intersect(b.set), {}};
  Model either{origin, a.set, a.members};
  Model difference{origin, a.set, a.members};
  either.set.add(b.set);
  difference.set.remove(b.set);
  for (const int member : b.members) {
    if (a.members.contains(member)) {
      both.members.insert(member);
    }
    either.members.insert(member);
    difference.members.erase(member);
  }
  both.check();
  either.check();
  difference.check();
}

RC_GTEST_PROP(PositionSet, ReadsBackWhatItWrites, ()) {
  const PositionSet set = some_model(empty_model().origin).set;
  RC_ASSERT(PositionSet::parse_multirange(set.to_multirange()) == set);
  RC_ASSERT(PositionSet::parse_json(set.to_json()) == set);
}

}  // namespace
}  // namespace outrider
