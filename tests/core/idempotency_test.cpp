#include <array>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include <outrider/error.hpp>
#include <outrider/idempotency.hpp>

namespace outrider {
namespace {

using namespace std::string_literals;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == '\t') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::vector<std::vector<std::string>> vectors() {
  std::ifstream file(OUTRIDER_VECTORS "/idempotency_keys.tsv", std::ios::binary);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(file, line);  // the names of the columns
  while (std::getline(file, line)) {
    rows.push_back(split(line));
  }
  return rows;
}

TEST(CreateKey, MatchesTheSharedVectors) {
  const auto rows = vectors();
  ASSERT_GT(rows.size(), 20U);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 7U);
    EXPECT_EQ(create_key(row[0], row[1], row[2], row[3], row[4]).to_string(), row[5]);
    EXPECT_EQ(create_key_v0(row[0], row[1], row[2], row[3], row[4]).to_string(), row[6]);
  }
}

TEST(CreateKey, CountsBytesBeyondTwoLengthBytes) {
  EXPECT_EQ(create_key("t", std::string(65536, 'X'), "e", "k").to_string(),
            "41dcb8b8-9711-857b-8a09-4530995da33e");
}

TEST(CreateKey, IsAUuidOfVersionEight) {
  const auto text = create_key("acme", "order", "42", "created").to_string();
  EXPECT_EQ(text[14], '8');
  EXPECT_NE("89ab"s.find(text[19]), std::string::npos);
}

TEST(CreateKey, KeepsPartsApartWhereverTheColonStands) {
  const std::set<Uuid> keys{create_key("a:b", "c", "d", "e", "f"),
                            create_key("a", "b:c", "d", "e", "f"),
                            create_key("a", "b", "c:d", "e", "f")};
  EXPECT_EQ(keys.size(), 3U);
  EXPECT_EQ(create_key_v0("a:b", "c", "d", "e", "f"), create_key_v0("a", "b:c", "d", "e", "f"));
}

TEST(CreateKey, IgnoresCaseInCategoryAndKindOnly) {
  const Uuid key = create_key("t", "order", "e", "created", "v");
  EXPECT_EQ(create_key("t", "ORDER", "e", "Created", "v"), key);
  EXPECT_NE(create_key("T", "order", "e", "created", "v"), key);
  EXPECT_NE(create_key("t", "order", "E", "created", "v"), key);
  EXPECT_NE(create_key("t", "order", "e", "created", "V"), key);
}

TEST(CreateKey, TakesVersionZeroWhenNoneIsGiven) {
  EXPECT_EQ(create_key("t", "c", "e", "k"), create_key("t", "c", "e", "k", "0"));
  EXPECT_EQ(create_key_v0("t", "c", "e", "k"), create_key_v0("t", "c", "e", "k", "0"));
}

TEST(CreateKey, RefusesPartsThatSqlCannotHold) {
  for (const std::string& bad : {"\xFF"s, "a\0b"s}) {
    for (std::size_t place = 0; place < 5; ++place) {
      std::array<std::string, 5> parts{"t", "c", "e", "k", "v"};
      parts[place] = bad;
      try {
        create_key(parts[0], parts[1], parts[2], parts[3], parts[4]);
        FAIL() << "part " << place << " was accepted";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Errc::invalid_argument);
      }
    }
  }
}

}  // namespace
}  // namespace outrider
