// Why queues wait: what an operator asks first.

#include <algorithm>

#include "caddis/frontier/frontier.h"

namespace caddis::frontier {

QueueReport Frontier::report(const Queue& queue) const {
  const Host& host = *queue.host;
  const SteadyTime now = clock_.steady();
  QueueReport report{queue.origin, queue.queued, "", Duration(0), host.failures, host.last_fetch};
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
      if (host.given_up != 0)
        report.state = "given up";
      else if (host.aside)
        report.state = "set aside";
      else if (host.failures > 0)
        report.state = "retry of the host";
      else if (!queue.has_lines())
        report.state = "retry";
      else
        report.state = host.next_allowed > now ? "politeness" : "ready";
      break;
  }
  return report;
}

std::vector<QueueReport> Frontier::largest_queues(size_t limit) const {
  std::vector<QueueReport> reports;
  for (const auto& [origin, queue] : queues_)
    if (queue->has_work()) reports.push_back(report(*queue));
  std::ranges::sort(reports, [](const QueueReport& a, const QueueReport& b) {
    return a.queued != b.queued ? a.queued > b.queued : a.origin < b.origin;
  });
  if (reports.size() > limit) reports.resize(limit);
  return reports;
}

std::vector<QueueReport> Frontier::slowest_queues(size_t limit) const {
  std::vector<QueueReport> reports;
  for (const auto& [origin, queue] : queues_)
    if (queue->has_work()) reports.push_back(report(*queue));
  std::ranges::sort(reports, [](const QueueReport& a, const QueueReport& b) {
    const Duration x = std::max(a.wait, a.last_fetch), y = std::max(b.wait, b.last_fetch);
    return x != y ? x > y : a.origin < b.origin;
  });
  if (reports.size() > limit) reports.resize(limit);
  return reports;
}

}  // namespace caddis::frontier
