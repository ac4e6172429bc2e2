// Digest access authentication (RFC 7616, and RFC 2069 for servers without qop): MD5, SHA-256 and SHA-512-256 are named
// there; the first two are spoken here, with -sess, qop=auth, userhash and nonces that are used again.
//
// Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/io/digest.h"
#include "caddis/logins/challenge.h"

namespace caddis::logins {

struct DigestChallenge {
  std::string realm, nonce;
  std::optional<std::string> opaque;
  std::string algorithm;  // as the server writes it; empty: it names none, which is MD5
  io::DigestAlgorithm hash = io::DigestAlgorithm::md5;
  bool is_session = false;  // "-sess"
  bool has_qop = false;     // "auth" is offered
  bool is_stale = false;    // the nonce was too old, and the rest was right
  bool hashes_user = false;
  std::string domain;  // URLs that it holds for, apart by blanks; empty: all of the server
};

// Returns nothing if it is none, or one that is not spoken here (auth-int alone, another algorithm, no nonce).
std::optional<DigestChallenge> digest_challenge(const Challenge& challenge);

// A request, and what the client says of it.
struct DigestRequest {
  std::string_view method, target;  // "GET", "/path?query" as in the request line
  std::string_view cnonce;
  uint32_t count = 1;  // how often the nonce was used, this time included
  // With -sess: those of the first request after the challenge; empty: those of this one.
  std::string_view session_nonce = {}, session_cnonce = {};
};

// The value of Authorization or Proxy-Authorization.
std::string digest_credentials(const DigestChallenge& challenge, std::string_view user, std::string_view password,
                               const DigestRequest& request);

}  // namespace caddis::logins
