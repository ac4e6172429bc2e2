// The tools that the steps of one lane work with, and the context that all visits of a crawl share.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/base/random.h"
#include "caddis/config/settings_cache.h"
#include "caddis/dns/resolver.h"
#include "caddis/fetch/fetchers.h"
#include "caddis/frontier/identity.h"
#include "caddis/http/client.h"
#include "caddis/scope/scope.h"
#include "caddis/url/canonicalize.h"
#include "caddis/visit/lane_pulse.h"
#include "caddis/visit/recent_links.h"

namespace caddis::aio {
class Blocking;
}
namespace caddis::archive {
class CrawlDictionary;
}
namespace caddis::cookies {
class CookieJar;
struct CookieCounts;
}  // namespace caddis::cookies
namespace caddis::documents {
class Reader;
}
namespace caddis::fetch {
class Proxies;
}
namespace caddis::logins {
class Authorizer;
}
namespace caddis::process {
class Programs;
}
namespace caddis::dedup {
class History;
class Originals;
}  // namespace caddis::dedup

namespace caddis::visit {

class ConsentWalls;
class HostPermits;
class Visit;

// How records are packed.
struct PackingContext {
  archive::CrawlDictionary* dictionary = nullptr;      // null if no writer packs by zstd
  const std::atomic<bool>* processors_idle = nullptr;  // null if it is not known
};

// Const, but for the scope, the addresses, the cookies, the walls and the permits, which look after themselves. Outlives
// all lanes.
struct VisitContext {
  std::shared_ptr<const config::Settings> settings;  // of what is the same for all sites
  // Returns those that count now; any thread. A visit takes them as it begins.
  std::function<std::shared_ptr<const config::SettingsResolver>()> sites;
  scope::Scope& scope;
  fetch::AddressPolicy& addresses;
  const fetch::Proxies& proxies;
  HostPermits& permits;
  io::SpoolFolder& spools;
  frontier::Identity identity;
  const dedup::Originals& originals;
  cookies::CookieJar& cookies;
  logins::Authorizer& authorizer;
  protocols::HostKeys& host_keys;
  documents::Reader& documents;
  process::Programs& programs;
  PackingContext packing = {};
  const dedup::History* history = nullptr;  // null if nothing is to be asked about
  aio::Blocking* long_work = nullptr;       // for what would hold a lane up; null: lanes do it themselves
  url::KeyPolicy key_policy = url::KeyPolicy::caddis();
  std::string user_agent;                         // as sent if no sheet says otherwise
  std::shared_ptr<ConsentWalls> walls = nullptr;  // null: pages that wait for one are not remembered
};

// The parts of a lane from outside. Made on the constructing thread, used on the loop's thread only.
struct LaneParts {
  aio::Loop& loop;
  std::unique_ptr<aio::Network> network;
  std::unique_ptr<dns::Resolver> resolver;
  uint64_t seed = 0;  // of the lane's random numbers
};

// Belongs to its lane's loop, but for `pulse` and `fetchers.received()`.
struct LaneTools {
  LaneTools(unsigned number, LaneParts parts, const VisitContext& context);

  // The settings that count now, for a visit that begins.
  std::shared_ptr<config::SettingsCache> settings_now();
  // Where a fetch of a URL goes, for the lease of that visit.
  fetch::FetchRequest request_for(const url::Url& url, std::string address, Visit& visit);
  // The field Cookie of a request for that URL now, by the settings that hold for it.
  http::Header cookie_for(const url::Url& url, const config::EffectiveSettings& site);
  // Keeps the cookies that the answer to the URL at hand sets.
  cookies::CookieCounts take_cookies(Visit& visit);
  // Ends early if the crawl is stopped.
  aio::Task<void> pause(Duration how_long);
  // Whether the crawl stops and has cut this fetch short: it counts as not tried.
  bool has_cut_short(const fetch::FetchOutcome& outcome) const;

  const unsigned number;
  aio::Loop& loop;
  const std::unique_ptr<aio::Network> network;
  const std::unique_ptr<dns::Resolver> resolver;
  const VisitContext& context;
  SeededRandom random;
  RecentLinks recent;
  std::optional<RecentLinks> recent_rejected;  // if they are on record
  LanePulse pulse;
  http::Client client;
  fetch::Fetchers fetchers;
  bool is_aborted = false;  // the crawl stops: what is not fetched yet is given back

 private:
  std::shared_ptr<config::SettingsCache> settings_;  // the latest: visits that began before have others
};

}  // namespace caddis::visit
