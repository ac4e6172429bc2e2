// Why queues wait: what an operator asks first.

#include <algorithm>

#include "caddis/frontier/frontier.h"

namespace caddis::frontier {

QueueReport Frontier::report(const Queue& queue) const {
  const Host& host = *queue.host;
  const SteadyTime now = clock_.steady();
  QueueReport report{
      queue.origin,   queue.queued, "", Duration(0), std::max(host.trouble.failures, queue.trouble.failures),
      host.last_fetch};
  switch (queue.state) {
    case Queue::State::idle:
      report.state = "empty";
      break;
    case Queue::State::host_busy:
      report.state = "host busy";
      break;
    case Queue::State::address_busy:
      report.state = "address busy";
      break;
    case Queue::State::visiting:
      report.state = "being visited";
      break;
    case Queue::State::waiting:
      if (const auto due = due_time(queue)) report.wait = std::max(Duration(0), *due - now);
      if (queue.given_up() != 0)
        report.state = "given up";
      else if (queue.is_aside())
        report.state = "set aside";
      else if (host.trouble.failures > 0)
        report.state = "no address";
      else if (queue.trouble.failures > 0)
        report.state = "no connection";
      else if (!queue.has_lines())
        report.state = "retry";
      else
        report.state = host.next_allowed > now ? "politeness" : "ready";
      break;
  }
  return report;
}

std::vector<const Queue*> Frontier::queues_with_work() const {
  std::vector<const Queue*> queues;
  store_.each([&](const Host& host) {
    for (const auto& queue : host.queues)
      if (queue->has_work()) queues.push_back(queue.get());
  });
  return queues;
}

std::vector<QueueReport> Frontier::largest_queues(size_t limit) const {
  std::vector<const Queue*> queues = queues_with_work();
  limit = std::min(limit, queues.size());
  const auto end = queues.begin() + static_cast<ptrdiff_t>(limit);
  std::ranges::partial_sort(queues, end, [](const Queue* a, const Queue* b) {
    return a->queued != b->queued ? a->queued > b->queued : a->origin < b->origin;
  });
  std::vector<QueueReport> reports;
  for (auto queue = queues.begin(); queue != end; ++queue) reports.push_back(report(**queue));
  return reports;
}

std::vector<QueueReport> Frontier::slowest_queues(size_t limit) const {
  const SteadyTime now = clock_.steady();
  const auto slowness = [&](const Queue& queue) {
    const Duration wait = queue.state == Queue::State::waiting ? queue.due.first - now : Duration(0);
    return std::max(wait, queue.host->last_fetch);
  };
  std::vector<const Queue*> queues = queues_with_work();
  limit = std::min(limit, queues.size());
  const auto end = queues.begin() + static_cast<ptrdiff_t>(limit);
  std::ranges::partial_sort(queues, end, [&](const Queue* a, const Queue* b) {
    const Duration x = slowness(*a), y = slowness(*b);
    return x != y ? x > y : a->origin < b->origin;
  });
  std::vector<QueueReport> reports;
  for (auto queue = queues.begin(); queue != end; ++queue) reports.push_back(report(**queue));
  return reports;
}

}  // namespace caddis::frontier
