#include "config/assign.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <system_error>

#include <outrider/error.hpp>

#include "core/units.hpp"
#include "core/utf8.hpp"

namespace outrider::config {
namespace {

std::string_view expected(Kind kind) {
  switch (kind) {
    case Kind::store_url:
      return "a text";
    case Kind::count:
      return "a whole number";
    case Kind::size:
      return "bytes, as a whole number or a text such as \"256KiB\"";
  }
  return "";
}

std::string wrong_kind(const Setting& setting) {
  return fmt::format("{} must be {}", setting.key, expected(setting.kind));
}

std::string out_of_bounds(const Setting& setting) {
  return fmt::format("{} must be {}", setting.key, shown_bounds(setting));
}

std::optional<std::string> store_text(const Setting& setting, std::string_view text,
                                      Settings& settings) {
  if (text.size() < setting.min || text.size() > setting.max) {
    return out_of_bounds(setting);
  }
  const bool has_control = std::ranges::any_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (has_control || find_invalid_utf8(text)) {
    return fmt::format("{} must be UTF-8 without control characters", setting.key);
  }
  settings.*std::get<std::string Settings::*>(setting.member) = text;
  return std::nullopt;
}

std::optional<std::string> store_number(const Setting& setting, std::uint64_t number,
                                        Settings& settings) {
  if (number < setting.min || number > setting.max) {
    return out_of_bounds(setting);
  }
  settings.*std::get<std::uint64_t Settings::*>(setting.member) = number;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> assign_value(const Setting& setting, RawValue raw, Settings& settings) {
  if (const auto* number = std::get_if<std::int64_t>(&raw)) {
    if (setting.kind == Kind::store_url) {
      return wrong_kind(setting);
    }
    if (*number < 0) {
      return out_of_bounds(setting);
    }
    return store_number(setting, static_cast<std::uint64_t>(*number), settings);
  }

  const auto* text = std::get_if<std::string_view>(&raw);
  if (text == nullptr) {
    return wrong_kind(setting);
  }
  switch (setting.kind) {
    case Kind::store_url:
      return store_text(setting, *text, settings);
    case Kind::count:
      return wrong_kind(setting);
    case Kind::size:
      try {
        return store_number(setting, parse_size(*text), settings);
      } catch (const Error& error) {
        return fmt::format("{}: {}", setting.key, error.what());
      }
  }
  return std::nullopt;
}

std::optional<std::string> assign_text(const Setting& setting, std::string_view text,
                                       Settings& settings) {
  if (setting.kind != Kind::count) {
    return assign_value(setting, text, settings);
  }
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure == std::errc::result_out_of_range) {
    return out_of_bounds(setting);
  }
  if (failure != std::errc{} || end != text.data() + text.size()) {
    return wrong_kind(setting);
  }
  return assign_value(setting, number, settings);
}

}  // namespace outrider::config
