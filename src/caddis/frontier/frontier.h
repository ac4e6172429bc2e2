// The frontier: which URLs wait, and which of them may be visited now.
//
// Four verbs: `next` leases a URL whose host is due; `finish` takes the disposition back; `schedule` takes candidates
// (links, seeds); `stats` and `queues` look. All state that must survive goes through `stage` into the batch of the
// committer's group: the frontier never writes by itself. See README.md for the invariants.
//
// Not thread-safe: it belongs to the committer's loop.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/frontier/candidate.h"
#include "caddis/frontier/identity.h"
#include "caddis/frontier/lease.h"
#include "caddis/frontier/queue.h"
#include "caddis/frontier/settings.h"
#include "caddis/store/kv.h"
#include "caddis/store/seen.h"

namespace caddis::frontier {

// The families of the key-value store that the frontier owns.
struct Families {
  store::Family queues, chunks, retries, hosts, robots;
};

struct Stats {
  uint64_t queued = 0;    // URLs that wait, those being visited included
  uint64_t visiting = 0;  // leases out
  uint64_t seen = 0;      // keys ever accepted
  uint64_t queues = 0, active_queues = 0, hosts = 0, hosts_aside = 0, hosts_given_up = 0;
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
  };

  // Reads all rows of the families. `seen` and `kv` must outlive the frontier. After a restart every host waits one
  // delay.
  static Result<std::unique_ptr<Frontier>> open(const Options& options, const Families& families, store::Kv& kv,
                                                store::SeenSet& seen, const Clock& clock);

  // The next lease that is due, if any.
  Result<std::optional<Lease>> next();
  // When `next` may have something, though nothing happens before; nothing where only a finish or a candidate can help.
  std::optional<SteadyTime> next_due() const;
  // No URL waits and none is being visited.
  bool is_empty() const { return stats_.queued == 0 && stats_.visiting == 0; }

  Outcome finish(const Disposition& disposition);
  // Takes those whose key is new (or forced); gives their fingerprints for the log of the seen-set, in order.
  std::vector<uint64_t> schedule(std::vector<Arrival> arrivals);

  // Adds all changes since the last call to `batch`; they are durable once `committed` is called with the number given.
  uint64_t stage(store::Batch& batch);
  void committed(uint64_t stage_number);

  void set_politeness(const PolitenessSettings& settings) { options_.politeness = settings; }
  const Stats& stats() const { return stats_; }
  // The queues with most URLs first, at most `limit`.
  std::vector<QueueReport> largest_queues(size_t limit) const;
  // The hosts that take longest, at most `limit`: what an operator looks at first when a crawl is slow.
  std::vector<QueueReport> slowest_queues(size_t limit) const;
  // Calls `see` for every URL that waits, in no particular order.
  Result<void> each_waiting(const std::function<void(const Candidate&)>& see);

 private:
  struct Due {
    SteadyTime when;
    uint64_t stamp;
    Queue* queue;
    bool operator>(const Due& other) const { return when != other.when ? when > other.when : stamp > other.stamp; }
  };
  struct Visiting {
    Queue* queue;
    LeaseKind kind;
    int line = -1;  // the precedence of the chunk it came from; -1: a retry
    std::pair<WallTime, uint64_t> retry;
  };

  Frontier(const Options& options, const Families& families, store::Kv& kv, store::SeenSet& seen, const Clock& clock)
      : options_(options), families_(families), kv_(kv), seen_(seen), clock_(clock) {}
  Result<void> load();
  Result<void> load_hosts();
  Result<void> load_queues();

  Host& host_named(const std::string& name);
  Queue& queue_of(const std::string& origin, const std::string& host);
  SteadyTime steady_at(WallTime when) const;

  void plan(Queue& queue);
  void wait_until(Queue& queue, SteadyTime when);
  std::optional<SteadyTime> due_time(const Queue& queue) const;
  bool take_slots(Queue& queue, LeaseKind kind);
  void release_slots(Host& host);
  LeaseKind wanted(const Queue& queue) const;
  Result<Lease> lease(Queue& queue, LeaseKind kind);
  Result<std::pair<Candidate, uint32_t>> front(Queue& queue, Visiting& visiting);
  Result<void> load_line(Queue& queue, size_t precedence);
  void probe_what_was_set_aside();

  void consume(Queue& queue, const Visiting& visiting);
  void retry_later(Queue& queue, const Visiting& visiting, const Disposition& disposition);
  Outcome finish_prerequisite(Queue& queue, const Disposition& disposition);
  Outcome finish_url(Queue& queue, const Visiting& visiting, const Disposition& disposition);
  bool host_failed(Host& host, const Disposition& disposition);
  void host_answered(Host& host);
  void give_up(Host& host, int status);
  // Which of them were never seen; all of them are afterwards.
  std::unique_ptr<bool[]> test_and_insert(std::span<const Arrival> arrivals);
  void put_chunk(Queue& queue, size_t precedence, std::vector<Candidate> items);
  QueueReport report(const Queue& queue) const;

  Options options_;
  Families families_;
  store::Kv& kv_;
  store::SeenSet& seen_;
  const Clock& clock_;

  std::unordered_map<std::string, std::unique_ptr<Host>> hosts_;
  std::unordered_map<std::string, std::unique_ptr<Queue>> queues_;
  std::unordered_map<Host*, std::vector<Queue*>> queues_of_host_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  uint64_t next_stamp_ = 1;
  std::unordered_map<std::string, int64_t> address_use_;
  std::unordered_map<std::string, std::deque<Queue*>> address_lines_;
  std::unordered_map<uint64_t, Visiting> visiting_;
  uint64_t next_lease_ = 1;

  store::Batch pending_;
  std::vector<Queue*> dirty_queues_;
  std::vector<Host*> dirty_hosts_;
  uint64_t stage_number_ = 1;
  // Chunks that are staged but may not be in the store yet.
  std::unordered_map<std::string, std::string> recent_;
  std::deque<std::pair<uint64_t, std::string>> recent_order_;
  Stats stats_;

  void mark(Queue& queue);
  void mark(Host& host);
};

}  // namespace caddis::frontier
