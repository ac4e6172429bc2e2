#include "caddis/logins/digest.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/http/fields.h"

namespace caddis::logins {
namespace {

std::string hex_digest(const DigestChallenge& challenge, std::string_view text) {
  return to_hex(io::digest(challenge.hash, text));
}

// A quoted string (RFC 9110, 5.6.4), without what no field can have.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\r' || c == '\n' || c == '\0') continue;
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out += '"';
}

// username= or, if that cannot be written so, username*= (RFC 7616, 3.4; RFC 8187).
std::string user_field(std::string_view user) {
  const bool is_plain = std::ranges::all_of(user, [](char c) { return c >= ' ' && c < 127; });
  if (is_plain) return "username=" + quoted(user);
  std::string out = "username*=UTF-8''";
  for (const char c : user) {
    if (is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~')
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace

std::optional<DigestChallenge> digest_challenge(const Challenge& challenge) {
  const auto nonce = challenge.find("nonce");
  if (challenge.scheme != "digest" || !nonce) return {};
  DigestChallenge made;
  made.realm = challenge.realm();
  made.nonce = *nonce;
  if (const auto opaque = challenge.find("opaque")) made.opaque = *opaque;
  made.domain = challenge.find("domain").value_or("");
  made.algorithm = challenge.find("algorithm").value_or("");
  made.is_stale = equals_ignore_case(challenge.find("stale").value_or(""), "true");
  made.hashes_user = equals_ignore_case(challenge.find("userhash").value_or(""), "true");
  std::string name = to_lower(made.algorithm);
  made.is_session = name.ends_with("-sess");
  if (made.is_session) name.resize(name.size() - std::string_view("-sess").size());
  if (name == "sha-256")
    made.hash = io::DigestAlgorithm::sha256;
  else if (!name.empty() && name != "md5")
    return {};
  if (const auto qop = challenge.find("qop")) {
    const auto offered = http::split_list(*qop);
    made.has_qop = std::ranges::any_of(offered, [](std::string_view one) { return equals_ignore_case(one, "auth"); });
    if (!made.has_qop && !offered.empty()) return {};
  }
  return made;
}

std::string digest_credentials(const DigestChallenge& challenge, std::string_view user, std::string_view password,
                               const DigestRequest& request) {
  const std::string count = fmt::format("{:08x}", request.count);
  std::string a1 = hex_digest(challenge, fmt::format("{}:{}:{}", user, challenge.realm, password));
  if (challenge.is_session) {
    const std::string_view nonce = request.session_nonce.empty() ? challenge.nonce : request.session_nonce;
    const std::string_view cnonce = request.session_cnonce.empty() ? request.cnonce : request.session_cnonce;
    a1 = hex_digest(challenge, fmt::format("{}:{}:{}", a1, nonce, cnonce));
  }
  const std::string a2 = hex_digest(challenge, fmt::format("{}:{}", request.method, request.target));
  const std::string response =
      challenge.has_qop
          ? hex_digest(challenge, fmt::format("{}:{}:{}:{}:auth:{}", a1, challenge.nonce, count, request.cnonce, a2))
          : hex_digest(challenge, fmt::format("{}:{}:{}", a1, challenge.nonce, a2));
  std::string out = "Digest ";
  out += challenge.hashes_user
             ? "username=" + quoted(hex_digest(challenge, fmt::format("{}:{}", user, challenge.realm)))
             : user_field(user);
  out += fmt::format(", realm={}, uri={}", quoted(challenge.realm), quoted(request.target));
  if (!challenge.algorithm.empty()) out += ", algorithm=" + challenge.algorithm;
  out += fmt::format(", nonce={}", quoted(challenge.nonce));
  if (challenge.has_qop || challenge.is_session) out += fmt::format(", cnonce={}", quoted(request.cnonce));
  if (challenge.has_qop) out += fmt::format(", nc={}, qop=auth", count);
  out += fmt::format(", response={}", quoted(response));
  if (challenge.opaque) out += fmt::format(", opaque={}", quoted(*challenge.opaque));
  if (challenge.hashes_user) out += ", userhash=true";
  return out;
}

}  // namespace caddis::logins
