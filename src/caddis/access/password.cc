#include "caddis/access/password.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <vector>

#include "caddis/access/secret.h"
#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/io/digest.h"

namespace caddis::access {
namespace {

constexpr size_t kSaltSize = 16, kKeySize = 32;
constexpr uint64_t kMostMemory = 256ULL << 20;
constexpr size_t kShortest = 8, kLongest = 1000;

std::string scrypt(const PasswordHash& hash, std::string_view password) {
  std::string key(kKeySize, '\0');
  const int done =
      EVP_PBE_scrypt(password.data(), password.size(), reinterpret_cast<const unsigned char*>(hash.salt.data()),
                     hash.salt.size(), 1ULL << hash.log_n, hash.r, hash.p, kMostMemory + (16ULL << 20),
                     reinterpret_cast<unsigned char*>(key.data()), key.size());
  CADDIS_CHECK(done == 1);
  return key;
}

bool is_hex_of(std::string_view text, size_t bytes) {
  return text.size() == 2 * bytes &&
         std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

}  // namespace

Result<void> check_strength(std::string_view password) {
  if (password.size() < kShortest)
    return fail(ErrorCode::config, fmt::format("a password has at least {} characters", kShortest));
  if (password.size() > kLongest)
    return fail(ErrorCode::config, fmt::format("a password has at most {} bytes", kLongest));
  if (std::ranges::any_of(password, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return fail(ErrorCode::config, "a password has no control characters, such as the end of a line");
  return {};
}

PasswordHash hash_password(std::string_view password) {
  PasswordHash made;
  made.salt = from_hex(new_secret())->substr(0, kSaltSize);
  made.key = scrypt(made, password);
  return made;
}

bool is_password(const PasswordHash& hash, std::string_view password) {
  return are_same(scrypt(hash, password.substr(0, kLongest + 1)), hash.key);
}

DigestSecrets digest_secrets(std::string_view name, std::string_view password) {
  const std::string secret = fmt::format("{}:{}:{}", name, kRealm, password);
  return {.md5 = to_hex(io::digest(io::DigestAlgorithm::md5, secret)), .sha256 = to_hex(io::sha256(secret))};
}

std::string to_text(const PasswordHash& hash) {
  return fmt::format("scrypt:{}:{}:{}:{}:{}", hash.log_n, hash.r, hash.p, to_hex(hash.salt), to_hex(hash.key));
}

std::optional<PasswordHash> parse_password_hash(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() != 6 || parts[0] != "scrypt") return {};
  const auto log_n = parse_int(parts[1]), r = parse_int(parts[2]), p = parse_int(parts[3]);
  const auto is_within = [](const auto& number, int64_t most) { return number && *number >= 1 && *number <= most; };
  if (!is_within(log_n, 20) || !is_within(r, 32) || !is_within(p, 16)) return {};
  if (128ULL * static_cast<uint64_t>(*r) << *log_n > kMostMemory) return {};
  if (!is_hex_of(parts[4], kSaltSize) || !is_hex_of(parts[5], kKeySize)) return {};
  return PasswordHash{.log_n = static_cast<unsigned>(*log_n),
                      .r = static_cast<unsigned>(*r),
                      .p = static_cast<unsigned>(*p),
                      .salt = *from_hex(parts[4]),
                      .key = *from_hex(parts[5])};
}

std::string to_text(const DigestSecrets& secrets) { return fmt::format("digest:{}:{}", secrets.md5, secrets.sha256); }

std::optional<DigestSecrets> parse_digest_secrets(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() != 3 || parts[0] != "digest" || !is_hex_of(parts[1], 16) || !is_hex_of(parts[2], 32)) return {};
  return DigestSecrets{.md5 = std::string(parts[1]), .sha256 = std::string(parts[2])};
}

}  // namespace caddis::access
