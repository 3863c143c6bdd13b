#include "core/digest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <string>
#include <thread>

namespace outrider {
namespace {

std::string hex(const Sha256& digest) {
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

TEST(Sha256, MatchesThePublishedVectors) {
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, HashesPartsAsIfTheyWereJoined) {
  EXPECT_EQ(sha256({"a", "", "bc"}), sha256("abc"));
  EXPECT_NE(sha256({"a", "b"}), sha256("abc"));
}

TEST(Sha256, WorksOnEveryThread) {
  Sha256 other{};
  std::jthread([&other] { other = sha256("abc"); }).join();
  EXPECT_EQ(other, sha256("abc"));
}

}  // namespace
}  // namespace outrider
