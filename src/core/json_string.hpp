#pragma once

#include <string>
#include <string_view>

namespace outrider {

// What lies between the quotes of a JSON string, which scan_json has accepted, with its escapes
// resolved. Writes to `out`, which must have room for raw.size() bytes (no escape is shorter than
// what it stands for), and returns the end of what was written.
char* unescape_json(std::string_view raw, char* out);

// Appends the text as a JSON string with its quotes, escaping only what must be escaped and in the
// shortest way, as RFC 8785 wants it. The text is valid UTF-8.
void append_json_string(std::string& json, std::string_view text);

}  // namespace outrider
