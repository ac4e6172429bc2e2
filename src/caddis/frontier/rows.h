// The rows and keys of the frontier on disk: docs/formats/frontier.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/frontier/host.h"

namespace caddis::frontier {

// Counts over all hosts, those that are not resident included; Counters keeps it.
struct Totals {
  uint64_t queued = 0;            // URLs that wait, those being visited included
  uint64_t queued_suspended = 0;  // of them, those that wait for probes only
  uint64_t queued_retired = 0;    // of them, in retired queues
  uint64_t queued_over = 0;       // of those, since a quota is used up
  uint64_t hosts = 0, queues = 0, hosts_suspended = 0, hosts_abandoned = 0;
  uint64_t deferred = 0;                                                    // rows of the inbox
  uint64_t next_deferred = 0;                                               // number of the next
  uint64_t over_host_budget = 0, over_domain_hosts = 0, over_patterns = 0;  // URLs left out
  uint64_t edits = 0;  // how often an operator has deleted: places in a list hold until then
  uint64_t marks = 0;  // of what the seen-set holds: UrlLedger::mark

  bool operator==(const Totals&) const = default;
};

// A chunk for a host that is not resident, until it is loaded.
struct DeferredChunk {
  std::string origin;
  PriorityClass priority = 0;
  std::string_view chunk;  // borrowed from the row
};

struct RetryRow {
  Candidate candidate;
  uint32_t attempt = 2;
  uint32_t times = 0;  // it was captured so often already, and is fetched again because of its status
};
RetryReason reason_of(uint32_t attempt, uint32_t times);

// Why a host is left alone for so long: the delay between two visits, its server has asked us to wait (Retry-After), or
// `host-bandwidth`.
enum class PauseReason : uint8_t { politeness, asked, bandwidth };

// Everything of a host and its queues that is on disk but chunks, retries and robots.txt. `next_allowed` is its wall
// clock time. A host read has its queues; `retries` of each tells how many rows there are to be read.
std::string write_host_row(const Host& host, WallTime next_allowed, PauseReason reason);
struct HostRow {
  WallTime next_allowed;
  PauseReason reason = PauseReason::politeness;
  std::vector<uint64_t> retries;  // number of them, for each queue
};
Result<HostRow> read_host_row(std::string_view bytes, Host& host);
std::string write_retry_row(const RetryRow& retry);
Result<RetryRow> read_retry_row(std::string_view bytes);
// The reason alone.
Result<RetryReason> read_retry_reason(std::string_view bytes);
std::string write_usage(const Usage& usage);
Result<Usage> read_usage(std::string_view bytes);
std::string write_robots_row(std::string_view text);
Result<std::string_view> read_robots_row(std::string_view bytes);
std::string write_deferred(const DeferredChunk& letter);
Result<DeferredChunk> read_deferred(std::string_view bytes);
std::string write_totals(const Totals& totals);
Result<Totals> read_totals(std::string_view bytes);

std::string host_key(uint16_t partition, std::string_view host);
// The beginning of all keys of a host's chunks, retries, robots.txt and deferred links.
std::string host_prefix(const Host& host);
std::string chunk_key(const Queue& queue, PriorityClass priority, uint64_t number);
std::string retry_key(const Queue& queue, const RetryKey& retry);
std::string robots_key(const Queue& queue);
std::string deferred_key(uint16_t partition, std::string_view host, uint64_t number);
// The key of the row that says that a quota has retired queues of the host.
std::string over_key(uint16_t partition, std::string_view host);
inline constexpr std::string_view kOverPrefix = "over:";
// The key of a registrable domain's usage, among those of totals.
std::string domain_key(std::string_view domain);
std::string hosts_of_domain_key(std::string_view domain);
// The keys of what was visited for the seeds of a registrable domain: the usage, the number of hosts, and each of them.
std::string seed_domain_key(std::string_view domain);
std::string hosts_of_seeds_key(std::string_view domain);
std::string host_of_seeds_key(std::string_view domain, std::string_view host);
std::string write_count(uint64_t count);
Result<uint64_t> read_count(std::string_view bytes);
std::string write_domain_usage(const DomainUsage& used);
Result<DomainUsage> read_domain_usage(std::string_view bytes);
// The key of the row of totals.
inline constexpr std::string_view kTotalsKey = "totals";
std::string due_key(WallTime due, uint16_t partition, std::string_view host);

// The parts that `chunk_key` and `retry_key` put together.
struct RowOwner {
  std::string_view host;
  std::string_view origin;
  std::string_view rest;  // behind the origin: priority class and number, or time and number
};
Result<RowOwner> owner_of(std::string_view key);
struct DueEntry {
  WallTime due;
  std::string_view host;
};
Result<DueEntry> read_due_key(std::string_view key);
RetryKey read_retry_key(std::string_view rest);

uint64_t to_micros(WallTime time);
WallTime from_micros(uint64_t micros);

}  // namespace caddis::frontier
