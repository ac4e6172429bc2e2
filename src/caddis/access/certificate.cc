#include "caddis/access/certificate.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <memory>
#include <optional>

#include "caddis/base/check.h"
#include "caddis/base/random.h"

namespace caddis::access {
namespace {

using BioPtr = std::unique_ptr<BIO, decltype(&BIO_free)>;
using CertificatePtr = std::unique_ptr<X509, decltype(&X509_free)>;
using KeyPtr = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

constexpr uint64_t kLargest = 1 << 20;
constexpr auto kValid = std::chrono::days(397);  // browsers take none for longer
constexpr auto kRenewed = std::chrono::days(30);

std::string text_of(BIO* bio) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  return std::string(text, static_cast<size_t>(size));
}

CertificatePtr parse_certificate(std::string_view pem) {
  const BioPtr bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free);
  CertificatePtr parsed(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr), X509_free);
  ERR_clear_error();
  return parsed;
}

std::string fingerprint_of(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  CADDIS_CHECK(X509_digest(certificate, EVP_sha256(), digest.data(), &size) == 1);
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{}{:02X}", i == 0 ? "" : ":", digest[i]);
  return text;
}

bool is_address(const std::string& name) {
  const std::unique_ptr<ASN1_OCTET_STRING, decltype(&ASN1_OCTET_STRING_free)> raw(a2i_IPADDRESS(name.c_str()),
                                                                                  ASN1_OCTET_STRING_free);
  ERR_clear_error();
  return raw != nullptr;
}

bool is_host_name(const std::string& name) {
  return !name.empty() && name.size() <= 253 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") ==
             std::string::npos;
}

std::vector<std::string> names_of(const TlsSources& sources) {
  std::vector<std::string> names{"localhost", "127.0.0.1", "::1"};
  for (const std::string& name : sources.names)
    if ((is_host_name(name) || is_address(name)) && std::ranges::find(names, name) == names.end())
      names.push_back(name);
  return names;
}

bool is_for(X509* certificate, const std::string& name) {
  return is_address(name) ? X509_check_ip_asc(certificate, name.c_str(), 0) == 1
                          : X509_check_host(certificate, name.data(), name.size(), 0, nullptr) == 1;
}

void add_extension(X509* certificate, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension(
      X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()), X509_EXTENSION_free);
  CADDIS_CHECK(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1);
}

TlsTexts make_own(const Clock& clock, const std::vector<std::string>& names) {
  const KeyPtr key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const CertificatePtr certificate(X509_new(), X509_free);
  CADDIS_CHECK(key && certificate);
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(clock.wall()));
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()), system_seed() >> 1);
  ASN1_TIME_set(X509_getm_notBefore(certificate.get()), now - 3600);
  ASN1_TIME_set(X509_getm_notAfter(certificate.get()),
                now + std::chrono::duration_cast<std::chrono::seconds>(kValid).count());
  X509_NAME* const subject = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("caddis"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), subject);
  X509_set_pubkey(certificate.get(), key.get());
  std::string alternatives;
  for (const std::string& name : names)
    alternatives += fmt::format("{}{}:{}", alternatives.empty() ? "" : ",", is_address(name) ? "IP" : "DNS", name);
  add_extension(certificate.get(), NID_subject_alt_name, alternatives);
  add_extension(certificate.get(), NID_basic_constraints, "critical,CA:FALSE");
  add_extension(certificate.get(), NID_ext_key_usage, "serverAuth");
  CADDIS_CHECK(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0);
  const BioPtr certificate_text(BIO_new(BIO_s_mem()), BIO_free), key_text(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_X509(certificate_text.get(), certificate.get());
  PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return {.certificate_pem = text_of(certificate_text.get()),
          .key_pem = text_of(key_text.get()),
          .client_ca_pem = {},
          .fingerprint = fingerprint_of(certificate.get()),
          .is_own = true};
}

// The one that is kept, if it will do.
std::optional<TlsTexts> kept_own(io::Files& files, const Clock& clock, const std::string& certificate_path,
                                 const std::string& key_path, const std::vector<std::string>& names) {
  auto certificate_pem = files.read_all(certificate_path, kLargest);
  auto key_pem = files.read_all(key_path, kLargest);
  if (!certificate_pem || !key_pem) return {};
  const CertificatePtr certificate = parse_certificate(*certificate_pem);
  if (!certificate) return {};
  auto end = std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(clock.wall() + kRenewed));
  if (X509_cmp_time(X509_get0_notAfter(certificate.get()), &end) <= 0) return {};
  for (const std::string& name : names)
    if (!is_for(certificate.get(), name)) return {};
  return TlsTexts{.certificate_pem = *std::move(certificate_pem),
                  .key_pem = *std::move(key_pem),
                  .client_ca_pem = {},
                  .fingerprint = fingerprint_of(certificate.get()),
                  .is_own = true};
}

Result<TlsTexts> load_own(io::Files& files, const Clock& clock, const TlsSources& sources) {
  const std::string certificate_path = io::join_path(sources.folder, "tls-certificate.pem");
  const std::string key_path = io::join_path(sources.folder, "tls-key.pem");
  const auto names = names_of(sources);
  if (auto kept = kept_own(files, clock, certificate_path, key_path, names)) return *std::move(kept);
  TRY_VOID(files.make_dirs(sources.folder));
  TlsTexts made = make_own(clock, names);
  TRY_VOID(files.write_atomically_private(key_path, made.key_pem));
  TRY_VOID(files.write_atomically_private(certificate_path, made.certificate_pem));
  return made;
}

Result<TlsTexts> load_given(io::Files& files, const TlsSources& sources) {
  if (sources.certificate.empty() || sources.key.empty())
    return fail(ErrorCode::config, "a TLS certificate needs its key: give both files");
  TlsTexts given;
  TRY(given.certificate_pem, files.read_all(sources.certificate, kLargest));
  TRY(given.key_pem, files.read_all(sources.key, kLargest));
  const CertificatePtr certificate = parse_certificate(given.certificate_pem);
  if (!certificate) return fail(ErrorCode::config, sources.certificate + " holds no certificate in PEM");
  given.fingerprint = fingerprint_of(certificate.get());
  return given;
}

}  // namespace

Result<TlsTexts> load_tls(io::Files& files, const Clock& clock, const TlsSources& sources) {
  const bool is_given = !sources.certificate.empty() || !sources.key.empty();
  auto texts = is_given ? load_given(files, sources) : load_own(files, clock, sources);
  if (texts && !sources.client_ca.empty()) {
    TRY(texts->client_ca_pem, files.read_all(sources.client_ca, kLargest));
  }
  return texts;
}

}  // namespace caddis::access
