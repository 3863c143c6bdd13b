#include "core/json_scan.hpp"

#include <chrono>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

namespace outrider {
namespace {

using namespace std::string_literals;

constexpr std::size_t depth_max = 64;

void expect_valid(std::string_view json) {
  const auto problem = scan_json(json, depth_max);
  EXPECT_FALSE(problem) << testing::PrintToString(json) << ": " << problem->what << " at "
                        << problem->offset;
}

void expect_problem(std::string_view json, std::string_view what, std::size_t offset) {
  const auto problem = scan_json(json, depth_max);
  ASSERT_TRUE(problem) << testing::PrintToString(json);
  EXPECT_EQ(problem->what, what) << testing::PrintToString(json);
  EXPECT_EQ(problem->offset, offset) << testing::PrintToString(json);
}

std::string nested(std::size_t depth, std::string_view open, std::string_view close) {
  std::string json;
  for (std::size_t i = 0; i < depth; ++i) {
    json += open;
  }
  json += "1";
  for (std::size_t i = 0; i < depth; ++i) {
    json += close;
  }
  return json;
}

TEST(ScanJson, AcceptsEveryKindOfValue) {
  for (const auto* json :
       {"null", "true", "false", "0", "-0", "1.5e+3", "1E-7", "12345678901234567890", "\"\"",
        "\"a\"", "[]", "{}", "[ ]", "{ }", "[1,[2,{}]]", R"({"a":{"b":[1,2]},"c":null})",
        " \t\r\n[ 1 , 2 ] \n", R"("\"\\\/\b\f\n\r\t\u00e9\ud83d\ude02")", "\"é 😂 \x7F\""}) {
    expect_valid(json);
  }
}

TEST(ScanJson, RefusesBrokenStructure) {
  expect_problem("", "a value is missing", 0);
  expect_problem("  ", "a value is missing", 2);
  expect_problem("[1,]", "expected a value", 3);
  expect_problem("[1", "expected ',' or ']'", 2);
  expect_problem("[1}", "expected ',' or ']'", 2);
  expect_problem("[1 2]", "expected ',' or ']'", 3);
  expect_problem("[", "a value is missing", 1);
  expect_problem("]", "expected a value", 0);
  expect_problem("{", "expected a member name", 1);
  expect_problem("{a:1}", "expected a member name", 1);
  expect_problem("{\"a\":1,}", "expected a member name", 7);
  expect_problem("{\"a\"}", "expected ':'", 4);
  expect_problem("{\"a\":}", "expected a value", 5);
  expect_problem("{\"a\":1]", "expected ',' or '}'", 6);
  expect_problem("1 2", "text after the value", 2);
  expect_problem("{}}", "text after the value", 2);
  expect_problem("\xEF\xBB\xBF{}", "expected a value", 0);
  expect_problem("// no comments\n1", "expected a value", 0);
}

TEST(ScanJson, RefusesWhatIsNoNumberOrLiteral) {
  for (const auto* json : {"-", "+1", ".5", "NaN", "Infinity", "-x", "nul", "True", "'a'"}) {
    expect_problem(json, "expected a value", 0);
  }
  expect_problem("01", "text after the value", 1);
  expect_problem("0x10", "text after the value", 1);
  expect_problem("nulll", "text after the value", 4);
  expect_problem("1.", "a number needs digits after the point", 2);
  expect_problem("1.e5", "a number needs digits after the point", 2);
  expect_problem("1e", "a number needs digits in its exponent", 2);
  expect_problem("1e+", "a number needs digits in its exponent", 3);
}

TEST(ScanJson, RefusesBrokenStrings) {
  expect_problem("\"abc", "a string does not end", 4);
  expect_problem("\"abc\\", "a string does not end", 5);
  expect_problem("\"\\u12", "a string does not end", 5);
  expect_problem("\"\\x41\"", "unknown escape", 1);
  expect_problem("\"\\\0\""s, "unknown escape", 1);
  expect_problem("\"\\u12g4\"", "\\u needs four hexadecimal digits", 5);
  expect_problem("\"a\nb\"", "a control character must be escaped", 2);
  expect_problem("\"0123456789\x1F\"", "a control character must be escaped", 11);
}

TEST(ScanJson, RefusesU0000RawAndEscaped) {
  expect_problem("\"a\0b\""s, "U+0000 is not allowed", 2);
  expect_problem(R"("a\u0000b")", "U+0000 is not allowed", 2);
  expect_problem(R"({"\u0000":1})", "U+0000 is not allowed", 2);
  expect_problem("\0"s, "expected a value", 0);
}

TEST(ScanJson, RefusesInvalidUtf8) {
  for (const auto* bytes :
       {"\x80", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
    expect_problem(fmt::format("\"a{}\"", bytes), "invalid UTF-8", 2);
    expect_problem(fmt::format("{{\"12345678{}\":1}}", bytes), "invalid UTF-8", 10);
  }
}

TEST(ScanJson, RefusesLoneSurrogates) {
  for (const auto* escape :
       {R"(\ud800)", R"(\udc00)", R"(\uDBFFx)", R"(\ud800\n)", R"(\ud800\u0041)", R"(\ud800\ud800)",
        R"(\udc00\ud800)", R"(\ud800\u)"}) {
    expect_problem(fmt::format("\"a{}\"", escape), "lone surrogate", 2);
  }
  expect_valid(R"("\uD800\uDC00\udbff\uDFFF")");
}

TEST(ScanJson, RefusesDuplicateNames) {
  expect_problem(R"({"a":1,"b":2,"a":3})", "duplicate member name", 13);
  expect_problem(R"({"":1,"":2})", "duplicate member name", 6);
  expect_problem(R"([{"x":{"a":1,"a":1}}])", "duplicate member name", 13);
  expect_problem(R"({"a":1,"a":2,"a":3})", "duplicate member name", 7);
}

TEST(ScanJson, RefusesDuplicateNamesThatAreSpelledDifferently) {
  expect_problem(R"({"a":1,"\u0061":2})", "duplicate member name", 7);
  expect_problem(R"({"\u0061":1,"a":2})", "duplicate member name", 12);
  expect_problem(R"({"/":1,"\/":2})", "duplicate member name", 7);
  expect_problem(R"({"\n":1,"\u000A":2})", "duplicate member name", 8);
  expect_problem(R"({"😂":1,"\ud83d\ude02":2})", "duplicate member name", 10);
}

TEST(ScanJson, AllowsTheSameNameInDifferentObjects) {
  expect_valid(R"({"a":{"a":{"a":1}},"b":{"a":1},"c":[{"a":1},{"a":2}]})");
  expect_valid(R"({"a":1,"A":2,"a ":3,"\\u0061":4})");
}

std::string object_of(std::size_t count) {
  std::string json = "{";
  for (std::size_t i = 0; i < count; ++i) {
    json += fmt::format("\"name{}\":{},", i, i);
  }
  return json;
}

TEST(ScanJson, FindsDuplicatesAmongAnyNumberOfNames) {
  for (const std::size_t count : {15U, 16U, 17U, 1000U}) {
    const std::string names = object_of(count);
    expect_valid(names + "\"last\":1}");
    expect_problem(names + "\"name7\":1}", "duplicate member name", names.size());
    expect_problem(names + "\"n\\u0061me0\":1,\"name0\":1}", "duplicate member name", names.size());
  }
}

TEST(ScanJson, AcceptsTheDepthAndRefusesOneMore) {
  for (const auto& [open, close] : {std::pair("[", "]"), std::pair("{\"a\":", "}")}) {
    expect_valid(nested(64, open, close));
    expect_problem(nested(65, open, close), "nesting is too deep",
                   64 * std::string_view(open).size());
  }
  EXPECT_FALSE(scan_json("1", 0));
  EXPECT_TRUE(scan_json("[]", 0));
}

TEST(ScanJson, RefusesAMillionBracketsCalmly) {
  const std::string brackets(1'000'000, '[');
  expect_problem(brackets, "nesting is too deep", 64);
  // Even a caller without a limit does not run out of stack.
  const auto problem = scan_json(brackets, brackets.size());
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->offset, brackets.size());
  EXPECT_FALSE(scan_json(nested(1'000'000, "[", "]"), 1'000'000));
}

// Comparing each name with each would take minutes for these.
TEST(ScanJson, IsNotQuadraticInTheNumberOfNames) {
  const auto start = std::chrono::steady_clock::now();
  expect_valid(object_of(200'000) + "\"last\":1}");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds{10});
}

TEST(ScanJson, RefusesEveryPrefixOfAValidText) {
  const std::string json = R"({"a":[1,-2.5e3,"\u00e9\ud83d\ude02é"],"b":{"c":null,"d":true}})";
  expect_valid(json);
  for (std::size_t size = 0; size < json.size(); ++size) {
    EXPECT_TRUE(scan_json(json.substr(0, size), depth_max)) << size;
  }
}

}  // namespace
}  // namespace outrider
