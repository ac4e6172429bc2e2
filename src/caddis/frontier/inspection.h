// Answers to an operator: queues, hosts, URLs, and why they wait.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/frontier/candidate.h"
#include "caddis/frontier/host.h"
#include "caddis/frontier/lease.h"
#include "caddis/frontier/queue_state.h"

namespace caddis::frontier {

enum class QueueOrder : uint8_t { size, wait, failures };

// A queue, and why it waits.
struct QueueReport {
  std::string origin;
  uint64_t queued = 0;
  QueueState state = QueueState::empty;
  Duration wait{};          // until it is due
  Duration visiting_for{};  // so far, of the visit that runs
  uint32_t failures = 0;
  Duration last_fetch{};
  uint64_t finished = 0;
  uint64_t retries = 0;                 // of those that wait, after a failed try
  uint64_t again = 0;                   // of those that wait, to be captured again (fetch.again)
  std::optional<Duration> crawl_delay;  // of robots.txt, if that is known
  bool knows_robots = false;            // what is known of robots.txt still holds
  Usage usage;
  Quota over = Quota::none;  // the quota that is used up
  bool retired = false;      // it alone, or as well as its host
  int given_up = 0;          // the status its URLs get, 0 while there is hope
};

// How many of the resident queues that hold URLs are in each state, and what the visits do.
struct QueueStates {
  struct Count {
    QueueState state = QueueState::empty;
    uint64_t queues = 0, urls = 0;
  };
  std::vector<Count> states;  // the one with most queues first
  uint64_t looking_up = 0, robots = 0, fetching = 0;
  bool for_bandwidth = false;  // what is ready waits, or waited a second ago, for the bandwidth of all
};

// The first questions of an operator, answered.
struct QueueSurvey {
  QueueStates states;
  std::vector<QueueReport> slowest;  // those that take longest: what to look at when a crawl is slow
  std::vector<QueueReport> largest;
};

// The usage of hosts that share quotas.
struct SharedUsage {
  std::string name;
  Usage usage;
};

struct HostReport {
  std::string name;
  bool known = false;  // otherwise nothing below says anything
  bool in_memory = false;
  std::vector<std::string> addresses;
  bool knows_address = false;  // what is known of addresses still holds
  HostOverrides overrides;
  uint32_t failures = 0;  // of DNS, in a row
  bool aside = false;
  int given_up = 0;
  Duration wait{};  // until the next visit is allowed: politeness, Retry-After
  Duration last_fetch{};
  uint64_t finished = 0;
  Usage usage;
  std::vector<std::string> sheets;  // that hold for it, the later counts
  SharedUsage group;                // the politeness group; without a name: none
  SharedUsage domain;               // its registrable domain; without a name: no quota of domains is set
  uint64_t in_inbox = 0;            // URLs in no queue yet: found while it was out of memory, or held by a module
  std::string visiting;             // the URL that is being visited
  Duration visiting_for{};
  std::vector<QueueReport> queues;
};

// Where a URL waits: in a chunk of its queue, after a try, or held by the frontier of a module.
inline constexpr std::string_view kWhereQueue = "queue", kWhereRetry = "retry", kWhereHeld = "module";

// A URL that waits.
struct WaitingUrl {
  Candidate candidate;
  std::string origin;
  std::string where;  // "queue", "retry", "inbox", "module"
  PriorityClass priority = priority_class(Precedence::normal);
  uint32_t attempt = 1;
  Duration wait{};     // of a retry, until it is due
  uint64_t ahead = 0;  // of a queue, URLs that stand before it in its line
  uint64_t chunk = 0;  // the number of its chunk, if it is in a queue
};

struct UrlReport {
  bool seen = false;
  std::vector<WaitingUrl> waits;  // a forced URL may wait twice
  bool visiting = false;
  Duration visiting_for{};
  HostReport host;
};

struct WaitingQuery {
  std::string host;                                       // empty: of all
  std::function<bool(const Candidate&)> match = nullptr;  // none: all
  size_t limit = 100;                                     // URLs in the answer
  bool only_count = false;                                // without the URLs, whatever the limit
  size_t rows = 20'000;                                   // rows read for it, about: the crawl stands still meanwhile
  std::string cursor = {};                                // as the answer before gave it
  bool nearest = false;                                   // goes on behind what the cursor named, where that has gone
  // Called for each URL that is deleted, with its host.
  std::function<void(const Candidate&, const std::string& host)> gone = nullptr;
};

struct WaitingPage {
  std::vector<WaitingUrl> urls;
  uint64_t matched = 0;
  std::string cursor;  // empty: that was all
  bool moved = false;  // what the cursor named has gone, or something was deleted: URLs may be missing, or come twice
};

struct Erased {
  uint64_t urls = 0, hosts = 0;
  std::string cursor;
};

// A part of what waits, swept (FrontierAdmin::sweep).
struct Swept {
  uint64_t asked = 0, erased = 0;  // URLs; one may be asked about twice
  std::string cursor;              // empty: that was all
};

struct Woken {
  uint64_t hosts = 0;  // for which it changed something
  std::string cursor;  // not empty: there are more
};

struct QueuePage {
  std::vector<QueueReport> queues;
  std::string cursor;  // not empty: there are more
};

struct LeaseInfo {
  uint64_t id = 0;
  LeaseKind kind = LeaseKind::url;
  uint16_t partition = 0;
  Duration since{};
};

}  // namespace caddis::frontier
