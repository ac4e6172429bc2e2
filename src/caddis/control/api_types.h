// The documents of the control API: what a crawl answers, and what the command line reads. They are the schemas of
// api/openapi.yaml as structs; api_json.h writes and reads them, and holds the names of their fields.
//
// Plain values. Times are seconds, sizes are bytes. A field that is optional here may be missing there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace caddis::control::api {

struct Failure {
  std::string error;
};

// How much of its quotas a queue, a host, a group or a domain has used.
struct Usage {
  uint64_t successes = 0, responses = 0, bytes = 0, novel_bytes = 0, cost = 0;
};

struct Queue {
  std::string origin;
  uint64_t queued = 0;
  std::string state;  // a name of frontier::QueueState
  double wait_seconds = 0, visiting_seconds = 0;
  uint64_t failures = 0;  // in a row
  double last_fetch_seconds = 0;
  uint64_t finished = 0, retries = 0, again = 0;
  bool knows_robots = false;
  Usage usage;
  std::string over_quota;  // the quota that is used up, or empty
  bool retired = false;
  int64_t given_up = 0;  // the status that its URLs get, or 0
  std::optional<double> crawl_delay_seconds;
};

// A page of a list goes on at its marker; an empty one says that it was the last.
struct QueuePage {
  std::vector<Queue> queues;
  std::string marker;
};

// An operator's orders for a host. Without a delay or budget of its own, those of the settings count.
struct HostOrders {
  bool blocked = false, retired = false;
  std::optional<double> delay_seconds;
  std::optional<uint64_t> budget;
};

// The usage of a registrable domain, while any quota of domains is set.
struct DomainUsage {
  std::string name;
  Usage usage;
};

struct Host : HostOrders {
  std::string host;
  bool known = false, in_memory = false;
  std::vector<std::string> addresses;
  bool knows_address = false;
  std::optional<std::vector<std::string>> sheets;
  std::optional<std::string> group;
  std::optional<Usage> group_usage;
  std::optional<DomainUsage> domain;
  uint64_t dns_failures = 0;  // in a row
  bool aside = false;
  int64_t given_up = 0;
  double wait_seconds = 0, last_fetch_seconds = 0;
  uint64_t finished = 0;
  Usage usage;
  uint64_t in_inbox = 0;
  std::string visiting;  // the URL that is being visited, or empty
  double visiting_seconds = 0;
  std::vector<Queue> queues;
};

struct WaitingUrl {
  std::string url, via, hops;
  std::string seed;  // the one it comes from
  std::string queue, where, precedence;
  uint64_t attempt = 1;
  std::optional<double> wait_seconds;
  std::optional<uint64_t> ahead;
};

struct WaitingPage {
  std::vector<WaitingUrl> urls;
  std::string marker;
  std::optional<bool> moved;
};

struct UrlReport {
  std::string url;
  bool seen = false, visiting = false;
  double visiting_seconds = 0;
  std::vector<WaitingUrl> waits;
  std::optional<std::vector<std::string>> sheets;
  Host host;
};

struct LimitUse {
  std::string name;
  double used = 0, limit = 0;
  std::string text;
};

// The queues in one state.
struct QueueStateCount {
  std::string state;
  uint64_t queues = 0, urls = 0;
};

struct Checkpoint {
  std::string name, time;
  bool kept = false;
  uint64_t documents = 0, bytes = 0, queued = 0, seen = 0;
};

struct StandingLane {
  uint64_t lane = 0;
  std::string url, step;
  double seconds = 0;
  std::string text;
};

// How much a crawl has done, and has before it.
struct CrawlTotals {
  uint64_t documents = 0, bytes = 0, failed = 0, excluded = 0, queued = 0, seen = 0, visiting = 0, hosts = 0,
           hosts_aside = 0;
  bool review_runs = false;  // of what waits, since the scope has changed
  uint64_t review_asked = 0, review_left_out = 0;
  uint64_t queued_retired = 0, queued_over_quota = 0, warc_bytes = 0, backlog_bytes = 0;
};

// How much of what came was new.
struct CrawlNovelty {
  uint64_t novel_bytes = 0, repeated = 0, repeated_bytes = 0, unchanged = 0, unchanged_bytes = 0;
};

struct CrawlRates {
  double documents_per_second = 0, documents_per_second_average = 0, bytes_per_second = 0, bytes_per_second_average = 0;
  double late_median_seconds = 0,
         late_p99_seconds = 0;  // of visits, behind the moment at which politeness allowed them
};

