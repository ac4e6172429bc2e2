#include "simweb/serve/certificates.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

namespace simweb {
namespace {

constexpr size_t max_kept = 4096;
constexpr long day = 24 * 3600;

bool add_extension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
  if (extension == nullptr) return false;
  const bool added = X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

void set_common_name(X509_NAME* name, std::string_view text) {
  // At most 64 characters (RFC 5280 appendix A.1); clients look at the alternative name.
  text = text.substr(0, 64);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(text.data()),
                             static_cast<int>(text.size()), -1, 0);
}

// Made once a process, as finding its primes takes a third of a second.
KeyPtr shared_rsa_key() {
  static const KeyPtr key(EVP_RSA_gen(2048));
  if (key) EVP_PKEY_up_ref(key.get());
  return KeyPtr(key.get());
}

}  // namespace

caddis::Result<std::unique_ptr<Certificates>> Certificates::create() {
  auto made = std::unique_ptr<Certificates>(new Certificates());
  made->authority_key_.reset(EVP_EC_gen("P-256"));
  made->ecdsa_key_.reset(EVP_EC_gen("P-256"));
  made->rsa_key_ = shared_rsa_key();
  if (!made->authority_key_ || !made->ecdsa_key_ || !made->rsa_key_)
    return caddis::fail(caddis::ErrorCode::io, "OpenSSL cannot make the keys of simweb's certificates");
  made->authority_ = made->make("simweb authority", true, made->authority_key_.get());
  if (!made->authority_) return caddis::fail(caddis::ErrorCode::io, "OpenSSL cannot make simweb's authority");
  return made;
}

CertificatePtr Certificates::make(std::string_view name, bool authority, EVP_PKEY* key) {
  CertificatePtr made(X509_new());
  if (!made) return nullptr;
  X509_set_version(made.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial_);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -day);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), 365 * day);
  set_common_name(X509_get_subject_name(made.get()), name);
  X509* const issuer = authority ? made.get() : authority_.get();
  X509_set_issuer_name(made.get(), X509_get_subject_name(issuer));
  X509_set_pubkey(made.get(), key);
  bool good = add_extension(made.get(), issuer, NID_basic_constraints, authority ? "critical,CA:TRUE" : "CA:FALSE") &&
              add_extension(made.get(), issuer, NID_subject_key_identifier, "hash");
  if (authority)
    good = good && add_extension(made.get(), issuer, NID_key_usage, "critical,keyCertSign,cRLSign");
  else
    good = good && add_extension(made.get(), issuer, NID_subject_alt_name,
                                 "DNS:" + std::string(name) + (name == "localhost" ? ",IP:127.0.0.1" : ""));
  if (!good || X509_sign(made.get(), authority_key_.get(), EVP_sha256()) <= 0) return nullptr;
  return made;
}

std::string Certificates::authority_pem() const {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), BIO_free);
  if (!bio || PEM_write_bio_X509(bio.get(), authority_.get()) != 1) return {};
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<size_t>(size)};
}

Certificates::Leaf Certificates::leaf(std::string_view name, bool rsa) {
  EVP_PKEY* const key = rsa ? rsa_key_.get() : ecdsa_key_.get();
  if (const auto found = by_name_.find(name); found != by_name_.end()) {
    kept_.splice(kept_.begin(), kept_, found->second);
    return {kept_.front().certificate.get(), key};
  }
  CertificatePtr made = make(name, false, key);
  if (!made) return {};
  if (kept_.size() >= max_kept) {
    by_name_.erase(kept_.back().name);
    kept_.pop_back();
  }
  kept_.push_front({std::string(name), std::move(made)});
  by_name_.emplace(kept_.front().name, kept_.begin());
  return {kept_.front().certificate.get(), key};
}

}  // namespace simweb
