// The frontier: which URLs wait, and which of them may be visited now.
//
// Four verbs: `next` leases a URL whose host is due; `finish` takes the disposition back; `schedule` takes candidates
// (links, seeds); `stats` and `queues` look. All state that must survive goes through `stage` into the batch of the
// committer's group: the frontier never writes by itself. See README.md for the invariants.
//
// Not thread-safe: it belongs to the committer's loop. It reads from the store while it works: what it needs next is
// nearly always in the store's memory.
#pragma once

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
#include "caddis/frontier/candidate.h"
#include "caddis/frontier/host_store.h"
#include "caddis/frontier/identity.h"
#include "caddis/frontier/lease.h"
#include "caddis/frontier/settings.h"
#include "caddis/store/kv.h"
#include "caddis/store/seen.h"

namespace caddis::frontier {

// Statuses of URLs whose prerequisite failed for good (Heritrix's codes).
inline constexpr int kDomainPrerequisiteFailed = -6;
inline constexpr int kRobotsPrerequisiteFailed = -61;

inline constexpr WallTime kForever = WallTime(std::chrono::seconds(253'402'300'799));  // 9999-12-31

struct Stats {
  uint64_t queued = 0;    // URLs that wait, those being visited included
  uint64_t visiting = 0;  // leases out
  uint64_t seen = 0;      // keys ever accepted
  uint64_t queues = 0, hosts = 0, hosts_in_memory = 0, hosts_aside = 0, hosts_given_up = 0;
  uint64_t over_host_budget = 0, over_domain_hosts = 0;  // URLs left out
};

// Why a queue waits, in words.
struct QueueReport {
  std::string origin;
  uint64_t queued = 0;
  std::string
      state;  // "being visited", "politeness", "retry", "set aside", "host busy", "address busy", "given up", "empty"
  Duration wait{};  // until it is due
  uint32_t failures = 0;
  Duration last_fetch{};
};

// A candidate with what the lane has computed for it.
struct Arrival {
  Candidate what;
  uint64_t fingerprint = 0;
  std::string origin;
  std::string host;
};

class Frontier {
 public:
  struct Options {
    PolitenessSettings politeness;
    Identity identity;
    std::string user_agent;  // for robots.txt
    bool obey_robots = true;
    bool resolve_names = true;         // false behind a proxy, which does it: leases have no address
    size_t hosts_in_memory = 100'000;  // about 1 KB each
  };

  // `seen` and `kv` must outlive the frontier. After a restart every host waits one delay.
  static Result<std::unique_ptr<Frontier>> open(const Options& options, const Families& families, store::Kv& kv,
                                                store::SeenSet& seen, const Clock& clock);

  // The next lease that is due, if any.
  Result<std::optional<Lease>> next();
  // When `next` may have something, though nothing happens before; nothing where only a finish, a candidate or a commit
  // can help.
  std::optional<SteadyTime> next_due() const;
  // No URL waits and none is being visited.
  bool is_empty() const { return store_.totals().queued == 0 && visiting_.empty(); }

  Outcome finish(const Disposition& disposition);
  // Takes those whose key is new (or forced); gives their fingerprints for the log of the seen-set, in order.
  Result<std::vector<uint64_t>> schedule(std::vector<Arrival> arrivals);

  // Adds all changes since the last call to `batch`; they are durable once `committed` is called with the number given.
  uint64_t stage(store::Batch& batch) { return store_.stage(batch); }
  void committed(uint64_t stage_number) { store_.committed(stage_number); }
  // Others wait for what only a commit brings, room in memory.
  bool wants_commit() const { return store_.wants_commit(); }

  void set_politeness(const PolitenessSettings& settings) { options_.politeness = settings; }
  Stats stats() const;
  uint64_t visiting() const { return visiting_.size(); }
  // Of the hosts in memory: the queues with most URLs first, at most `limit`.
  std::vector<QueueReport> largest_queues(size_t limit) const;
  // Of the hosts in memory: those that take longest, at most `limit`: what an operator looks at first when a crawl is
  // slow.
  std::vector<QueueReport> slowest_queues(size_t limit) const;
  // Calls `see` for every URL that waits, in no particular order.
  Result<void> each_waiting(const std::function<void(const Candidate&)>& see);

 private:
  struct Visiting {
    Queue* queue;
    LeaseKind kind;
    int line = -1;  // the precedence of the chunk it came from; -1: a retry
    RetryKey retry;
  };
  // One bundle of links becomes one chunk.
  struct Bundle {
    std::string origin, host;
    size_t precedence;
    std::vector<Candidate> items;
  };

  Frontier(const Options& options, const Families& families, store::Kv& kv, store::SeenSet& seen, const Clock& clock)
      : options_(options),
        seen_(seen),
        clock_(clock),
        opened_(clock.steady()),
        store_(families, kv, clock, options.identity, std::max<size_t>(1, options.hosts_in_memory)) {}

  Result<Host*> host_named(const std::string& name);
  void come_in(Host& host);
  SteadyTime steady_at(WallTime when) const;
  WallTime wall_in(Duration wait) const;

  void plan(Queue& queue);
  void plan_all(Host& host);
  void unplan(Queue& queue);
  void wait_until(Queue& queue, SteadyTime when);
  std::optional<SteadyTime> due_time(const Queue& queue) const;
  bool take_slots(Queue& queue, LeaseKind kind);
  void release_slots(Host& host);
  LeaseKind wanted(const Queue& queue) const;
  Result<Lease> lease(Queue& queue, LeaseKind kind);
  Result<std::pair<Candidate, uint32_t>> front(Queue& queue, Visiting& visiting);
  Result<void> load_line(Queue& queue, size_t precedence);

  Result<void> take_in_due();
  bool may_leave(const Host& host) const;
  void send_out(Host& host);
  void make_room();
  void rest(Host& host);
  void note_idle(Host& host);
  Result<void> probe_what_was_set_aside();
  void last_probes(Host& host);
  bool last_probe(Trouble& trouble);

  void consume(Queue& queue, const Visiting& visiting);
  void retry_later(Queue& queue, const Visiting& visiting, const Disposition& disposition);
  Outcome finish_prerequisite(Queue& queue, const Disposition& disposition);
  Outcome finish_url(Queue& queue, const Visiting& visiting, const Disposition& disposition);
  bool failed(Queue& queue, const Disposition& disposition);
  void recovered(Host& host, Trouble& trouble);
  void set_aside(Host& host, Trouble& trouble, bool aside);
  void give_up(Host& host, Trouble& trouble, int status);
  // Which of them were never seen; all of them are afterwards.
  Result<std::unique_ptr<bool[]>> test_and_insert(std::span<const Arrival> arrivals);
  Result<bool> is_over_budget(const Arrival& arrival);
  Result<void> leave_out_what_is_over_budget(std::vector<Arrival>& arrivals);
  Result<void> take_bundle(Bundle bundle);
  void put_chunk(Queue& queue, size_t precedence, std::vector<Candidate> items);

  std::vector<const Queue*> queues_with_work() const;
  QueueReport report(const Queue& queue) const;

  Options options_;
  store::SeenSet& seen_;
  const Clock& clock_;
  const SteadyTime opened_;
  HostStore store_;

  std::map<std::pair<SteadyTime, uint64_t>, Queue*> due_;
  uint64_t next_stamp_ = 1;
  std::unordered_map<std::string, int64_t> address_use_;
  std::unordered_map<std::string, std::deque<Queue*>> address_lines_;
  std::unordered_map<uint64_t, Visiting> visiting_;
  uint64_t next_lease_ = 1;
  std::deque<std::string> idle_;  // hosts whose last URL was taken, oldest first; they may have got others
};

}  // namespace caddis::frontier
