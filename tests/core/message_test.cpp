#include <gtest/gtest.h>
#include <limits>
#include <string>

#include <outrider/error.hpp>
#include <outrider/message.hpp>

namespace outrider {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

Message ordinary() {
  Message message;
  message.ns = "mini-chat";
  message.topic = "message:created";
  message.payload = R"({"turn_id":"t-1","credits_micro":1200000})";
  return message;
}

bool is_fine(const Message& message, const MessageLimits& limits = {}) {
  return problems(message, limits).empty();
}

void expect_one_problem(const Message& message, std::string_view field,
                        const MessageLimits& limits = {}) {
  const auto found = problems(message, limits);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with(field)) << found[0];
}

TEST(Message, IsFineWhenEveryFieldKeepsItsRules) {
  Message message = ordinary();
  message.dedupe_key = "Bestellung 42 – größer";
  message.ordering_key = "user:7";
  message.tenant_id = random_uuid();
  message.id = new_uuid();
  message.headers = {{"traceparent", "00-4bf9-00f0-01"}, {"x-!#$%&'*+.^_`|~9", ""}};
  message.deliver_after = 5s;
  EXPECT_EQ(problems(message), std::vector<std::string>{});
  EXPECT_NO_THROW(validate(message));
}

TEST(Message, HasNamesOfOneTo128AllowedCharacters) {
  for (const auto& name : {"a"s, "A-z_0.9:x"s, std::string(128, 'n')}) {
    Message message = ordinary();
    message.ns = name;
    message.topic = name;
    EXPECT_TRUE(is_fine(message)) << name;
  }
  for (const auto& name : {""s, std::string(129, 'n'), "a b"s, "a/b"s, "ä"s, "a\n"s, "a\0"s}) {
    Message message = ordinary();
    message.ns = name;
    expect_one_problem(message, "namespace");
    message = ordinary();
    message.topic = name;
    expect_one_problem(message, "topic");
  }
}

TEST(Message, HasKeysOfUpTo512BytesOfPlainText) {
  for (const auto& key : {"k"s, std::string(512, 'k'), "é😂 "s, "\xC2\xA0"s}) {
    Message message = ordinary();
    message.dedupe_key = key;
    message.ordering_key = key;
    EXPECT_TRUE(is_fine(message));
  }
  for (const auto& key : {""s, std::string(513, 'k'), "a\0b"s, "a\tb"s, "\x7F"s, "\xC2\x80"s,
                          "\xC2\x9F"s, "\xFF"s, "\xED\xA0\x80"s, "\xC3"s}) {
    Message message = ordinary();
    message.dedupe_key = key;
    expect_one_problem(message, "dedupe_key");
    message = ordinary();
    message.ordering_key = key;
    expect_one_problem(message, "ordering_key");
  }
}

TEST(Message, MayNotHaveANilIdOrTenant) {
  Message message = ordinary();
  message.id = Uuid();
  expect_one_problem(message, "id");
  message = ordinary();
  message.tenant_id = Uuid();
  expect_one_problem(message, "tenant_id");
}

TEST(Message, HasHeaderNamesThatAreLowerCaseTokens) {
  for (const auto& name : {""s, "Traceparent"s, "a b"s, "a:b"s, "a\n"s, "ä"s, "a\0"s, "a\"b"s}) {
    Message message = ordinary();
    message.headers[name] = "value";
    expect_one_problem(message, "headers");
  }
}

TEST(Message, HasHeaderValuesOfPlainText) {
  for (const auto& value : {"a\r\nset-cookie: x"s, "\0"s, "\x7F"s, "\xC2\x85"s, "\xFE"s}) {
    Message message = ordinary();
    message.headers["x-note"] = value;
    expect_one_problem(message, "headers: the value of x-note");
  }
}

