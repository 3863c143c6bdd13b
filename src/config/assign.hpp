#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "config/settings.hpp"

namespace outrider::config {

// A value as a file has it; monostate stands for the kinds that no setting takes.
using RawValue = std::variant<std::monostate, std::string_view, std::int64_t>;

// Checks the value against the setting's kind and bounds and stores it. Otherwise changes nothing
// and says what is wrong: lower-case, beginning with the key.
std::optional<std::string> assign_value(const Setting& setting, RawValue raw, Settings& settings);

// The same for a variable or flag, where a number is text too.
std::optional<std::string> assign_text(const Setting& setting, std::string_view text,
                                       Settings& settings);

}  // namespace outrider::config
