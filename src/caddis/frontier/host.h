// A host and its queues as they stand in memory. A Host is what politeness, DNS and failures are about; a Queue is the
// URLs of one origin (scheme, host, port) of it. A host serves one visit at a time, so a queue's cursor is always
// exact.
//
// Owned by HostStore, which keeps only hosts in memory that have something to do soon.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/frontier/candidate.h"
#include "caddis/frontier/chunk.h"
#include "caddis/frontier/host_rules.h"
#include "caddis/frontier/order.h"
#include "caddis/frontier/quota.h"
#include "caddis/frontier/recent_chunks.h"
#include "caddis/robots/robots.h"

namespace caddis::frontier {

// The status of URLs of a blocked host (Heritrix's code).
inline constexpr int kBlockedByUser = -5001;

struct Host;

// What an operator has said of a host; it holds until something else is said.
struct Orders {
  bool blocked = false;                           // its URLs are given up, those found later too
  bool retired = false;                           // its URLs wait until it is taken up again
  std::optional<Duration> delay;                  // between two visits, in place of the settings'
  std::optional<uint64_t> budget = std::nullopt;  // URLs taken, in place of `host-budget`; 0: no limit

  bool operator==(const Orders&) const = default;
};

// What keeps failing: the name of a host, or the connections to one of its origins. A dead port says nothing of the
// others.
struct Trouble {
  uint32_t failures = 0;  // in a row
  uint32_t probes = 0;    // since it was set aside
  bool aside = false;
  bool answered = false;  // the latest: a server that is there, and does not give its robots.txt (429, 5xx)
  int given_up = 0;       // the status its URLs get, 0 while there is hope
  WallTime retry_at{};    // not before, after a failure
};

// The place of the next URL of one of a queue's lines: item `index` of the chunk `head`; chunks [head, tail) exist.
struct QueueLine {
  LineNumber number = 0;
  uint64_t head = 0, tail = 0;
  uint32_t index = 0;
  std::unique_ptr<ChunkReader> first;       // chunk `head` from item `index` on, where it is being read
  uint64_t stored_from = 0, stored_to = 0;  // the chunks that the store has, once all stages are committed
  RecentChunks recent;
  // Calls `see` with the number of each chunk that the store has and the line no more.
  template <typename See>
  void each_gone(const See& see) const {
    for (uint64_t gone = stored_from; gone < std::min(head, stored_to); ++gone) see(gone);
    for (uint64_t gone = std::max({tail, head, stored_from}); gone < stored_to; ++gone) see(gone);
  }
  bool empty() const { return head == tail; }
  // The chunk `head` is another one, or has other bytes: it is read from its beginning.
  void begin_again() {
    index = 0;
    first.reset();
  }
};

// Why a URL is in a row of its own: its visit was broken off by us, it failed, or it is to be captured again
// (`fetch.again`).
enum class RetryReason : uint8_t { returned, failed, again };

// When a retry is due, and its number: the key of its row.
struct RetryKey {
  WallTime due{};
  uint64_t number = 0;
  RetryReason reason = RetryReason::returned;  // not in the key

  friend auto operator<=>(const RetryKey& a, const RetryKey& b) {
    return std::pair(a.due, a.number) <=> std::pair(b.due, b.number);
  }
  friend bool operator==(const RetryKey& a, const RetryKey& b) { return a.due == b.due && a.number == b.number; }
};

struct Queue;
// Queues that wait, by the time at which they are due, then in the order in which they began to wait.
using DueQueues = std::map<std::pair<SteadyTime, uint64_t>, Queue*>;
// Queues that wait for a turn at what they share, the first first. A list: most are empty, and cost nothing.
using QueuesInLine = std::list<Queue*>;

struct Queue {
  std::string origin;
  Host* host = nullptr;

  // On disk, in the host's row.
  uint64_t queued = 0;  // URLs in chunks and retries
  uint64_t finished = 0;
  Usage usage;
  OverQuota over;
  bool retired = false;            // by the operator: it alone, not its host
  std::vector<QueueLine> lines;    // those that ever held a URL, by number
  uint64_t next_retry = 0;         // number for the next retry row
  std::set<RetryKey> retries;      // that wait; the rows hold the rest; changed by `add_retry` and `drop_retry`
  uint64_t failed = 0, again = 0;  // of those
  std::set<RetryKey> out;          // that are being visited; counted with the others on disk
  WallTime robots_expire{};
  Trouble trouble;  // with connections, TLS, robots.txt

  // In memory.
  std::shared_ptr<const robots::Robots> robots;
  std::optional<Duration> crawl_delay;
  // `visiting`: and nothing else of it can be visited at the same time.
  enum class State : uint8_t { idle, waiting, ready, host_busy, group_busy, address_busy, visiting };
  State state = State::idle;
  SteadyTime visit_began{};             // while `visiting`
  std::pair<SteadyTime, uint64_t> due;  // its entry among those that wait, while `waiting`
  DueQueues::iterator due_at;           // the entry itself
  uint32_t rank = 0;                    // and among those that are due, while `ready`
  uint32_t visits = 0;
  LineNumber looked_line = 0;  // whose importance was looked at last: that line, and the next chunk of it
  uint64_t looked_chunk = 0;

