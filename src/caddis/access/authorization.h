// The field Authorization of a request: Basic (RFC 7617), Digest (RFC 7616) and Bearer (RFC 6750).
//
// Pure, any thread, linear in the field. Whatever the input, what can be read of it comes out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace caddis::access {

struct DigestFields {
  std::string username, realm, nonce, uri, response, algorithm, cnonce, qop;
  uint32_t count = 0;  // nc; 0 if there is none
};

struct Authorization {
  enum class Scheme { none, basic, bearer, digest, other };
  Scheme scheme = Scheme::none;
  std::string name, password;  // of Basic
  std::string token;           // of Bearer
  DigestFields digest;
};

// A field that is malformed has Scheme::other.
Authorization parse_authorization(std::string_view field);

}  // namespace caddis::access
