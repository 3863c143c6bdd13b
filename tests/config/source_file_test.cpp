#include "config/source_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <outrider/error.hpp>

namespace outrider::config {
namespace {

namespace fs = std::filesystem;

class SourceFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "outrider-config-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  fs::path missing() const { return folder_ / "missing.toml"; }

  fs::path folder_;
};

Errc refusal(const fs::path& path) {
  try {
    find_source_file(path, {}, {});
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
    return error.code();
  }
  ADD_FAILURE() << "accepted " << path;
  return Errc::internal;
}

TEST_F(SourceFileTest, PrefersTheFlagThenTheVariableThenTheDefaults) {
  const fs::path flag = write("flag.toml", "a");
  const fs::path variable = write("variable.toml", "b");
  const std::vector<fs::path> defaults{missing(), write("default.toml", "c"),
                                       write("later.toml", "d")};
  const Environment environment{{"OUTRIDER_CONFIG", variable.string()}};
  EXPECT_EQ(find_source_file(flag, environment, defaults)->text, "a");
  EXPECT_EQ(find_source_file({}, environment, defaults)->text, "b");
  EXPECT_EQ(find_source_file({}, {}, defaults)->text, "c");
  EXPECT_EQ(find_source_file({}, {}, defaults)->name, defaults[1].string());
}

TEST_F(SourceFileTest, IsAbsentWhenNobodyNamedOneAndNoDefaultExists) {
  const std::vector<fs::path> defaults{missing()};
  EXPECT_FALSE(find_source_file({}, {}, defaults));
  EXPECT_FALSE(find_source_file({}, {{"OUTRIDER_CONFIG", ""}}, defaults));
}

TEST_F(SourceFileTest, MustExistWhenItIsNamed) {
  EXPECT_EQ(refusal(missing()), Errc::not_found);
  EXPECT_THROW(find_source_file({}, {{"OUTRIDER_CONFIG", missing().string()}}, {}), Error);
}

TEST_F(SourceFileTest, MustBeAFileOfReasonableSize) {
  EXPECT_EQ(refusal(folder_), Errc::invalid_argument);
  EXPECT_EQ(refusal(write("large.toml", std::string(1024 * 1024 + 1, '#'))),
            Errc::invalid_argument);
  EXPECT_EQ(
      find_source_file(write("full.toml", std::string(1024 * 1024, '#')), {}, {})->text.size(),
      1024U * 1024U);
}

TEST_F(SourceFileTest, KeepsTheBytesAsTheyAre) {
  const std::string bytes("\0\r\n\xff", 4);
  EXPECT_EQ(find_source_file(write("bytes.toml", bytes), {}, {})->text, bytes);
}

TEST(ProcessEnvironment, HoldsOnlyOurVariables) {
  ASSERT_EQ(setenv("OUTRIDER_TEST_VARIABLE", "a=b", 1), 0);
  const Environment environment = process_environment();
  EXPECT_EQ(environment.at("OUTRIDER_TEST_VARIABLE"), "a=b");
  EXPECT_FALSE(environment.contains("PATH"));
}

}  // namespace
}  // namespace outrider::config
