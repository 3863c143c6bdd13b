#include "config/load.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <outrider/error.hpp>

namespace outrider::config {
namespace {

LoadedSettings load_file(std::string text) {
  return load(
      {.file = SourceFile{"outrider.toml", std::move(text)}, .environment = {}, .flags = {}});
}

LoadedSettings load_environment(Environment environment) {
  return load({.file = {}, .environment = std::move(environment), .flags = {}});
}

std::vector<std::string> problems_of(const LoadedSettings& loaded) {
  std::vector<std::string> texts;
  for (const Problem& problem : loaded.problems) {
    texts.push_back(to_string(problem));
  }
  return texts;
}

const LoadedSetting& entry(const LoadedSettings& loaded, const std::string& key) {
  for (const LoadedSetting& candidate : loaded.entries) {
    if (candidate.setting->key == key) {
      return candidate;
    }
  }
  throw std::out_of_range(key);
}

using Texts = std::vector<std::string>;

TEST(Load, GivesTheDefaultsWithoutAnySource) {
  const LoadedSettings loaded = load({});
  EXPECT_EQ(loaded.values.store_url, "sqlite:outrider.db");
  EXPECT_EQ(loaded.values.message_payload_bytes_max, 262'144U);
  EXPECT_EQ(loaded.values.message_depth_max, 64U);
  EXPECT_TRUE(loaded.problems.empty());
  EXPECT_EQ(loaded.entries.size(), declared_settings().size());
  for (const LoadedSetting& each : loaded.entries) {
    EXPECT_EQ(each.source, "default") << each.setting->key;
  }
}

TEST(Load, TakesValuesFromTheFileAndSaysTheLine) {
  const LoadedSettings loaded = load_file(
      "[store]\n"
      "url = \"postgres://db/app\"\n"
      "[message]\n"
      "payload_bytes_max = \"1MiB\"\n"
      "depth_max = 32\n");
  EXPECT_EQ(problems_of(loaded), Texts{});
  EXPECT_EQ(loaded.values.store_url, "postgres://db/app");
  EXPECT_EQ(loaded.values.message_payload_bytes_max, 1'048'576U);
  EXPECT_EQ(loaded.values.message_depth_max, 32U);
  EXPECT_EQ(entry(loaded, "store.url").source, "outrider.toml:2");
  EXPECT_EQ(entry(loaded, "message.payload_bytes_max").value, "1MiB");
  EXPECT_EQ(entry(loaded, "message.depth_max").source, "outrider.toml:5");
}

TEST(Load, AcceptsASizeAsAPlainNumber) {
  EXPECT_EQ(load_file("message.payload_bytes_max = 4096").values.message_payload_bytes_max, 4096U);
}

TEST(Load, LetsVariablesOverrideTheFileAndFlagsOverrideBoth) {
  Sources sources;
  sources.file = SourceFile{"outrider.toml", "[store]\nurl = \"sqlite:file.db\"\n"};
  EXPECT_EQ(load(sources).values.store_url, "sqlite:file.db");

  sources.environment["OUTRIDER_STORE_URL"] = "sqlite:variable.db";
  const LoadedSettings with_variable = load(sources);
  EXPECT_EQ(with_variable.values.store_url, "sqlite:variable.db");
  EXPECT_EQ(entry(with_variable, "store.url").source, "OUTRIDER_STORE_URL");

  sources.flags.push_back({"--store", "store.url", "sqlite:flag.db"});
  const LoadedSettings with_flag = load(sources);
  EXPECT_EQ(with_flag.values.store_url, "sqlite:flag.db");
  EXPECT_EQ(entry(with_flag, "store.url").source, "--store");
}

TEST(Load, KnowsTheShortVariableOfTheStore) {
  const LoadedSettings loaded = load_environment({{"OUTRIDER_STORE", "sqlite:short.db"}});
  EXPECT_EQ(loaded.values.store_url, "sqlite:short.db");
  EXPECT_EQ(entry(loaded, "store.url").source, "OUTRIDER_STORE");
}

TEST(Load, RefusesTwoVariablesThatContradictEachOther) {
  EXPECT_EQ(problems_of(load_environment(
                {{"OUTRIDER_STORE", "sqlite:a.db"}, {"OUTRIDER_STORE_URL", "sqlite:b.db"}})),
            Texts{"OUTRIDER_STORE_URL: store.url is set to another value in OUTRIDER_STORE; "
                  "unset one of them"});
  EXPECT_EQ(problems_of(load_environment(
                {{"OUTRIDER_STORE", "sqlite:a.db"}, {"OUTRIDER_STORE_URL", "sqlite:a.db"}})),
            Texts{});
}

TEST(Load, ReadsNumbersFromVariables) {
  const LoadedSettings loaded = load_environment(
      {{"OUTRIDER_MESSAGE_DEPTH_MAX", "7"}, {"OUTRIDER_MESSAGE_PAYLOAD_BYTES_MAX", "2KiB"}});
  EXPECT_EQ(problems_of(loaded), Texts{});
  EXPECT_EQ(loaded.values.message_depth_max, 7U);
  EXPECT_EQ(loaded.values.message_payload_bytes_max, 2048U);
}

TEST(Load, RefusesNumbersWithAnythingBehindThem) {
  for (const char* text : {"", "x", "7x", " 7", "7 ", "0x7", "7.0"}) {
    EXPECT_EQ(problems_of(load_environment({{"OUTRIDER_MESSAGE_DEPTH_MAX", text}})),
              Texts{"OUTRIDER_MESSAGE_DEPTH_MAX: message.depth_max must be a whole number"})
        << text;
  }
}

TEST(Load, AcceptsBoundsAndRefusesWhatIsBeyondThem) {
  EXPECT_EQ(problems_of(load_file("message.depth_max = 1")), Texts{});
  EXPECT_EQ(problems_of(load_file("message.depth_max = 512")), Texts{});
  for (const char* number : {"0", "513", "-1", "9223372036854775807"}) {
    EXPECT_EQ(problems_of(load_file(std::string("message.depth_max = ") + number)),
              Texts{"outrider.toml:1:21: message.depth_max must be 1 to 512"})
        << number;
  }
  EXPECT_EQ(problems_of(load_environment({{"OUTRIDER_MESSAGE_DEPTH_MAX", "99999999999999999999"}})),
            Texts{"OUTRIDER_MESSAGE_DEPTH_MAX: message.depth_max must be 1 to 512"});
  EXPECT_EQ(problems_of(load_file("message.payload_bytes_max = \"65MiB\"")),
            Texts{"outrider.toml:1:29: message.payload_bytes_max must be 1KiB to 64MiB"});
}

TEST(Load, RefusesValuesOfAnotherKind) {
  EXPECT_EQ(problems_of(load_file("store.url = 5")),
            Texts{"outrider.toml:1:13: store.url must be a text"});
  for (const char* value : {"\"7\"", "1.5", "true", "[1]", "{a = 1}", "1979-05-27"}) {
    EXPECT_EQ(problems_of(load_file(std::string("message.depth_max = ") + value)),
              Texts{"outrider.toml:1:21: message.depth_max must be a whole number"})
        << value;
  }
}

TEST(Load, RefusesControlCharactersInAUrl) {
  EXPECT_EQ(problems_of(load_file("store.url = \"sqlite:a\\u0000b\"")),
            Texts{"outrider.toml:1:13: store.url must be UTF-8 without control characters"});
  EXPECT_EQ(problems_of(load_environment({{"OUTRIDER_STORE", "sqlite:\xff"}})),
            Texts{"OUTRIDER_STORE: store.url must be UTF-8 without control characters"});
}

TEST(Load, RefusesAnEmptyUrl) {
  EXPECT_EQ(
      problems_of(load({.file = {}, .environment = {}, .flags = {{"--store", "store.url", ""}}})),
      Texts{"--store: store.url must be 1 to 4096 bytes"});
}

TEST(Load, SuggestsTheNearestKey) {
  EXPECT_EQ(problems_of(load_file("[store]\nulr = \"x\"")),
            Texts{"outrider.toml:2:1: unknown key \"store.ulr\"; did you mean \"store.url\"?"});
  EXPECT_EQ(problems_of(load_file("[stroe]\nurl = \"x\"")),
            Texts{"outrider.toml:1:2: unknown section \"stroe\"; did you mean \"store\"?"});
  EXPECT_EQ(problems_of(load_file("url = \"x\"")),
            Texts{"outrider.toml:1:1: unknown key \"url\"; did you mean \"store.url\"?"});
}

TEST(Load, ListsWhatThereIsWhenNothingIsNear) {
  EXPECT_EQ(problems_of(load_file("[[kubernetes]]\nx = 1")),
            Texts{"outrider.toml:1:3: unknown section \"kubernetes\"; there are: store, message"});
}

TEST(Load, RefusesASectionThatIsNoTable) {
  EXPECT_EQ(problems_of(load_file("store = \"sqlite:x.db\"")),
            Texts{"outrider.toml:1:9: store must be a table, written [store]"});
  EXPECT_EQ(problems_of(load_file("[[store]]\nurl = \"x\"")).size(), 1U);
}

TEST(Load, ReportsEveryProblemOfEverySourceAtOnceAndFromTheTop) {
  Sources sources;
  sources.file = SourceFile{"outrider.toml",
                            "[store]\n"
                            "url = 1\n"
                            "adress = 2\n"
                            "[message]\n"
                            "payload_bytes_max = \"big\"\n"
                            "depth_max = 0\n"};
  sources.environment["OUTRIDER_MESSAGE_DEPTH_MAX"] = "many";
  sources.flags.push_back({"--store", "store.url", ""});
  const LoadedSettings loaded = load(sources);
  std::vector<std::string> places;
  for (const Problem& problem : loaded.problems) {
    places.push_back(problem.where);
  }
  EXPECT_EQ(places, (Texts{"outrider.toml:2:7", "outrider.toml:3:1", "outrider.toml:5:21",
                           "outrider.toml:6:13", "OUTRIDER_MESSAGE_DEPTH_MAX", "--store"}));
}

TEST(Load, ReportsASyntaxErrorWithItsPlaceAndStillChecksTheRest) {
  Sources sources;
  sources.file = SourceFile{"outrider.toml", "[store]\nurl = \n"};
  sources.environment["OUTRIDER_MESSAGE_DEPTH_MAX"] = "0";
  const Texts problems = problems_of(load(sources));
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_TRUE(problems[0].starts_with("outrider.toml:2:")) << problems[0];
  EXPECT_NE(problems[0].find("not valid TOML"), std::string::npos);
}

TEST(Load, NeverShowsAPassword) {
  const LoadedSettings loaded = load_file("store.url = \"postgres://app:hunter2@db/app\"");
  EXPECT_EQ(loaded.values.store_url, "postgres://app:hunter2@db/app");
  EXPECT_EQ(entry(loaded, "store.url").value, "postgres://app:***@db/app");
}

TEST(Load, IgnoresVariablesThatAreNotSettings) {
  EXPECT_EQ(problems_of(load_environment({{"OUTRIDER_CONFIG", "x"}, {"OUTRIDER_UPDATE", "1"}})),
            Texts{});
}

TEST(LoadDeathTest, AbortsOnAFlagForAnUndeclaredKey) {
  const Sources sources{.file = {}, .environment = {}, .flags = {{"--x", "no.such", "1"}}};
  EXPECT_DEATH(load(sources), "entries.end");
}

TEST(RequireNoProblems, ThrowsOneErrorThatListsThemAll) {
  EXPECT_NO_THROW(require_no_problems({}));
  try {
    require_no_problems(load_file("a = 1\nb = 2").problems);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::invalid_argument);
    const std::string what = error.what();
    EXPECT_NE(what.find("outrider.toml:1:1: unknown key \"a\""), std::string::npos) << what;
    EXPECT_NE(what.find("outrider.toml:2:1: unknown key \"b\""), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace outrider::config
