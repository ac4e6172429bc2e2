// Why queues wait: what an operator asks first.

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/frontier/frontier.h"

namespace caddis::frontier {
namespace {

uint64_t amount(const QueueReport& report, QueueOrder order) {
  if (order == QueueOrder::size) return report.queued;
  if (order == QueueOrder::failures) return report.failures + report.retries;
  return static_cast<uint64_t>(std::max({report.wait, report.last_fetch, report.visiting_for}).count());
}

// The first `limit` in that order, sorted; without those that have nothing of it.
void keep_first(std::vector<QueueReport>& reports, QueueOrder order, size_t limit) {
  std::erase_if(reports, [&](const QueueReport& report) { return amount(report, order) == 0; });
  const auto end = reports.begin() + static_cast<ptrdiff_t>(std::min(limit, reports.size()));
  std::ranges::partial_sort(reports, end, [&](const QueueReport& a, const QueueReport& b) {
    const uint64_t x = amount(a, order), y = amount(b, order);
    return x != y ? x > y : a.origin < b.origin;
  });
  reports.erase(end, reports.end());
}

// Finds the queues that have most of something without a report, or a copy, of each.
class Foremost {
 public:
  explicit Foremost(size_t limit) : limit_(limit) {}
  void see(uint64_t amount, const Queue& queue) {
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
  std::vector<const Queue*> take() && {
    std::ranges::sort_heap(items_, is_before);
    std::vector<const Queue*> queues;
    for (const Item& item : items_) queues.push_back(item.queue);
    return queues;
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

// Counts a queue under what it waits for.
void count(Waits& waits, std::string_view name, const Queue& queue) {
  auto state = std::ranges::find(waits.states, name, &Waits::State::name);
  if (state == waits.states.end()) state = waits.states.insert(state, {name, 0, 0});
  ++state->queues;
  state->urls += queue.queued;
}

std::string_view waits_for(const Queue& queue, SteadyTime now) {
  const Host& host = *queue.host;
  if (host.orders.blocked) return queue.has_work() ? "blocked" : "empty";
  if (queue.retired || host.orders.retired) return queue.queued > 0 ? "retired" : "empty";
  if (queue.over.quota != Quota::none) return queue.queued > 0 ? "over quota" : "empty";
  if (!queue.has_work()) return "empty";
  if (queue.given_up() != 0) return "given up";
  if (queue.is_aside()) return "set aside";
  if (host.trouble.failures > 0) return "no address";
  if (queue.trouble.failures > 0) return queue.trouble.answered ? "no robots.txt" : "no connection";
  if (host.asked_until > now) return "asked to wait";
  if (!queue.has_lines()) return "retry";
  if (host.next_allowed <= now) return "ready";
  return host.owes() ? "host bandwidth" : "politeness";
}

}  // namespace

std::string_view Frontier::state_of(const Queue& queue, bool in_memory, SteadyTime now) const {
  if (in_memory && queue.visits > 0) return "being visited";
  if (in_memory && queue.state == Queue::State::host_busy) return "host busy";
  if (in_memory && queue.state == Queue::State::group_busy) return "group busy";
  if (in_memory && queue.state == Queue::State::address_busy) return "address busy";
  const std::string_view state = waits_for(queue, now);
  const bool pauses = in_memory && queue.state == Queue::State::waiting && queue.due.first > now;
  return state == "ready" && pauses ? shared_pause(queue) : state;
}

// How long it still waits; of a queue that is being visited zero.
Duration Frontier::wait_of(const Queue& queue, bool in_memory, SteadyTime now) const {
  if (in_memory && (queue.visits > 0 || (queue.state != Queue::State::idle && queue.state != Queue::State::waiting)))
    return Duration(0);
  auto due = due_time(queue);
  if (due && in_memory && queue.state == Queue::State::waiting) due = std::max(*due, queue.due.first);
  return due ? std::max(Duration(0), *due - now) : Duration(0);
}

QueueReport Frontier::report(const Queue& queue, bool in_memory) const {
  const Host& host = *queue.host;
  QueueReport report;
  report.origin = queue.origin;
  report.queued = queue.queued;
  report.failures = std::max(host.trouble.failures, queue.trouble.failures);
  report.last_fetch = host.last_fetch;
  report.finished = queue.finished;
  report.retries = queue.failed;
  report.again = queue.again;
  report.usage = queue.usage;
  report.over = queue.over.quota;
  report.retired = queue.retired;
  report.given_up = queue.given_up();
  report.crawl_delay = queue.crawl_delay;
  report.knows_robots = queue.robots_expire > clock_.wall();
  const SteadyTime now = clock_.steady();
  report.state = state_of(queue, in_memory, now);
  if (in_memory && queue.visits > 0) report.visiting_for = now - queue.visit_began;
  report.wait = wait_of(queue, in_memory, now);
  return report;
}

// Of a queue in memory what `amount` is of its report.
uint64_t Frontier::amount_of(const Queue& queue, QueueOrder order, SteadyTime now) const {
  const Host& host = *queue.host;
  if (order == QueueOrder::size) return queue.queued;
  if (order == QueueOrder::failures) return std::max(host.trouble.failures, queue.trouble.failures) + queue.failed;
  const Duration visiting = queue.visits > 0 ? now - queue.visit_began : Duration(0);
  return static_cast<uint64_t>(std::max({wait_of(queue, true, now), host.last_fetch, visiting}).count());
}

std::vector<QueueReport> Frontier::reports(const std::vector<const Queue*>& queues) const {
  std::vector<QueueReport> all;
  for (const Queue* queue : queues) all.push_back(report(*queue, true));
  return all;
}

// One pass for all: it is what waits for memory that costs, where there are millions of hosts.
Survey Frontier::survey(size_t limit) const {
  Survey survey;
  Foremost slowest(limit), largest(limit);
  const SteadyTime now = clock_.steady();
  store_.each([&](const Host& host) {
    for (const auto& queue : host.queues) {
      if (queue->queued == 0) continue;
      count(survey.waits, state_of(*queue, true, now), *queue);
      largest.see(queue->queued, *queue);
      slowest.see(amount_of(*queue, QueueOrder::wait, now), *queue);
    }
  });
  survey.slowest = reports(std::move(slowest).take());
  survey.largest = reports(std::move(largest).take());
  describe_visits(survey.waits);
  return survey;
}

void Frontier::describe_visits(Waits& waits) const {
  std::ranges::sort(waits.states, [](const auto& a, const auto& b) {
    return a.queues != b.queues ? a.queues > b.queues : a.name < b.name;
  });
  for (const auto& [id, visiting] : visiting_) {
    if (visiting.kind == LeaseKind::dns)
      ++waits.looking_up;
    else
      ++(visiting.kind == LeaseKind::robots ? waits.robots : waits.fetching);
  }
  waits.for_bandwidth =
      options_.politeness.bandwidth > 0 && bandwidth_.holds_back(clock_.steady() - std::chrono::seconds(1));
}

void Frontier::add_queues(const Host& host, bool in_memory, std::vector<QueueReport>& reports) const {
  for (const auto& queue : host.queues)
    if (queue->queued > 0) reports.push_back(report(*queue, in_memory));
}

std::vector<QueueReport> Frontier::queues(QueueOrder order, size_t limit) const {
  Foremost foremost(limit);
  const SteadyTime now = clock_.steady();
  store_.each([&](const Host& host) {
    for (const auto& queue : host.queues)
      if (queue->queued > 0) foremost.see(amount_of(*queue, order, now), *queue);
  });
  return reports(std::move(foremost).take());
}

Result<std::vector<QueueReport>> Frontier::all_queues(QueueOrder order, size_t limit) {
  constexpr size_t kSpare = 10'000;
  std::vector<QueueReport> reports = queues(order, limit);
  TRY_VOID(store_.each_outside([&](Host& host) {
    add_queues(host, false, reports);
    if (reports.size() > limit + kSpare) keep_first(reports, order, limit);
  }));
  keep_first(reports, order, limit);
  return reports;
}

Result<QueuePage> Frontier::some_queues(QueueOrder order, size_t limit, const std::string& marker, size_t rows) {
  QueuePage page;
  const auto from = from_hex(marker);
  if (!from) return fail(ErrorCode::parse, fmt::format("'{}' is no marker: give the one of the answer before", marker));
  if (marker.empty()) page.queues = queues(order, limit);
  TRY(const std::string next,
      store_.each_outside([&](Host& host) { add_queues(host, false, page.queues); }, *from, rows));
  keep_first(page.queues, order, limit);
  page.marker = to_hex(next);
  return page;
}

}  // namespace caddis::frontier
