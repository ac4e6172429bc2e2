#include "caddis/frontier/frontier.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/frontier/chunk.h"
#include "caddis/frontier/politeness.h"
#include "caddis/url/public_form.h"

namespace caddis::frontier {
namespace {

// The address that an IP literal is, or nothing. Hosts come from parsed URLs: brackets mark IPv6, a final digit IPv4.
std::optional<std::string> literal_address(std::string_view host) {
  if (host.size() > 2 && host.front() == '[') return std::string(host.substr(1, host.size() - 2));
  if (!host.empty() && is_digit(host.back()) && host.find_first_not_of("0123456789.") == std::string_view::npos)
    return std::string(host);
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<Frontier>> Frontier::open(const Options& options, const Families& families, store::Kv& kv,
                                                 store::SeenSet& seen, const Clock& clock) {
  std::unique_ptr<Frontier> frontier(new Frontier(options, families, kv, seen, clock));
  TRY(frontier->groups_, PolitenessGroups::create(options.politeness));
  TRY_VOID(frontier->store_.open());
  frontier->reach_ = options.reach;
  frontier->reach_.include(frontier->rules_);
  frontier->store_.set_longest_wait(frontier->reach_.longest_wait);
  frontier->store_.count_linking(frontier->reach_.links_count);
  frontier->store_.set_budget([self = frontier.get()](const Host& host) { return self->budget_coming_in(host); });
  TRY_VOID(frontier->open_quotas());
  TRY_VOID(frontier->open_debts());
  if (options.order.order == UrlOrder::opic)
    frontier->importance_ = std::make_unique<Importance>(options.importance_memory);
  return frontier;
}

HostRules Frontier::rules_of_crawl(const Options& options) {
  return {options.politeness, options.order, options.quota, options.again, options.obey_robots, options.user_agent, {}};
}

Stats Frontier::stats() const {
  const Totals& totals = store_.totals();
  return {totals.queued,
          visiting_.size(),
          seen_.size(),
          totals.queues,
          totals.hosts,
          store_.in_memory(),
          totals.hosts_aside,
          totals.hosts_given_up,
          totals.over_host_budget,
          totals.over_domain_hosts,
          totals.over_patterns,
          totals.queued_retired,
          totals.queued_over,
          lateness_.quantile(0.5),
          lateness_.quantile(0.99)};
}

// --- hosts that come and go

Result<Host*> Frontier::host_named(const std::string& name) {
  if (Host* host = store_.find(name)) {
    if (std::exchange(host->leaving, 0) != 0) plan_all(*host);
    return host;
  }
  TRY(Host* const host, store_.fetch(name));
  come_in(*host);
  return host;
}

void Frontier::come_in(Host& host) {
  if (options_.rules_of) host.rules = options_.rules_of(host.name);
  ordered_budgets_ = ordered_budgets_ || host.orders.budget.has_value();
  if (host.addresses.empty()) {
    if (auto address = literal_address(host.name)) {
      host.addresses.push_back(*std::move(address));
      host.addresses_expire = kForever;
    }
  }
  // What seeds and settings allow may have changed since.
  if (store_.totals().hosts_given_up > 0 && may_connect(host)) hope_where_refused(host);
  for (const auto& queue : host.queues)
    if (queue->robots) queue->crawl_delay = queue->robots->crawl_delay(rules(host).user_agent);
  // What was visited just before a death is not known: after a restart every host waits one delay.
  if (host.finished > 0 || !host.queues.empty()) {
    for (const auto& queue : host.queues) host.wait_at_least(opened_ + delay_after(*queue, Duration(0)));
  }
  if (host.for_bandwidth > 0) relieve_read(host);
  plan_all(host);
  judge_quotas(host);
  if (!host.has_work()) note_idle(host);
}

Result<void> Frontier::take_in_due() {
  constexpr size_t kAtOnce = 64;
  if (review_) TRY_VOID(review_quotas());
  if (debts_from_) TRY_VOID(review_debts());
  if (store_.has_room()) {
    TRY(const auto hosts, store_.take_in(all_given_up_ != 0 ? kForever : clock_.wall(), kAtOnce));
    for (Host* host : hosts) come_in(*host);
  } else if (store_.has_more()) {
    make_room();
  }
  return {};
}

bool Frontier::may_leave(const Host& host) const {
  if (host.visits > 0 || host.leaving != 0 || !host.line.empty()) return false;
  return std::ranges::all_of(host.queues, [](const auto& queue) {
    return queue->state == Queue::State::idle || queue->state == Queue::State::waiting ||
           queue->state == Queue::State::ready;
  });
}

void Frontier::send_out(Host& host) {
  std::optional<SteadyTime> due;
  for (const auto& queue : host.queues) {
    const auto when = due_time(*queue);
    if (when && (!due || *when < *due)) due = when;
    unplan(*queue);
  }
  const Duration wait = due ? *due - clock_.steady() : Duration(0);
  store_.send_out(host, wall_in(wait));
  pass_on(host);
}

// Others wait outside: hosts without work go, and those that have to wait long.
void Frontier::make_room() {
  constexpr size_t kAtOnce = 64;
  constexpr Duration kLong = std::chrono::seconds(10);
  size_t sent = store_.leaving();
  for (; sent < kAtOnce && !idle_.empty(); idle_.pop_front()) {
    Host* const host = store_.find(idle_.front());
    if (host == nullptr) continue;
    host->listed = false;
    if (host->has_work() || !may_leave(*host)) continue;
    send_out(*host);
    ++sent;
  }
  const SteadyTime far = clock_.steady() + kLong;
  while (sent < kAtOnce && !due_.empty() && due_.rbegin()->first.first > far) {
    Host& host = *due_.rbegin()->second->host;
    if (!may_leave(host)) break;
    send_out(host);
    ++sent;
  }
}

// A wall clock that jumped back may not make anything wait longer than any setting asks for. What lies far beyond that
// is due: were it to wait the longest time from now on, a host that leaves memory meanwhile would begin to wait anew
// whenever it comes in.
SteadyTime Frontier::steady_at(WallTime when) const {
  const Duration wait = when - clock_.wall(), longest = reach_.longest_wait;
  return clock_.steady() + (wait > 2 * longest ? Duration(0) : std::clamp<Duration>(wait, Duration(0), longest));
}

WallTime Frontier::wall_in(Duration wait) const {
  return clock_.wall() + std::chrono::duration_cast<std::chrono::microseconds>(wait);
}

// --- when a queue is due

void Frontier::unplan(Queue& queue) {
  if (queue.state == Queue::State::waiting)
    due_.erase(queue.due_at);
  else if (queue.state == Queue::State::ready)
    ready_.erase({queue.rank, queue.due});
  else
    return;
  queue.state = Queue::State::idle;
}

void Frontier::wait_until(Queue& queue, SteadyTime when, std::optional<uint64_t> since) {
  unplan(queue);
  queue.state = Queue::State::waiting;
  queue.due = {when, since ? *since : next_stamp_++};
  // Most often last of all: then its place is not looked for.
  queue.due_at = due_.emplace_hint(due_.end(), queue.due, &queue);
}

std::optional<SteadyTime> Frontier::due_time(const Queue& queue) const {
  if (!queue.has_work()) return std::nullopt;
  const Host& host = *queue.host;
  const SteadyTime now = clock_.steady();
  if (given_up(queue) != 0) return now;
  SteadyTime due = std::max(now, host.next_allowed);
  for (const Trouble* trouble : {&host.trouble, &queue.trouble})
    if (trouble->failures > 0) due = std::max(due, steady_at(trouble->retry_at));
  if (!queue.has_lines()) due = std::max(due, steady_at(queue.retries.begin()->due));
  return due;
}

void Frontier::plan(Queue& queue) {
  using State = Queue::State;
  if (queue.state != State::idle && queue.state != State::waiting && queue.state != State::ready) return;
  if (const auto due = due_time(queue)) {
    wait_until(queue, *due);
    return;
  }
  const bool was_planned = queue.state != State::idle;
  unplan(queue);
  if (was_planned) pass_on(*queue.host);
}

void Frontier::plan_all(Host& host) {
  for (const auto& queue : host.queues) plan(*queue);
}

std::optional<SteadyTime> Frontier::next_due() const {
  std::optional<SteadyTime> due;
  if (!due_.empty()) due = due_.begin()->first.first;
  if (!ready_.empty() || review_ || debts_from_) due = clock_.steady();
  if (const auto outside = store_.next_due()) {
    if (all_given_up_ != 0) return clock_.steady();
    const SteadyTime when = clock_.steady() + std::max<Duration>(*outside - clock_.wall(), Duration(0));
    if (!due || when < *due) due = when;
  }
  if (due) due = std::max(*due, bandwidth_.free_at());
  return due;
}

// --- leasing

LeaseKind Frontier::wanted(const Queue& queue) const {
  const Host& host = *queue.host;
  if (given_up(queue) != 0) return LeaseKind::url;
  const WallTime now = clock_.wall();
  if (options_.resolve_names && (host.addresses.empty() || host.addresses_expire <= now)) return LeaseKind::dns;
  if (rules(host).obey_robots && queue.robots_expire <= now) return LeaseKind::robots;
  return LeaseKind::url;
}

Result<void> Frontier::load_line(Queue& queue, QueueLine& line) {
  TRY(ChunkBytes bytes, store_.chunk(queue, line, line.head));
  TRY(ChunkReader reader, ChunkReader::open(std::move(bytes)));
  for (uint32_t i = 0; i < line.index && !reader.at_end(); ++i) reader.pop();
  if (reader.at_end()) return fail(ErrorCode::corrupt, fmt::format("the cursor of {} is past its chunk", queue.origin));
  line.first = std::make_unique<ChunkReader>(std::move(reader));
  return {};
}

Result<RetryRow> Frontier::front(Queue& queue, Visiting& visiting) {
  if (!queue.retries.empty()) {
    const RetryKey key = *queue.retries.begin();
    if (key.due <= clock_.wall() || given_up(queue) != 0 || !queue.has_lines()) {
      visiting.line = -1;
      visiting.retry = key;
      return store_.retry(queue, key);
    }
  }
  if (QueueLine* const line = queue.first_line()) {
    if (line->first == nullptr) TRY_VOID(load_line(queue, *line));
    visiting.line = line->number;
    return RetryRow{line->first->front(), 1, 0};
  }
  return fail(ErrorCode::corrupt, fmt::format("queue {} was due without a URL", queue.origin));
}

// Takes the URL of a visit out of its queue, where others may be visited meanwhile: then its place is a retry row.
void Frontier::set_out(Queue& queue, Visiting& visiting, const Candidate& what) {
  if (visiting.line >= 0) {
    if (rules(*queue.host).politeness.visits_per_host == 1) return;
    advance(queue, static_cast<LineNumber>(visiting.line));
    visiting.retry = store_.put_retry(queue, clock_.wall(), {what, 1, 0});
    visiting.line = -1;
  }
  queue.drop_retry(visiting.retry);
  queue.out.insert(visiting.retry);
}

Result<Lease> Frontier::lease(Queue& queue, LeaseKind kind, Taken taken) {
  Visiting visiting{&queue, kind, -1, {}};
  TRY(auto head, front(queue, visiting));
  if (kind == LeaseKind::url) set_out(queue, visiting, head.candidate);
  visiting.taken = std::move(taken);
  const Host& host = *queue.host;
  Lease lease;
  lease.id = next_lease_++;
  lease.kind = kind;
  lease.origin = queue.origin;
  lease.host = host.name;
  lease.partition = host.partition;
  lease.candidate = std::move(head.candidate);
  lease.attempt = head.attempt;
  lease.times = head.times;
  lease.address = visiting.taken.address;
  lease.given_up = given_up(queue);
  lease.why = why_given_up(queue);
  if (kind == LeaseKind::url) {
    lease.robots = queue.robots;
    if (rules(host).order.stale_patterns != StalePatterns::keep && lease.given_up == 0)
      lease.wants_sketch = yield_.begins(lease.candidate.url);
    lease.wants_links = importance_ != nullptr;
  } else {
    lease.times = 0;
    lease.attempt = (kind == LeaseKind::dns ? host.trouble : queue.trouble).failures + 1;
    lease.first_lookup = kind == LeaseKind::dns && host.addresses_expire == WallTime();
    lease.candidate.via = lease.candidate.url;
    lease.candidate.url = kind == LeaseKind::dns ? "dns:" + host.name : queue.origin + "/robots.txt";
    lease.candidate.hops += 'P';
    lease.candidate.context.clear();
    lease.candidate.is_seed = false;
  }
  if (kind != LeaseKind::dns && lease.given_up == 0)
    visiting.paid = bandwidth_.begin(clock_.steady(), options_.politeness.bandwidth);
  visiting.url = lease.candidate.url;
  visiting.began = queue.visit_began = clock_.steady();
  visiting_.emplace(lease.id, std::move(visiting));
  return lease;
}

Result<std::optional<Lease>> Frontier::next() {
  TRY_VOID(take_in_due());
  const Totals& totals = store_.totals();
  if (visiting_.empty() && totals.queued_aside > 0 && totals.queued - totals.queued_retired == totals.queued_aside)
    TRY_VOID(probe_what_was_set_aside());
  if (bandwidth_.holds_back(clock_.steady())) return std::optional<Lease>();
  if (importance_) TRY_VOID(look_at_others());
  while (Queue* const queue = next_ready()) {
    // What others of its group have taken counts, too.
    if (judge_quotas(*queue->host)) continue;
    const SteadyTime due = queue->due.first;
    unplan(*queue);
    const LeaseKind kind = wanted(*queue);
    Taken taken;
    if (!take_slots(*queue, kind, taken)) continue;
    if (importance_ && kind == LeaseKind::url) TRY_VOID(look_before(*queue));
    TRY(Lease found, lease(*queue, kind, std::move(taken)));
    lateness_.add(clock_.steady() - due);
    const HostRules& rules = this->rules(*queue->host);
    queue->host->session += cost_of(rules.order.cost, found.candidate);
    if (rules.politeness.visits_per_host > 1 && kind == LeaseKind::url) {
      queue->state = Queue::State::idle;
      plan(*queue);
    }
    return std::optional(std::move(found));
  }
  return std::optional<Lease>();
}

uint32_t Frontier::rank_of(const Queue& queue) const {
  const QueueLine* const line = queue.first_line();
  return queue_precedence(options_.order, queue.finished, line == nullptr ? LineNumber{0} : line->number);
}

// Of the queues that are due the first by precedence, where there is any; otherwise the one due longest.
Queue* Frontier::next_ready() {
  const SteadyTime now = clock_.steady();
  const bool by_rank = options_.order.queues != QueueOrderPolicy::due;
  while (!due_.empty() && due_.begin()->first.first <= now) {
    Queue& queue = *due_.begin()->second;
    if (!by_rank) return &queue;
    due_.erase(due_.begin());
    queue.state = Queue::State::ready;
    queue.rank = rank_of(queue);
    ready_.emplace(std::pair(queue.rank, queue.due), &queue);
  }
  return ready_.empty() ? nullptr : ready_.begin()->second;
}

// --- finishing

Outcome Frontier::finish(const Disposition& disposition) {
  const auto found = visiting_.find(disposition.lease.id);
  CADDIS_CHECK(found != visiting_.end());
  const Visiting visiting = std::move(found->second);
  visiting_.erase(found);

  Queue& queue = *visiting.queue;
  Host& host = *queue.host;
  bandwidth_.end(clock_.steady(), options_.politeness.bandwidth, visiting.paid, disposition.bytes);
  if (disposition.touched_host) {
    pause(queue, visiting.taken, disposition);
    host.last_fetch = disposition.fetch_time;
    ++host.finished;
  }
  if (visiting.kind == LeaseKind::url && visiting.line < 0 && queue.out.erase(visiting.retry) > 0)
    queue.add_retry(visiting.retry);

  Outcome outcome = Outcome::again;
  if (disposition.verdict != Verdict::returned)
    outcome = visiting.kind == LeaseKind::url ? finish_url(queue, visiting, disposition)
                                              : finish_prerequisite(queue, disposition);
  if (importance_ && outcome == Outcome::final) note_importance(visiting, disposition);
  if (is_error(disposition)) host.session += static_cast<uint32_t>(rules(host).order.error_penalty);
  count_usage(queue, visiting.kind, disposition, outcome);
  judge_quotas(host);
  if (queue.state == Queue::State::visiting) queue.state = Queue::State::idle;
  release_slots(queue, visiting.taken);
  plan(queue);
  pass_on(host);
  rest(host);
  return outcome;
}

void Frontier::note_idle(Host& host) {
  if (!std::exchange(host.listed, true)) idle_.push_back(host.name);
}

// A host that has had its session makes way where others wait outside.
void Frontier::rest(Host& host) {
  if (!host.has_work()) {
    note_idle(host);
    return;
  }
  if (host.session < static_cast<uint64_t>(rules(host).order.session_budget) || store_.has_room() ||
      !store_.has_more() || !may_leave(host))
    return;
  send_out(host);
}

Outcome Frontier::finish_prerequisite(Queue& queue, const Disposition& disposition) {
  Host& host = *queue.host;
  if (disposition.local_failure) {
    host.wait_at_least(clock_.steady() + rules(host).politeness.host_retry_delay);
    return Outcome::again;
  }
  if (disposition.addresses) {
    host.addresses = disposition.addresses->addresses;
    host.addresses_expire = disposition.addresses->expires;
    host.address_index = 0;
    store_.mark(host);
    if (!disposition.host_is_hopeless) {
      recovered(host, host.trouble);
      return Outcome::final;
    }
  }
  if (disposition.robots) {
    store_.put_robots(queue, disposition.robots->text);
    queue.robots = disposition.robots->parsed;
    if (!queue.robots)
      queue.robots = std::make_shared<const robots::Robots>(robots::Robots::parse(disposition.robots->text));
    queue.robots_expire = disposition.robots->expires;
    queue.crawl_delay = queue.robots->crawl_delay(rules(host).user_agent);
    // The delay that robots.txt asks for begins with it.
    const Duration delay = delay_after(queue, disposition.fetch_time);
    host.wait_at_least(clock_.steady() + delay);
    recovered(host, queue.trouble);
    return Outcome::final;
  }
  if (disposition.host_is_hopeless) {
    const bool is_refused = disposition.status == kAddressRefused;
    // Addresses are the host's; what is refused to one origin (a port of our own) says nothing of the others.
    Trouble& trouble = disposition.lease.kind == LeaseKind::dns ? host.trouble : queue.trouble;
    give_up(host, trouble, is_refused ? kAddressRefused : kDomainPrerequisiteFailed);
    return Outcome::final;
  }
  return failed(queue, disposition) ? Outcome::final : Outcome::again;
}

Outcome Frontier::finish_url(Queue& queue, const Visiting& visiting, const Disposition& disposition) {
  Host& host = *queue.host;
  switch (disposition.verdict) {
    case Verdict::settled:
    case Verdict::returned:
      break;
    case Verdict::retry_url:
      if (disposition.local_failure ||
          disposition.lease.attempt <= static_cast<uint64_t>(rules(host).politeness.url_retries)) {
        retry_later(queue, visiting, disposition);
        return Outcome::again;
      }
      break;
    case Verdict::host_failed:
      if (!failed(queue, disposition)) return Outcome::again;
      consume(queue, visiting);
      return Outcome::final;
  }
  const uint32_t times = disposition.lease.times;
  const auto wait = rules(host).again.after(disposition.status, times);
  if (wait && disposition.lease.given_up == 0)
    put_back(queue, visiting, *wait, {disposition.lease.candidate, 1, times + 1});
  else
    consume(queue, visiting);
  note_yield(host, disposition);
  if (disposition.lease.given_up == 0 && disposition.touched_host) recovered(host, queue.trouble);
  return Outcome::final;
}

void Frontier::note_yield(const Host& host, const Disposition& disposition) {
  if (!disposition.sketch) return;
  const std::string& url = disposition.lease.candidate.url;
  const auto state = yield_.said(url, *disposition.sketch);
  if (!state) return;
  const bool stops = *state == PathYield::State::dry && rules(host).order.stale_patterns == StalePatterns::stop;
  const std::string_view now = *state == PathYield::State::fresh ? "says something new again"
                               : stops                           ? "says nothing new, and is not followed any more"
                                                                 : "says nothing new, and comes last";
  notices_.push_back(fmt::format("{} (as {}) {}", path_pattern(url), url::public_form(url), now));
}

// Past the first URL of a line, which is being read.
void Frontier::advance(Queue& queue, LineNumber number) {
  QueueLine& line = queue.line(number);
  ++line.index;
  line.first->pop();
  if (line.first->at_end()) {
    ++line.head;
    line.index = 0;
    line.first.reset();
    line.recent.keep(line.head, line.tail);
  }
  store_.mark(*queue.host);
}

void Frontier::consume(Queue& queue, const Visiting& visiting) {
  if (visiting.line < 0) {
    store_.erase_retry(queue, visiting.retry);
  } else {
    advance(queue, static_cast<LineNumber>(visiting.line));
  }
  --queue.queued;
  ++queue.finished;
  store_.totals().count(queue, -1);
  store_.mark(*queue.host);
}

void Frontier::retry_later(Queue& queue, const Visiting& visiting, const Disposition& disposition) {
  const PolitenessSettings& settings = rules(*queue.host).politeness;
  Duration wait = backoff(settings.url_retry_delay, settings.max_retry_delay, disposition.lease.attempt);
  if (disposition.retry_after) wait = std::max(wait, *disposition.retry_after);
  put_back(queue, visiting, wait,
           {disposition.lease.candidate, disposition.lease.attempt + 1, disposition.lease.times});
}

void Frontier::put_back(Queue& queue, const Visiting& visiting, Duration wait, const RetryRow& row) {
  consume(queue, visiting);
  --queue.finished;
  ++queue.queued;
  store_.totals().count(queue, 1);
  store_.put_retry(queue, wall_in(wait), row);
}

// --- scheduling

Result<std::unique_ptr<bool[]>> Frontier::test_and_insert(std::span<const ScheduledUrl> scheduled_urls) {
  std::vector<uint64_t> fingerprints;
  fingerprints.reserve(scheduled_urls.size());
  for (const ScheduledUrl& scheduled : scheduled_urls) fingerprints.push_back(scheduled.fingerprint);
  auto is_new = std::make_unique<bool[]>(scheduled_urls.size());
  TRY_VOID(seen_.insert_batch(fingerprints, std::span(is_new.get(), scheduled_urls.size())));
  return is_new;
}

Result<std::vector<uint64_t>> Frontier::schedule(std::vector<ScheduledUrl> scheduled_urls) {
  std::vector<uint64_t> fresh;
  TRY_VOID(leave_out_what_is_over_budget(scheduled_urls));
  // One chunk for each queue and precedence, in the order in which the links were found.
  constexpr size_t kMostInAChunk = 4096;
  std::vector<Bundle> bundles;
  TRY(const std::unique_ptr<bool[]> is_new, test_and_insert(scheduled_urls));
  for (size_t i = 0; i < scheduled_urls.size(); ++i) {
    ScheduledUrl& scheduled = scheduled_urls[i];
    if (is_new[i]) fresh.push_back(scheduled.fingerprint);
    if (!is_new[i] && !scheduled.candidate.force) continue;
    const LineNumber line = line_as_found(scheduled);
    const auto same = std::ranges::find_if(bundles, [&](const Bundle& bundle) {
      return bundle.line == line && bundle.origin == scheduled.origin && bundle.items.size() < kMostInAChunk &&
             share_chunk(bundle.items.back(), scheduled.candidate);
    });
    if (same != bundles.end()) {
      same->items.push_back(std::move(scheduled.candidate));
    } else {
      bundles.push_back({std::move(scheduled.origin), std::move(scheduled.host), line, {}});
      bundles.back().items.push_back(std::move(scheduled.candidate));
    }
  }
  for (Bundle& bundle : bundles) TRY_VOID(take_bundle(std::move(bundle)));
  return fresh;
}

Result<void> Frontier::take_bundle(Bundle bundle) {
  Host* host = store_.find(bundle.host);
  if (host == nullptr && !store_.has_room()) {
    const std::string chunk = encode_chunk(bundle.items);
    store_.put_letter(bundle.host, {bundle.origin, bundle.line, chunk}, bundle.items.size());
    return {};
  }
  const bool was_in = host != nullptr;
  if (!was_in || host->leaving != 0) {
    TRY(host, host_named(bundle.host));
  }
  store_.note_linking(*host, bundle.items.front().via);
  if (!was_in) {
    store_.leave_out_what_is_over_budget(*host, bundle.items);
    if (bundle.items.empty()) {
      if (!host->has_work()) note_idle(*host);
      return {};
    }
  }
  Queue& queue = store_.queue_of(*host, bundle.origin);
  put_chunk(queue, bundle.line, bundle.items);
  plan(queue);
  return {};
}

void Frontier::put_chunk(Queue& queue, LineNumber number, const std::vector<Candidate>& items) {
  queue.queued += items.size();
  store_.totals().count(queue, static_cast<int64_t>(items.size()));
  store_.put_chunk(queue, number, encode_chunk(items));
  store_.index(*queue.host);
}

}  // namespace caddis::frontier
