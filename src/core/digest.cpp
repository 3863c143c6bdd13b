#include "core/digest.hpp"

#include <memory>
#include <openssl/evp.h>

#include <outrider/error.hpp>

namespace outrider {

namespace {

struct FreeDigest {
  void operator()(EVP_MD* digest) const noexcept { EVP_MD_free(digest); }
  void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
};

void require(bool succeeded) {
  if (!succeeded) {
    throw Error(Errc::internal, "cannot compute a SHA-256: OpenSSL refused; check its providers");
  }
}

// Looking up the algorithm and allocating a context cost more than hashing a short text, so each
// thread does both once.
struct Hasher {
  std::unique_ptr<EVP_MD, FreeDigest> algorithm{EVP_MD_fetch(nullptr, "SHA256", nullptr)};
  std::unique_ptr<EVP_MD_CTX, FreeDigest> context{EVP_MD_CTX_new()};

  Hasher() { require(algorithm != nullptr && context != nullptr); }
};

}  // namespace

Sha256 sha256(std::initializer_list<std::string_view> parts) {
  thread_local const Hasher hasher;
  EVP_MD_CTX* const context = hasher.context.get();
  require(EVP_DigestInit_ex2(context, hasher.algorithm.get(), nullptr) == 1);
  for (const std::string_view part : parts) {
    require(EVP_DigestUpdate(context, part.data(), part.size()) == 1);
  }
  Sha256 digest;
  require(EVP_DigestFinal_ex(context, digest.data(), nullptr) == 1);
  return digest;
}

Sha256 sha256(std::string_view bytes) {
  return sha256(std::initializer_list<std::string_view>{bytes});
}

}  // namespace outrider
