// Why queues wait: what an operator asks first.

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/frontier/frontier.h"

namespace caddis::frontier {
namespace {

// The first `limit` in that order, sorted; without those that have nothing of it.
void keep_first(std::vector<QueueReport>& reports, QueueOrder order, size_t limit) {
  const auto amount = [order](const QueueReport& report) -> uint64_t {
    if (order == QueueOrder::size) return report.queued;
    if (order == QueueOrder::failures) return report.failures + report.retries;
    return static_cast<uint64_t>(std::max({report.wait, report.last_fetch, report.visiting_for}).count());
  };
  std::erase_if(reports, [&](const QueueReport& report) { return amount(report) == 0; });
  const auto end = reports.begin() + static_cast<ptrdiff_t>(std::min(limit, reports.size()));
  std::ranges::partial_sort(reports, end, [&](const QueueReport& a, const QueueReport& b) {
    const uint64_t x = amount(a), y = amount(b);
    return x != y ? x > y : a.origin < b.origin;
  });
  reports.erase(end, reports.end());
}

std::string_view waits_for(const Queue& queue, bool is_due) {
  const Host& host = *queue.host;
  if (queue.retired || host.orders.retired) return queue.queued > 0 ? "retired" : "empty";
  if (queue.over.quota != Quota::none) return queue.queued > 0 ? "over quota" : "empty";
  if (!queue.has_work()) return "empty";
  if (host.orders.blocked) return "blocked";
  if (queue.given_up() != 0) return "given up";
  if (queue.is_aside()) return "set aside";
  if (host.trouble.failures > 0) return "no address";
  if (queue.trouble.failures > 0) return "no connection";
  if (!queue.has_lines()) return "retry";
  return is_due ? "ready" : "politeness";
}

}  // namespace

std::string_view Frontier::state_of(const Queue& queue, bool in_memory) const {
  if (in_memory && queue.visits > 0) return "being visited";
  if (in_memory && queue.state == Queue::State::host_busy) return "host busy";
  if (in_memory && queue.state == Queue::State::group_busy) return "group busy";
  if (in_memory && queue.state == Queue::State::address_busy) return "address busy";
  return waits_for(queue, queue.host->next_allowed <= clock_.steady());
}

QueueReport Frontier::report(const Queue& queue, bool in_memory) const {
  const Host& host = *queue.host;
  QueueReport report;
  report.origin = queue.origin;
  report.queued = queue.queued;
  report.failures = std::max(host.trouble.failures, queue.trouble.failures);
  report.last_fetch = host.last_fetch;
  report.finished = queue.finished;
  report.retries = queue.retries.size();
  report.usage = queue.usage;
  report.over = queue.over.quota;
  report.crawl_delay = queue.crawl_delay;
  report.knows_robots = queue.robots_expire > clock_.wall();
  report.state = state_of(queue, in_memory);
  if (in_memory && queue.visits > 0) {
    report.visiting_for = clock_.steady() - queue.visit_began;
  } else if (!in_memory || queue.state == Queue::State::idle || queue.state == Queue::State::waiting) {
    if (const auto due = due_time(queue)) report.wait = std::max(Duration(0), *due - clock_.steady());
  }
  return report;
}

Waits Frontier::waits() const {
  Waits waits;
  store_.each([&](const Host& host) {
    for (const auto& queue : host.queues) {
      if (queue->queued == 0) continue;
      const std::string_view name = state_of(*queue, true);
      auto state = std::ranges::find(waits.states, name, &Waits::State::name);
      if (state == waits.states.end()) state = waits.states.insert(state, {name, 0, 0});
      ++state->queues;
      state->urls += queue->queued;
    }
  });
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
  return waits;
}

void Frontier::add_queues(const Host& host, bool in_memory, std::vector<QueueReport>& reports) const {
  for (const auto& queue : host.queues)
    if (queue->queued > 0) reports.push_back(report(*queue, in_memory));
}

std::vector<QueueReport> Frontier::queues(QueueOrder order, size_t limit) const {
  std::vector<QueueReport> reports;
  store_.each([&](const Host& host) { add_queues(host, true, reports); });
  keep_first(reports, order, limit);
  return reports;
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

std::vector<QueueReport> Frontier::largest_queues(size_t limit) const { return queues(QueueOrder::size, limit); }
std::vector<QueueReport> Frontier::slowest_queues(size_t limit) const { return queues(QueueOrder::wait, limit); }

}  // namespace caddis::frontier
