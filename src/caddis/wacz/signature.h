// Signatures of packages, as WACZ Signing 0.1.0 has them (https://specs.webrecorder.net/wacz-auth/0.1.0/): of the hash of
// datapackage.json, by an ECDSA key over P-384 with SHA-256, as browsers make and check them (Web Crypto). A signature of
// that kind is anonymous: whose the public key is, its owner has to tell elsewhere.
//
// In packages of others also keys over P-256 are known, signatures in DER, and those by the key of a domain's certificate,
// of which the chain and the time stamp are not checked. Any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::wacz {

class SigningKey {
 public:
  // Reads a private key (PEM). If there is no such file and `makes_one`, a key is made and kept there, readable for its
  // owner alone. ErrorCode::config for a key of another kind.
  static Result<SigningKey> open(io::Files& files, const std::string& path, bool makes_one);

  // Base64 of r and s, a row of bytes each.
  std::string sign(std::string_view text) const;
  // Base64 of the SubjectPublicKeyInfo.
  std::string public_key() const;

 private:
  explicit SigningKey(std::shared_ptr<void> key) : key_(std::move(key)) {}
  std::shared_ptr<void> key_;  // EVP_PKEY
};

// ErrorCode::denied if it is not the signature of `text` by that key, parse if either is malformed.
Result<void> check_signature(std::string_view text, std::string_view signature, std::string_view public_key);
// The same by the key of the first certificate of a chain (PEM), which has to name the domain.
Result<void> check_domain_signature(std::string_view text, std::string_view signature, std::string_view chain,
                                    const std::string& domain);

}  // namespace caddis::wacz
