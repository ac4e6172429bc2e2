// The cookies of a crawl, in jars that share nothing (RFC 6265: storage by 5.3, retrieval by 5.4).
//
//   jar.store(field, place, settings, changes);     // a Set-Cookie of an answer
//   const CookieField cookie = jar.field_for(place);  // for the next request; empty: none is sent
//
// Public suffixes take no cookies for the hosts below them. As browsers do beyond the RFC, `__Secure-` and `__Host-` are
// held to their promise, and nobody without TLS sets or replaces a cookie that is sent over TLS alone (RFC 6265bis).
// SameSite is recorded, not enforced. Cookies of the operator (Cookie::secret) are never evicted, and what replaces one
// is secret, too.
//
// Any thread. The jars are sharded by registrable domain, and no lock is held across anything; while there is no cookie
// at all, a request costs one atomic read. When a cookie was last sent is known in memory, and on disk as of its last
// change.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/cookies/cookie.h"
#include "caddis/cookies/cookie_counts.h"
#include "caddis/cookies/settings.h"
#include "caddis/url/url.h"

namespace caddis::cookies {

// Where a request goes, or an answer comes from, and when.
struct Place {
  const url::Url& url;
  std::string_view jar;  // CookieSettings::jar of that URL
  WallTime now;
};

// The field Cookie of a request.
struct CookieField {
  std::string text;     // "a=1; b=2"; empty: none is sent
  bool secret = false;  // it has a cookie of the operator's: no record is to have it
};

// The keys of rows that have changed (CookieJar::row).
using Changes = std::vector<std::string>;

struct KeptCookie {
  std::string jar;
  Cookie cookie;
};

class CookieJar {
 public:
  CookieJar() = default;
  CookieJar(const CookieJar&) = delete;
  CookieJar& operator=(const CookieJar&) = delete;

  // The most of all jars together, from the next cookie on. `bytes`: of memory, about.
  void set_bounds(uint64_t total, uint64_t bytes);

  // Takes what one Set-Cookie says. What it changed is added to `changes`.
  CookieCounts store(std::string_view set_cookie, const Place& place, const CookieSettings& settings, Changes& changes);
  CookieField field_for(const Place& place);
  // Puts a cookie as it is, in the place of the same one.
  void put(Cookie cookie, std::string_view jar, Changes& changes);

  // The cookies of one domain in one jar, as the state keeps them (docs/formats/cookies.md); empty: there are none.
  std::string row(std::string_view key) const;
  // Reads a row back, without what has expired: then the key is added to `changes`. ErrorCode::corrupt if it is none.
  Result<void> load_row(std::string_view key, std::string_view row, WallTime now, Changes& changes);

  // All of them, by jar, domain and age.
  std::vector<KeptCookie> all() const;
  uint64_t size() const { return count_.load(std::memory_order_relaxed); }
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  // The cookies of one domain in one jar, the oldest first.
  using Set = std::vector<Cookie>;
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<std::string, Set> sets;  // by key of their row
  };
  struct Candidate;

  Shard& shard_of(std::string_view host);
  const Shard& shard_of(std::string_view host) const;
  void add(Set& set, Cookie cookie);
  void erase(Set& set, size_t at);
  bool insert(Shard& shard, const std::string& key, Cookie cookie, WallTime now);
  uint64_t shrink(Shard& shard, const std::string& key, uint64_t most);
  static bool hides_secure(const Shard& shard, const Cookie& cookie, const Place& place);
  uint64_t evict_over_bounds(WallTime now, Changes& changes);
  std::vector<Candidate> candidates() const;
  bool is_over_bounds() const;

  static constexpr size_t kShards = 64;
  std::array<Shard, kShards> shards_;
  std::atomic<uint64_t> count_ = 0, bytes_ = 0;
  std::atomic<uint64_t> most_ = std::numeric_limits<uint64_t>::max();
  std::atomic<uint64_t> most_bytes_ = std::numeric_limits<uint64_t>::max();
  std::mutex evicting_;
};

// "example.org jar".
std::string row_key(std::string_view domain, std::string_view jar);
std::string_view domain_of_key(std::string_view key);
std::string_view jar_of_key(std::string_view key);

}  // namespace caddis::cookies
