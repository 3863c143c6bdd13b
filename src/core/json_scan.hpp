#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace outrider {

struct JsonProblem {
  std::size_t offset = 0;  // of the first byte that is wrong
  std::string what;        // lower-case, for example "duplicate member name"
};

// Checks a payload without building anything and without recursion, so that a million brackets are
// refused as calmly as a missing comma. Refuses: anything outside RFC 8259; invalid UTF-8; U+0000,
// raw or escaped; lone surrogates; member names that occur twice in one object (after unescaping);
// nesting deeper than depth_max; text after the value. nullopt means valid.
std::optional<JsonProblem> scan_json(std::string_view json, std::size_t depth_max);

// The offset of the first byte that is not part of valid UTF-8, or nullopt.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

}  // namespace outrider
