// The certificate and key that a server shows: files of the operator, or a self-signed certificate of our own, which is
// made once and kept, so that people who have accepted it are not asked again. Any thread; blocks.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::access {

struct TlsSources {
  std::string certificate, key;  // files in PEM; both empty: one of our own
  std::string client_ca;         // a file in PEM: only clients with a certificate of these are talked to; may be empty
  std::string folder;            // keeps our own, as tls-certificate.pem and tls-key.pem (mode 600)
  std::vector<std::string> names;  // host names and addresses that our own is for, besides localhost
};

struct TlsTexts {
  std::string certificate_pem, key_pem, client_ca_pem;
  std::string fingerprint;  // "AB:CD:…", SHA-256 of the certificate, as browsers show it
  bool is_own = false;
};

// ErrorCode::config for files that are no certificate or key. A certificate of our own that ends within 30 days, or is not
// for all the names, is made anew.
Result<TlsTexts> load_tls(io::Files& files, const Clock& clock, const TlsSources& sources);

}  // namespace caddis::access
