// A password never survives redaction, in a URL or in a connection string, whatever stands around
// it.
#include <algorithm>
#include <string>

#include "config/redaction.hpp"
#include "fuzz_input.hpp"

namespace {

// Letters that occur nowhere else, so that finding them in the result can only mean a leak.
std::string secret(std::string_view shape) {
  std::string made = "QQQ";
  for (const char c : shape)
    made += static_cast<char>('K' + static_cast<unsigned char>(c) % 16);
  return made;
}

std::string without_capitals(std::string_view text) {
  std::string made(text);
  std::replace_if(
      made.begin(), made.end(), [](char c) { return c >= 'A' && c <= 'Z'; }, 'x');
  return made;
}

void expect_hidden(const std::string& text) {
  const std::string redacted = outrider::config::redact_store_url(text);
  OUTRIDER_ASSERT(redacted.find("QQQ") == std::string::npos);
}

// A name that ends a parameter's name is another parameter; quotes and backslashes in front of the
// password would make it part of what they open.
bool leaves_parameters_alone(std::string_view before) {
  return before.empty() || before.find_first_of("'\\=") == std::string_view::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace outrider;
  fuzzing::Input input(bytes, size);
  const std::string password = secret(input.text());
  const std::string user = without_capitals(input.text());
  const std::string rest = without_capitals(input.rest());
  if (user.find_first_of(":/?#@= \t\n\r\f\v") == std::string::npos) {
    expect_hidden("postgres://" + user + ':' + password + '@' + rest);
    expect_hidden("postgresql://" + user + "@host/db?password=" + password + '&' + rest);
    expect_hidden("postgres://" + user + ":x@host/db?" + rest + "&password=" + password);
  }
  if (leaves_parameters_alone(user))
    expect_hidden("host=x " + user + " password=" + password + ' ' + rest);
  expect_hidden("password='" + password + "' " + rest);
  return 0;
}
