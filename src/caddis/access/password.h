// Passwords as they are kept: by scrypt (RFC 7914), which costs whoever guesses 32 MB and tens of milliseconds a guess.
// Beside it, if an operator wants HTTP Digest, what that needs (RFC 7616, section 3.4.2): these two digests are as good
// as the password itself for Digest, and quickly guessed.
//
// Pure functions, any thread; `check` and `hash_password` block as long as scrypt takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::access {

// The realm of all our challenges; digests of Digest are made with it, so it never changes.
inline constexpr std::string_view kRealm = "caddis";

struct PasswordHash {
  unsigned log_n = 15, r = 8, p = 1;  // the cost
  std::string salt, key;              // raw
  bool operator==(const PasswordHash&) const = default;
};

struct DigestSecrets {
  std::string md5, sha256;  // of "name:caddis:password", in hexadecimal
  bool operator==(const DigestSecrets&) const = default;
};

// ErrorCode::config for a password that is shorter than 8 or longer than 1,000 bytes, or has control characters.
Result<void> check_strength(std::string_view password);
// With a new salt.
PasswordHash hash_password(std::string_view password);
bool is_password(const PasswordHash& hash, std::string_view password);
DigestSecrets digest_secrets(std::string_view name, std::string_view password);

// "scrypt:15:8:1:SALT:KEY", both in hexadecimal. Costs that would take more than 256 MB are no hash.
std::string to_text(const PasswordHash& hash);
std::optional<PasswordHash> parse_password_hash(std::string_view text);
// "digest:MD5:SHA256".
std::string to_text(const DigestSecrets& secrets);
std::optional<DigestSecrets> parse_digest_secrets(std::string_view text);

}  // namespace caddis::access
