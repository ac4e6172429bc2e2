#include "caddis/io/digest.h"

#include <openssl/evp.h>

#include <array>

#include "caddis/base/check.h"
#include "caddis/io/base32.h"

namespace caddis::io {
namespace {

constexpr std::array kNames{"md5", "sha1", "sha256", "sha384", "sha512"};
constexpr std::array<size_t, 5> kSizes{16, 20, 32, 48, 64};

// Fetched once and kept to the end of the process.
EVP_MD* fetched(DigestAlgorithm algorithm) {
  static const auto all = [] {
    std::array<EVP_MD*, kNames.size()> fetched_all{};
    for (size_t i = 0; i < kNames.size(); ++i) fetched_all[i] = EVP_MD_fetch(nullptr, kNames[i], nullptr);
    return fetched_all;
  }();
  EVP_MD* found = all[static_cast<size_t>(algorithm)];
  CADDIS_CHECK(found != nullptr);
  return found;
}

EVP_MD_CTX* as_context(void* pointer) { return static_cast<EVP_MD_CTX*>(pointer); }

}  // namespace

std::string_view to_string(DigestAlgorithm algorithm) { return kNames[static_cast<size_t>(algorithm)]; }
size_t digest_size(DigestAlgorithm algorithm) { return kSizes[static_cast<size_t>(algorithm)]; }

void Digest::Free::operator()(void* context) const { EVP_MD_CTX_free(as_context(context)); }

Digest::Digest(DigestAlgorithm algorithm) : algorithm_(algorithm), context_(EVP_MD_CTX_new()) {
  CADDIS_CHECK(EVP_DigestInit_ex2(as_context(context_.get()), fetched(algorithm), nullptr) == 1);
}
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;
Digest::~Digest() = default;

void Digest::update(std::string_view bytes) {
  EVP_DigestUpdate(as_context(context_.get()), bytes.data(), bytes.size());
}

std::string Digest::finish() {
  std::string raw(digest_size(algorithm_), '\0');
  EVP_DigestFinal_ex(as_context(context_.get()), reinterpret_cast<unsigned char*>(raw.data()), nullptr);
  // Without an algorithm the context keeps the one it has: no fetch, no allocation.
  CADDIS_CHECK(EVP_DigestInit_ex2(as_context(context_.get()), nullptr, nullptr) == 1);
  return raw;
}

std::string sha1(std::string_view data) {
  thread_local Sha1 digest;
  digest.update(data);
  return digest.finish();
}

std::string sha256(std::string_view data) {
  thread_local Sha256 digest;
  digest.update(data);
  return digest.finish();
}

std::string digest(DigestAlgorithm algorithm, std::string_view data) {
  if (algorithm == DigestAlgorithm::sha1) return sha1(data);
  if (algorithm == DigestAlgorithm::sha256) return sha256(data);
  Digest other(algorithm);
  other.update(data);
  return other.finish();
}

std::string sha1_base32(std::string_view data) { return base32(sha1(data)); }

std::string digest_label(std::string_view raw) {
  for (size_t i = 0; i < kSizes.size(); ++i) {
    if (raw.size() != kSizes[i]) continue;
    std::string label(kNames[i]);
    label.reserve(label.size() + 1 + (raw.size() * 8 + 4) / 5);
    append_base32(label += ':', raw);
    return label;
  }
  return base32(raw);
}

}  // namespace caddis::io
