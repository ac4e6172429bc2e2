// A set of cookies is found by its domain and jar. A request looks at the set of its host, and at those of the domains
// above it up to the registrable domain: all of them are in one shard.

#include "caddis/cookies/cookie_jar.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "caddis/base/hash.h"
#include "caddis/base/strings.h"
#include "caddis/cookies/cookie_row.h"
#include "caddis/cookies/set_cookie.h"
#include "caddis/url/domain.h"

namespace caddis::cookies {
namespace {

// Hosts that may share cookies have the same.
std::string_view site_of(std::string_view host) {
  const std::string_view domain = url::registrable_domain(host);
  return domain.empty() ? host : domain;
}

// RFC 6265, 5.1.3; the caller knows that neither is an address, or that they are the same.
bool is_below(std::string_view host, std::string_view domain) {
  return host.size() > domain.size() && host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.';
}

// RFC 6265, 5.1.4.
bool path_matches(std::string_view path, std::string_view of_cookie) {
  if (!path.starts_with(of_cookie)) return false;
  return path.size() == of_cookie.size() || of_cookie.ends_with('/') || path[of_cookie.size()] == '/';
}

bool is_expired(const Cookie& cookie, WallTime now) { return cookie.expires && *cookie.expires <= now; }

uint64_t memory_of(const Cookie& cookie) {
  return sizeof(Cookie) + cookie.name.size() + cookie.value.size() + cookie.domain.size() + cookie.path.size();
}

// For the few changes of a visit.
void note(Changes& changes, const std::string& key) {
  if (std::ranges::find(changes, key) == changes.end()) changes.push_back(key);
}

// For the many of an eviction. Repeats do no harm: a row is written once a group.
void note_evicted(Changes& changes, const std::string& key) {
  if (changes.empty() || changes.back() != key) changes.push_back(key);
}

// Calls `use` with the host and each domain above it that may have cookies for it, until it returns true.
template <class Use>
bool any_domain(std::string_view host, Use use) {
  const std::string_view site = site_of(host);
  for (std::string_view domain = host;; domain.remove_prefix(domain.find('.') + 1)) {
    if (use(domain)) return true;
    if (domain.size() <= site.size() || !domain.contains('.')) return false;
  }
}

// The domain for which it is to hold, if the host may say so.
bool set_domain(Cookie& cookie, const std::string& wanted, std::string_view host) {
  cookie.domain = host;
  cookie.host_only = true;
  if (wanted.empty() || wanted == host) {
    // A host that is a public suffix, or an address, speaks for itself alone.
    cookie.host_only = wanted.empty() || url::registrable_domain(host).empty();
    return true;
  }
  if (url::registrable_domain(wanted).empty() || !is_below(host, wanted)) return false;
  cookie.domain = wanted;
  cookie.host_only = false;
  return true;
}

// RFC 6265bis, 4.1.3. Names are compared without case, as some servers do.
bool keeps_promise(const Cookie& cookie, const SetCookie& written) {
  if (starts_with_ignore_case(cookie.name, "__secure-")) return cookie.secure;
  if (!starts_with_ignore_case(cookie.name, "__host-")) return true;
  return cookie.secure && written.domain.empty() && written.path == "/";
}

// Returns nothing if it may not be.
std::optional<Cookie> cookie_of(const SetCookie& written, const Place& place) {
  Cookie cookie;
  cookie.name = written.name;
  cookie.value = written.value;
  cookie.same_site = written.same_site;
  cookie.secure = written.secure;
  cookie.http_only = written.http_only;
  cookie.created = cookie.accessed = place.now;
  cookie.path = written.path.empty() ? default_path(place.url.pathname()) : written.path;
  if (written.max_age)
    cookie.expires = place.now + std::chrono::seconds(*written.max_age);
  else
    cookie.expires = written.expires;
  if (cookie.secure && place.url.scheme() != "https") return std::nullopt;
  if (!set_domain(cookie, written.domain, place.url.hostname()) || !keeps_promise(cookie, written)) return std::nullopt;
  return cookie;
}

bool is_same(const Cookie& a, const Cookie& b) {
  return a.name == b.name && a.path == b.path && a.host_only == b.host_only;
}

}  // namespace

std::string row_key(std::string_view domain, std::string_view jar) {
  return std::string(domain).append(" ").append(jar);
}

std::string_view domain_of_key(std::string_view key) { return key.substr(0, key.find(' ')); }

std::string_view jar_of_key(std::string_view key) {
  const size_t blank = key.find(' ');
  return blank == std::string_view::npos ? std::string_view() : key.substr(blank + 1);
}

void CookieJar::set_bounds(uint64_t total, uint64_t bytes) {
  most_.store(total, std::memory_order_relaxed);
  most_bytes_.store(bytes, std::memory_order_relaxed);
}

CookieJar::Shard& CookieJar::shard_of(std::string_view host) { return shards_[siphash(site_of(host), 0, 0) % kShards]; }

const CookieJar::Shard& CookieJar::shard_of(std::string_view host) const {
  return shards_[siphash(site_of(host), 0, 0) % kShards];
}

void CookieJar::add(Set& set, Cookie cookie) {
  count_.fetch_add(1, std::memory_order_relaxed);
  bytes_.fetch_add(memory_of(cookie), std::memory_order_relaxed);
  set.push_back(std::move(cookie));
}

void CookieJar::erase(Set& set, size_t at) {
  count_.fetch_sub(1, std::memory_order_relaxed);
  bytes_.fetch_sub(memory_of(set[at]), std::memory_order_relaxed);
  set.erase(set.begin() + static_cast<Set::difference_type>(at));
}

// Under the lock of the shard. Returns whether anything has changed.
bool CookieJar::insert(Shard& shard, const std::string& key, Cookie cookie, WallTime now) {
  Set& set = shard.sets[key];
  bool changed = false;
  std::optional<size_t> place;  // of the one that it replaces
  for (size_t at = set.size(); at-- > 0;) {
    if (is_same(set[at], cookie)) {
      place = at;
      cookie.created = set[at].created;
      cookie.secret = cookie.secret || set[at].secret;
    } else if (!is_expired(set[at], now)) {
      continue;
    } else if (place) {
      --*place;
    }
    erase(set, at);
    changed = true;
  }
  if (!is_expired(cookie, now)) {
    const auto behind = std::ranges::upper_bound(set, cookie.created, {}, &Cookie::created);
    const auto at = place ? static_cast<Set::difference_type>(*place) : behind - set.begin();
    add(set, std::move(cookie));
    std::rotate(set.begin() + at, set.end() - 1, set.end());
    changed = true;
  }
  if (set.empty()) shard.sets.erase(key);
  return changed;
}

// Under the lock of the shard. Returns how many cookies of the set had to go.
uint64_t CookieJar::shrink(Shard& shard, const std::string& key, uint64_t most) {
  const auto found = shard.sets.find(key);
  uint64_t gone = 0;
  while (found != shard.sets.end() && found->second.size() > most) {
    Set& set = found->second;
    const auto oldest = std::ranges::min_element(
        set, {}, [](const Cookie& one) { return std::pair(one.secret, std::pair(one.accessed, one.created)); });
    if (oldest->secret) break;
    erase(set, static_cast<size_t>(oldest - set.begin()));
    ++gone;
  }
  return gone;
}

// Whether an answer without TLS would stand in front of a cookie that is sent over TLS alone.
bool CookieJar::hides_secure(const Shard& shard, const Cookie& cookie, const Place& place) {
  if (place.url.scheme() == "https") return false;
  return any_domain(place.url.hostname(), [&](std::string_view domain) {
    const auto found = shard.sets.find(row_key(domain, place.jar));
    return found != shard.sets.end() && std::ranges::any_of(found->second, [&](const Cookie& kept) {
             return kept.secure && kept.name == cookie.name && path_matches(cookie.path, kept.path) &&
                    !is_expired(kept, place.now);
           });
  });
}

CookieCounts CookieJar::store(std::string_view set_cookie, const Place& place, const CookieSettings& settings,
                              Changes& changes) {
  const auto written = parse_set_cookie(set_cookie);
  if (!written) return {.refused = 1};
  if (written->name.size() + written->value.size() > static_cast<size_t>(settings.max_size)) return {.too_large = 1};
  auto cookie = cookie_of(*written, place);
  if (!cookie) return {.refused = 1};
  CookieCounts counts{.kept = 1};
  const std::string key = row_key(cookie->domain, place.jar);
  {
    Shard& shard = shard_of(place.url.hostname());
    const std::lock_guard lock(shard.mutex);
    if (hides_secure(shard, *cookie, place)) return {.refused = 1};
    const bool has_changed = insert(shard, key, *std::move(cookie), place.now);
    counts.over_domain = shrink(shard, key, static_cast<uint64_t>(settings.per_domain));
    if (has_changed || counts.over_domain > 0) note(changes, key);
  }
  if (is_over_bounds()) counts.over_total = evict_over_bounds(place.now, changes);
  return counts;
}

void CookieJar::put(Cookie cookie, std::string_view jar, Changes& changes) {
  const std::string key = row_key(cookie.domain, jar);
  const WallTime now = cookie.created;
  Shard& shard = shard_of(cookie.domain);
  const std::lock_guard lock(shard.mutex);
  if (insert(shard, key, std::move(cookie), now)) note(changes, key);
}

CookieField CookieJar::field_for(const Place& place) {
  CookieField field;
  if (size() == 0) return field;
  const std::string_view path = place.url.pathname();
  const bool has_tls = place.url.scheme() == "https";
  Shard& shard = shard_of(place.url.hostname());
  const std::lock_guard lock(shard.mutex);
  if (shard.sets.empty()) return field;
  std::vector<Cookie*> sent;
  any_domain(place.url.hostname(), [&](std::string_view domain) {
    const auto found = shard.sets.find(row_key(domain, place.jar));
    if (found == shard.sets.end()) return false;
    for (Cookie& cookie : found->second) {
      const bool is_meant = (!cookie.host_only || domain == place.url.hostname()) && (!cookie.secure || has_tls);
      if (is_meant && !is_expired(cookie, place.now) && path_matches(path, cookie.path)) sent.push_back(&cookie);
    }
    return false;
  });
  // Longer paths first, then older cookies, then as they came.
  std::vector<std::tuple<int64_t, WallTime, size_t>> order;
  for (size_t i = 0; i < sent.size(); ++i)
    order.emplace_back(-static_cast<int64_t>(sent[i]->path.size()), sent[i]->created, i);
  std::ranges::sort(order);
  for (const auto& [length, created, at] : order) {
    Cookie* const cookie = sent[at];
    if (!field.text.empty()) field.text += "; ";
    field.text.append(cookie->name).append("=").append(cookie->value);
    field.secret = field.secret || cookie->secret;
    cookie->accessed = place.now;
  }
  return field;
}

// --- bounds

struct CookieJar::Candidate {
  WallTime accessed, created;
  std::string key, name, path;
  bool host_only;
};

bool CookieJar::is_over_bounds() const {
  return size() > most_.load(std::memory_order_relaxed) || bytes() > most_bytes_.load(std::memory_order_relaxed);
}

std::vector<CookieJar::Candidate> CookieJar::candidates() const {
  std::vector<Candidate> found;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    for (const auto& [key, set] : shard.sets)
      for (const Cookie& cookie : set)
        if (!cookie.secret)
          found.push_back({cookie.accessed, cookie.created, key, cookie.name, cookie.path, cookie.host_only});
  }
  return found;
}

