#include "caddis/wacz/signature.h"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <optional>
#include <utility>
#include <vector>

#include "caddis/base/check.h"
#include "caddis/io/base32.h"

namespace caddis::wacz {
namespace {

constexpr size_t kLargestText = 64 * 1024;
constexpr const char* kCurve = "P-384";

using KeyPtr = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using BioPtr = std::unique_ptr<BIO, decltype(&BIO_free)>;
using ContextPtr = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using SignaturePtr = std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)>;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

Result<std::string> from_base64(std::string_view text) {
  auto bytes =
      text.empty() || text.size() % 4 != 0 || text.size() > kLargestText ? std::nullopt : io::decode_base64(text);
  if (!bytes) return fail(ErrorCode::parse, "a signature or key that is no base64");
  return *std::move(bytes);
}

BioPtr bio_of(std::string_view text) {
  return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free);
}

size_t coordinate_size(EVP_PKEY* key) { return (static_cast<size_t>(EVP_PKEY_get_bits(key)) + 7) / 8; }

bool is_known_curve(EVP_PKEY* key) {
  char name[64] = {};
  size_t size = 0;
  if (EVP_PKEY_get_base_id(key) != EVP_PKEY_EC || EVP_PKEY_get_group_name(key, name, sizeof(name), &size) != 1)
    return false;
  const std::string_view curve(name, size);
  return curve == "secp384r1" || curve == "prime256v1" || curve == "P-384" || curve == "P-256";
}

std::string raw_of_der(std::string_view der, size_t width) {
  const unsigned char* at = bytes_of(der);
  const SignaturePtr signature(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())), ECDSA_SIG_free);
  CADDIS_CHECK(signature != nullptr);
  std::string raw(2 * width, '\0');
  auto* const out = reinterpret_cast<unsigned char*>(raw.data());
  CADDIS_CHECK(BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), out, static_cast<int>(width)) >= 0);
  CADDIS_CHECK(BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), out + width, static_cast<int>(width)) >= 0);
  return raw;
}

// Whatever is no row of r and s is taken as it stands.
std::string der_of(std::string_view raw, size_t width) {
  if (raw.size() != 2 * width) return std::string(raw);
  const SignaturePtr signature(ECDSA_SIG_new(), ECDSA_SIG_free);
  BIGNUM* const r = BN_bin2bn(bytes_of(raw), static_cast<int>(width), nullptr);
  BIGNUM* const s = BN_bin2bn(bytes_of(raw) + width, static_cast<int>(width), nullptr);
  CADDIS_CHECK(signature && ECDSA_SIG_set0(signature.get(), r, s) == 1);
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(signature.get(), &der);
  CADDIS_CHECK(size > 0);
  std::string out(reinterpret_cast<char*>(der), static_cast<size_t>(size));
  OPENSSL_free(der);
  return out;
}

Result<void> check_with(EVP_PKEY* key, std::string_view text, std::string_view signature) {
  if (!is_known_curve(key)) return fail(ErrorCode::parse, "a public key that is none of ECDSA over P-256 or P-384");
  TRY(const std::string given, from_base64(signature));
  const std::string der = der_of(given, coordinate_size(key));
  const ContextPtr context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  const bool begun = EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1;
  if (!begun || EVP_DigestVerify(context.get(), bytes_of(der), der.size(), bytes_of(text), text.size()) != 1)
    return fail(ErrorCode::denied, "the signature is not one of this package by this key");
  return {};
}

Result<KeyPtr> parse_key(const std::string& text, const std::string& path) {
  const BioPtr bio = bio_of(text);
  KeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  if (!key || !is_known_curve(key.get()))
    return fail(ErrorCode::config, path + " holds no private key for ECDSA over P-384 or P-256 (PEM)");
  return key;
}

std::string new_key() {
  const KeyPtr key(EVP_EC_gen(kCurve), EVP_PKEY_free);
  CADDIS_CHECK(key != nullptr);
  const BioPtr bio(BIO_new(BIO_s_mem()), BIO_free);
  CADDIS_CHECK(PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<size_t>(size)};
}

}  // namespace

Result<SigningKey> SigningKey::open(io::Files& files, const std::string& path, bool makes_one) {
  if (makes_one && !files.exists(path)) {
    TRY_VOID(files.make_dirs(io::parent_path(path)));
    TRY_VOID(files.write_atomically_private(path, new_key()));
  }
  TRY(const std::string text, files.read_all(path, kLargestText));
  TRY(KeyPtr key, parse_key(text, path));
  return SigningKey(
      std::shared_ptr<void>(key.release(), [](void* one) { EVP_PKEY_free(static_cast<EVP_PKEY*>(one)); }));
}

std::string SigningKey::sign(std::string_view text) const {
  auto* const key = static_cast<EVP_PKEY*>(key_.get());
  const ContextPtr context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  CADDIS_CHECK(EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1);
  std::string der(256, '\0');
  size_t size = der.size();
  CADDIS_CHECK(EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(der.data()), &size, bytes_of(text),
                              text.size()) == 1);
  der.resize(size);
  return io::encode_base64(raw_of_der(der, coordinate_size(key)));
}

std::string SigningKey::public_key() const {
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(static_cast<EVP_PKEY*>(key_.get()), &der);
  CADDIS_CHECK(size > 0);
  std::string out = io::encode_base64({reinterpret_cast<char*>(der), static_cast<size_t>(size)});
  OPENSSL_free(der);
  return out;
}

Result<void> check_signature(std::string_view text, std::string_view signature, std::string_view public_key) {
  TRY(const std::string der, from_base64(public_key));
  const unsigned char* at = bytes_of(der);
  const KeyPtr key(d2i_PUBKEY(nullptr, &at, static_cast<long>(der.size())), EVP_PKEY_free);
  if (!key) return fail(ErrorCode::parse, "a public key that is none");
  return check_with(key.get(), text, signature);
}

Result<void> check_domain_signature(std::string_view text, std::string_view signature, std::string_view chain,
                                    const std::string& domain) {
  const BioPtr bio = bio_of(chain.substr(0, kLargestText));
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr),
                                                                X509_free);
  if (!certificate) return fail(ErrorCode::parse, "a certificate of the domain that is none");
  if (X509_check_host(certificate.get(), domain.data(), domain.size(), 0, nullptr) != 1)
    return fail(ErrorCode::denied, "the certificate is not one of " + domain);
  const KeyPtr key(X509_get_pubkey(certificate.get()), EVP_PKEY_free);
  if (!key) return fail(ErrorCode::parse, "a certificate without a key");
  return check_with(key.get(), text, signature);
}

}  // namespace caddis::wacz
