#pragma once

#include <string>
#include <string_view>

#include <outrider/uuid.hpp>

namespace outrider {

// A stable UUID for a logical fact, so that a fact told twice is enqueued once: the same parts give
// the same key in every process and language (SQL: outrider.idempotency_key).
//
// The parts are hashed with their lengths, so ("a:b", "c") and ("a", "b:c") differ. Category and
// kind are lower-cased (ASCII only); entity ids, tenants and versions keep their case. The result
// is the first 16 bytes of the SHA-256 with the bits of UUID version 8 set.
// Throws Error(invalid_argument) if a part is not valid UTF-8 or contains U+0000.
Uuid create_key(std::string_view tenant, std::string_view category, std::string_view entity,
                std::string_view kind, std::string_view version = "0");

// The plain rule of older services: SHA-256 of "tenant:category:entity:kind:version", lower-cased
// (ASCII), first 16 bytes, no version bits, shown in the byte order of a .NET Guid. Ambiguous when
// a part contains ':'; use it only to agree with keys that exist already.
Uuid create_key_v0(std::string_view tenant, std::string_view category, std::string_view entity,
                   std::string_view kind, std::string_view version = "0");

}  // namespace outrider
