// HTTP Digest as a server asks for it (RFC 7616): MD5, SHA-256 and their -sess, with qop=auth. Without qop (RFC 2069)
// nothing would tell a request from one that is sent again, so it is not taken.
//
// A nonce says itself when it was made, and is sealed by a key of this process: nobody fills a table by asking. Only
// nonces that were used with the right answer are remembered, with the counts that came with them; no count is taken
// twice. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/access/authorization.h"
#include "caddis/access/password.h"
#include "caddis/base/clock.h"

namespace caddis::access {

// The right value of `response`; empty for an algorithm that is not spoken here.
std::string digest_response(const DigestSecrets& secrets, const DigestFields& fields, std::string_view method);

class DigestCheck {
 public:
  enum class Outcome {
    good,
    stale,  // the password is right, but the nonce is too old, or its count was used before: ask again with a new one
    wrong,
  };
  // `key`: random, of this process.
  explicit DigestCheck(std::string key) : key_(std::move(key)) {}

  // The two values of WWW-Authenticate, SHA-256 first: some clients take the first, some the last.
  std::vector<std::string> challenges(SteadyTime now, bool is_stale);
  // `target` is that of the request, which the field has to name. Null secrets: nobody of that name logs in so.
  Outcome check(const DigestFields& fields, const DigestSecrets* secrets, std::string_view method,
                std::string_view target, SteadyTime now);

 private:
  struct Use {
    uint32_t highest = 0;
    uint64_t seen = 0;  // bit i: highest - i was used
  };
  std::string seal(std::string_view text) const;
  // When the nonce was made; nothing if it is none of ours.
  std::optional<int64_t> time_of(std::string_view nonce) const;
  bool was_used(std::string_view nonce, uint32_t count) const;
  bool use(std::string_view nonce, uint32_t count, SteadyTime now);
  void forget_old(SteadyTime now);

  const std::string key_;
  std::map<std::string, Use, std::less<>> uses_;  // by nonce; its first digits are its time
  int64_t forgotten_until_ = 0;                   // a nonce of before that is stale if it is not in the map
};

}  // namespace caddis::access
