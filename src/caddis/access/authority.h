// A certificate authority of our own, for the proxy: it makes certificates for any host, which browsers that trust it take.
// Whoever has its key can pass for every site to those browsers; it is readable for its owner only.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::access {

class CertificateAuthority {
 public:
  // From `folder` (proxy-ca.pem, proxy-ca-key.pem), or made and kept there. One that ends within 30 days is made anew.
  static Result<std::unique_ptr<CertificateAuthority>> load(io::Files& files, const Clock& clock,
                                                            const std::string& folder);
  ~CertificateAuthority();

  const std::string& certificate_pem() const;
  std::string certificate_der() const;
  const std::string& fingerprint() const;  // "AB:CD:…", SHA-256

  struct Issued {
    std::string certificate_pem, key_pem;
  };
  // For a host name or an address. ErrorCode::parse if it is neither. Any thread.
  Result<Issued> issue(std::string_view host) const;

 private:
  struct Keys;
  CertificateAuthority(std::unique_ptr<Keys> keys, const Clock& clock);
  std::unique_ptr<Keys> keys_;
  const Clock& clock_;
};

}  // namespace caddis::access
