#include "caddis/frontier/rows.h"

#include "caddis/frontier/bytes.h"
#include "caddis/frontier/chunk.h"

namespace caddis::frontier {
namespace {

constexpr uint8_t kHostVersion = 4, kRetryVersion = 2, kRobotsVersion = 1, kLetterVersion = 1, kTotalsVersion = 3,
                  kUsageVersion = 1;

std::unexpected<Error> damaged(std::string_view what) {
  return fail(ErrorCode::corrupt, "the frontier holds a damaged " + std::string(what) + " row");
}

constexpr uint64_t kAside = 1, kAnswered = 2;

void write_trouble(std::string& out, const Trouble& trouble) {
  put_varint(out, trouble.failures);
  put_varint(out, trouble.probes);
  put_varint(out, (trouble.aside ? kAside : 0) | (trouble.answered ? kAnswered : 0));
  put_varint(out, static_cast<uint64_t>(-static_cast<int64_t>(trouble.given_up)));
  put_varint(out, to_micros(trouble.retry_at));
}

void read_trouble(Reader& in, Trouble& trouble) {
  trouble.failures = static_cast<uint32_t>(in.varint());
  trouble.probes = static_cast<uint32_t>(in.varint());
  const uint64_t flags = in.varint();
  trouble.aside = (flags & kAside) != 0;
  trouble.answered = (flags & kAnswered) != 0;
  trouble.given_up = static_cast<int>(-static_cast<int64_t>(in.varint()));
  trouble.retry_at = from_micros(in.varint());
}

void put_usage(std::string& out, const Usage& usage) {
  for (const uint64_t number : {usage.successes, usage.responses, usage.bytes, usage.novel_bytes, usage.cost})
    put_varint(out, number);
}

void read_usage(Reader& in, Usage& usage) {
  for (uint64_t* number : {&usage.successes, &usage.responses, &usage.bytes, &usage.novel_bytes, &usage.cost})
    *number = in.varint();
}

constexpr uint8_t kDrops = 1, kQueueRetired = 2;

void write_queue(std::string& out, const Queue& queue) {
  put_string(out, queue.origin);
  put_varint(out, queue.queued);
  put_varint(out, queue.finished);
  put_varint(out, queue.next_retry);
  put_varint(out, queue.retries.size() + queue.out.size());
  put_varint(out, to_micros(queue.robots_expire));
  write_trouble(out, queue.trouble);
  put_usage(out, queue.usage);
  out += static_cast<char>(queue.over.quota);
  out += static_cast<char>((queue.over.drops ? kDrops : 0) | (queue.retired ? kQueueRetired : 0));
  put_varint(out, queue.lines.size());
  for (const QueueLine& line : queue.lines) {
    out += static_cast<char>(line.number);
    put_varint(out, line.head);
    put_varint(out, line.tail - line.head);
    put_varint(out, line.index);
  }
}

// Gives the number of retries.
uint64_t read_queue(Reader& in, Queue& queue) {
  queue.origin = in.string();
  queue.queued = in.varint();
  queue.finished = in.varint();
  queue.next_retry = in.varint();
  const uint64_t retries = in.varint();
  queue.robots_expire = from_micros(in.varint());
  read_trouble(in, queue.trouble);
  read_usage(in, queue.usage);
  const uint8_t quota = in.u8();
  queue.over = {quota <= kLastQuota ? static_cast<Quota>(quota) : Quota::none, false};
  const uint8_t flags = in.u8();
  queue.over.drops = (flags & kDrops) != 0;
  queue.retired = (flags & kQueueRetired) != 0;
  const uint64_t lines = in.varint();
  for (uint64_t i = 0; i < lines && i < kLines && in.ok(); ++i) {
    QueueLine& line = queue.lines.emplace_back();
    line.number = in.u8();
    line.head = in.varint();
    line.tail = line.head + in.varint();
    line.index = static_cast<uint32_t>(in.varint());
    line.stored_from = line.head;
    line.stored_to = line.tail;
  }
  return retries;
}

constexpr uint64_t kBlocked = 1, kRetired = 2, kBudget = 4, kAskedToWait = 8;
constexpr int kBandwidthShift = 4;  // what stands above them

void write_orders(std::string& out, const Orders& orders, bool asked_to_wait, int64_t for_bandwidth) {
  put_varint(out, (orders.blocked ? kBlocked : 0) | (orders.retired ? kRetired : 0) | (orders.budget ? kBudget : 0) |
                      (asked_to_wait ? kAskedToWait : 0) | static_cast<uint64_t>(for_bandwidth) << kBandwidthShift);
  put_varint(out, orders.delay ? static_cast<uint64_t>(orders.delay->count()) + 1 : 0);
  if (orders.budget) put_varint(out, *orders.budget);
}

void read_orders(Reader& in, Orders& orders, HostRow& row) {
  const uint64_t flags = in.varint();
  row.asked_to_wait = (flags & kAskedToWait) != 0;
  row.for_bandwidth = static_cast<int64_t>(flags >> kBandwidthShift);
  orders.blocked = (flags & kBlocked) != 0;
  orders.retired = (flags & kRetired) != 0;
  if (const uint64_t delay = in.varint(); delay > 0) orders.delay = Duration(static_cast<Duration::rep>(delay - 1));
  if ((flags & kBudget) != 0) orders.budget = in.varint();
}

std::string queue_key(const Queue& queue) { return host_prefix(*queue.host) + queue.origin; }

}  // namespace

uint64_t to_micros(WallTime time) { return static_cast<uint64_t>(time.time_since_epoch().count()); }
WallTime from_micros(uint64_t micros) { return WallTime(std::chrono::microseconds(static_cast<int64_t>(micros))); }

std::string write_host_row(const Host& host, WallTime next_allowed, bool asked_to_wait, int64_t for_bandwidth) {
  constexpr size_t kUsual = 200;
  std::string out;
  out.reserve(kUsual);
  out += static_cast<char>(kHostVersion);
  put_varint(out, to_micros(host.addresses_expire));
  put_varint(out, host.addresses.size());
  for (const std::string& address : host.addresses) put_string(out, address);
  write_trouble(out, host.trouble);
  put_varint(out, to_micros(next_allowed));
  put_varint(out, host.finished);
  put_varint(out, to_micros(host.indexed));
  write_orders(out, host.orders, asked_to_wait, for_bandwidth);
  put_varint(out, host.linking);
  put_varint(out, host.queues.size());
  for (const auto& queue : host.queues) write_queue(out, *queue);
  return out;
}

Result<HostRow> read_host_row(std::string_view bytes, Host& host) {
  Reader in(bytes);
  HostRow row;
  if (in.u8() != kHostVersion) return damaged("host");
  host.addresses_expire = from_micros(in.varint());
  const uint64_t addresses = in.varint();
  for (uint64_t i = 0; i < addresses && in.ok(); ++i) host.addresses.emplace_back(in.string());
  read_trouble(in, host.trouble);
  row.next_allowed = from_micros(in.varint());
  host.finished = in.varint();
  host.indexed = from_micros(in.varint());
  read_orders(in, host.orders, row);
  host.linking = in.varint();
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

std::string write_robots_row(std::string_view text) {
  std::string out(1, static_cast<char>(kRobotsVersion));
  return out.append(text);
}

Result<std::string_view> read_robots_row(std::string_view bytes) {
  if (bytes.empty() || bytes.front() != static_cast<char>(kRobotsVersion)) return damaged("robots.txt");
  return bytes.substr(1);
}

std::string write_letter(const Letter& letter) {
  std::string out(1, static_cast<char>(kLetterVersion));
  put_string(out, letter.origin);
  out += static_cast<char>(letter.line);
  return out.append(letter.chunk);
}

Result<Letter> read_letter(std::string_view bytes) {
  Reader in(bytes);
  Letter letter;
  if (in.u8() != kLetterVersion) return damaged("inbox");
  letter.origin = in.string();
  letter.line = in.u8();
  letter.chunk = in.rest();
  if (!in.ok() || letter.line >= kLines) return damaged("inbox");
  return letter;
}

std::string write_totals(const Totals& totals) {
  std::string out(1, static_cast<char>(kTotalsVersion));
  for (const uint64_t number :
       {totals.queued, totals.queued_aside, totals.hosts, totals.queues, totals.hosts_aside, totals.hosts_given_up,
        totals.letters, totals.next_letter, totals.over_host_budget, totals.over_domain_hosts, totals.queued_retired,
        totals.edits, totals.over_patterns, totals.queued_over})
    put_varint(out, number);
  return out;
}

Result<Totals> read_totals(std::string_view bytes) {
  Reader in(bytes);
  Totals totals;
  if (in.u8() != kTotalsVersion) return damaged("totals");
  for (uint64_t* number :
       {&totals.queued, &totals.queued_aside, &totals.hosts, &totals.queues, &totals.hosts_aside,
        &totals.hosts_given_up, &totals.letters, &totals.next_letter, &totals.over_host_budget,
        &totals.over_domain_hosts, &totals.queued_retired, &totals.edits, &totals.over_patterns, &totals.queued_over})
    *number = in.varint();
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

std::string chunk_key(const Queue& queue, LineNumber line, uint64_t number) {
  std::string key = queue_key(queue);
  key += '\0';
  key += static_cast<char>(line);
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

std::string letter_key(uint16_t partition, std::string_view host, uint64_t number) {
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
