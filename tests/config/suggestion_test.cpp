#include "config/suggestion.hpp"

#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>

namespace outrider::config {
namespace {

constexpr std::array<std::string_view, 4> keys{"store.url", "message.depth_max",
                                               "message.payload_bytes_max", "server.listen"};

TEST(NearestKey, FindsAMisspeltKey) {
  EXPECT_EQ(nearest_key("store.ulr", keys), "store.url");
  EXPECT_EQ(nearest_key("stor.url", keys), "store.url");
  EXPECT_EQ(nearest_key("message.max_depth", keys), "message.depth_max");
  EXPECT_EQ(nearest_key("server.listn", keys), "server.listen");
}

TEST(NearestKey, FindsARightNameInAWrongSection) {
  EXPECT_EQ(nearest_key("listen", keys), "server.listen");
  EXPECT_EQ(nearest_key("store.depth_max", keys), "message.depth_max");
}

TEST(NearestKey, FindsNothingForAStrangeKey) {
  EXPECT_EQ(nearest_key("kafka.brokers", keys), std::nullopt);
  EXPECT_EQ(nearest_key("zzz", keys), std::nullopt);
  EXPECT_EQ(nearest_key(std::string(1'000'000, 'x'), keys), std::nullopt);
  EXPECT_EQ(nearest_key("store.url", {}), std::nullopt);
}

}  // namespace
}  // namespace outrider::config
