#include "caddis/access/authority.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <array>
#include <chrono>
#include <optional>

#include "caddis/base/check.h"
#include "caddis/base/random.h"

namespace caddis::access {
namespace {

using BioPtr = std::unique_ptr<BIO, decltype(&BIO_free)>;
using CertificatePtr = std::unique_ptr<X509, decltype(&X509_free)>;
using KeyPtr = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

constexpr auto kValid = std::chrono::days(1825);
constexpr auto kLeafValid = std::chrono::days(90);
constexpr auto kRenewed = std::chrono::days(30);
constexpr size_t kLongestHost = 253;

std::time_t seconds_of(WallTime time) {
  return std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(time));
}

std::string text_of(BIO* bio) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  return std::string(text, static_cast<size_t>(size));
}

std::string pem_of(X509* certificate) {
  const BioPtr bio(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_X509(bio.get(), certificate);
  return text_of(bio.get());
}

std::string pem_of(EVP_PKEY* key) {
  const BioPtr bio(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  return text_of(bio.get());
}

void add_extension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension(
      X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()), X509_EXTENSION_free);
  CADDIS_CHECK(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1);
}

CertificatePtr new_certificate(const Clock& clock, Duration valid, const std::string& name, EVP_PKEY* key) {
  CertificatePtr certificate(X509_new(), X509_free);
  CADDIS_CHECK(certificate != nullptr);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()), system_seed() >> 1);
  ASN1_TIME_set(X509_getm_notBefore(certificate.get()), seconds_of(clock.wall()) - 86400);
  ASN1_TIME_set(X509_getm_notAfter(certificate.get()),
                seconds_of(clock.wall()) + std::chrono::duration_cast<std::chrono::seconds>(valid).count());
  // A common name has 64 characters at most; names are told by the alternatives.
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name.substr(0, 64).c_str()), -1, -1, 0);
  X509_set_pubkey(certificate.get(), key);
  return certificate;
}

bool is_address(const std::string& host) {
  const std::unique_ptr<ASN1_OCTET_STRING, decltype(&ASN1_OCTET_STRING_free)> raw(a2i_IPADDRESS(host.c_str()),
                                                                                  ASN1_OCTET_STRING_free);
  ERR_clear_error();
  return raw != nullptr;
}

bool is_host_name(std::string_view host) {
  return !host.empty() && host.size() <= kLongestHost &&
         host.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") ==
             std::string_view::npos;
}

}  // namespace

struct CertificateAuthority::Keys {
  CertificatePtr certificate{nullptr, X509_free};
  KeyPtr key{nullptr, EVP_PKEY_free};
  KeyPtr leaf_key{EVP_EC_gen("P-256"), EVP_PKEY_free};  // of all hosts: a key costs more than a signature
  std::string certificate_pem, leaf_key_pem, fingerprint;

  void finish() {
    certificate_pem = pem_of(certificate.get());
    leaf_key_pem = pem_of(leaf_key.get());
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    CADDIS_CHECK(X509_digest(certificate.get(), EVP_sha256(), digest.data(), &size) == 1);
    for (unsigned i = 0; i < size; ++i) fingerprint += fmt::format("{}{:02X}", i == 0 ? "" : ":", digest[i]);
  }
};

CertificateAuthority::CertificateAuthority(std::unique_ptr<Keys> keys, const Clock& clock)
    : keys_(std::move(keys)), clock_(clock) {}
CertificateAuthority::~CertificateAuthority() = default;

Result<std::unique_ptr<CertificateAuthority>> CertificateAuthority::load(io::Files& files, const Clock& clock,
                                                                         const std::string& folder) {
  const std::string certificate_path = io::join_path(folder, "proxy-ca.pem");
  const std::string key_path = io::join_path(folder, "proxy-ca-key.pem");
  auto keys = std::make_unique<Keys>();
  const auto certificate_pem = files.read_all(certificate_path, 1 << 20);
  const auto key_pem = files.read_all(key_path, 1 << 20);
  if (certificate_pem && key_pem) {
    const BioPtr certificate(BIO_new_mem_buf(certificate_pem->data(), static_cast<int>(certificate_pem->size())),
                             BIO_free);
    const BioPtr key(BIO_new_mem_buf(key_pem->data(), static_cast<int>(key_pem->size())), BIO_free);
    keys->certificate.reset(PEM_read_bio_X509(certificate.get(), nullptr, nullptr, nullptr));
    keys->key.reset(PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr));
    ERR_clear_error();
    if (!keys->certificate || !keys->key || X509_check_private_key(keys->certificate.get(), keys->key.get()) != 1)
      return fail(ErrorCode::config,
                  certificate_path + " and " + key_path + " are no certificate and key: put both back, or remove both");
    auto end = seconds_of(clock.wall() + kRenewed);
    if (X509_cmp_time(X509_get0_notAfter(keys->certificate.get()), &end) > 0) {
      keys->finish();
      return std::unique_ptr<CertificateAuthority>(new CertificateAuthority(std::move(keys), clock));
    }
  }
  keys->key.reset(EVP_EC_gen("P-256"));
  keys->certificate = new_certificate(clock, kValid, "Caddis archive proxy", keys->key.get());
  X509* const own = keys->certificate.get();
  X509_set_issuer_name(own, X509_get_subject_name(own));
  add_extension(own, own, NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  add_extension(own, own, NID_key_usage, "critical,keyCertSign,cRLSign");
  add_extension(own, own, NID_subject_key_identifier, "hash");
  CADDIS_CHECK(X509_sign(own, keys->key.get(), EVP_sha256()) > 0);
  keys->finish();
  TRY_VOID(files.make_dirs(folder));
  TRY_VOID(files.write_atomically_private(key_path, pem_of(keys->key.get())));
  TRY_VOID(files.write_atomically_private(certificate_path, keys->certificate_pem));
  return std::unique_ptr<CertificateAuthority>(new CertificateAuthority(std::move(keys), clock));
}

const std::string& CertificateAuthority::certificate_pem() const { return keys_->certificate_pem; }
const std::string& CertificateAuthority::fingerprint() const { return keys_->fingerprint; }

std::string CertificateAuthority::certificate_der() const {
  const BioPtr bio(BIO_new(BIO_s_mem()), BIO_free);
  i2d_X509_bio(bio.get(), keys_->certificate.get());
  return text_of(bio.get());
}

Result<CertificateAuthority::Issued> CertificateAuthority::issue(std::string_view host) const {
  const std::string name(host);
  const bool is_ip = is_address(name);
  if (!is_ip && !is_host_name(name)) return fail(ErrorCode::parse, "no certificate is made for '" + name + "'");
  const CertificatePtr leaf = new_certificate(clock_, kLeafValid, name, keys_->leaf_key.get());
  X509_set_issuer_name(leaf.get(), X509_get_subject_name(keys_->certificate.get()));
  add_extension(leaf.get(), keys_->certificate.get(), NID_subject_alt_name, (is_ip ? "IP:" : "DNS:") + name);
  add_extension(leaf.get(), keys_->certificate.get(), NID_basic_constraints, "critical,CA:FALSE");
  add_extension(leaf.get(), keys_->certificate.get(), NID_ext_key_usage, "serverAuth");
  CADDIS_CHECK(X509_sign(leaf.get(), keys_->key.get(), EVP_sha256()) > 0);
  return Issued{pem_of(leaf.get()), keys_->leaf_key_pem};
}

}  // namespace caddis::access
