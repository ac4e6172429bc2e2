#include "caddis/frontier/rows.h"

#include "caddis/frontier/bytes.h"
#include "caddis/frontier/chunk.h"

namespace caddis::frontier {
namespace {

constexpr uint8_t kHostVersion = 5, kRetryVersion = 2, kRobotsVersion = 1, kDeferredVersion = 1, kTotalsVersion = 3,
                  kUsageVersion = 1;

std::unexpected<Error> damaged(std::string_view what) {
  return fail(ErrorCode::corrupt, "the frontier holds a damaged " + std::string(what) + " row");
}

constexpr uint64_t kSuspended = 1, kAnswered = 2;

void write_failures(std::string& out, const FailureState& state) {
  put_varint(out, state.failures);
  put_varint(out, state.probes);
  put_varint(out, (state.suspended ? kSuspended : 0) | (state.answered ? kAnswered : 0));
  put_varint(out, static_cast<uint64_t>(-static_cast<int64_t>(state.abandoned)));
  put_varint(out, to_micros(state.retry_at));
}

void read_failures(Reader& in, FailureState& state) {
  state.failures = static_cast<uint32_t>(in.varint());
  state.probes = static_cast<uint32_t>(in.varint());
  const uint64_t flags = in.varint();
  state.suspended = (flags & kSuspended) != 0;
  state.answered = (flags & kAnswered) != 0;
  state.abandoned = static_cast<int>(-static_cast<int64_t>(in.varint()));
  state.retry_at = from_micros(in.varint());
}

void put_usage(std::string& out, const Usage& usage) {
  for (const uint64_t number : {usage.successes, usage.responses, usage.bytes, usage.novel_bytes, usage.cost})
    put_varint(out, number);
}

void read_usage(Reader& in, Usage& usage) {
  for (uint64_t* number : {&usage.successes, &usage.responses, &usage.bytes, &usage.novel_bytes, &usage.cost})
    *number = in.varint();
}

// Nanoseconds and 1; 0: nothing.
void put_optional(std::string& out, std::optional<Duration> duration) {
  put_varint(out, duration ? static_cast<uint64_t>(duration->count()) + 1 : 0);
}

std::optional<Duration> read_optional(Reader& in) {
  const uint64_t value = in.varint();
  return value == 0 ? std::nullopt : std::optional(Duration(static_cast<Duration::rep>(value - 1)));
}

constexpr uint8_t kDrops = 1, kQueueRetired = 2;

void write_queue(std::string& out, const Queue& queue) {
  put_string(out, queue.origin);
  put_varint(out, queue.queued);
  put_varint(out, queue.finished);
  put_varint(out, queue.retries.next_number);
  put_varint(out, queue.retries.waiting.size() + queue.retries.out.size());
  put_varint(out, to_micros(queue.robots.expire));
  put_optional(out, queue.robots.crawl_delay);
  write_failures(out, queue.failures);
  put_usage(out, queue.usage);
  out += static_cast<char>(queue.over.quota);
  out += static_cast<char>((queue.over.drops ? kDrops : 0) | (queue.retired ? kQueueRetired : 0));
  put_varint(out, queue.classes.size());
  for (const ClassChunks& chunks : queue.classes) {
    out += static_cast<char>(chunks.priority);
    put_varint(out, chunks.head);
    put_varint(out, chunks.tail - chunks.head);
    put_varint(out, chunks.index);
  }
}

// Returns the number of retries.
uint64_t read_queue(Reader& in, Queue& queue) {
  queue.origin = in.string();
  queue.queued = in.varint();
  queue.finished = in.varint();
  queue.retries.next_number = in.varint();
  const uint64_t retries = in.varint();
  queue.robots.expire = from_micros(in.varint());
  queue.robots.crawl_delay = read_optional(in);
  read_failures(in, queue.failures);
  read_usage(in, queue.usage);
  const uint8_t quota = in.u8();
  queue.over = {quota <= kLastQuota ? static_cast<Quota>(quota) : Quota::none, false};
  const uint8_t flags = in.u8();
  queue.over.drops = (flags & kDrops) != 0;
  queue.retired = (flags & kQueueRetired) != 0;
  const uint64_t classes = in.varint();
  for (uint64_t i = 0; i < classes && i < kClasses && in.ok(); ++i) {
    ClassChunks& chunks = queue.classes.emplace_back();
    chunks.priority = in.u8();
    chunks.head = in.varint();
    chunks.tail = chunks.head + in.varint();
    chunks.index = static_cast<uint32_t>(in.varint());
    chunks.stored_from = chunks.head;
    chunks.stored_to = chunks.tail;
  }
  return retries;
}

constexpr uint64_t kBlocked = 1, kRetired = 2, kBudget = 4, kAskedToWait = 8, kForBandwidth = 16;

uint64_t flag_of(PauseReason reason) {
  if (reason == PauseReason::asked) return kAskedToWait;
  return reason == PauseReason::bandwidth ? kForBandwidth : 0;
}

PauseReason reason_of(uint64_t flags) {
  if ((flags & kAskedToWait) != 0) return PauseReason::asked;
  return (flags & kForBandwidth) != 0 ? PauseReason::bandwidth : PauseReason::politeness;
}

// The overrides, and the reason of the pause in their flags.
void write_overrides(std::string& out, const HostOverrides& overrides, PauseReason reason) {
  put_varint(out, (overrides.blocked ? kBlocked : 0) | (overrides.retired ? kRetired : 0) |
                      (overrides.budget ? kBudget : 0) | flag_of(reason));
  put_optional(out, overrides.delay);
  if (overrides.budget) put_varint(out, *overrides.budget);
}

PauseReason read_overrides(Reader& in, HostOverrides& overrides) {
  const uint64_t flags = in.varint();
  overrides.blocked = (flags & kBlocked) != 0;
  overrides.retired = (flags & kRetired) != 0;
  overrides.delay = read_optional(in);
  if ((flags & kBudget) != 0) overrides.budget = in.varint();
  return reason_of(flags);
}

std::string queue_key(const Queue& queue) { return host_prefix(*queue.host) + queue.origin; }

}  // namespace

uint64_t to_micros(WallTime time) { return static_cast<uint64_t>(time.time_since_epoch().count()); }
WallTime from_micros(uint64_t micros) { return WallTime(std::chrono::microseconds(static_cast<int64_t>(micros))); }

std::string write_host_row(const Host& host, WallTime next_allowed, PauseReason reason) {
  constexpr size_t kUsual = 200;
  std::string out;
  out.reserve(kUsual);
  out += static_cast<char>(kHostVersion);
  put_varint(out, to_micros(host.addresses.expire));
  put_varint(out, host.addresses.list.size());
  for (const std::string& address : host.addresses.list) put_string(out, address);
  write_failures(out, host.failures);
  put_varint(out, to_micros(next_allowed));
  put_varint(out, host.finished);
  put_varint(out, to_micros(host.residence.indexed));
  write_overrides(out, host.overrides, reason);
  put_varint(out, host.referring);
  put_varint(out, host.queues.size());
  for (const auto& queue : host.queues) write_queue(out, *queue);
  return out;
}

Result<HostRow> read_host_row(std::string_view bytes, Host& host) {
  Reader in(bytes);
  HostRow row;
  if (in.u8() != kHostVersion) return damaged("host");
  host.addresses.expire = from_micros(in.varint());
  const uint64_t addresses = in.varint();
  for (uint64_t i = 0; i < addresses && in.ok(); ++i) host.addresses.list.emplace_back(in.string());
  read_failures(in, host.failures);
  row.next_allowed = from_micros(in.varint());
  host.finished = in.varint();
  host.residence.indexed = from_micros(in.varint());
  row.reason = read_overrides(in, host.overrides);
  host.referring = in.varint();
  const uint64_t queues = in.varint();
  for (uint64_t i = 0; i < queues && in.ok(); ++i) {
    auto& queue = host.queues.emplace_back(std::make_unique<Queue>());
    queue->host = &host;
    row.retries.push_back(read_queue(in, *queue));
  }
  if (!in.ok() || !in.at_end()) return damaged("host");
  return row;
}

std::string write_retry_row(const RetryRow& retry) {
  std::string out;
  out += static_cast<char>(kRetryVersion);
  put_varint(out, retry.attempt);
  put_varint(out, retry.times);
  out += encode_chunk(std::span(&retry.candidate, 1));
  return out;
}

RetryReason reason_of(uint32_t attempt, uint32_t times) {
  if (attempt > 1) return RetryReason::failed;
  return times > 0 ? RetryReason::again : RetryReason::returned;
}

Result<RetryReason> read_retry_reason(std::string_view bytes) {
  Reader in(bytes);
  if (in.u8() != kRetryVersion) return damaged("retry");
  const auto attempt = static_cast<uint32_t>(in.varint());
  const auto times = static_cast<uint32_t>(in.varint());
  if (!in.ok()) return damaged("retry");
  return reason_of(attempt, times);
}

Result<RetryRow> read_retry_row(std::string_view bytes) {
  Reader in(bytes);
  RetryRow retry;
  if (in.u8() != kRetryVersion) return damaged("retry");
  retry.attempt = static_cast<uint32_t>(in.varint());
  retry.times = static_cast<uint32_t>(in.varint());
  if (!in.ok()) return damaged("retry");
  TRY(auto items, decode_chunk(in.rest()));
  if (items.size() != 1) return damaged("retry");
  retry.candidate = std::move(items.front());
  return retry;
}

std::string write_usage(const Usage& usage) {
  std::string out(1, static_cast<char>(kUsageVersion));
  put_usage(out, usage);
  return out;
}

Result<Usage> read_usage(std::string_view bytes) {
  Reader in(bytes);
  Usage usage;
  if (in.u8() != kUsageVersion) return damaged("usage");
  read_usage(in, usage);
  if (!in.ok() || !in.at_end()) return damaged("usage");
  return usage;
}

std::string domain_key(std::string_view domain) { return std::string("domain:").append(domain); }

std::string hosts_of_domain_key(std::string_view domain) { return std::string("hosts-of:").append(domain); }

std::string seed_domain_key(std::string_view domain) { return std::string("seed-domain:").append(domain); }

std::string hosts_of_seeds_key(std::string_view domain) { return std::string("hosts-of-seeds:").append(domain); }

std::string host_of_seeds_key(std::string_view domain, std::string_view host) {
  return std::string("host-of-seeds:").append(domain).append(" ").append(host);
}

std::string write_count(uint64_t count) {
  std::string out(1, static_cast<char>(kUsageVersion));
  put_varint(out, count);
  return out;
}

Result<uint64_t> read_count(std::string_view bytes) {
  Reader in(bytes);
  if (in.u8() != kUsageVersion) return damaged("count of hosts");
  const uint64_t count = in.varint();
  if (!in.ok() || !in.at_end()) return damaged("count of hosts");
  return count;
}

std::string write_domain_usage(const DomainUsage& used) {
  std::string out(1, static_cast<char>(kUsageVersion));
  put_usage(out, used.usage);
  put_varint(out, static_cast<uint64_t>(used.time.count()));
  return out;
}

Result<DomainUsage> read_domain_usage(std::string_view bytes) {
  Reader in(bytes);
  DomainUsage used;
  if (in.u8() != kUsageVersion) return damaged("usage");
  read_usage(in, used.usage);
  used.time = Duration(static_cast<Duration::rep>(in.varint()));
  if (!in.ok() || !in.at_end()) return damaged("usage");
  return used;
}

std::string write_robots_row(std::string_view text) {
  std::string out(1, static_cast<char>(kRobotsVersion));
  return out.append(text);
}

Result<std::string_view> read_robots_row(std::string_view bytes) {
  if (bytes.empty() || bytes.front() != static_cast<char>(kRobotsVersion)) return damaged("robots.txt");
  return bytes.substr(1);
}

std::string write_deferred(const DeferredChunk& deferred) {
  std::string out(1, static_cast<char>(kDeferredVersion));
  put_string(out, deferred.origin);
  out += static_cast<char>(deferred.priority);
  return out.append(deferred.chunk);
}

Result<DeferredChunk> read_deferred(std::string_view bytes) {
  Reader in(bytes);
  DeferredChunk deferred;
  if (in.u8() != kDeferredVersion) return damaged("inbox");
  deferred.origin = in.string();
  deferred.priority = in.u8();
  deferred.chunk = in.rest();
  if (!in.ok() || deferred.priority >= kClasses) return damaged("inbox");
  return deferred;
}

std::string write_totals(const Totals& totals) {
  std::string out(1, static_cast<char>(kTotalsVersion));
  for (const uint64_t number :
       {totals.queued, totals.queued_suspended, totals.hosts, totals.queues, totals.hosts_suspended,
        totals.hosts_abandoned, totals.deferred, totals.next_deferred, totals.over_host_budget,
        totals.over_domain_hosts, totals.queued_retired, totals.edits, totals.over_patterns, totals.queued_over})
    put_varint(out, number);
  if (totals.marks > 0) put_varint(out, totals.marks);
  return out;
}

Result<Totals> read_totals(std::string_view bytes) {
  Reader in(bytes);
  Totals totals;
  if (in.u8() != kTotalsVersion) return damaged("totals");
  for (uint64_t* number :
       {&totals.queued, &totals.queued_suspended, &totals.hosts, &totals.queues, &totals.hosts_suspended,
        &totals.hosts_abandoned, &totals.deferred, &totals.next_deferred, &totals.over_host_budget,
        &totals.over_domain_hosts, &totals.queued_retired, &totals.edits, &totals.over_patterns, &totals.queued_over})
    *number = in.varint();
  if (!in.at_end()) totals.marks = in.varint();  // crawls that mark nothing have none
  if (!in.ok() || !in.at_end()) return damaged("totals");
  return totals;
}

std::string host_key(uint16_t partition, std::string_view host) {
  constexpr size_t kLongest = 64;  // of what is usually put behind
  std::string key;
  key.reserve(2 + host.size() + kLongest);
  key += static_cast<char>(partition >> 8);
  key += static_cast<char>(partition & 0xff);
  key += host;
  return key;
}

std::string host_prefix(const Host& host) { return host_key(host.partition, host.name) + '\0'; }

std::string chunk_key(const Queue& queue, PriorityClass priority, uint64_t number) {
  std::string key = queue_key(queue);
  key += '\0';
  key += static_cast<char>(priority);
  put_be64(key, number);
  return key;
}

std::string retry_key(const Queue& queue, const RetryKey& retry) {
  std::string key = queue_key(queue);
  key += '\0';
  put_be64(key, to_micros(retry.due));
  put_be64(key, retry.number);
  return key;
}

std::string robots_key(const Queue& queue) { return queue_key(queue); }

std::string deferred_key(uint16_t partition, std::string_view host, uint64_t number) {
  std::string key = host_key(partition, host) + '\0';
  put_be64(key, number);
  return key;
}

std::string over_key(uint16_t partition, std::string_view host) {
  return std::string(kOverPrefix) + host_key(partition, host);
}

std::string due_key(WallTime due, uint16_t partition, std::string_view host) {
  std::string key;
  put_be64(key, to_micros(due));
  return key += host_key(partition, host);
}

Result<RowOwner> owner_of(std::string_view key) {
  if (key.size() < 2) return damaged("key of a");
  key.remove_prefix(2);
  const size_t host_end = key.find('\0');
  const size_t origin_end = host_end == std::string_view::npos ? host_end : key.find('\0', host_end + 1);
  if (origin_end == std::string_view::npos) return damaged("key of a");
  return RowOwner{key.substr(0, host_end), key.substr(host_end + 1, origin_end - host_end - 1),
                  key.substr(origin_end + 1)};
}

Result<DueEntry> read_due_key(std::string_view key) {
  Reader in(key);
  const WallTime due = from_micros(in.be64());
  in.take(2);
  if (!in.ok() || in.at_end()) return damaged("due");
  return DueEntry{due, in.rest()};
}

RetryKey read_retry_key(std::string_view rest) {
  Reader in(rest);
  const WallTime due = from_micros(in.be64());
  return {due, in.be64()};
}

}  // namespace caddis::frontier
