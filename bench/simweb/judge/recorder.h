// The judge while the crawl runs: told of every connection, request and answer, it notes what a polite and complete
// crawler does not do. report.h compares it with the oracle at the end.
//
// The server tells it all in order of time, from one thread. What it calls a violation:
//   forbidden        robots.txt forbids the URL to the product of the settings
//   before_robots    a page was asked for although the origin's robots.txt had not been answered for good
//   crawl_delay      less than the host's Crawl-delay between the end of an answer and the next request
//   retry_after      a URL was asked for again before the time its Retry-After gave
//   min_gap          less than JudgeSettings::min_gap between the end of an answer and the next request to the host
//   host_requests    more requests of a host under way than JudgeSettings allow; address_requests likewise
// A duplicate is a request of a URL that was answered for good before: whole, neither 429 nor 503, and of a kind that
// verify wants to see kept once (match_of). What is no HTTP, broken or too slow by design may be tried again, and so may
// what was answered at a closed door (world/doors.h): after a 401 at once, since both requests are one visit.
// robots.txt and the forms of logins recur and are never one. Wildcard subdomains are hosts of their own to a crawler: their gaps are judged by
// address only.
//
// A log may have every answer on a line: when its request came, when it ended, status, whole or not, URL. Whoever knows
// more than the judge (delays that change in the middle of a crawl) judges by that.
//
// An answer has ended when its last byte was handed to the system. The client may have read it already, or not yet: so
// gaps are as exact as the client is quick to read, and the requests under way are a lower bound.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "caddis/base/clock.h"
#include "simweb/judge/curve.h"
#include "simweb/judge/histogram.h"
#include "simweb/judge/ledger.h"
#include "simweb/judge/page_rank.h"
#include "simweb/world/world.h"

namespace simweb {

struct JudgeSettings {
  caddis::Duration min_gap{};  // 0: none is demanded
  uint32_t host_requests = 0;  // most at a time; 0: any number
  uint32_t address_requests = 0;
  // Pages weigh as much as their PageRank, where the web is small enough: it is worked out before anything is recorded.
  bool page_rank = false;
  // Gets a line for each answer that has ended: "12.000340 12.001120 200 whole http://h0.s0.test:18080/". Times are
  // seconds of the machine's steady clock. Null: there is no log.
  std::function<void(std::string_view line)> log = nullptr;
};

enum class Violation : uint8_t {
  forbidden,
  before_robots,
  crawl_delay,
  retry_after,
  min_gap,
  host_requests,
  address_requests,
};
inline constexpr int kViolations = static_cast<int>(Violation::address_requests) + 1;
std::string_view to_string(Violation violation);

// A request under way, as the recorder wants it back with its end.
struct Asked {
  HostId host = 0;
  PageRef page;
  uint64_t subdomain = 0;  // 1 + the number of a wildcard subdomain; 0: the host itself
  uint32_t address = 0;
  uint32_t attempt = 0;  // how often the URL was asked for before
  int64_t began = 0;     // microseconds since the recorder's start
  bool let_in = true;    // false: it is answered at the door, and may be asked for again at once
  std::string target;    // for the log alone
};

struct Faults {
  uint64_t count = 0;
  std::vector<std::string> examples;  // the first few URLs
};

struct AddressRow {
  uint64_t requests = 0;
  uint32_t active = 0, most_active = 0;
  uint32_t connections = 0, most_connections = 0;
  int64_t last_end = -1;
};

// Requests that are counted apart.
struct OddRequests {
  uint64_t head = 0, unknown_host = 0, bad = 0, broken_off = 0;
};

// Requests to hosts that speak HTTP/2, by the version that they came by.
struct VersionCounts {
  uint64_t http2 = 0, http1_instead = 0;
};

// Forms that were sent, and sessions that have ended.
struct LoginCounts {
  uint64_t accepted = 0, refused = 0, ended = 0;
};

class Recorder {
 public:
  Recorder(const World& world, caddis::SteadyTime start, const JudgeSettings& settings = {});

