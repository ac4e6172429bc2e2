#include "simweb/judge/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "caddis/base/hash.h"
#include "simweb/oracle/oracle.h"

namespace simweb {
namespace {

constexpr size_t max_examples = 10;
// Timers of a crawler round; whoever waits 99 % of a delay means to keep it.
constexpr double tolerance = 0.99;

// Asked for again whenever it expires, or a session ends.
constexpr bool recurs(Kind kind) {
  return kind == Kind::robots || kind == Kind::robots_target || kind == Kind::login_form || kind == Kind::login_welcome;
}

constexpr bool is_robots(Kind kind) { return kind == Kind::robots || kind == Kind::robots_target; }

uint64_t subdomain_key(HostId host, uint64_t subdomain) { return host * 0x9e3779b97f4a7c15 ^ subdomain; }

// `took`: microseconds.
std::string log_line(const Asked& asked, caddis::Duration end, int64_t took, int status, bool whole,
                     const std::string& origin) {
  const auto seconds = [](caddis::Duration at) { return std::chrono::duration<double>(at).count(); };
  return fmt::format("{:.6f} {:.6f} {} {} {}{}", seconds(end - std::chrono::microseconds(took)), seconds(end), status,
                     whole ? "whole" : "broken", origin, asked.target);
}

}  // namespace

std::string_view to_string(Violation violation) {
  switch (violation) {
    case Violation::forbidden:
      return "forbidden";
    case Violation::before_robots:
      return "before_robots";
    case Violation::crawl_delay:
      return "crawl_delay";
    case Violation::retry_after:
      return "retry_after";
    case Violation::min_gap:
      return "min_gap";
    case Violation::host_requests:
      return "host_requests";
    case Violation::address_requests:
      return "address_requests";
  }
  return "";
}

Recorder::Recorder(const World& world, caddis::SteadyTime start, const JudgeSettings& settings)
    : world_(world),
      start_(start),
      settings_(settings),
      rank_(settings.page_rank ? PageRank::create(world) : std::nullopt) {}

double Recorder::mass(const HostFacts& host, const PageRef& page) const {
  return rank_ ? rank_->of(host.id, page) : world_.mass(host, page);
}

int64_t Recorder::since_start(caddis::SteadyTime now) const {
  return std::chrono::duration_cast<std::chrono::microseconds>(now - start_).count();
}

void Recorder::note(Faults& faults, const Case& at) const {
  ++faults.count;
  if (faults.examples.size() >= max_examples) return;
  faults.examples.push_back(at.asked.page.kind == Kind::unknown ? world_.origin(at.host) + std::string(at.target)
                                                                : world_.url(at.host, at.asked.page));
}

void Recorder::violate(Violation violation, const Case& at) { note(violations_[static_cast<size_t>(violation)], at); }

void Recorder::connected(uint32_t address) {
  ++connections_;
  AddressRow& row = addresses_[address];
  row.most_connections = std::max(row.most_connections, ++row.connections);
}

void Recorder::disconnected(uint32_t address) { --addresses_[address].connections; }

void Recorder::serves(HostId host) {
  HostRow& row = ledger_.host(host);
  row.most_connections = std::max(row.most_connections, ++row.connections);
}

void Recorder::left(HostId host) { --ledger_.host(host).connections; }

void Recorder::check_robots(const HostRow& row, const Case& at) {
  const Asked& asked = at.asked;
  if (is_robots(asked.page.kind)) return;
  const bool known = asked.subdomain == 0 ? row.robots_known
                                          : robots_of_subdomains_.contains(subdomain_key(asked.host, asked.subdomain));
  if (!known) violate(Violation::before_robots, at);
  if (!world_.allowed(at.host, asked.page)) violate(Violation::forbidden, at);
}

void Recorder::check_gap(HostRow& row, const Case& at) {
  if (std::exchange(row.asks_who, false)) return;
  if (row.last_end < 0 && row.active == 0) return;
  const int64_t gap = row.active > 0 ? 0 : std::max<int64_t>(1, at.now - row.last_end);
  host_gaps_.add(gap);
  row.smallest_gap = row.smallest_gap < 0 ? gap : std::min(row.smallest_gap, gap);
  const auto less_than = [gap](double microseconds) { return static_cast<double>(gap) < microseconds * tolerance; };
  const auto demanded = std::chrono::duration_cast<std::chrono::microseconds>(settings_.min_gap).count();
  if (less_than(static_cast<double>(demanded))) violate(Violation::min_gap, at);
  // The delay cannot be known while robots.txt is being fetched.
  if (!is_robots(at.asked.page.kind) && less_than(at.host.crawl_delay * 1000.0)) violate(Violation::crawl_delay, at);
}

void Recorder::check_repetition(const HostRow& row, const Case& at) {
  if (recurs(at.asked.page.kind)) return;
  const Progress progress = ledger_.progress(row, at.asked.page);
  const UrlRow* const url = ledger_.url(at.asked.host, at.asked.page, false);
  const bool refused = url != nullptr && url->not_before > 0;
  // Asked and neither refused nor ended: the same request is still being answered.
  if (progress == Progress::answered || (progress == Progress::asked && !refused)) note(duplicates_, at);
  if (url != nullptr && at.now < url->not_before) violate(Violation::retry_after, at);
}

void Recorder::begin_at_host(HostRow& row, const Case& at) {
  ++row.requests;
  if (at.asked.subdomain != 0) return;
  check_gap(row, at);
  row.most_active = std::max(row.most_active, ++row.active);
  if (settings_.host_requests != 0 && row.active > settings_.host_requests) violate(Violation::host_requests, at);
}

void Recorder::begin_at_address(const Case& at) {
  AddressRow& row = addresses_[at.asked.address];
  if (row.active > 0)
    address_gaps_.add(0);
  else if (row.last_end >= 0)
    address_gaps_.add(std::max<int64_t>(1, at.now - row.last_end));
  ++row.requests;
  row.most_active = std::max(row.most_active, ++row.active);
  if (settings_.address_requests != 0 && row.active > settings_.address_requests)
    violate(Violation::address_requests, at);
}

Asked Recorder::asked(const HostFacts& host, const NamedHost& named, PageRef page, std::string_view target,
                      uint32_t address, caddis::SteadyTime now) {
  if (requests_++ == 0) first_request_ = since_start(now);
  last_event_ = since_start(now);
  ++by_kind_[static_cast<size_t>(page.kind)];
  if (page.kind == Kind::unknown) page.number = caddis::siphash(target, named.wildcard ? named.subdomain + 1 : 0, 0);
  Asked asked{.host = host.id, .page = page, .subdomain = named.wildcard ? named.subdomain + 1 : 0, .address = address};
  asked.began = last_event_;
  if (settings_.log) asked.target = target;
  const Case at{.host = host, .asked = asked, .target = target, .now = last_event_};
  HostRow& row = ledger_.host(host.id);
  check_robots(row, at);
  check_repetition(row, at);
  begin_at_host(row, at);
  begin_at_address(at);
  asked.attempt = ledger_.note_asked(row, page);
  return asked;
}

void Recorder::answered(const Asked& asked, int status, bool whole, int64_t retry_after, caddis::SteadyTime now_time) {
  const int64_t now = last_event_ = since_start(now_time);
  if (settings_.log)
    settings_.log(log_line(asked, start_.time_since_epoch() + std::chrono::microseconds(now), now - asked.began, status,
                           whole, world_.origin(world_.host(asked.host))));
  HostRow& row = ledger_.host(asked.host);
  if (asked.subdomain == 0) {
    --row.active;
    row.last_end = now;
  }
  AddressRow& at = addresses_[asked.address];
  --at.active;
  at.last_end = now;
  if (!whole) ++odd_.broken_off;
  if (!asked.let_in) {
    row.asks_who = status == 401;
    if (UrlRow* const url = ledger_.url(asked.host, asked.page, true)) {
      url->asked = std::max(url->asked, asked.attempt + 1);
      url->not_before = now;
    }
    return;
  }
  if (status == 429 || status == 503) {
    if (UrlRow* const url = ledger_.url(asked.host, asked.page, true)) {
      // A numbered page has no row before its second request.
      url->asked = std::max(url->asked, asked.attempt + 1);
      const double seconds = static_cast<double>(std::max<int64_t>(0, retry_after));
      url->not_before = now + static_cast<int64_t>(seconds * 1e6 * tolerance);
    }
    return;
  }
  const bool robots_known = whole && ((asked.page.kind == Kind::robots && status / 100 != 3 && status < 500) ||
                                      (asked.page.kind == Kind::robots_target && status == 200));
  if (robots_known && asked.subdomain == 0) row.robots_known = true;
  if (robots_known && asked.subdomain != 0) robots_of_subdomains_.insert(subdomain_key(asked.host, asked.subdomain));
  const bool for_good = whole && match_of(asked.page.kind) == Match::exact;
  const bool first = ledger_.note_end(row, asked.page, for_good ? Progress::answered : Progress::broken);
  if (first && is_numbered(asked.page.kind)) curve_.add(now, mass(world_.host(asked.host), asked.page));
}

uint64_t Recorder::violations() const {
  uint64_t sum = 0;
  for (const Faults& faults : violations_) sum += faults.count;
  return sum;
}

uint64_t Recorder::trap_requests() const {
  uint64_t sum = 0;
  for (int kind = 0; kind < kKinds; ++kind)
    if (is_trap(static_cast<Kind>(kind))) sum += by_kind_[static_cast<size_t>(kind)];
  return sum;
}

}  // namespace simweb
