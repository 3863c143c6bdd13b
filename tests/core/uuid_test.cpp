#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <set>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <outrider/uuid.hpp>

namespace outrider {
namespace {

using namespace std::chrono_literals;

TEST(Uuid, ReadsAndWritesTheHyphenatedForm) {
  const auto id = Uuid::parse("0190B1A2-7c3d-7e4f-8a1b-2c3d4e5f6071");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->bytes()[0], 0x01);
  EXPECT_EQ(id->bytes()[15], 0x71);
  EXPECT_EQ(id->to_string(), "0190b1a2-7c3d-7e4f-8a1b-2c3d4e5f6071");
}

TEST(Uuid, RefusesEveryOtherForm) {
  for (const std::string text :
       {"", "0190b1a27c3d7e4f8a1b2c3d4e5f6071", "{0190b1a2-7c3d-7e4f-8a1b-2c3d4e5f6071}",
        "urn:uuid:0190b1a2-7c3d-7e4f-8a1b-2c3d4e5f6071", "0190b1a2-7c3d-7e4f-8a1b-2c3d4e5f607",
        "0190b1a2-7c3d-7e4f-8a1b-2c3d4e5f60711", "0190b1a2-7c3d-7e4f-8a1b-2c3d4e5f607g",
        "0190b1a2 7c3d-7e4f-8a1b-2c3d4e5f6071", "0190b1a27-c3d-7e4f-8a1b-2c3d4e5f6071",
        " 190b1a2-7c3d-7e4f-8a1b-2c3d4e5f6071", "+190b1a2-7c3d-7e4f-8a1b-2c3d4e5f6071"}) {
    EXPECT_FALSE(Uuid::parse(text)) << text;
  }
}

TEST(Uuid, IsNilUntilSet) {
  EXPECT_TRUE(Uuid().is_nil());
  EXPECT_FALSE(new_uuid().is_nil());
  EXPECT_EQ(Uuid().to_string(), "00000000-0000-0000-0000-000000000000");
}

TEST(Uuid, IsOrderedByItsBytes) {
  EXPECT_LT(*Uuid::parse("00000000-0000-0000-0000-0000000000ff"),
            *Uuid::parse("00000000-0000-0000-0000-000000000100"));
}

TEST(NewUuid, HasTheBitsOfVersionSevenAndTheTimeOfNow) {
  const auto before =
      std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const Uuid id = new_uuid();
  EXPECT_EQ(id.bytes()[6] >> 4U, 7);
  EXPECT_EQ(id.bytes()[8] >> 6U, 2);
  const auto time = uuid_time(id);
  ASSERT_TRUE(time);
  EXPECT_GE(*time, before - 1ms);
  EXPECT_LE(*time, std::chrono::system_clock::now() + 1s);
}

TEST(NewUuid, StrictlyIncreasesWithinAThread) {
  Uuid last = new_uuid();
  for (int i = 0; i < 300'000; ++i) {
    const Uuid next = new_uuid();
    ASSERT_LT(last, next);
    last = next;
  }
}

TEST(NewUuid, IsUniqueAcrossEightThreads) {
  constexpr std::size_t each = 100'000;
  std::array<std::vector<Uuid>, 8> made;
  {
    std::vector<std::jthread> threads;
    for (auto& ids : made) {
      threads.emplace_back([&ids] {
        ids.reserve(each);
        std::generate_n(std::back_inserter(ids), each, new_uuid);
      });
    }
  }
  std::vector<Uuid> all;
  for (const auto& ids : made) {
    all.insert(all.end(), ids.begin(), ids.end());
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all.size(), 8 * each);
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
}

// What a forked child makes, sent back through a pipe.
std::vector<Uuid> made_in_child(Uuid (*make)(), std::size_t count) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    bool is_written = true;
    for (std::size_t i = 0; i < count; ++i) {
      const Uuid id = make();
      is_written = is_written && write(ends[1], id.bytes().data(), Uuid::size) == Uuid::size;
    }
    _exit(is_written ? 0 : 1);
  }
  close(ends[1]);
  std::vector<Uuid> ids;
  Uuid::Bytes bytes{};
  while (read(ends[0], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) {
    ids.emplace_back(bytes);
  }
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return ids;
}

void expect_no_repeats_after_fork(Uuid (*make)()) {
  constexpr std::size_t each = 200;
  std::set<Uuid> all{make()};  // leaves unused randomness behind, which the child inherits
  for (int child = 0; child < 3; ++child) {
    for (const Uuid& id : made_in_child(make, each)) {
      EXPECT_TRUE(all.insert(id).second);
    }
  }
  for (std::size_t i = 0; i < each; ++i) {
    EXPECT_TRUE(all.insert(make()).second);
  }
  EXPECT_EQ(all.size(), 4 * each + 1);
}

TEST(NewUuid, IsNotRepeatedByAForkedChild) {
  expect_no_repeats_after_fork(new_uuid);
}

TEST(RandomUuid, IsNotRepeatedByAForkedChild) {
  expect_no_repeats_after_fork(random_uuid);
}

TEST(RandomUuid, HasTheBitsOfVersionFour) {
  std::set<Uuid> seen;
  for (int i = 0; i < 1000; ++i) {
    const Uuid id = random_uuid();
    EXPECT_EQ(id.bytes()[6] >> 4U, 4);
    EXPECT_EQ(id.bytes()[8] >> 6U, 2);
    EXPECT_TRUE(seen.insert(id).second);
  }
}

TEST(UuidTime, ReadsTheExampleOfRfc9562) {
  const auto time = uuid_time(*Uuid::parse("017F22E2-79B0-7CC3-98C4-DC0C0C07398F"));
  ASSERT_TRUE(time);
  EXPECT_EQ(*time, std::chrono::system_clock::time_point{1645557742000ms});
}

TEST(UuidTime, IsAbsentForOtherVersionsAndForTimesBeyondTheClock) {
  EXPECT_FALSE(uuid_time(random_uuid()));
  EXPECT_FALSE(uuid_time(Uuid()));
  EXPECT_FALSE(uuid_time(*Uuid::parse("017F22E2-79B0-7CC3-18C4-DC0C0C07398F")));
  EXPECT_FALSE(uuid_time(*Uuid::parse("ffffffff-ffff-7fff-bfff-ffffffffffff")));
}

RC_GTEST_PROP(Uuid, ReadsBackEveryValueItWrites, (Uuid::Bytes bytes)) {
  const Uuid id(bytes);
  RC_ASSERT(Uuid::parse(id.to_string()) == id);
}

}  // namespace
}  // namespace outrider
