#include "caddis/frontier/queue_reporter.h"

#include <algorithm>
#include <utility>

namespace caddis::frontier {
namespace {

uint64_t amount(const QueueReport& report, QueueOrder order) {
  if (order == QueueOrder::size) return report.queued;
  if (order == QueueOrder::failures) return report.failures + report.retries;
  return static_cast<uint64_t>(std::max({report.wait, report.last_fetch, report.visiting_for}).count());
}

// Finds the queues that have most of something without a report, or a copy, of each.
class TopN {
 public:
  explicit TopN(size_t limit) : limit_(limit) {}
  void add(uint64_t amount, const Queue& queue) {
    if (amount == 0 || limit_ == 0) return;
    const Item item{amount, &queue};
    if (items_.size() == limit_) {
      if (!is_before(item, items_.front())) return;
      std::ranges::pop_heap(items_, is_before);
      items_.pop_back();
    }
    items_.push_back(item);
    std::ranges::push_heap(items_, is_before);
  }
  // The one with most first.
  std::vector<QueueReport> reports(const QueueReporter& reporter) && {
    std::ranges::sort_heap(items_, is_before);
    std::vector<QueueReport> reports;
    for (const Item& item : items_) reports.push_back(reporter.report(*item.queue));
    return reports;
  }

 private:
  struct Item {
    uint64_t amount;
    const Queue* queue;
  };
  static bool is_before(const Item& a, const Item& b) {
    return a.amount != b.amount ? a.amount > b.amount : a.queue->origin < b.queue->origin;
  }

