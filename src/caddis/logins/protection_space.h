// A protection space (RFC 9110, section 11.5): what has been learned of one realm of a server or a proxy, and the
// credentials for the next request to it. Basic and Digest; of several challenges the strongest one counts.
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/http/head.h"
#include "caddis/logins/accounts.h"
#include "caddis/logins/digest.h"

namespace caddis::logins {

class ProtectionSpace {
 public:
  enum class Answer {
    none,      // no challenge that an account is for
    again,     // there are credentials now that the server has not seen: the request is worth another try
    rejected,  // the server does not take them
  };

  bool is_known() const { return is_basic_ || digest_.has_value(); }
  // "basic", "digest"; empty if nothing is known.
  std::string_view scheme() const { return digest_ ? "digest" : is_basic_ ? "basic" : ""; }
  // The one of the last challenge that an account was for, be it that the server rejects that.
  const std::string& realm() const { return realm_; }
  // Where it holds, as the server says (DigestChallenge::domain).
  std::string_view domain() const { return digest_ ? std::string_view(digest_->domain) : ""; }

  // The value of the field for a request; empty if nothing is known. `cnonce`: a new random text.
  std::string credentials(const Accounts& accounts, std::string_view method, std::string_view target,
                          std::string cnonce);

  // Learns from a 401 or 407. `field`: "www-authenticate" or "proxy-authenticate"; `sent`: the credentials that the
  // request had, empty for none.
  Answer challenged(const http::Head& head, std::string_view field, const Accounts& accounts, std::string_view sent);
  // Learns from any other answer to a request with credentials: they are taken, and there may be a next nonce. `field`: "authentication-info" or "proxy-authentication-info".
  void answered(const http::Head& head, std::string_view field);

 private:
  bool is_basic_ = false;
  std::string realm_;
  std::optional<DigestChallenge> digest_;
  bool has_worked_ = false;                     // the credentials, since the last challenge
  uint32_t count_ = 0;                          // uses of the nonce
  std::string session_nonce_, session_cnonce_;  // of the first request after the challenge
};

}  // namespace caddis::logins
