#include <array>
#include <cstdio>
#include <cstdlib>
#include <gmock/gmock.h>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/store.hpp"

namespace outrider::testing {
namespace {

using ::testing::HasSubstr;

struct Answer {
  int code = 0;
  std::string text;  // standard output and error
};

struct Invocation {
  std::vector<std::string> words;
  std::string input{};
  std::map<std::string, std::string> environment{};
};

[[noreturn]] void become(const Invocation& run, const std::string& store, int input, int output) {
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::setenv("OUTRIDER_STORE", store.c_str(), 1);
  for (const auto& [name, value] : run.environment)
    ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<std::string> words{OUTRIDER_PROGRAM};
  words.insert(words.end(), run.words.begin(), run.words.end());
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(OUTRIDER_PROGRAM, pointers.data());
  ::_exit(127);
}

Answer run_program(const Store& store, const Invocation& run) {
  const std::unique_ptr<FILE, decltype(&std::fclose)> input(std::tmpfile(), &std::fclose);
  std::fwrite(run.input.data(), 1, run.input.size(), input.get());
  std::rewind(input.get());
  int ends[2];
  if (::pipe(ends) != 0)
    throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0)
    become(run, store.address(), ::fileno(input.get()), ends[1]);
  ::close(ends[1]);
  Answer answer;
  std::array<char, 4096> part{};
  for (ssize_t count = 0; (count = ::read(ends[0], part.data(), part.size())) > 0;)
    answer.text.append(part.data(), static_cast<std::size_t>(count));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return answer;
}

std::string line(const std::string& payload) {
  return R"({"namespace":"a","topic":"b","payload":)" + payload + "}\n";
}

// tests/e2e/cli_test.py drives the program on SQLite; here is the same on PostgreSQL.
TEST(ProgramOnPostgres, EnqueuesAndListsWhatItEnqueued) {
  const auto store = make_postgres_store(Store::Schema::none);
  EXPECT_EQ(run_program(*store, {{"migrate"}}).code, 0);
  EXPECT_EQ(run_program(*store, {{"enqueue", "shop", "order", "\"\u00e9\""}}).code, 0);
  EXPECT_EQ(
      run_program(*store, {{"enqueue", "--batch"}, line("{\"n\": 1.50}") + line("1e400")}).text,
      "{\"enqueued\":2,\"inserted\":2,\"duplicates\":0}\n");
  std::vector<std::string> payloads;
  for (const StoredMessage& stored : store->messages())
    payloads.push_back(stored.payload);
  EXPECT_EQ(payloads, (std::vector<std::string>{"\"\u00e9\"", "{\"n\": 1.50}", "1e400"}));
  EXPECT_THAT(run_program(*store, {{"list"}}).text, HasSubstr("shop/order"));
}

TEST(ProgramOnPostgres, SpeaksUtf8WhateverTheEnvironmentAsksFor) {
  const auto store = make_postgres_store(Store::Schema::migrated);
  const std::map<std::string, std::string> latin{{"PGCLIENTENCODING", "LATIN1"}};
  EXPECT_EQ(run_program(*store, {{"enqueue", "shop", "order", "\"\u00e9\""}, "", latin}).code, 0);
  ASSERT_EQ(store->messages().size(), 1u);
  EXPECT_EQ(store->messages()[0].payload, "\"\u00e9\"");
  EXPECT_THAT(run_program(*store, {{"show", store->messages()[0].id}, "", latin}).text,
              HasSubstr("\"\u00e9\""));
}

TEST(ProgramOnPostgres, RefusesBadMessagesAndWritesNothing) {
  const auto store = make_postgres_store(Store::Schema::migrated);
  const std::string brackets(1'000'000, '[');
  const std::string over = '"' + std::string(262'143, 'x') + '"';
  const std::vector<std::pair<Invocation, std::string>> cases{
      {{{"enqueue", "a b", "t", "1"}}, "namespace must be"},
      {{{"enqueue", "a", "t", "{"}}, "not acceptable JSON"},
      {{{"enqueue", "a", "t", "\"\xff\""}}, "UTF-8"},
      {{{"enqueue", "a", "t", "\"\\u0000\""}}, "U+0000"},
      {{{"enqueue", "a", "t", "-"}, brackets}, "bytes"},
      {{{"enqueue", "a", "t", "-"}, over}, "262144"},
      {{{"enqueue", "--batch"}, line("1") + line(brackets)}, "line 2"},
      {{{"enqueue", "--batch"}, line("1") + line(over)}, "line 2"},
      {{{"enqueue", "--batch"}, line("1") + line("\"\xff\"")}, "line 2"},
      {{{"enqueue", "--batch"}, line("1") + "x"}, "line 2"},
  };
  for (const auto& [run, what] : cases) {
    const Answer answer = run_program(*store, run);
    EXPECT_EQ(answer.code, 2) << answer.text;
    EXPECT_THAT(answer.text, HasSubstr("cannot enqueue"));
    EXPECT_THAT(answer.text, HasSubstr(what));
    EXPECT_LT(answer.text.size(), 1000u) << "says what is wrong without repeating the payload";
  }
  EXPECT_TRUE(store->messages().empty());
}

TEST(ProgramOnPostgres, SaysWhatToDoAboutADatabaseItCannotUse) {
  const Invocation one{{"enqueue", "a", "b", "1"}};
  const auto empty = make_postgres_store(Store::Schema::none);
  EXPECT_THAT(run_program(*empty, one).text, HasSubstr("outrider migrate"));

  const auto store = make_postgres_store(Store::Schema::migrated);
  Invocation reading = one;
  reading.environment = {{"PGOPTIONS", "-c default_transaction_read_only=on"}};
  const Answer refused = run_program(*store, reading);
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.text, HasSubstr("read-only"));

  store->add_breaking_migration();
  for (const Invocation& run :
       {one, Invocation{{"enqueue", "--batch"}, line("1")}, Invocation{{"migrate"}}}) {
    const Answer answer = run_program(*store, run);
    EXPECT_EQ(answer.code, 1);
    EXPECT_THAT(answer.text, HasSubstr("upgrade outrider"));
  }
  EXPECT_TRUE(store->messages().empty());
}

}  // namespace
}  // namespace outrider::testing