struct Status : CrawlTotals, CrawlNovelty, CrawlRates {
  std::string state;  // a name of crawl::CrawlState
  std::string waits_for;
  double elapsed_seconds = 0;
  std::vector<LimitUse> limits;
  std::string slow_because;
  std::vector<QueueStateCount> waits;
  std::vector<Queue> slowest;
  std::vector<Checkpoint> checkpoints;
  std::vector<StandingLane> standing;
};

struct AddedUrls {
  uint64_t given = 0, added = 0, over_budget = 0;
};

struct RemovedSeeds {
  uint64_t given = 0, removed = 0;  // with those that they have redirected to
};

struct DeletedUrls {
  uint64_t deleted = 0;
  std::string marker;
};

struct CountedUrls {
  uint64_t would_delete = 0;
  std::string marker;
};

struct WokenHosts {
  uint64_t hosts = 0;
  std::string marker;
};

struct RunningVisit {
  std::string url;
  std::string pipeline;  // "url", "dns", "robots"
  std::string step;      // "fetch"
  double step_seconds = 0, seconds = 0;
  uint64_t lane = 0;
};

struct RunningVisits {
  uint64_t running = 0;
  std::vector<RunningVisit> visits;
};

// A feed that is polled. Times are empty if there was none.
struct Feed {
  std::string url, title, form;
  std::string newest, last_fetch, last_found, not_before;
  uint64_t items = 0, fetches = 0, unchanged = 0, failures = 0;  // failures: in a row
  std::string trouble;                                           // of the last failure; empty after a success
  std::vector<std::string> implied_pages;
};

struct FeedSite {
  std::string name;
  std::string source;  // `settings`, `api`, `database`
  std::string state;   // `waiting`, `crawling`, `updating`, `ended`
  bool active = true;
  double wait_seconds = 0;
  uint64_t round = 0;
  std::string last_poll, next_poll;
  uint64_t in_progress = 0, items = 0, implied = 0, derived = 0, captured = 0, failed = 0, cut_rounds = 0;
  std::vector<Feed> feeds;
};

struct FeedSites {
  std::vector<FeedSite> sites;
};

// A site as it is asked for.
struct WantedFeed {
  std::string url;
  std::optional<std::vector<std::string>> implied_pages;
};
struct WantedFeedSite {
  std::string name;
  std::optional<std::string> wait;  // "1h30m"
  std::optional<bool> active;
  std::vector<WantedFeed> feeds;
};
struct WantedFeedSites {
  std::vector<WantedFeedSite> sites;
};

// Where a value comes from: `default`, `crawl`, or the name of a sheet.
struct SettingOrigin {
  std::string from, value;
  bool is_sheet = false;
  std::string until = {};  // a sheet with times: when it begins or ends to hold next
};

// A remark on a value. No crawl starts with one of severity "warning".
struct SettingRemark {
  std::string severity, setting, text;
};

// The last of the origins counts.
struct Setting {
  std::string name, value, doc;
  bool live = false, per_site = false, per_host = false;
  std::vector<SettingOrigin> origins;
  std::vector<SettingOrigin> not_now = {};  // sheets whose time has not come
  std::vector<SettingRemark> remarks;
};

struct Settings {
  std::vector<Setting> settings;
};

// A setting that has changed, or would. In a sheet its name begins with "sheets: ".
struct SettingChange {
  std::string name, before, after;
  std::optional<std::string> refused;  // why it cannot change now
};

struct SettingsChanges {
  bool applied = false;
  std::vector<SettingChange> changes;
  std::vector<SettingRemark> remarks;
};

struct SheetValue {
  std::string name, value;
};

struct Sheet {
  std::string name;
  std::vector<std::string> sites, urls, times;
  std::string when;
  std::vector<SheetValue> settings;
};

struct Sheets {
  std::vector<Sheet> sheets;
};

// The verdict of one rule of the scope on a URL: `accept`, `reject`, or `-` if nothing.
struct RuleVerdict {
  std::string rule, name, verdict, reason;
};

struct ScopeReport {
  std::string url;
  bool accepted = false;
  std::string rule, detail, explanation;
  std::vector<std::string> sheets;
  std::vector<RuleVerdict> rules;
};

// A script of the console that has ended.
struct ConsoleRun {
  std::string output;
  std::optional<std::string> error;
  bool incomplete = false;  // the text ends in the middle of a statement
};

struct EndedVisit {
  std::string ends;  // the URL
};

// Printed by `caddis status --json` if the crawl does not run.
struct StoppedCrawl {
  std::string state;  // "ended", or "interrupted" if it left no report
  std::string launch;
  std::optional<std::string> why;                            // null: it died, or wrote everything at its end
  std::optional<std::map<std::string, std::string>> report;  // lines of crawl-report.txt by their names, or null
  std::vector<Checkpoint> checkpoints;
};

}  // namespace caddis::control::api
