#include "caddis/logins/authorizer.h"

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

}  // namespace

// Another password is another matter: a live change begins anew.
std::string Authorizer::key_of(const LoginSettings& login, const url::Url& url) {
  std::string key(url.protocol());
  for (const std::string_view part :
       {url.host(), std::string_view(login.user), std::string_view(login.password), std::string_view(login.realm)}) {
    key += '\n';
    key += part;
  }
  return key;
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

void Authorizer::add_place(Space& space, const url::Url& url) {
  if (space.folders.size() >= kMostFolders) return;
  if (space.space.scheme() != "digest") {
    space.folders.insert(folder_of(url.pathname()));
    return;
  }
  bool has_any = false;
  for (const std::string_view word : split(space.space.domain(), ' ')) {
    if (trim(word).empty()) continue;
    const auto place = url::Url::parse(trim(word), &url);
    if (!place || place->host() != url.host() || place->protocol() != url.protocol()) continue;
    space.folders.emplace(place->pathname());
    has_any = true;
  }
  if (!has_any) space.folders.emplace("/");
}

std::string Authorizer::credentials(const LoginSettings& login, const url::Url& url, std::string_view method,
                                    std::string cnonce) {
  const std::string key = key_of(login, url);
  const std::lock_guard lock(mutex_);
  const auto server = servers_.find(key);
  if (server == servers_.end()) return {};
  Space* const space = find(server->second, url.pathname());
  if (space == nullptr || space->is_rejected) return {};
  return space->space.credentials({login.user, login.password, login.realm}, method, target_of(url), std::move(cnonce));
}

ProtectionSpace::Answer Authorizer::learn(const LoginSettings& login, const url::Url& url,
                                          const http::ResponseHead& head, std::string_view sent) {
  using Answer = ProtectionSpace::Answer;
  const std::string key = key_of(login, url);
  const std::lock_guard lock(mutex_);
  const auto server = servers_.find(key);
  Space* known = server == servers_.end() ? nullptr : find(server->second, url.pathname());
  if (head.status() != kUnauthorized) {
    if (known != nullptr && !sent.empty()) known->space.answered(head, "authentication-info");
    return Answer::none;
  }
  const Credentials given{login.user, login.password, login.realm};
  ProtectionSpace learned = known != nullptr ? known->space : ProtectionSpace();
  const Answer answer = learned.challenged(head, "www-authenticate", given, sent);
  if (answer == Answer::rejected && known != nullptr) known->is_rejected = true;
  if (answer != Answer::again) return answer;
  Spaces& spaces = servers_[key];
  const auto same = std::ranges::find_if(spaces, [&](const Space& one) {
    return one.space.realm() == learned.realm() && one.space.scheme() == learned.scheme();
  });
  if (same == spaces.end() && spaces.size() == kMostSpaces) return Answer::none;
  if (same != spaces.end() && same->is_rejected) return Answer::rejected;
  Space& space = same != spaces.end() ? *same : spaces.emplace_back();
  space.space = std::move(learned);
  add_place(space, url);
  return answer;
}

std::string Authorizer::scheme_for(const LoginSettings& login, const url::Url& url) const {
  const std::string key = key_of(login, url);
  const std::lock_guard lock(mutex_);
  const auto server = servers_.find(key);
  if (server == servers_.end()) return {};
  const Space* const space = find(const_cast<Spaces&>(server->second), url.pathname());
  return space == nullptr ? std::string() : std::string(space->space.scheme());
}

}  // namespace caddis::logins
