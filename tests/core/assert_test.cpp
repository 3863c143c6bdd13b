#include "core/assert.hpp"

#include <gtest/gtest.h>

namespace {

TEST(Assert, LetsATrueStatementPass) {
  OUTRIDER_ASSERT(1 + 1 == 2);
}

TEST(AssertDeathTest, NamesTheBrokenInvariantAndItsPlace) {
  EXPECT_DEATH(OUTRIDER_ASSERT(1 + 1 == 3), "broken invariant: 1 \\+ 1 == 3 .*assert_test.cpp");
}

}  // namespace
