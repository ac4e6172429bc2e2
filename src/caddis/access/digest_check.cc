#include "caddis/access/digest_check.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>

#include "caddis/access/secret.h"
#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/io/digest.h"

namespace caddis::access {
namespace {

constexpr Duration kLifetime = std::chrono::minutes(10);
constexpr size_t kMostUses = 4096;
constexpr size_t kTimeSize = 16, kChanceSize = 16, kSealSize = 32;

int64_t number_of(SteadyTime time) { return time.time_since_epoch().count(); }

// The request's own target, or the whole URL of it, as proxies and some clients write it.
bool names_target(std::string_view uri, std::string_view target) {
  if (uri == target) return true;
  const size_t scheme = uri.find("://");
  if (scheme == std::string_view::npos) return false;
  const size_t path = uri.find('/', scheme + 3);
  return path != std::string_view::npos && uri.substr(path) == target;
}

}  // namespace

std::string digest_response(const DigestSecrets& secrets, const DigestFields& fields, std::string_view method) {
  std::string name = to_lower(fields.algorithm);
  const bool is_session = name.ends_with("-sess");
  if (is_session) name.resize(name.size() - std::string_view("-sess").size());
  const bool is_sha = name == "sha-256";
  if (!is_sha && !name.empty() && name != "md5") return {};
  const auto hash = is_sha ? io::DigestAlgorithm::sha256 : io::DigestAlgorithm::md5;
  const auto hex = [&](std::string_view text) { return to_hex(io::digest(hash, text)); };
  std::string a1 = is_sha ? secrets.sha256 : secrets.md5;
  if (is_session) a1 = hex(fmt::format("{}:{}:{}", a1, fields.nonce, fields.cnonce));
  const std::string a2 = hex(fmt::format("{}:{}", method, fields.uri));
  return hex(fmt::format("{}:{}:{:08x}:{}:{}:{}", a1, fields.nonce, fields.count, fields.cnonce, fields.qop, a2));
}

std::string DigestCheck::seal(std::string_view text) const {
  return to_hex(io::sha256(key_ + to_hex(io::sha256(fmt::format("{}{}", key_, text))))).substr(0, kSealSize);
}

std::vector<std::string> DigestCheck::challenges(SteadyTime now, bool is_stale) {
  std::string nonce = fmt::format("{:016x}{:016x}", number_of(now), system_seed());
  nonce += seal(nonce);
  const std::string_view stale = is_stale ? ", stale=true" : "";
  std::vector<std::string> made;
  for (const std::string_view algorithm : {"SHA-256", "MD5"})
    made.push_back(
        fmt::format(R"(Digest realm="{}", qop="auth", algorithm={}, nonce="{}"{})", kRealm, algorithm, nonce, stale));
  return made;
}

std::optional<int64_t> DigestCheck::time_of(std::string_view nonce) const {
  if (nonce.size() != kTimeSize + kChanceSize + kSealSize) return {};
  const std::string_view text = nonce.substr(0, kTimeSize + kChanceSize);
  if (!are_same(seal(text), nonce.substr(text.size()))) return {};
  int64_t time = 0;
  std::from_chars(text.data(), text.data() + kTimeSize, time, 16);
  return time;
}

DigestCheck::Outcome DigestCheck::check(const DigestFields& fields, const DigestSecrets* secrets,
                                        std::string_view method, std::string_view target, SteadyTime now) {
  if (secrets == nullptr || fields.realm != kRealm || !equals_ignore_case(fields.qop, "auth") || fields.count == 0 ||
      fields.cnonce.empty() || !names_target(fields.uri, target))
    return Outcome::wrong;
  const std::string right = digest_response(*secrets, fields, method);
  // Clients that follow a redirect send the answer to the request before it once more. That is no guess at a password,
  // and tells nothing of one: what was used is refused whatever it says.
  if (right.empty() || !are_same(right, to_lower(fields.response)))
    return was_used(fields.nonce, fields.count) ? Outcome::stale : Outcome::wrong;
  return use(fields.nonce, fields.count, now) ? Outcome::good : Outcome::stale;
}

bool DigestCheck::was_used(std::string_view nonce, uint32_t count) const {
  const auto found = uses_.find(nonce);
  if (found == uses_.end() || count > found->second.highest) return false;
  const uint32_t behind = found->second.highest - count;
  return behind >= 64 || (found->second.seen >> behind & 1) != 0;
}

bool DigestCheck::use(std::string_view nonce, uint32_t count, SteadyTime now) {
  const auto made = time_of(nonce);
  if (!made || *made > number_of(now) || *made + kLifetime.count() < number_of(now)) return false;
  auto found = uses_.find(nonce);
  if (found == uses_.end()) {
    if (*made < forgotten_until_) return false;
    forget_old(now);
    found = uses_.emplace(std::string(nonce), Use()).first;
  }
  Use& used = found->second;
  if (count > used.highest) {
    const uint32_t by = count - used.highest;
    used.seen = (by < 64 ? used.seen << by : 0) | 1;
    used.highest = count;
    return true;
  }
  // Connections that a client has side by side may bring their counts in another order.
  if (was_used(nonce, count)) return false;
  used.seen |= 1ULL << (used.highest - count);
  return true;
}

// The oldest are the first of the map.
void DigestCheck::forget_old(SteadyTime now) {
  const auto is_old = [&] { return *time_of(uses_.begin()->first) + kLifetime.count() < number_of(now); };
  while (!uses_.empty() && (uses_.size() >= kMostUses || is_old())) {
    forgotten_until_ = *time_of(uses_.begin()->first) + 1;
    uses_.erase(uses_.begin());
  }
}

}  // namespace caddis::access