// Some more than must go, so that not every cookie looks through all of them. Returns how many went that had not expired.
uint64_t CookieJar::evict_over_bounds(WallTime now, Changes& changes) {
  const std::lock_guard only_one(evicting_);
  uint64_t gone = 0;
  if (!is_over_bounds()) return gone;
  const auto below = [](uint64_t most) { return most - most / 20; };
  const uint64_t most = below(most_.load(std::memory_order_relaxed));
  const uint64_t most_bytes = below(most_bytes_.load(std::memory_order_relaxed));
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    for (auto set = shard.sets.begin(); set != shard.sets.end();) {
      for (size_t at = set->second.size(); at-- > 0;) {
        if (!is_expired(set->second[at], now)) continue;
        erase(set->second, at);
        note_evicted(changes, set->first);
      }
      set = set->second.empty() ? shard.sets.erase(set) : std::next(set);
    }
  }
  std::vector<Candidate> old = candidates();
  std::ranges::sort(old, {}, [](const Candidate& one) {
    return std::tuple(one.accessed, one.created, std::string_view(one.key), std::string_view(one.name),
                      std::string_view(one.path));
  });
  for (const Candidate& one : old) {
    if (size() <= most && bytes() <= most_bytes) break;
    Shard& shard = shard_of(domain_of_key(one.key));
    const std::lock_guard lock(shard.mutex);
    const auto set = shard.sets.find(one.key);
    if (set == shard.sets.end()) continue;
    const auto found = std::ranges::find_if(set->second, [&](const Cookie& cookie) {
      return cookie.name == one.name && cookie.path == one.path && cookie.host_only == one.host_only;
    });
    if (found == set->second.end()) continue;
    erase(set->second, static_cast<size_t>(found - set->second.begin()));
    note_evicted(changes, one.key);
    ++gone;
    if (set->second.empty()) shard.sets.erase(set);
  }
  return gone;
}

// --- the state

std::string CookieJar::row(std::string_view key) const {
  const Shard& shard = shard_of(domain_of_key(key));
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.sets.find(std::string(key));
  return found == shard.sets.end() ? std::string() : write_row(found->second);
}

Result<void> CookieJar::load_row(std::string_view key, std::string_view row, WallTime now, Changes& changes) {
  TRY(auto cookies, read_row(row, domain_of_key(key)));
  const std::string name(key);
  Shard& shard = shard_of(domain_of_key(key));
  const std::lock_guard lock(shard.mutex);
  for (Cookie& cookie : cookies) {
    if (is_expired(cookie, now))
      note(changes, name);
    else
      add(shard.sets[name], std::move(cookie));
  }
  return {};
}

std::vector<KeptCookie> CookieJar::all() const {
  std::map<std::pair<std::string, std::string>, Set> sets;  // by jar and domain
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    for (const auto& [key, set] : shard.sets)
      sets[{std::string(jar_of_key(key)), std::string(domain_of_key(key))}] = set;
  }
  std::vector<KeptCookie> kept;
  for (auto& [place, set] : sets)
    for (Cookie& cookie : set) kept.push_back({place.first, std::move(cookie)});
  return kept;
}

}  // namespace caddis::cookies