  // The foremost line that holds a URL, if any.
  QueueLine* first_line() {
    const auto found = std::ranges::find_if(lines, [](const QueueLine& line) { return !line.empty(); });
    return found == lines.end() ? nullptr : &*found;
  }
  const QueueLine* first_line() const { return const_cast<Queue*>(this)->first_line(); }
  // The line with that number; made where there is none. Good until the next is made.
  QueueLine& line(LineNumber number) {
    const auto at = std::ranges::lower_bound(lines, number, {}, &QueueLine::number);
    if (at != lines.end() && at->number == number) return *at;
    QueueLine made;
    made.number = number;
    return *lines.insert(at, std::move(made));
  }
  bool has_lines() const { return first_line() != nullptr; }
  void add_retry(const RetryKey& key) {
    if (retries.insert(key).second) count_retry(key, 1);
  }
  void drop_retry(const RetryKey& key) {
    const auto found = retries.find(key);
    if (found == retries.end()) return;
    count_retry(*found, -1);
    retries.erase(found);
  }
  void count_retry(const RetryKey& key, int64_t by) {
    if (key.reason == RetryReason::failed) failed += static_cast<uint64_t>(by);
    if (key.reason == RetryReason::again) again += static_cast<uint64_t>(by);
  }
  // Something to visit: URLs of a retired queue are not.
  bool has_work() const;
  bool is_retired() const;  // by the operator, or since a quota is used up
  bool is_aside() const;
  int given_up() const;  // the status its URLs get, 0 while there is hope
};

struct Host {
  std::string name;
  uint16_t partition = 0;
  std::vector<std::unique_ptr<Queue>> queues;  // in the order in which they were first heard of

  // On disk.
  std::vector<std::string> addresses;
  WallTime addresses_expire{};
  Trouble trouble;  // with its name
  Orders orders;
  uint64_t finished = 0;
  uint64_t linking = 0;  // a bit for each of the domains that link to it, by hash: linking.h
  WallTime indexed{};    // its entry in the due index; zero where it has none

  // In memory (`next_allowed` on disk as wall clock).
  std::shared_ptr<const HostRules> rules;  // what sheets say; null: the rules of the crawl
  SteadyTime next_allowed{};
  SteadyTime polite_until{};  // the same without what `host-bandwidth` asks for
  SteadyTime asked_until{};   // the server has asked us to wait (Retry-After)
  uint32_t visits = 0;
  bool prerequisite = false;  // one of the visits is for DNS or robots.txt: it is the only one
  uint32_t batch = 0;         // visits since the last pause
  Duration owed{};            // pauses that the batch has put off
  Duration owed_politely{};   // the same without what `host-bandwidth` asks for
  size_t address_index = 0;   // moves on after a failed connection
  QueuesInLine line;          // queues that are due while the host is busy
  Duration last_fetch{};
  uint32_t session = 0;       // what its visits have cost since it came into memory
  bool dirty = false;         // its row is to be written
  bool listed = false;        // among those that ran out of work
  int64_t for_bandwidth = 0;  // its pause is that long for this `host-bandwidth`; 0: for something else
  uint64_t leaving = 0;       // goes out of memory when this stage is committed; 0: stays

  // Its pause is longer for `host-bandwidth` than it would be without.
  bool owes() const { return for_bandwidth > 0 && next_allowed > polite_until; }
  // Whatever the bandwidth.
  void wait_at_least(SteadyTime until) {
    next_allowed = std::max(next_allowed, until);
    polite_until = std::max(polite_until, until);
  }
  // URLs taken: those visited and those that wait.
  uint64_t taken() const {
    uint64_t sum = 0;
    for (const auto& queue : queues) sum += queue->queued + queue->finished;
    return sum;
  }
  uint64_t queued() const {
    uint64_t sum = 0;
    for (const auto& queue : queues) sum += queue->queued;
    return sum;
  }
  uint64_t queued_retired() const {
    uint64_t sum = 0;
    for (const auto& queue : queues)
      if (queue->is_retired()) sum += queue->queued;
    return sum;
  }
  Usage usage() const {
    Usage sum;
    for (const auto& queue : queues) sum += queue->usage;
    return sum;
  }
  // URLs that wait for probes only.
  uint64_t queued_aside() const {
    uint64_t sum = 0;
    for (const auto& queue : queues)
      if (queue->is_aside()) sum += queue->queued;
    return sum;
  }
  bool has_work() const {
    for (const auto& queue : queues)
      if (queue->has_work()) return true;
    return false;
  }
};

inline bool Queue::is_retired() const {
  return !host->orders.blocked && (retired || host->orders.retired || over.retires());
}
inline bool Queue::has_work() const { return !is_retired() && (has_lines() || !retries.empty()); }
inline bool Queue::is_aside() const { return !is_retired() && (trouble.aside || host->trouble.aside); }
inline int Queue::given_up() const {
  if (host->orders.blocked) return kBlockedByUser;
  if (over.quota != Quota::none && over.drops) return kOverQuota;
  return host->trouble.given_up != 0 ? host->trouble.given_up : trouble.given_up;
}

}  // namespace caddis::frontier
