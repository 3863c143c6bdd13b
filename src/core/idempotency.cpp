#include <algorithm>
#include <array>
#include <fmt/format.h>

#include <outrider/error.hpp>
#include <outrider/idempotency.hpp>

#include "core/digest.hpp"
#include "core/text.hpp"
#include "core/utf8.hpp"

namespace outrider {

namespace {

// A key must be the same wherever it is made, and SQL cannot make one of such a part.
void require_text(std::string_view name, std::string_view part) {
  if (find_invalid_utf8(part)) {
    throw Error(Errc::invalid_argument,
                fmt::format("cannot create a key: {} is not valid UTF-8", name));
  }
  if (part.find('\0') != std::string_view::npos) {
    throw Error(Errc::invalid_argument,
                fmt::format("cannot create a key: {} contains U+0000", name));
  }
}

// The byte length of one part, four bytes, most significant first.
class LengthPrefix {
 public:
  explicit LengthPrefix(std::string_view part) {
    const std::size_t size = part.size();
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      bytes_[i] = static_cast<char>((size >> (8 * (3 - i))) & 0xFFU);
    }
  }

  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }

 private:
  std::array<char, 4> bytes_{};
};

Uuid::Bytes first_bytes(const Sha256& digest) {
  Uuid::Bytes bytes;
  std::copy_n(digest.begin(), bytes.size(), bytes.begin());
  return bytes;
}

}  // namespace

Uuid create_key(std::string_view tenant, std::string_view category, std::string_view entity,
                std::string_view kind, std::string_view version) {
  require_text("tenant", tenant);
  require_text("category", category);
  require_text("entity", entity);
  require_text("kind", kind);
  require_text("version", version);

  const std::string lower_category = ascii_lower(category);
  const std::string lower_kind = ascii_lower(kind);
  const auto digest = sha256({"outrider.key.v1",                               //
                              LengthPrefix(tenant).bytes(), tenant,            //
                              LengthPrefix(category).bytes(), lower_category,  //
                              LengthPrefix(entity).bytes(), entity,            //
                              LengthPrefix(kind).bytes(), lower_kind,          //
                              LengthPrefix(version).bytes(), version});
  Uuid::Bytes bytes = first_bytes(digest);
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0FU) | 0x80U);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3FU) | 0x80U);
  return Uuid(bytes);
}

Uuid create_key_v0(std::string_view tenant, std::string_view category, std::string_view entity,
                   std::string_view kind, std::string_view version) {
  const std::string joined =
      ascii_lower(fmt::format("{}:{}:{}:{}:{}", tenant, category, entity, kind, version));
  Uuid::Bytes bytes = first_bytes(sha256(joined));
  // A .NET Guid reads its first three groups little-endian.
  std::reverse(bytes.begin(), bytes.begin() + 4);
  std::reverse(bytes.begin() + 4, bytes.begin() + 6);
  std::reverse(bytes.begin() + 6, bytes.begin() + 8);
  return Uuid(bytes);
}

}  // namespace outrider
