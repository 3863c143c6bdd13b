#include "config/settings.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "config/load.hpp"
#include "config/reference.hpp"

namespace outrider::config {
namespace {

TEST(DeclaredSettings, HaveDistinctKeysAndVariables) {
  std::set<std::string> names;
  for (const Setting& setting : declared_settings()) {
    EXPECT_TRUE(names.insert(std::string(setting.key)).second) << setting.key;
    EXPECT_TRUE(names.insert(variable_name(setting.key)).second) << setting.key;
    if (!setting.short_variable.empty()) {
      EXPECT_TRUE(names.insert(std::string(setting.short_variable)).second) << setting.key;
    }
  }
}

TEST(DeclaredSettings, HaveDefaultsThatTheirOwnCheckAccepts) {
  Sources sources;
  for (const Setting& setting : declared_settings()) {
    sources.environment[variable_name(setting.key)] = shown_value(setting, Settings{});
  }
  const LoadedSettings loaded = load(sources);
  EXPECT_TRUE(loaded.problems.empty());
  for (const LoadedSetting& entry : loaded.entries) {
    EXPECT_EQ(entry.value, shown_value(*entry.setting, Settings{}));
  }
}

TEST(DeclaredSettings, ExplainThemselvesInASentence) {
  for (const Setting& setting : declared_settings()) {
    EXPECT_TRUE(setting.meaning.ends_with('.')) << setting.key;
    EXPECT_EQ(setting.meaning.find('\n'), std::string_view::npos) << setting.key;
    EXPECT_LT(setting.min, setting.max) << setting.key;
  }
}

TEST(VariableName, IsTheKeyInCapitals) {
  EXPECT_EQ(variable_name("store.url"), "OUTRIDER_STORE_URL");
  EXPECT_EQ(variable_name("message.payload_bytes_max"), "OUTRIDER_MESSAGE_PAYLOAD_BYTES_MAX");
}

TEST(ReferencePage, EqualsTheFileInDocs) {
  const std::filesystem::path file =
      std::filesystem::path(OUTRIDER_SOURCE_DIR) / "docs/reference/configuration.md";
  const char* update = std::getenv("OUTRIDER_UPDATE");
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream(file, std::ios::binary) << reference_page();
  }
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(text, reference_page()) << "run this test with OUTRIDER_UPDATE=1 to rewrite " << file;
}

}  // namespace
}  // namespace outrider::config