  void connected(uint32_t address);
  void disconnected(uint32_t address);
  // A connection has served its first request of a host, or turns to another one.
  void serves(HostId host);
  void left(HostId host);

  // `target` of the request line tells pages apart that the world does not know.
  Asked asked(const HostFacts& host, const NamedHost& named, PageRef page, std::string_view target, uint32_t address,
              caddis::SteadyTime now);
  // `whole`: the client has all that there is; otherwise the answer broke off, by design or because the client went.
  // `retry_after`: seconds, where the answer had that field, else -1.
  void answered(const Asked& asked, int status, bool whole, int64_t retry_after, caddis::SteadyTime now);
  OddRequests& odd() { return odd_; }
  // A request to a host that speaks HTTP/2.
  void spoke(bool http2) { ++(http2 ? versions_.http2 : versions_.http1_instead); }
  LoginCounts& logins() { return logins_; }
  void resolved(Dns outcome) { ++dns_[static_cast<size_t>(outcome)]; }

  const World& world() const { return world_; }
  const Ledger& ledger() const { return ledger_; }
  const Faults& faults(Violation violation) const { return violations_[static_cast<size_t>(violation)]; }
  uint64_t violations() const;
  const Faults& duplicates() const { return duplicates_; }
  const GapHistogram& host_gaps() const { return host_gaps_; }
  const GapHistogram& address_gaps() const { return address_gaps_; }
  const std::unordered_map<uint32_t, AddressRow>& addresses() const { return addresses_; }
  const Curve& curve() const { return curve_; }
  // What a page weighs: its PageRank, or its share of all links as a stand-in.
  double mass(const HostFacts& host, const PageRef& page) const;
  bool has_page_rank() const { return rank_.has_value(); }
  uint64_t requests() const { return requests_; }
  uint64_t requests(Kind kind) const { return by_kind_[static_cast<size_t>(kind)]; }
  uint64_t trap_requests() const;
  uint64_t connections() const { return connections_; }
  const OddRequests& odd() const { return odd_; }
  const VersionCounts& versions() const { return versions_; }
  const LoginCounts& logins() const { return logins_; }
  uint64_t dns(Dns outcome) const { return dns_[static_cast<size_t>(outcome)]; }
  // Of the last request, in microseconds since the start.
  int64_t first_request() const { return first_request_; }
  int64_t last_event() const { return last_event_; }

 private:
  int64_t since_start(caddis::SteadyTime now) const;
  // A request being looked at.
  struct Case {
    const HostFacts& host;
    const Asked& asked;
    std::string_view target;
    int64_t now;
  };
  void violate(Violation violation, const Case& at);
  void note(Faults& faults, const Case& at) const;
  void check_robots(const HostRow& row, const Case& at);
  void check_gap(HostRow& row, const Case& at);
  void check_repetition(const HostRow& row, const Case& at);
  void begin_at_host(HostRow& row, const Case& at);
  void begin_at_address(const Case& at);

  const World& world_;
  const caddis::SteadyTime start_;
  const JudgeSettings settings_;
  const std::optional<PageRank> rank_;
  Ledger ledger_;
  std::unordered_map<uint32_t, AddressRow> addresses_;
  std::unordered_set<uint64_t> robots_of_subdomains_;  // answered; keyed by host and subdomain
  std::array<Faults, kViolations> violations_;
  Faults duplicates_;
  GapHistogram host_gaps_, address_gaps_;
  Curve curve_;
  std::array<uint64_t, kKinds> by_kind_{};
  std::array<uint64_t, 5> dns_{};
  OddRequests odd_;
  VersionCounts versions_;
  LoginCounts logins_;
  uint64_t requests_ = 0, connections_ = 0;
  int64_t first_request_ = -1, last_event_ = 0;
};

}  // namespace simweb
