#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include <outrider/message.hpp>

namespace outrider::config {

// What a program is told from outside: the defaults here, then the configuration file, then the
// environment, then flags. Modules take what they need from it as plain options; none reads it
// itself.
struct Settings {
  std::string store_url = "sqlite:outrider.db";
  std::uint64_t message_payload_bytes_max = MessageLimits{}.payload_bytes_max;
  std::uint64_t message_depth_max = MessageLimits{}.payload_depth_max;
};

// How a value is written and what its bounds count.
enum class Kind {
  store_url,  // text; bounds in bytes; a password in it is never shown
  count,      // a whole number
  size,       // bytes, a whole number or a text such as "256KiB"
};

// The declaration of one setting. Parser, error messages, "config print" and
// docs/reference/configuration.md are all made from it.
struct Setting {
  using Member = std::variant<std::string Settings::*, std::uint64_t Settings::*>;

  std::string_view key;      // section and name, as in "store.url"
  std::string_view meaning;  // one sentence for the reference
  Kind kind;
  Member member;  // where the value goes; its initial value is the default
  std::uint64_t min;
  std::uint64_t max;
  std::string_view short_variable = "";  // a second name in the environment, if there is one
};

// Every setting there is, in the order of the reference. Lives as long as the program.
std::span<const Setting> declared_settings();

// The name of a key's environment variable: OUTRIDER_STORE_URL for "store.url".
std::string variable_name(std::string_view key);

// The setting's value in `settings` as it would be written in the file, without quotes. Secrets are
// replaced, so the text may be shown and logged.
std::string shown_value(const Setting& setting, const Settings& settings);

// What values the setting takes, for people: "1KiB to 64MiB".
std::string shown_bounds(const Setting& setting);

}  // namespace outrider::config
