#pragma once

#include <map>
#include <string>

namespace outrider {

// The map as a JSON object of strings, members in the order of the map, without spaces: the form in
// which both stores keep headers. Names and values are valid UTF-8.
std::string json_object(const std::map<std::string, std::string>& members);

}  // namespace outrider
