// The frontier: which URLs wait, and which of them may be visited now.
//
// Four verbs: `next` leases a URL whose host is due; `finish` takes the disposition back; `schedule` takes candidates
// (links, seeds); `stats` and `queues` look. All state that must survive goes through `stage` into the batch of the
// committer's group: the frontier never writes by itself. See README.md for the invariants.
//
// Not thread-safe: it belongs to the committer's loop. It reads from the store while it works: what it needs next is
// nearly always in the store's memory.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/frontier/bandwidth.h"
#include "caddis/frontier/candidate.h"
#include "caddis/frontier/host_rules.h"
#include "caddis/frontier/host_store.h"
#include "caddis/frontier/identity.h"
#include "caddis/frontier/importance.h"
#include "caddis/frontier/inspection.h"
#include "caddis/frontier/lateness.h"
#include "caddis/frontier/lease.h"
#include "caddis/frontier/path_yield.h"
#include "caddis/frontier/precedences.h"
#include "caddis/frontier/quota.h"
#include "caddis/frontier/settings.h"
#include "caddis/frontier/slots.h"
#include "caddis/store/kv.h"
#include "caddis/store/seen.h"

namespace caddis::frontier {

// Statuses of URLs whose prerequisite failed for good (Heritrix's codes).
inline constexpr int kDomainPrerequisiteFailed = -6;
inline constexpr int kRobotsPrerequisiteFailed = -61;
// Of hosts at addresses where nobody may connect (Caddis's own).
inline constexpr int kAddressRefused = -5010;

// Until when addresses hold that were refused: they were looked up, and are looked up again.
inline constexpr WallTime kRefused = WallTime(std::chrono::seconds(1));
inline constexpr WallTime kForever = WallTime(std::chrono::seconds(253'402'300'799));  // 9999-12-31

struct Stats {
  uint64_t queued = 0;    // URLs that wait, those being visited included
  uint64_t visiting = 0;  // leases out
  uint64_t seen = 0;      // keys ever accepted
  uint64_t queues = 0, hosts = 0, hosts_in_memory = 0, hosts_aside = 0, hosts_given_up = 0;
  uint64_t over_host_budget = 0, over_domain_hosts = 0, over_patterns = 0;  // URLs left out
  uint64_t queued_retired = 0;                                              // of those that wait, in retired queues
  uint64_t queued_over = 0;                                                 // of those, since a quota is used up
  Duration late_median{}, late_p99{};  // of visits, behind the moment at which they were allowed

  // In queues that are retired, but not since a quota is used up.
  uint64_t queued_retired_by_operator() const { return queued_retired - std::min(queued_retired, queued_over); }
};

// A candidate with what the lane has computed for it.
struct ScheduledUrl {
  Candidate candidate;
  uint64_t fingerprint = 0;
  std::string origin;
  std::string host;
  std::optional<Precedence> precedence;                  // otherwise as its hop path says
  std::shared_ptr<const OrderSettings> order = nullptr;  // what sheets say of the URL; null: that of the crawl
};

class Frontier {
 public:
  struct Options {
    PolitenessSettings politeness;
    OrderSettings order = {};
    Identity identity;
    std::string user_agent;  // for robots.txt
    bool obey_robots = true;
    bool resolve_names = true;         // false behind a proxy, which does it: leases have no address
    size_t hosts_in_memory = 100'000;  // about 1 KB each
    QuotaSettings quota = {};
    Again again = {};
    std::shared_ptr<const Precedences> precedences = nullptr;  // of URLs, beforehand
    uint64_t importance_memory = 96 << 20;                     // bytes, where the order is by importance
    // Of sheets: the rules of each host, asked for whenever it comes into memory; what they ask for at most; and the
    // quotas among them, in any words that change with them.
    RulesOfHost rules_of = nullptr;
    RulesReach reach = {};
    std::string sheet_quotas = {};
    std::string sheet_bandwidths = {};  // in the same way what they say of politeness
    // Whether one may connect to a host at an address, now: asked of those that were given up with kAddressRefused.
    std::function<bool(const std::string& host, const std::string& address)> may_connect = nullptr;
  };

  // `seen` and `kv` must outlive the frontier. After a restart every host waits one delay.
  static Result<std::unique_ptr<Frontier>> open(const Options& options, const Families& families, store::Kv& kv,
                                                store::SeenSet& seen, const Clock& clock);

  // The next lease that is due, if any.
  Result<std::optional<Lease>> next();
  // When `next` may have something, though nothing happens before; nothing where only a finish, a candidate or a commit
  // can help.
  std::optional<SteadyTime> next_due() const;
  // `next` looks through hosts that are out of memory, some at each call: it is to be called again, though nothing is
  // due.
  bool is_reviewing() const { return review_.has_value() || debts_from_.has_value(); }
  // No URL waits, but in retired queues, and none is being visited.
  bool is_empty() const {
    return store_.totals().queued == store_.totals().queued_retired && visiting_.empty() && !review_;
  }

  Outcome finish(const Disposition& disposition);
  // Takes those whose key is new (or forced); gives their fingerprints for the log of the seen-set, in order.
  Result<std::vector<uint64_t>> schedule(std::vector<ScheduledUrl> scheduled_urls);

  // What was learned of the host's addresses, or of the origin's robots.txt, is asked for again before the next visit.
  Result<void> forget(LeaseKind kind, const std::string& host, const std::string& origin);
  // A host whose addresses were refused may be looked at anew, as if it never had been looked up.
  Result<void> look_up_again(const std::string& host);
  // More addresses may be connected to than before: hosts in memory that were refused are looked at anew. Others are
  // when they come in.
  void look_at_refused();
  // Counts these URLs as seen, though nobody visits them; gives those that were new.
  Result<std::vector<uint64_t>> remember(std::span<const uint64_t> fingerprints);

  // Adds all changes since the last call to `batch`; they are durable once `committed` is called with the number given.
  uint64_t stage(store::Batch& batch);
  void committed(uint64_t stage_number) { store_.committed(stage_number); }
  // Others wait for what only a commit brings, room in memory.
  bool wants_commit() const { return store_.wants_commit(); }

  // Delays count from the next visit on; what is owed to a bandwidth that is higher now, or without limit, takes less
  // time, or none, from now on.
  void set_politeness(const PolitenessSettings& settings);
  // Whose quota was raised is taken up again, and the other way round. Hosts with rules of their own are given them
  // anew.
  void set_quotas(const QuotaSettings& quotas);
  // From now on every URL that waits or is found, but in retired queues, is leased as given up: the crawl runs dry.
  void give_up_all(int status, std::string why);
  Stats stats() const;
  // What an operator should know, since the last call: patterns of URLs that say nothing new.
  std::vector<std::string> take_notices() { return std::exchange(notices_, {}); }
  // Of patterns that are stale, most visits first.
  std::vector<PathYield::Report> stale_patterns() const { return yield_.reports(); }
  uint64_t visiting() const { return visiting_.size(); }
  // Of the hosts in memory: what their queues wait for, and at most `limit` of those that take longest and of the
  // largest. Sees every host: some milliseconds where there are a hundred thousand.
  Survey survey(size_t limit) const;
  // Of all hosts: for states that nobody works on, for it reads every row.
  Result<std::vector<QueueReport>> all_queues(QueueOrder order, size_t limit);
  std::vector<QueueReport> queues(QueueOrder order, size_t limit) const;
  // A part of all: those in memory and the first hosts out of it, then with its marker the next ones, at most `rows`.
  Result<QueuePage> some_queues(QueueOrder order, size_t limit, const std::string& marker, size_t rows = 5000);
  // Calls `see` for every URL that waits, in no particular order.
  Result<void> each_waiting(const std::function<void(const Candidate&)>& see);

  // --- explaining (frontier_explain.cc): of hosts in memory and out of it; nothing changes
  Result<HostReport> explain_host(const std::string& name);
  // `url` as it would be scheduled.
  Result<UrlReport> explain_url(const ScheduledUrl& url);
  // A part of the URLs that wait, from a marker on. ErrorCode::not_found where the marker no longer holds, and not the
  // nearest place is asked for.
  Result<WaitingPage> waiting(const WaitingQuery& query);

  // --- operating (frontier_operate.cc): changes leave through `stage`
  Result<void> order(const std::string& host, const Orders& orders);
  Result<Orders> orders(const std::string& host);
  // Lets the URLs of one origin wait, or takes it up again. ErrorCode::not_found where it has no queue.
  Result<void> retire_queue(const std::string& host, const std::string& origin, bool retired);
  // What matches does not wait any more, and stays seen. In parts: as long as the marker given back is not empty, there
  // is more. What is being visited is left alone.
  Result<Erased> erase(const WaitingQuery& query);
  // Lets that host try again at once, or all of them, in parts: back-offs and Retry-After end, the politeness delay
  // does not. How many hosts had something to do.
  Result<Woken> wake(const std::string& host, const std::string& marker = "");
  // The lease under which a URL is being visited.
  std::optional<LeaseInfo> visit_of(const std::string& url) const;

 private:
  // What a visit has taken; empty: none of that.
  struct Taken {
    std::string address;
    std::string slot, group;  // names of slots
  };
  struct Visiting {
    Queue* queue;
    LeaseKind kind;
    int line = -1;  // the line whose first URL it is; -1: a retry
    RetryKey retry;
    std::string url;
    SteadyTime began;
    Taken taken = {};
    uint64_t paid = 0;  // of the bandwidth, in bytes
  };
  // One bundle of links becomes one chunk.
  struct Bundle {
    std::string origin, host;
    LineNumber line;
    std::vector<Candidate> items;
  };

  Frontier(const Options& options, const Families& families, store::Kv& kv, store::SeenSet& seen, const Clock& clock)
      : options_(options),
        seen_(seen),
        clock_(clock),
        opened_(clock.steady()),
        kv_(kv),
        rules_(rules_of_crawl(options)),
        store_(families, kv, clock, options.identity, std::max<size_t>(1, options.hosts_in_memory)) {}

  static HostRules rules_of_crawl(const Options& options);
  const HostRules& rules(const Host& host) const { return host.rules ? *host.rules : rules_; }
  std::string all_quotas() const;
  Result<void> open_quotas();
  std::string group_of(const Host& host) const;
  void count_usage(Queue& queue, LeaseKind kind, const Disposition& disposition, Outcome outcome);
  bool is_below_floor(const Queue& queue) const;
  uint32_t rank_of(const Queue& queue) const;
  bool judge_quotas(Host& host);
  Result<void> review_quotas();
  int given_up(const Queue& queue) const { return all_given_up_ != 0 ? all_given_up_ : queue.given_up(); }
  std::string why_given_up(const Queue& queue) const;

  Result<Host*> host_named(const std::string& name);
  void come_in(Host& host);
  SteadyTime steady_at(WallTime when) const;
  WallTime wall_in(Duration wait) const;

  void plan(Queue& queue);
  void plan_all(Host& host);
  void unplan(Queue& queue);
  // `since`: the stamp of when it began to wait, where it did before: of those due at the same time it stays before
  // those that came later.
  void wait_until(Queue& queue, SteadyTime when, std::optional<uint64_t> since = {});
  std::optional<SteadyTime> due_time(const Queue& queue) const;
  // Politeness at work: frontier_slots.cc.
  std::string group_slot(const Host& host, std::string_view address) const;
  bool is_free(Slot& slot, int64_t most, Queue& queue, Queue::State busy);
  bool take_slots(Queue& queue, LeaseKind kind, Taken& taken);
  void call_next(QueuesInLine& line);
  void release_slots(Queue& queue, const Taken& taken);
  void pass_on(Host& host);
  void pause(Queue& queue, const Taken& taken, const Disposition& disposition);

  // What hosts owe to `host-bandwidth`: frontier_debts.cc.
  Result<void> open_debts();
  std::string host_bandwidths() const;
  bool relieve(Host& host);
  void relieve_batch(Host& host, int64_t before);
  void relieve_read(Host& host);
  Result<void> review_debts();

  LeaseKind wanted(const Queue& queue) const;
  Queue* next_ready();
  void set_out(Queue& queue, Visiting& visiting, const Candidate& what);
  Result<Lease> lease(Queue& queue, LeaseKind kind, Taken taken);
  // Its next URL; what is no retry is as if it were its first try.
  Result<RetryRow> front(Queue& queue, Visiting& visiting);
  Result<void> load_line(Queue& queue, QueueLine& line);

  Result<void> take_in_due();
  bool may_leave(const Host& host) const;
  void send_out(Host& host);
  void make_room();
  void rest(Host& host);
  void note_idle(Host& host);
  Duration delay_after(const Queue& queue, Duration fetch_time) const;
  Result<void> probe_what_was_set_aside();
  void last_probes(Host& host);
  bool last_probe(Trouble& trouble, uint32_t most);

  void advance(Queue& queue, LineNumber number);
  void consume(Queue& queue, const Visiting& visiting);
  void retry_later(Queue& queue, const Visiting& visiting, const Disposition& disposition);
  void put_back(Queue& queue, const Visiting& visiting, Duration wait, const RetryRow& row);
  Outcome finish_prerequisite(Queue& queue, const Disposition& disposition);
  Outcome finish_url(Queue& queue, const Visiting& visiting, const Disposition& disposition);
  bool failed(Queue& queue, const Disposition& disposition);
  void recovered(Host& host, Trouble& trouble);
  void set_aside(Host& host, Trouble& trouble, bool aside);
  void give_up(Host& host, Trouble& trouble, int status);
  void hope_again(Host& host, Trouble& trouble);
  bool hope_where_refused(Host& host);
  bool may_connect(const Host& host) const;
  // Which of them were never seen; all of them are afterwards.
  Result<std::unique_ptr<bool[]>> test_and_insert(std::span<const ScheduledUrl> scheduled_urls);
  void note_yield(const Host& host, const Disposition& disposition);
  // The order by importance: frontier_importance.cc.
  void note_importance(const Visiting& visiting, const Disposition& disposition);
  LineNumber line_by_importance(LineNumber line, const std::string& url) const;
  LineNumber line_as_found(const ScheduledUrl& scheduled) const;
  Result<int> look_at_importance(Queue& queue, int chunks);
  Result<void> look_at_others();
  Result<void> look_before(Queue& queue);
  struct Looked {
    size_t urls;   // looked at
    bool is_gone;  // nothing is left of the chunk: another one of the line may have its number
  };
  Result<Looked> look_at_chunk(Queue& queue, QueueLine& line, uint64_t number);
  static void drop_chunk(QueueLine& line, uint64_t number, ChunkBytes last);
  uint64_t budget_of(const Host& host, const HostRules& rules, uint64_t linking) const;
  uint64_t budget_coming_in(const Host& host) const;
  // Counts towards the budget of its host, is over it, or has nothing to do with it.
  enum class Budgeted : uint8_t { taken, over, free };
  Result<Budgeted> look_at_budget(const ScheduledUrl& scheduled, uint64_t before);
  Result<void> leave_out_what_is_over_budget(std::vector<ScheduledUrl>& scheduled_urls);
  Result<void> take_bundle(Bundle bundle);
  void put_chunk(Queue& queue, LineNumber number, const std::vector<Candidate>& items);

  std::string_view state_of(const Queue& queue, bool in_memory, SteadyTime now) const;
  std::string_view shared_pause(const Queue& queue) const;
  Duration wait_of(const Queue& queue, bool in_memory, SteadyTime now) const;
  uint64_t amount_of(const Queue& queue, QueueOrder order, SteadyTime now) const;
  std::vector<QueueReport> reports(const std::vector<const Queue*>& queues) const;
  void describe_visits(Waits& waits) const;
  QueueReport report(const Queue& queue, bool in_memory = true) const;
  void add_queues(const Host& host, bool in_memory, std::vector<QueueReport>& reports) const;
  HostReport report(const Host& host, bool in_memory) const;
  // Where a walk over the waiting URLs stands: kind of row, its key, the item in it.
  struct Place {
    size_t kind = 0;
    std::string key;
    size_t item = 0;
  };
  struct Walk;
  Result<void> walk(Walk& walk);
  std::string walk_prefix(const std::string& host) const;
  // ErrorCode::not_found where it no longer holds; with `moved` the next place that does, and `moved` says so.
  Result<Place> place_of(const std::string& marker, bool* moved = nullptr);
  std::string marker_of(const Place& place) const;
  Result<uint64_t> erase_of(Host& host, const WaitingQuery& query);
  Result<uint64_t> erase_of_line(Queue& queue, QueueLine& line, const WaitingQuery& query);
  Result<uint64_t> erase_retries(Queue& queue, const WaitingQuery& query);
  const Visiting* visiting_of(const Queue& queue) const;
  Result<bool> wake_up(Host& host);
  Result<bool> sleeps(const std::string& name);

  Options options_;
  store::SeenSet& seen_;
  const Clock& clock_;
  const SteadyTime opened_;
  store::Kv& kv_;
  HostRules rules_;   // where no sheet says otherwise
  RulesReach reach_;  // of those, and of all sheets
  HostStore store_;

  DueQueues due_;
  uint64_t next_stamp_ = 1;
  // Of those that are due, by precedence; empty where that does not count.
  std::map<std::pair<uint32_t, std::pair<SteadyTime, uint64_t>>, Queue*> ready_;
  PolitenessGroups groups_;
  Slots slots_;
  bool calling_ = false;  // the next in a line is being called
  PathYield yield_;
  std::unique_ptr<Importance> importance_;  // where the order is by it
  std::pair<uint32_t, std::pair<SteadyTime, uint64_t>>
      looked_at_{};  // of `ready_`: whose importance was looked at last
  std::vector<std::string> notices_;
  Lateness lateness_;
  Bandwidth bandwidth_;
  std::unordered_map<uint64_t, Visiting> visiting_;
  uint64_t next_lease_ = 1;
  bool ordered_budgets_ = false;  // some host that came in has a budget of its own
  GroupUsage group_usage_;
  bool has_quotas_ = false;
  std::optional<std::string> review_;  // where the review of the hosts that quotas have retired stands
  std::optional<std::string> quotas_to_write_;
  std::optional<std::string> debts_from_;  // where the review of the hosts that wait out of memory stands
  std::optional<std::string> limits_to_write_;
  int all_given_up_ = 0;
  std::string all_given_up_why_;
  std::deque<std::string> idle_;  // hosts whose last URL was taken, oldest first; they may have got others
};

}  // namespace caddis::frontier
