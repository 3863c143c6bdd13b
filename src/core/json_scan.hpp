#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace outrider {

struct JsonProblem {
  std::size_t offset = 0;  // of the byte that is wrong
  std::string what;        // lower-case, for example "duplicate member name"
};

// Checks a payload without building anything and without recursion, so that a million brackets are
// refused as calmly as a missing comma. Refuses: anything outside RFC 8259; invalid UTF-8; U+0000,
// raw or escaped; lone surrogates; member names that occur twice in one object (after unescaping);
// nesting deeper than depth_max; text after the value. nullopt means valid.
//
// Reports the first problem of a text from its start, except that a duplicate name is noticed where
// its object ends. Takes O(n log n) time for any input, and allocates nothing for a valid payload
// of ordinary shape.
std::optional<JsonProblem> scan_json(std::string_view json, std::size_t depth_max);

}  // namespace outrider
