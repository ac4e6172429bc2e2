// The rows and keys of the frontier on disk: docs/formats/frontier.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/frontier/host.h"

namespace caddis::frontier {

// What is counted over all hosts, those out of memory included.
struct Totals {
  uint64_t queued = 0;          // URLs that wait, those being visited included
  uint64_t queued_aside = 0;    // of them, on hosts set aside
  uint64_t queued_retired = 0;  // of them, in retired queues
  uint64_t queued_over = 0;     // of those, since a quota is used up
  uint64_t hosts = 0, queues = 0, hosts_aside = 0, hosts_given_up = 0;
  uint64_t letters = 0;                                                     // rows of the inbox
  uint64_t next_letter = 0;                                                 // number of the next
  uint64_t over_host_budget = 0, over_domain_hosts = 0, over_patterns = 0;  // URLs left out
  uint64_t edits = 0;  // how often an operator has deleted: places in a list hold until then

  // URLs come into the queue, or leave it.
  void count(const Queue& queue, int64_t urls) {
    const auto by = static_cast<uint64_t>(urls);
    queued += by;
    if (queue.is_retired()) queued_retired += by;
    if (queue.over.retires()) queued_over += by;
    if (queue.is_aside()) queued_aside += by;
  }
  // Around a change of what holds the queue's URLs back; `queued_aside` is the caller's.
  void forget(const Queue& queue) {
    if (queue.is_retired()) queued_retired -= queue.queued;
    if (queue.over.retires()) queued_over -= queue.queued;
  }
  void remember(const Queue& queue) {
    if (queue.is_retired()) queued_retired += queue.queued;
    if (queue.over.retires()) queued_over += queue.queued;
  }

  bool operator==(const Totals&) const = default;
};

// A chunk for a host that is not in memory, until it comes in.
struct Letter {
  std::string origin;
  LineNumber line = 0;
  std::string_view chunk;  // borrowed from the row
};

struct RetryRow {
  Candidate candidate;
  uint32_t attempt = 2;
  uint32_t times = 0;  // it was captured so often already, and is fetched again because of its status
};
RetryReason reason_of(uint32_t attempt, uint32_t times);

// Everything of a host and its queues that is on disk but chunks, retries and robots.txt. `next_allowed` is its wall
// clock time. A host read has its queues; `retries` of each tells how many rows there are to be read.
std::string write_host_row(const Host& host, WallTime next_allowed, bool asked_to_wait, int64_t for_bandwidth = 0);
struct HostRow {
  WallTime next_allowed;
  bool asked_to_wait = false;     // so long, by its server (Retry-After)
  int64_t for_bandwidth = 0;      // so long, for this `host-bandwidth`; 0: for something else
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
std::string write_letter(const Letter& letter);
Result<Letter> read_letter(std::string_view bytes);
std::string write_totals(const Totals& totals);
Result<Totals> read_totals(std::string_view bytes);

std::string host_key(uint16_t partition, std::string_view host);
// What all keys of a host's chunks, retries, robots.txt and letters begin with.
std::string host_prefix(const Host& host);
std::string chunk_key(const Queue& queue, LineNumber line, uint64_t number);
std::string retry_key(const Queue& queue, const RetryKey& retry);
std::string robots_key(const Queue& queue);
std::string letter_key(uint16_t partition, std::string_view host, uint64_t number);
// Of the row that says that a quota has retired queues of the host.
std::string over_key(uint16_t partition, std::string_view host);
inline constexpr std::string_view kOverPrefix = "over:";
// Of the row that says what hosts owe by.
inline constexpr std::string_view kHostBandwidthsKey = "host-bandwidths";
std::string due_key(WallTime due, uint16_t partition, std::string_view host);

// What `chunk_key` and `retry_key` put together.
struct RowOwner {
  std::string_view host;
  std::string_view origin;
  std::string_view rest;  // behind the origin: line and number, or time and number
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
