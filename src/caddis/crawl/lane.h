// A lane: one loop (one thread, or the simulated world's only one) on which many visits run as coroutines. It owns its
// network, resolver and HTTP client, so nothing of a visit is shared between threads but what is const.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/task.h"
#include "caddis/base/random.h"
#include "caddis/config/settings.h"
#include "caddis/config/settings_cache.h"
#include "caddis/crawl/lane_steps.h"
#include "caddis/crawl/recent_links.h"
#include "caddis/crawl/visit_result.h"
#include "caddis/dns/resolver.h"
#include "caddis/extract/extract.h"
#include "caddis/fetch/http_fetcher.h"
#include "caddis/frontier/lease.h"
#include "caddis/http/client.h"
#include "caddis/io/spool.h"
#include "caddis/scope/scope.h"
#include "caddis/url/canonicalize.h"

namespace caddis::crawl {

// A body that the disk cannot hold is given up at this try of its URL, or a later one; what else failed before counts
// as a try, too. Others that filled the disk with it may have ended meanwhile.
inline constexpr uint32_t kTriesForRoom = 3;
// What is given up then has this annotation.
inline constexpr const char* kNoRoom = "noRoom";

// What all visits of a crawl share; const, but for the scope and the addresses, which look after themselves.
struct CrawlContext {
  const config::Settings& settings;  // of what is the same for all sites
  scope::Scope& scope;
  frontier::Identity identity;
  url::Policy key_policy;
  std::string user_agent;  // as sent where no sheet says otherwise
  std::shared_ptr<const config::SettingsResolver> sites;
  io::SpoolFolder& spools;
  fetch::AddressPolicy& addresses;
};

class Lane {
 public:
  // Makers are called on the constructing thread; what they make is used on the loop's thread only.
  struct Parts {
    aio::Loop& loop;
    std::unique_ptr<aio::Network> network;
    std::unique_ptr<dns::Resolver> resolver;
    std::optional<http::Proxy> proxy;
    uint64_t seed = 0;  // of the lane's random numbers
  };
  // `done` is called on the lane's loop with each finished visit.
  Lane(unsigned number, Parts parts, const CrawlContext& context, std::function<void(VisitResult)> done);

  // Any thread; the lane must not be draining.
  void visit(frontier::Lease lease);
  // Ends the visit of an ordinary URL, with the status -7000. Any thread.
  void end(uint64_t lease);
  // Ends fetches in flight: their visits come back as not tried. Any thread.
  void abort();
  // Bytes of responses so far. Any thread.
  uint64_t received() const { return client_.received(); }
  // Asks the loop for a sign of life, which `has_answered` tells of. Any thread.
  void ask();
  bool has_answered() const { return answered_ == asked_; }
  const LaneSteps& steps() const { return steps_; }
  // Waits until every visit has ended, then calls `drained` on the lane's loop. Any thread, once.
  void drain(std::function<void()> drained);

 private:
  aio::Task<void> run(frontier::Lease lease);
  aio::Task<VisitResult> visit_dns(frontier::Lease lease);
  aio::Task<VisitResult> visit_robots(frontier::Lease lease);
  aio::Task<VisitResult> visit_url(frontier::Lease lease);
  aio::Task<Result<std::string>> robots_address(const frontier::Lease& lease, std::string host);
  void judge_robots(VisitResult& finished, const fetch::FetchOutcome& outcome);
  void take_robots(VisitResult& finished, std::string text);
  void robots_unreachable(VisitResult& finished, std::string reason);
  aio::Task<void> pause(Duration how_long);
  aio::Task<void> wait_and_tell(std::function<void()> drained);
  void hand_over(VisitResult finished);
  // The lane is at that step of the visit until it comes back to its loop.
  void begin_step(uint64_t lease, const char* step);
  static VisitResult not_tried(frontier::Lease lease);
  // A prerequisite that has been given up.
  static VisitResult given_up(frontier::Lease lease);
  // What a fetch gave, put into a VisitResult: its log line and, where it is to be `keep`t (not where the URL is tried
  // again), its records and links.
  void take_exchange(VisitResult& finished, const url::Url& url, const fetch::FetchOutcome& outcome, bool keep);
  void take_failure(VisitResult& finished, const url::Url& url, const fetch::FetchOutcome& outcome);
  static void fail_locally(VisitResult& finished, const Error& error);
  void take_links(VisitResult& finished, const url::Url& url, const std::vector<extract::Link>& links);
  void note_chain_end(VisitResult& finished, const url::Url& target, const std::string& via);
  void write_capture(VisitResult& finished, const fetch::FetchOutcome& outcome, const LogEntry& entry,
                     const extract::Extracted* extracted);
  // What Retry-After asks for, but no more than `most`.
  std::optional<Duration> retry_after(const http::Exchange& exchange, Duration most) const;
  fetch::FetchRequest request_for(const url::Url& url, const frontier::Lease& lease,
                                  const config::EffectiveSettings& of_host);
  void take_addresses(VisitResult& finished, LogEntry& entry, const dns::Answer& answer, WallTime expires);
  LogEntry entry_for(const frontier::Lease& lease, std::string_view url, int status) const;

  const unsigned number_;
  aio::Loop& loop_;
  std::unique_ptr<aio::Network> network_;
  std::unique_ptr<dns::Resolver> resolver_;
  const CrawlContext& context_;
  std::function<void(VisitResult)> done_;
  SeededRandom random_;
  config::SettingsCache sites_;
  RecentLinks recent_;
  http::Client client_;
  fetch::HttpFetcher fetcher_;
  LaneSteps steps_;
  std::atomic<uint64_t> asked_ = 0, answered_ = 0;
  bool aborted_ = false;
  std::unordered_set<uint64_t> running_, ended_;  // leases of ordinary URLs
  aio::Nursery nursery_;
  aio::Nursery drainers_;
};

}  // namespace caddis::crawl