TEST(Message, HasABoundedNumberOfHeaders) {
  Message message = ordinary();
  for (int i = 0; i < 64; ++i) {
    message.headers["h" + std::to_string(i)] = "v";
  }
  EXPECT_TRUE(is_fine(message));
  message.headers["one-more"] = "v";
  expect_one_problem(message, "headers");
}

TEST(Message, HasHeadersOfBoundedSizeTogether) {
  Message message = ordinary();
  message.headers["name"] = std::string(16 * 1024 - 4, 'v');
  EXPECT_TRUE(is_fine(message));
  message.headers["name"] += 'v';
  expect_one_problem(message, "headers");
}

TEST(Message, MayBeDelayedUpToTheLimit) {
  const MessageLimits limits;
  for (const auto delay : {0ms, 1ms, limits.delay_max}) {
    Message message = ordinary();
    message.deliver_after = delay;
    EXPECT_TRUE(is_fine(message));
  }
  using Milliseconds = std::chrono::milliseconds;
  for (const auto delay :
       {-1ms, limits.delay_max + 1ms, Milliseconds::min(), Milliseconds::max()}) {
    Message message = ordinary();
    message.deliver_after = delay;
    expect_one_problem(message, "deliver_after");
  }
}

TEST(Message, MayHaveAPayloadOfExactlyTheLimitAndNotAByteMore) {
  const std::size_t bytes_max = MessageLimits{}.payload_bytes_max;
  Message message = ordinary();
  message.payload = '"' + std::string(bytes_max - 2, 'x') + '"';
  EXPECT_TRUE(is_fine(message));
  message.payload += ' ';
  expect_one_problem(message, "payload has 262145 bytes");
}

TEST(Message, MayHaveAPayloadOfExactlyTheDepthAndNotOneMore) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  Message message = ordinary();
  message.payload = nested(64);
  EXPECT_TRUE(is_fine(message));
  message.payload = nested(65);
  expect_one_problem(message, "payload is not acceptable JSON: nesting is too deep at byte 64");
}

TEST(Message, MustHaveAJsonPayload) {
  for (const auto& payload :
       {""s, "{"s, "nul"s, "{\"a\":1,\"a\":2}"s, "\"\\u0000\""s, "\"\xFF\""s}) {
    Message message = ordinary();
    message.payload = payload;
    expect_one_problem(message, "payload");
  }
}

TEST(Message, IsJudgedByNarrowerLimitsButNeverByWiderOnes) {
  Message message = ordinary();
  expect_one_problem(message, "payload", {.payload_bytes_max = 10});
  message.ns = std::string(129, 'n');
  expect_one_problem(message, "namespace", {.name_bytes_max = 1000});
}

TEST(Message, ReportsAllProblemsTogether) {
  Message message;
  message.dedupe_key = "";
  message.headers["Bad"] = "";
  message.deliver_after = -1ms;
  EXPECT_EQ(problems(message).size(), 6U);
  try {
    validate(message);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::invalid_argument);
    const std::string what = error.what();
    for (const auto* field :
         {"namespace", "topic", "payload", "dedupe_key", "headers", "deliver"}) {
      EXPECT_NE(what.find(field), std::string::npos) << field;
    }
  }
}

TEST(Message, NeverShowsItsPayloadInAProblem) {
  Message message = ordinary();
  message.payload = R"({"password":"hunter2")";
  ASSERT_EQ(problems(message).size(), 1U);
  EXPECT_EQ(problems(message)[0].find("hunter2"), std::string::npos);
}

// The expected values come from Python's hashlib.
TEST(TopicId, IsTheStartOfTheDigestOfTheName) {
  EXPECT_EQ(topic_id("mini-chat", "usage_snapshot"), -2106130176438191498);
  EXPECT_EQ(topic_id("chat", "message:created"), 1721240120313123352);
  EXPECT_EQ(topic_id("a", "b"), -4517992508584211555);
  EXPECT_EQ(topic_id("b", "a"), -4861021140204063773);
}

}  // namespace
}  // namespace outrider
