#include "caddis/logins/protection_space.h"

#include <utility>
#include <vector>

#include "caddis/http/fields.h"
#include "caddis/logins/challenge.h"

namespace caddis::logins {
namespace {

// A parameter of credentials of Digest; empty if they have none.
std::string parameter_of(std::string_view sent, std::string_view name) {
  const auto parsed = parse_challenges(sent);
  return parsed.empty() ? std::string() : std::string(parsed.front().find(name).value_or(""));
}

}  // namespace

std::string ProtectionSpace::credentials(const Accounts& accounts, std::string_view method, std::string_view target,
                                         std::string cnonce) {
  const Account* const account = is_known() ? accounts.find(realm_) : nullptr;
  if (account == nullptr) return {};
  if (!digest_) return http::basic_credentials(account->user, account->password);
  ++count_;
  if (session_cnonce_.empty()) {
    session_nonce_ = digest_->nonce;
    session_cnonce_ = cnonce;
  }
  DigestRequest request{.method = method, .target = target, .cnonce = cnonce, .count = count_};
  request.session_nonce = session_nonce_;
  request.session_cnonce = session_cnonce_;
  return digest_credentials(*digest_, account->user, account->password, request);
}

// A digest for that realm is refused for good if the server does not say that its nonce was stale, and it has never been
// taken: the password is wrong. If it was taken before, the nonce has ended, and the server does not say so.
ProtectionSpace::Answer ProtectionSpace::challenged(const http::Head& head, std::string_view field,
                                                    const Accounts& accounts, std::string_view sent) {
  bool is_basic = false;
  std::optional<DigestChallenge> digest;
  std::string realm;
  for (const Challenge& challenge : challenges_of(head, field)) {
    if (accounts.find(challenge.realm()) == nullptr) continue;
    if (challenge.scheme == "basic" && !is_basic) {
      is_basic = true;
      if (!digest) realm = challenge.realm();
    }
    auto offered = digest_challenge(challenge);
    if (!offered) continue;
    const bool is_stronger = digest && digest->hash == io::DigestAlgorithm::md5 && offered->hash != digest->hash;
    if (digest && !is_stronger) continue;
    realm = offered->realm;
    digest = std::move(offered);
  }
  if (!is_basic && !digest) return Answer::none;
  const Account& account = *accounts.find(realm);
  const bool is_same = realm == realm_;
  realm_ = std::move(realm);
  // The credentials that were sent may be for another realm.
  const bool was_digest = sent.starts_with("Digest ") && parameter_of(sent, "realm") == realm_;
  // Another visit may have learned a newer nonce meanwhile: that one is not lost.
  const bool is_overtaken = is_same && digest && digest_ && was_digest && parameter_of(sent, "nonce") != digest_->nonce;
  const bool has_worked = is_same && has_worked_;
  const bool is_rejected = digest ? was_digest && !digest->is_stale && !is_overtaken && !has_worked
                                  : sent == http::basic_credentials(account.user, account.password);
  is_basic_ = is_basic && !digest;
  digest_ = std::move(digest);
  has_worked_ = false;
  count_ = 0;
  session_nonce_.clear();
  session_cnonce_.clear();
  return is_rejected ? Answer::rejected : Answer::again;
}

void ProtectionSpace::answered(const http::Head& head, std::string_view field) {
  has_worked_ = true;
  if (!digest_) return;
  const auto info = head.find(field);
  if (!info) return;
  for (const std::string_view item : http::split_list(*info)) {
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos || item.substr(0, equals) != "nextnonce") continue;
    std::string next = http::unquote(item.substr(equals + 1));
    if (next.empty() || next == digest_->nonce) continue;
    digest_->nonce = std::move(next);
    count_ = 0;
  }
}

}  // namespace caddis::logins
