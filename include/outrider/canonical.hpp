#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace outrider {

// The canonical form of a JSON text as RFC 8785 defines it: members sorted by UTF-16 code units,
// numbers as ECMAScript prints them, minimal escapes, no white space. Two texts with the same
// meaning have the same bytes, so the result can be hashed and signed.
//
// Throws Error(invalid_argument), naming the byte offset, for anything that is not I-JSON: invalid
// JSON or UTF-8, lone surrogates, duplicate member names, numbers a double cannot hold (overflow
// to infinity), or nesting beyond depth_max; and for U+0000, which no payload may contain.
// Integers beyond 2^53 lose precision, as the RFC says.
std::string canonical_json(std::string_view json, std::size_t depth_max = 64);

// The canonical form of an external reference "provider:id": the provider lower-cased (ASCII), the
// id untouched, split at the first ':'; surrounding white space is not accepted.
// Throws Error(invalid_argument) if there is no ':', if a part is empty, longer than 255 bytes, not
// valid UTF-8, or contains white space or control characters.
std::string canonical_reference(std::string_view reference);

}  // namespace outrider
