#include "config/settings.hpp"

#include <array>
#include <fmt/format.h>

#include "config/redaction.hpp"
#include "core/units.hpp"

namespace outrider::config {
namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = 1024 * kib;

constexpr std::array declared{
    Setting{.key = "store.url",
            .meaning = "Where the outbox lives: `sqlite:PATH`, a `postgres://` URL or a libpq "
                       "connection string.",
            .kind = Kind::store_url,
            .member = &Settings::store_url,
            .min = 1,
            .max = 4 * kib,
            .short_variable = "OUTRIDER_STORE"},
    Setting{.key = "message.payload_bytes_max",
            .meaning = "The largest payload that an enqueue accepts.",
            .kind = Kind::size,
            .member = &Settings::message_payload_bytes_max,
            .min = 1 * kib,
            .max = 64 * mib},
    Setting{.key = "message.depth_max",
            .meaning = "How deeply arrays and objects of a payload may be nested.",
            .kind = Kind::count,
            .member = &Settings::message_depth_max,
            .min = 1,
            .max = 512},
};

std::string shown_number(Kind kind, std::uint64_t number) {
  return kind == Kind::size ? format_size(number) : fmt::format("{}", number);
}

}  // namespace

std::span<const Setting> declared_settings() {
  return declared;
}

std::string variable_name(std::string_view key) {
  std::string name = "OUTRIDER_";
  for (const char c : key) {
    const bool is_lower = c >= 'a' && c <= 'z';
    name.push_back(is_lower ? static_cast<char>(c - 'a' + 'A') : (c == '.' ? '_' : c));
  }
  return name;
}

std::string shown_value(const Setting& setting, const Settings& settings) {
  if (const auto* text = std::get_if<std::string Settings::*>(&setting.member)) {
    return redact_store_url(settings.**text);
  }
  return shown_number(setting.kind, settings.*std::get<std::uint64_t Settings::*>(setting.member));
}

std::string shown_bounds(const Setting& setting) {
  const std::string bounds = fmt::format("{} to {}", shown_number(setting.kind, setting.min),
                                         shown_number(setting.kind, setting.max));
  return setting.kind == Kind::store_url ? bounds + " bytes" : bounds;
}

}  // namespace outrider::config
