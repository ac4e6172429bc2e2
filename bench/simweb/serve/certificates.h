// A certificate authority and its leaf certificates (RFC 5280), in OpenSSL's structures. Internal to serve/.
#pragma once

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "caddis/base/error.h"

namespace simweb {

struct OpenSslFree {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using KeyPtr = std::unique_ptr<EVP_PKEY, OpenSslFree>;
using CertificatePtr = std::unique_ptr<X509, OpenSslFree>;

class Certificates {
 public:
  struct Leaf {
    X509* certificate = nullptr;  // until the next call; takers count a reference
    EVP_PKEY* key = nullptr;
  };

  static caddis::Result<std::unique_ptr<Certificates>> create();
  std::string authority_pem() const;
  // For one name. Kept for the names asked for last; certificate is null where OpenSSL fails.
  Leaf leaf(std::string_view name, bool rsa);

 private:
  struct Kept {
    std::string name;
    CertificatePtr certificate;
  };
  CertificatePtr make(std::string_view name, bool authority, EVP_PKEY* key);

  // All leaves of a kind share one key: making RSA keys takes longer than a crawl should wait.
  KeyPtr authority_key_, ecdsa_key_, rsa_key_;
  CertificatePtr authority_;
  long serial_ = 0;
  std::list<Kept> kept_;  // latest first
  std::unordered_map<std::string_view, std::list<Kept>::iterator> by_name_;
};

}  // namespace simweb