  size_t limit_;
  std::vector<Item> items_;  // a heap whose first is the last of them
};

void count(QueueStates& states, QueueState state, const Queue& queue) {
  auto found = std::ranges::find(states.states, state, &QueueStates::Count::state);
  if (found == states.states.end()) found = states.states.insert(found, {state, 0, 0});
  ++found->queues;
  found->urls += queue.queued;
}

// Apart from what it shares with others.
QueueState own_state(const Queue& queue, SteadyTime now) {
  const Host& host = *queue.host;
  if (host.overrides.blocked) return queue.has_work() ? QueueState::blocked : QueueState::empty;
  if (queue.retired || host.overrides.retired) return queue.queued > 0 ? QueueState::retired : QueueState::empty;
  if (queue.over.quota != Quota::none) {
    if (queue.queued == 0) return QueueState::empty;
    return queue.over.is_quota() ? QueueState::over_quota : QueueState::retired_by_setting;
  }
  if (!queue.has_work()) return QueueState::empty;
  if (queue.abandoned() != 0) return QueueState::abandoned;
  if (queue.is_suspended()) return QueueState::suspended;
  if (host.failures.failures > 0) return QueueState::no_address;
  if (queue.failures.failures > 0) return queue.failures.answered ? QueueState::no_robots : QueueState::no_connection;
  if (host.pacing.asked_until > now) return QueueState::asked_to_wait;
  if (!queue.has_chunks()) return QueueState::retry;
  if (host.pacing.next_allowed <= now) return QueueState::ready;
  return host.pacing.for_bandwidth ? QueueState::host_bandwidth : QueueState::politeness;
}

}  // namespace

QueueState QueueReporter::state_of(const Queue& queue, bool is_resident) const {
  using State = QueueSchedule::State;
  const SteadyTime now = parts_.clock.steady();
  const QueueSchedule& schedule = queue.schedule;
  if (!is_resident) return own_state(queue, now);
  if (schedule.visits > 0) return QueueState::being_visited;
  if (schedule.state == State::host_busy) return QueueState::host_busy;
  if (schedule.state == State::group_busy) return QueueState::group_busy;
  if (schedule.state == State::address_busy) return QueueState::address_busy;
  const QueueState state = own_state(queue, now);
  const bool pauses = schedule.state == State::waiting && schedule.due.first > now;
  if (state == QueueState::ready && pauses && queue.host->pacing.is_elsewhere) return QueueState::job_busy;
  return state == QueueState::ready && pauses ? parts_.policies.politeness.shared_pause(*queue.host) : state;
}

// How long it still waits; zero for a queue that is being visited.
Duration QueueReporter::wait_of(const Queue& queue, bool is_resident) const {
  using State = QueueSchedule::State;
  const QueueSchedule& schedule = queue.schedule;
  const bool waits = schedule.state == State::idle || schedule.state == State::waiting;
  if (is_resident && (schedule.visits > 0 || !waits)) return Duration(0);
  auto due = parts_.scheduler.due_time(queue);
  if (due && is_resident && schedule.state == State::waiting) due = std::max(*due, schedule.due.first);
  return due ? std::max(Duration(0), *due - parts_.clock.steady()) : Duration(0);
}

QueueReport QueueReporter::report(const Queue& queue, bool is_resident) const {
  const Host& host = *queue.host;
  QueueReport report;
  report.origin = queue.origin;
  report.queued = queue.queued;
  report.failures = std::max(host.failures.failures, queue.failures.failures);
  report.last_fetch = host.pacing.last_fetch;
  report.finished = queue.finished;
  report.retries = queue.retries.failed;
  report.again = queue.retries.again;
  report.usage = queue.usage;
  report.over = queue.over.is_quota() ? queue.over.quota : Quota::none;
  report.retired = queue.retired;
  report.given_up = queue.abandoned();
  report.crawl_delay = queue.robots.crawl_delay;
  report.knows_robots = queue.robots.expire > parts_.clock.wall();
  report.state = state_of(queue, is_resident);
  if (is_resident && queue.schedule.visits > 0)
    report.visiting_for = parts_.clock.steady() - queue.schedule.visit_began;
  report.wait = wait_of(queue, is_resident);
  return report;
}

HostReport QueueReporter::report(const Host& host, bool is_resident) const {
  const SteadyTime now = parts_.clock.steady();
  const Policies& policies = parts_.policies;
  HostReport report;
  report.name = host.name;
  report.known = true;
  report.in_memory = is_resident;
  report.addresses = host.addresses.list;
  report.knows_address = host.addresses.expire > parts_.clock.wall();
  report.overrides = host.overrides;
  report.failures = host.failures.failures;
  report.aside = host.failures.suspended;
  report.given_up = host.failures.abandoned;
  report.wait = std::max(Duration(0), host.pacing.next_allowed - now);
  report.last_fetch = host.pacing.last_fetch;
  report.finished = host.finished;
  report.usage = host.usage();
  report.sheets = policies.rules.of(host).sheets;
  report.group.name = policies.politeness.group_of(host);
  report.group.usage = policies.quotas.usage_of_group(report.group.name);
  if (auto of_domain = policies.quotas.usage_of_domain(host)) {
    report.domain = {std::move(of_domain->domain), of_domain->used.usage};
  }
  for (const auto& queue : host.queues) {
    report.queues.push_back(this->report(*queue, is_resident));
    if (const OpenLease* lease = is_resident ? parts_.leases.find(*queue) : nullptr) {
      report.visiting = lease->url;
      report.visiting_for = now - lease->began;
    }
  }
  return report;
}

// Of a resident queue what `amount` is of its report.
uint64_t QueueReporter::amount_of(const Queue& queue, QueueOrder order) const {
  const Host& host = *queue.host;
  if (order == QueueOrder::size) return queue.queued;
  if (order == QueueOrder::failures)
    return std::max(host.failures.failures, queue.failures.failures) + queue.retries.failed;
  const QueueSchedule& schedule = queue.schedule;
  const Duration visiting = schedule.visits > 0 ? parts_.clock.steady() - schedule.visit_began : Duration(0);
  return static_cast<uint64_t>(std::max({wait_of(queue, true), host.pacing.last_fetch, visiting}).count());
}

QueueSurvey QueueReporter::survey(size_t limit) const {
  QueueSurvey survey;
  TopN slowest(limit), largest(limit);
  parts_.storage.table.each([&](const Host& host) {
    for (const auto& queue : host.queues) {
      if (queue->queued == 0) continue;
      count(survey.states, state_of(*queue, true), *queue);
      largest.add(queue->queued, *queue);
      slowest.add(amount_of(*queue, QueueOrder::wait), *queue);
    }
  });
  survey.slowest = std::move(slowest).reports(*this);
  survey.largest = std::move(largest).reports(*this);
  count_visits(survey.states);
  return survey;
}

void QueueReporter::count_visits(QueueStates& states) const {
  std::ranges::sort(states.states, [](const auto& a, const auto& b) {
    return a.queues != b.queues ? a.queues > b.queues : to_string(a.state) < to_string(b.state);
  });
  parts_.leases.each([&](uint64_t, const OpenLease& lease) {
    if (lease.kind == LeaseKind::dns)
      ++states.looking_up;
    else
      ++(lease.kind == LeaseKind::url ? states.fetching : states.robots);
  });
  const bool has_limit = parts_.policies.rules.of_crawl().politeness.bandwidth > 0;
  states.for_bandwidth =
      has_limit && parts_.policies.politeness.free_at() > parts_.clock.steady() - std::chrono::seconds(1);
}

void QueueReporter::add_queues(const Host& host, bool is_resident, std::vector<QueueReport>& reports) const {
  for (const auto& queue : host.queues)
    if (queue->queued > 0) reports.push_back(report(*queue, is_resident));
}

std::vector<QueueReport> QueueReporter::top(QueueOrder order, size_t limit) const {
  TopN top(limit);
  parts_.storage.table.each([&](const Host& host) {
    for (const auto& queue : host.queues)
      if (queue->queued > 0) top.add(amount_of(*queue, order), *queue);
  });
  return std::move(top).reports(*this);
}

void QueueReporter::keep_top(std::vector<QueueReport>& reports, QueueOrder order, size_t limit) {
  std::erase_if(reports, [&](const QueueReport& report) { return amount(report, order) == 0; });
  const auto end = reports.begin() + static_cast<ptrdiff_t>(std::min(limit, reports.size()));
  std::ranges::partial_sort(reports, end, [&](const QueueReport& a, const QueueReport& b) {
    const uint64_t x = amount(a, order), y = amount(b, order);
    return x != y ? x > y : a.origin < b.origin;
  });
  reports.erase(end, reports.end());
}

}  // namespace caddis::frontier
