#include "caddis/frontier/frontier.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/frontier/chunk.h"
#include "caddis/frontier/politeness.h"

namespace caddis::frontier {
namespace {

// Statuses of URLs whose prerequisite failed for good (Heritrix's codes).
constexpr int kDomainPrerequisiteFailed = -6;
constexpr int kRobotsPrerequisiteFailed = -61;

constexpr WallTime kForever = WallTime(std::chrono::seconds(253'402'300'799));  // 9999-12-31

// The address that an IP literal is, or nothing. Hosts come from parsed URLs: brackets mark IPv6, a final digit IPv4.
std::optional<std::string> literal_address(std::string_view host) {
  if (host.size() > 2 && host.front() == '[') return std::string(host.substr(1, host.size() - 2));
  if (!host.empty() && is_digit(host.back()) && host.find_first_not_of("0123456789.") == std::string_view::npos)
    return std::string(host);
  return std::nullopt;
}

}  // namespace

Host& Frontier::host_named(const std::string& name) {
  auto& slot = hosts_[name];
  if (!slot) {
    slot = std::make_unique<Host>();
    slot->name = name;
    slot->partition = options_.identity.partition(name);
    if (auto address = literal_address(name)) {
      slot->addresses.push_back(*std::move(address));
      slot->addresses_expire = kForever;
    }
    ++stats_.hosts;
  }
  return *slot;
}

Queue& Frontier::queue_of(const std::string& origin, const std::string& host) {
  auto& slot = queues_[origin];
  if (!slot) {
    slot = std::make_unique<Queue>();
    slot->origin = origin;
    slot->host = &host_named(host);
    queues_of_host_[slot->host].push_back(slot.get());
    ++stats_.queues;
  }
  return *slot;
}

SteadyTime Frontier::steady_at(WallTime when) const {
  // A wall clock that jumped back may not make anything wait longer than the longest wait there is.
  const Duration longest = std::max(options_.politeness.max_retry_delay, options_.politeness.set_aside);
  const Duration wait = std::clamp<Duration>(when - clock_.wall(), Duration(0), longest);
  return clock_.steady() + wait;
}

void Frontier::mark(Queue& queue) {
  if (!queue.dirty) dirty_queues_.push_back(&queue);
  queue.dirty = true;
}

void Frontier::mark(Host& host) {
  if (std::ranges::find(dirty_hosts_, &host) == dirty_hosts_.end()) dirty_hosts_.push_back(&host);
}

// --- when a queue is due

void Frontier::wait_until(Queue& queue, SteadyTime when) {
  queue.state = Queue::State::waiting;
  queue.due_stamp = next_stamp_++;
  due_.push({when, queue.due_stamp, &queue});
}

std::optional<SteadyTime> Frontier::due_time(const Queue& queue) const {
  if (!queue.has_work()) return std::nullopt;
  const Host& host = *queue.host;
  const SteadyTime now = clock_.steady();
  if (host.given_up != 0) return now;
  SteadyTime due = std::max(now, host.next_allowed);
  if (host.failures > 0) due = std::max(due, steady_at(host.retry_at));
  if (!queue.has_lines()) due = std::max(due, steady_at(queue.retries.begin()->first.first));
  return due;
}

void Frontier::plan(Queue& queue) {
  if (queue.state != Queue::State::idle && queue.state != Queue::State::waiting) return;
  if (const auto due = due_time(queue)) {
    wait_until(queue, *due);
  } else {
    queue.state = Queue::State::idle;
    queue.due_stamp = 0;
  }
}

std::optional<SteadyTime> Frontier::next_due() const {
  if (due_.empty()) return std::nullopt;
  return due_.top().when;
}

// --- leasing

LeaseKind Frontier::wanted(const Queue& queue) const {
  const Host& host = *queue.host;
  if (host.given_up != 0) return LeaseKind::url;
  const WallTime now = clock_.wall();
  if (host.addresses.empty() || host.addresses_expire <= now) return LeaseKind::dns;
  if (options_.obey_robots && queue.robots_expire <= now) return LeaseKind::robots;
  return LeaseKind::url;
}

bool Frontier::take_slots(Queue& queue, LeaseKind kind) {
  Host& host = *queue.host;
  if (host.busy) {
    queue.state = Queue::State::host_busy;
    host.line.push_back(&queue);
    return false;
  }
  const bool connects = kind != LeaseKind::dns && host.given_up == 0;
  if (connects && host.next_allowed > clock_.steady()) {
    wait_until(queue, host.next_allowed);
    return false;
  }
  if (connects) {
    const std::string& address = host.addresses[host.address_index % host.addresses.size()];
    int64_t& used = address_use_[address];
    if (used >= options_.politeness.max_per_address) {
      queue.state = Queue::State::address_busy;
      address_lines_[address].push_back(&queue);
      return false;
    }
    ++used;
    host.busy_address = address;
  }
  host.busy = true;
  queue.state = Queue::State::visiting;
  return true;
}

void Frontier::release_slots(Host& host) {
  host.busy = false;
  if (!host.busy_address.empty()) {
    const auto use = address_use_.find(host.busy_address);
    if (--use->second == 0) address_use_.erase(use);
    if (const auto line = address_lines_.find(host.busy_address); line != address_lines_.end()) {
      Queue& first = *line->second.front();
      line->second.pop_front();
      if (line->second.empty()) address_lines_.erase(line);
      first.state = Queue::State::idle;
      plan(first);
    }
    host.busy_address.clear();
  }
  while (!host.line.empty()) {
    Queue& first = *host.line.front();
    host.line.pop_front();
    first.state = Queue::State::idle;
    plan(first);
    if (first.state == Queue::State::waiting) break;
  }
}

Result<void> Frontier::load_line(Queue& queue, size_t precedence) {
  QueueLine& line = queue.lines[precedence];
  const std::string key = chunk_key(queue.host->partition, queue.origin, precedence, line.head);
  std::string bytes;
  if (const auto found = recent_.find(key); found != recent_.end()) {
    bytes = found->second;
  } else {
    TRY(auto stored, kv_.get(families_.chunks, key));
    if (!stored)
      return fail(ErrorCode::corrupt, fmt::format("the frontier has lost chunk {} of {}", line.head, queue.origin));
    bytes = *std::move(stored);
  }
  TRY(auto items, decode_chunk(bytes));
  if (line.index >= items.size())
    return fail(ErrorCode::corrupt, fmt::format("the cursor of {} is past its chunk", queue.origin));
  line.loaded.assign(std::make_move_iterator(items.begin() + line.index), std::make_move_iterator(items.end()));
  line.is_loaded = true;
  return {};
}

Result<std::pair<Candidate, uint32_t>> Frontier::front(Queue& queue, Visiting& visiting) {
  if (!queue.retries.empty()) {
    const auto& [due, retry] = *queue.retries.begin();
    if (due.first <= clock_.wall() || queue.host->given_up != 0 || !queue.has_lines()) {
      visiting.line = -1;
      visiting.retry = due;
      return std::pair(retry.what, retry.attempt);
    }
  }
  for (size_t precedence = 0; precedence < kPrecedences; ++precedence) {
    QueueLine& line = queue.lines[precedence];
    if (line.empty()) continue;
    if (!line.is_loaded) TRY_VOID(load_line(queue, precedence));
    visiting.line = static_cast<int>(precedence);
    return std::pair(line.loaded.front(), 1u);
  }
  return fail(ErrorCode::corrupt, fmt::format("queue {} was due without a URL", queue.origin));
}

Result<Lease> Frontier::lease(Queue& queue, LeaseKind kind) {
  Visiting visiting{&queue, kind, -1, {}};
  TRY(auto head, front(queue, visiting));
  const Host& host = *queue.host;
  Lease lease;
  lease.id = next_lease_++;
  lease.kind = kind;
  lease.origin = queue.origin;
  lease.host = host.name;
  lease.partition = host.partition;
  lease.what = std::move(head.first);
  lease.attempt = head.second;
  lease.address = host.busy_address;
  lease.given_up = host.given_up;
  if (kind == LeaseKind::url) {
    lease.robots = queue.robots;
  } else {
    lease.attempt = host.failures + 1;
    lease.what.via = lease.what.url;
    lease.what.url = kind == LeaseKind::dns ? "dns:" + host.name : queue.origin + "/robots.txt";
    lease.what.hops += 'P';
    lease.what.context.clear();
    lease.what.is_seed = false;
  }
  visiting_.emplace(lease.id, visiting);
  ++stats_.visiting;
  return lease;
}

Result<std::optional<Lease>> Frontier::next() {
  const SteadyTime now = clock_.steady();
  if (stats_.visiting == 0 && stats_.hosts_aside > 0) probe_what_was_set_aside();
  while (!due_.empty() && due_.top().when <= now) {
    const Due due = due_.top();
    due_.pop();
    Queue& queue = *due.queue;
    if (due.stamp != queue.due_stamp) continue;
    const LeaseKind kind = wanted(queue);
    if (!take_slots(queue, kind)) continue;
    TRY(Lease found, lease(queue, kind));
    return std::optional(std::move(found));
  }
  return std::optional<Lease>();
}

// Hosts set aside may not hold up the end of a crawl: when all that is left to do is on such hosts, each gets its last
// probe now.
void Frontier::probe_what_was_set_aside() {
  std::vector<Host*> aside;
  for (const auto& [origin, queue] : queues_) {
    if (!queue->has_work()) continue;
    if (!queue->host->aside) return;
    aside.push_back(queue->host);
  }
  for (Host* host : aside) {
    host->retry_at = clock_.wall();
    host->next_allowed = clock_.steady();
    host->probes = static_cast<uint32_t>(options_.politeness.host_probes);
    mark(*host);
    for (Queue* queue : queues_of_host_[host]) plan(*queue);
  }
}

// --- finishing

Outcome Frontier::finish(const Disposition& disposition) {
  const auto found = visiting_.find(disposition.lease.id);
  CADDIS_CHECK(found != visiting_.end());
  const Visiting visiting = found->second;
  visiting_.erase(found);
  --stats_.visiting;

  Queue& queue = *visiting.queue;
  Host& host = *queue.host;
  const SteadyTime now = clock_.steady();
  if (disposition.touched_host) {
    host.next_allowed = now + politeness_delay(options_.politeness, disposition.fetch_time, queue.crawl_delay);
    host.last_fetch = disposition.fetch_time;
    ++host.finished;
  }
  if (disposition.retry_after) host.next_allowed = std::max(host.next_allowed, now + *disposition.retry_after);

  Outcome outcome = Outcome::again;
  if (disposition.verdict != Verdict::returned)
    outcome = visiting.kind == LeaseKind::url ? finish_url(queue, visiting, disposition)
                                              : finish_prerequisite(queue, disposition);
  queue.state = Queue::State::idle;
  release_slots(host);
  plan(queue);
  return outcome;
}

Outcome Frontier::finish_prerequisite(Queue& queue, const Disposition& disposition) {
  Host& host = *queue.host;
  if (disposition.local_failure) {
    host.next_allowed = std::max(host.next_allowed, clock_.steady() + options_.politeness.host_retry_delay);
    return Outcome::again;
  }
  if (disposition.addresses) {
    host.addresses = disposition.addresses->addresses;
    host.addresses_expire = disposition.addresses->expires;
    host.address_index = 0;
    mark(host);
    return Outcome::final;
  }
  if (disposition.robots) {
    std::string row;
    const int64_t expires = disposition.robots->expires.time_since_epoch().count();
    row += fmt::format("1 {}\n", expires);
    row += disposition.robots->text;
    pending_.put(families_.robots, name_key(host.partition, queue.origin), std::move(row));
    queue.robots = std::make_shared<const robots::Robots>(robots::Robots::parse(disposition.robots->text));
    queue.robots_expire = disposition.robots->expires;
    queue.crawl_delay = queue.robots->crawl_delay(options_.user_agent);
    host_answered(host);
    return Outcome::final;
  }
  if (disposition.host_is_hopeless) {
    give_up(host, kDomainPrerequisiteFailed);
    return Outcome::final;
  }
  return host_failed(host, disposition) ? Outcome::final : Outcome::again;
}

Outcome Frontier::finish_url(Queue& queue, const Visiting& visiting, const Disposition& disposition) {
  Host& host = *queue.host;
  switch (disposition.verdict) {
    case Verdict::settled:
    case Verdict::returned:
      break;
    case Verdict::retry_url:
      if (disposition.local_failure ||
          disposition.lease.attempt <= static_cast<uint64_t>(options_.politeness.url_retries)) {
        retry_later(queue, visiting, disposition);
        return Outcome::again;
      }
      break;
    case Verdict::host_failed:
      if (!host_failed(host, disposition)) return Outcome::again;
      consume(queue, visiting);
      return Outcome::final;
  }
  consume(queue, visiting);
  if (disposition.lease.given_up == 0 && disposition.touched_host) host_answered(host);
  return Outcome::final;
}

void Frontier::host_answered(Host& host) {
  if (host.failures == 0 && !host.aside) return;
  if (host.aside) --stats_.hosts_aside;
  host.failures = host.probes = 0;
  host.aside = false;
  mark(host);
}

// Backs the host off. True where it is given up: then all its URLs are.
bool Frontier::host_failed(Host& host, const Disposition& disposition) {
  const PolitenessSettings& settings = options_.politeness;
  ++host.failures;
  ++host.address_index;
  mark(host);
  Duration wait = backoff(settings.host_retry_delay, settings.max_retry_delay, host.failures);
  if (disposition.retry_after) wait = std::max(wait, *disposition.retry_after);
  // Another address of the host may work: it is tried at once.
  if (!host.addresses.empty() && host.failures < host.addresses.size() && !disposition.retry_after) wait = Duration(0);
  if (host.aside) {
    ++host.probes;
    wait = settings.set_aside;
  } else if (host.failures >= static_cast<uint64_t>(settings.host_failures)) {
    host.aside = true;
    host.probes = 0;
    ++stats_.hosts_aside;
    wait = settings.set_aside;
  }
  if (host.aside && (host.probes > static_cast<uint64_t>(settings.host_probes) || settings.host_probes == 0)) {
    int status = disposition.status;
    if (disposition.lease.kind == LeaseKind::dns) status = kDomainPrerequisiteFailed;
    if (disposition.lease.kind == LeaseKind::robots) status = kRobotsPrerequisiteFailed;
    give_up(host, status);
    return true;
  }
  host.retry_at = clock_.wall() + std::chrono::duration_cast<std::chrono::microseconds>(wait);
  for (Queue* queue : queues_of_host_[&host]) plan(*queue);
  return false;
}

void Frontier::give_up(Host& host, int status) {
  if (host.aside) --stats_.hosts_aside;
  host.aside = false;
  host.given_up = status >= 0 ? kRobotsPrerequisiteFailed : status;
  ++stats_.hosts_given_up;
  mark(host);
  for (Queue* queue : queues_of_host_[&host]) plan(*queue);
}

void Frontier::consume(Queue& queue, const Visiting& visiting) {
  const uint16_t partition = queue.host->partition;
  if (visiting.line < 0) {
    pending_.erase(families_.retries, retry_key(partition, queue.origin, visiting.retry.first, visiting.retry.second));
    queue.retries.erase(visiting.retry);
  } else {
    QueueLine& line = queue.lines[static_cast<size_t>(visiting.line)];
    line.loaded.pop_front();
    ++line.index;
    if (line.loaded.empty()) {
      std::string key = chunk_key(partition, queue.origin, static_cast<size_t>(visiting.line), line.head);
      recent_.erase(key);
      pending_.erase(families_.chunks, std::move(key));
      ++line.head;
      line.index = 0;
      line.is_loaded = false;
    }
  }
  --queue.queued;
  ++queue.finished;
  --stats_.queued;
  mark(queue);
}

void Frontier::retry_later(Queue& queue, const Visiting& visiting, const Disposition& disposition) {
  const PolitenessSettings& settings = options_.politeness;
  Duration wait = backoff(settings.url_retry_delay, settings.max_retry_delay, disposition.lease.attempt);
  if (disposition.retry_after) wait = std::max(wait, *disposition.retry_after);
  consume(queue, visiting);
  --queue.finished;
  ++queue.queued;
  ++stats_.queued;
  const WallTime due = clock_.wall() + std::chrono::duration_cast<std::chrono::microseconds>(wait);
  const std::pair key(due, queue.next_retry++);
  Retry retry{disposition.lease.what, disposition.lease.attempt + 1};
  pending_.put(families_.retries, retry_key(queue.host->partition, queue.origin, key.first, key.second),
               write_retry_row(retry));
  queue.retries.emplace(key, std::move(retry));
}

// --- scheduling

std::unique_ptr<bool[]> Frontier::test_and_insert(std::span<const Arrival> arrivals) {
  std::vector<uint64_t> fingerprints;
  fingerprints.reserve(arrivals.size());
  for (const Arrival& arrival : arrivals) fingerprints.push_back(arrival.fingerprint);
  auto is_new = std::make_unique<bool[]>(arrivals.size());
  const auto inserted = seen_.insert_batch(fingerprints, std::span(is_new.get(), arrivals.size()));
  CADDIS_CHECK(inserted.has_value());
  return is_new;
}

std::vector<uint64_t> Frontier::schedule(std::vector<Arrival> arrivals) {
  std::vector<uint64_t> fresh;
  // One chunk for each queue and precedence, in the order in which the links were found.
  struct Bundle {
    std::string origin, host;
    size_t precedence;
    std::vector<Candidate> items;
  };
  std::vector<Bundle> bundles;
  const std::unique_ptr<bool[]> is_new = test_and_insert(arrivals);
  for (size_t i = 0; i < arrivals.size(); ++i) {
    Arrival& arrival = arrivals[i];
    if (is_new[i]) fresh.push_back(arrival.fingerprint);
    if (!is_new[i] && !arrival.what.force) continue;
    const size_t precedence = static_cast<size_t>(arrival.what.precedence());
    const auto same = std::ranges::find_if(bundles, [&](const Bundle& bundle) {
      return bundle.precedence == precedence && bundle.origin == arrival.origin &&
             bundle.items.back().seed == arrival.what.seed && bundle.items.back().via == arrival.what.via;
    });
    if (same != bundles.end()) {
      same->items.push_back(std::move(arrival.what));
    } else {
      bundles.push_back({arrival.origin, arrival.host, precedence, {}});
      bundles.back().items.push_back(std::move(arrival.what));
    }
  }
  for (Bundle& bundle : bundles) {
    Queue& queue = queue_of(bundle.origin, bundle.host);
    put_chunk(queue, bundle.precedence, std::move(bundle.items));
    plan(queue);
  }
  stats_.seen = seen_.size();
  return fresh;
}

void Frontier::put_chunk(Queue& queue, size_t precedence, std::vector<Candidate> items) {
  QueueLine& line = queue.lines[precedence];
  std::string key = chunk_key(queue.host->partition, queue.origin, precedence, line.tail);
  std::string bytes = encode_chunk(items);
  queue.queued += items.size();
  stats_.queued += items.size();
  if (line.empty()) {
    line.index = 0;
    line.loaded.assign(std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
    line.is_loaded = true;
  } else {
    recent_.emplace(key, bytes);
    recent_order_.emplace_back(stage_number_, key);
  }
  ++line.tail;
  pending_.put(families_.chunks, std::move(key), std::move(bytes));
  mark(queue);
}

// --- committing

uint64_t Frontier::stage(store::Batch& batch) {
  for (Queue* queue : dirty_queues_) {
    pending_.put(families_.queues, name_key(queue->host->partition, queue->origin), write_queue_row(*queue));
    queue->dirty = false;
  }
  for (Host* host : dirty_hosts_)
    pending_.put(families_.hosts, name_key(host->partition, host->name), write_host_row(*host));
  dirty_queues_.clear();
  dirty_hosts_.clear();
  batch.append(std::move(pending_));
  pending_.clear();
  return stage_number_++;
}

void Frontier::committed(uint64_t stage_number) {
  for (; !recent_order_.empty() && recent_order_.front().first <= stage_number; recent_order_.pop_front())
    recent_.erase(recent_order_.front().second);
}

}  // namespace caddis::frontier
