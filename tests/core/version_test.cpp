#include <algorithm>
#include <gtest/gtest.h>

#include <outrider/version.hpp>

namespace outrider {
namespace {

TEST(Version, HasThreeNumbers) {
  const auto text = version();
  EXPECT_EQ(std::count(text.begin(), text.end(), '.'), 2);
  EXPECT_EQ(text.find_first_not_of("0123456789."), std::string_view::npos);
}

}  // namespace
}  // namespace outrider
