#include "core/json_text.hpp"

#include "core/json_string.hpp"

namespace outrider {

std::string json_object(const std::map<std::string, std::string>& members) {
  std::string json = "{";
  for (const auto& [name, value] : members) {
    if (json.size() > 1) {
      json += ',';
    }
    append_json_string(json, name);
    json += ':';
    append_json_string(json, value);
  }
  json += '}';
  return json;
}

}  // namespace outrider
