#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>

#include <outrider/error.hpp>

namespace outrider {
namespace {

TEST(Error, CarriesItsCodeAndText) {
  const Error error(Errc::schema_missing, "cannot claim: no schema; run \"outrider migrate\"");
  EXPECT_EQ(error.code(), Errc::schema_missing);
  EXPECT_STREQ(error.what(), "cannot claim: no schema; run \"outrider migrate\"");
  EXPECT_EQ(error.state(), "");
  EXPECT_EQ(error.statement(), "");
}

TEST(Error, CarriesStateAndStatementWhenTheDatabaseRefused) {
  Error error(Errc::serialization_failure, "cannot enqueue: conflict");
  error.with_state("40001").with_statement("insert_message");
  EXPECT_EQ(error.state(), "40001");
  EXPECT_EQ(error.statement(), "insert_message");
}

TEST(Error, IsRetryableOnlyWhenRepeatingMayHelp) {
  const std::set<Errc> retryable{Errc::busy, Errc::serialization_failure, Errc::connection_lost};
  for (int code = 0; code <= static_cast<int>(Errc::internal); ++code) {
    const auto errc = static_cast<Errc>(code);
    EXPECT_EQ(Error(errc, "").retryable(), retryable.contains(errc)) << to_string(errc);
  }
}

TEST(Error, IsNotRetryableWhileTheCommitIsInDoubt) {
  EXPECT_FALSE(Error(Errc::commit_in_doubt, "").retryable());
}

TEST(Error, GivesEachCodeItsOwnSnakeCaseText) {
  std::set<std::string> texts;
  for (int code = 0; code <= static_cast<int>(Errc::internal); ++code) {
    const std::string text(to_string(static_cast<Errc>(code)));
    EXPECT_TRUE(texts.insert(text).second) << text;
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || c == '_';
    })) << text;
  }
  EXPECT_EQ(to_string(Errc::not_in_transaction), "not_in_transaction");
}

}  // namespace
}  // namespace outrider
