#include "caddis/logins/authorizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::logins {
namespace {

constexpr int kUnauthorized = 401;

// "/a/b" → "/a/"
std::string folder_of(std::string_view path) { return std::string(path.substr(0, path.rfind('/') + 1)); }

std::string target_of(const url::Url& url) {
  const std::string_view all = url.without_fragment();
  return std::string(all.substr(static_cast<size_t>(url.pathname().data() - all.data())));
}

// Where a realm of Digest holds: as the server says, or everywhere on it.
void add_stated_places(const ProtectionSpace& space, const url::Url& url, std::set<std::string>& folders) {
  bool has_any = false;
  for (const std::string_view word : split(space.domain(), ' ')) {
    if (trim(word).empty()) continue;
    const auto place = url::Url::parse(trim(word), &url);
    if (!place || place->host() != url.host() || place->protocol() != url.protocol()) continue;
    folders.emplace(place->pathname());
    has_any = true;
  }
  if (!has_any) folders.emplace("/");
}

}  // namespace

// Another password is another matter: a live change begins anew.
std::string Authorizer::key_of(const Accounts& accounts, const url::Url& url) {
  return fmt::format("{}\n{}\n{}", url.protocol(), url.host(), accounts.key());
}

// The one with the longest folder.
Authorizer::Space* Authorizer::find(Spaces& spaces, std::string_view path) {
  Space* best = nullptr;
  size_t length = 0;
  for (Space& space : spaces)
    for (const std::string& folder : space.folders)
      if (path.starts_with(folder) && folder.size() > length) {
        best = &space;
        length = folder.size();
      }
  return best;
}

Authorizer::Space* Authorizer::of_realm(Spaces& spaces, const ProtectionSpace& learned) {
  const auto same = std::ranges::find_if(spaces, [&](const Space& one) {
    return one.space.realm() == learned.realm() && one.space.scheme() == learned.scheme();
  });
  return same == spaces.end() ? nullptr : &*same;
}

void Authorizer::add_place(Spaces& spaces, Space& space, const url::Url& url) {
  if (space.folders.size() >= kMostFolders) return;
  if (space.space.scheme() == "digest")
    add_stated_places(space.space, url, space.folders);
  else
    space.folders.insert(folder_of(url.pathname()));
  // Another realm has said that it holds here: this one is within it, or beside it in one folder.
  if (find(spaces, url.pathname()) != &space) space.folders.insert(folder_of(url.pathname()));
  if (find(spaces, url.pathname()) != &space) space.folders.emplace(url.pathname());
}

std::string Authorizer::credentials(const Accounts& accounts, const url::Url& url, std::string_view method,
                                    std::string cnonce) {
  const std::string key = key_of(accounts, url);
  const std::lock_guard lock(mutex_);
  const auto server = servers_.find(key);
  if (server == servers_.end()) return {};
  Space* const space = find(server->second, url.pathname());
  if (space == nullptr || space->is_rejected) return {};
  return space->space.credentials(accounts, method, target_of(url), std::move(cnonce));
}

ProtectionSpace::Answer Authorizer::learn(const Accounts& accounts, const url::Url& url, const http::ResponseHead& head,
                                          std::string_view sent) {
  using Answer = ProtectionSpace::Answer;
  const std::string key = key_of(accounts, url);
  const std::lock_guard lock(mutex_);
  const auto server = servers_.find(key);
  Space* known = server == servers_.end() ? nullptr : find(server->second, url.pathname());
  if (head.status() != kUnauthorized) {
    if (known != nullptr && !sent.empty()) known->space.answered(head, "authentication-info");
    return Answer::none;
  }
  ProtectionSpace learned = known != nullptr ? known->space : ProtectionSpace();
  const Answer answer = learned.challenged(head, "www-authenticate", accounts, sent);
  if (answer == Answer::none) return answer;
  Spaces& spaces = servers_[key];
  Space* space = of_realm(spaces, learned);
  if (space == nullptr && spaces.size() == kMostSpaces) return Answer::none;
  if (space == nullptr) space = &spaces.emplace_back();
  space->is_rejected |= answer == Answer::rejected;
  space->space = std::move(learned);
  add_place(spaces, *space, url);
  return space->is_rejected ? Answer::rejected : answer;
}

std::optional<std::string> Authorizer::untold_rejection(const Accounts& accounts, const url::Url& url,
                                                        std::string_view site) {
  const std::string key = key_of(accounts, url);
  const std::lock_guard lock(mutex_);
  const auto server = servers_.find(key);
  const Space* const space = server == servers_.end() ? nullptr : find(server->second, url.pathname());
  if (space == nullptr || !space->is_rejected) return std::nullopt;
  const std::string& realm = space->space.realm();
  const bool is_first = told_.insert(fmt::format("{}\n{}\n{}", site, realm, accounts.key())).second;
  return is_first ? std::optional(realm) : std::nullopt;
}

std::string Authorizer::scheme_for(const Accounts& accounts, const url::Url& url) const {
  const std::string key = key_of(accounts, url);
  const std::lock_guard lock(mutex_);
  const auto server = servers_.find(key);
  if (server == servers_.end()) return {};
  const Space* const space = find(const_cast<Spaces&>(server->second), url.pathname());
  return space == nullptr ? std::string() : std::string(space->space.scheme());
}

}  // namespace caddis::logins
