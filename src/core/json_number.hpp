#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace outrider {

// The double nearest to a JSON number, or nullopt if it is too large for one. A number too small
// for one is zero.
std::optional<double> parse_json_number(std::string_view number);

// Appends a finite number as ECMAScript prints it: the shortest digits that read back as the same
// double, an exponent from 1e21 on and below 1e-6, and no minus before zero.
void append_json_number(std::string& json, double number);

}  // namespace outrider
