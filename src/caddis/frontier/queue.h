// A queue: the URLs of one origin (scheme, host, port) that wait, with what was taken from it and how it stands with
// its server. On disk it is a part of its host's row (rows.h); its URLs are rows of their own.
//
// Owned by its Host. Belongs to the frontier's thread.
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
#include "caddis/frontier/chunk.h"
#include "caddis/frontier/failure_state.h"
#include "caddis/frontier/order.h"
#include "caddis/frontier/quota.h"
#include "caddis/frontier/recent_chunks.h"
#include "caddis/robots/robots.h"

namespace caddis::frontier {

struct Host;
struct Queue;

// The URLs of one priority class: chunks [head, tail) exist, and item `index` of the chunk `head` is the next one.
struct ClassChunks {
  PriorityClass priority = 0;
  uint64_t head = 0, tail = 0;
  uint32_t index = 0;
  std::unique_ptr<ChunkReader> first;       // chunk `head` from item `index` on, while it is being read
  uint64_t stored_from = 0, stored_to = 0;  // the chunks that the store has, once all stages are committed
  RecentChunks recent;

  // Calls `see` with the number of each chunk that the store still has and the class no more.
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

// The keys of a queue's retries; their rows hold the rest.
struct RetrySet {
  uint64_t next_number = 0;        // of the next row
  std::set<RetryKey> waiting;      // changed by `add` and `drop`
  std::set<RetryKey> out;          // that are being visited; counted with the others on disk
  uint64_t failed = 0, again = 0;  // of those that wait

  void add(const RetryKey& key) {
    if (waiting.insert(key).second) count(key, 1);
  }
  void drop(const RetryKey& key) {
    const auto found = waiting.find(key);
    if (found == waiting.end()) return;
    count(*found, -1);
    waiting.erase(found);
  }

 private:
  void count(const RetryKey& key, int64_t by) {
    if (key.reason == RetryReason::failed) failed += static_cast<uint64_t>(by);
    if (key.reason == RetryReason::again) again += static_cast<uint64_t>(by);
  }
};

// The robots.txt of an origin. A host that is read from disk has the text alone until somebody has parsed it.
struct OriginRobots {
  WallTime expire{};
  std::shared_ptr<const robots::Robots> parsed;
  std::shared_ptr<const std::string> text;  // while it is not parsed
  std::optional<Duration> crawl_delay;
};

// Queues that wait, by the time at which they are due, then in the order in which they began to wait.
using DueTime = std::pair<SteadyTime, uint64_t>;
using DueQueues = std::map<DueTime, Queue*>;
// Queues that wait for a turn at what they share, the first first. A list: most are empty, and cost nothing.
using WaitList = std::list<Queue*>;

// How a queue stands with the scheduler: QueueScheduler alone changes it, and LeaseDispatcher and Settlement while a visit
// begins and ends.
struct QueueSchedule {
  // `visiting`: and nothing else of it can be visited at the same time.
  enum class State : uint8_t { idle, waiting, ready, host_busy, group_busy, address_busy, visiting };
  State state = State::idle;
  SteadyTime visit_began{};    // while a visit runs
  DueTime due;                 // its entry among those that wait, while `waiting`
  DueQueues::iterator due_at;  // the entry itself
  uint32_t rank = 0;           // among those that are due, while `ready`
  uint32_t visits = 0;         // that run
};

struct Queue {
  std::string origin;
  Host* host = nullptr;

  // On disk.
  uint64_t queued = 0;  // URLs in chunks and retries
  uint64_t finished = 0;
  Usage usage;
  OverQuota over;
  bool retired = false;              // by the operator: it alone, not its host
  std::vector<ClassChunks> classes;  // those that ever held a URL, by priority
  RetrySet retries;
  OriginRobots robots;
  FailureState failures;  // of connections, TLS, robots.txt

  // In memory.
  QueueSchedule schedule;
  std::pair<PriorityClass, uint64_t> reprioritized{};  // the class, and the chunk of it, that is inspected next

  // The foremost class that holds a URL, if any.
  ClassChunks* first_class() {
    const auto found = std::ranges::find_if(classes, [](const ClassChunks& one) { return !one.empty(); });
    return found == classes.end() ? nullptr : &*found;
  }
  const ClassChunks* first_class() const { return const_cast<Queue*>(this)->first_class(); }
  // The class with that priority; made if there is none. Good until the next is made.
  ClassChunks& class_of(PriorityClass priority) {
    const auto at = std::ranges::lower_bound(classes, priority, {}, &ClassChunks::priority);
    if (at != classes.end() && at->priority == priority) return *at;
    ClassChunks made;
    made.priority = priority;
    return *classes.insert(at, std::move(made));
  }
  bool has_chunks() const { return first_class() != nullptr; }
  // Something to visit: URLs of a retired queue are not.
  bool has_work() const;
  bool is_retired() const;  // by the operator, a setting, or since a quota is used up
  bool is_suspended() const;
  int abandoned() const;  // the status its URLs get, 0 while there is hope
};

// The precedence of a queue among those that are due, by the settings of the crawl; lower ones are served first.
inline uint32_t rank_of(const OrderSettings& order, const Queue& queue) {
  const ClassChunks* const first = queue.first_class();
  return queue_precedence(order, queue.finished, first == nullptr ? PriorityClass{0} : first->priority);
}

}  // namespace caddis::frontier
