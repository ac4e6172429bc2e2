// Reports of queues and hosts, and of why they wait.
//
// Belongs to the frontier's thread.
#pragma once

#include <string>
#include <vector>

#include "caddis/frontier/frontier_parts.h"
#include "caddis/frontier/inspection.h"

namespace caddis::frontier {

class QueueReporter {
 public:
  explicit QueueReporter(const FrontierParts& parts) : parts_(parts) {}

  QueueReport report(const Queue& queue, bool is_resident = true) const;
  HostReport report(const Host& host, bool is_resident) const;
  // Reports of the queues of a host that hold URLs.
  void add_queues(const Host& host, bool is_resident, std::vector<QueueReport>& reports) const;
  // Surveys the resident queues that hold URLs: their states, and at most `limit` of those that take longest and of the
  // largest. One pass for all: it is what waits for memory that costs, if there are millions of hosts.
  QueueSurvey survey(size_t limit) const;
  // The resident queues that hold URLs, the first by `order`, at most `limit`.
  std::vector<QueueReport> top(QueueOrder order, size_t limit) const;
  // The first `limit` by `order`, sorted; without those that have nothing of it.
  static void keep_top(std::vector<QueueReport>& reports, QueueOrder order, size_t limit);

 private:
  QueueState state_of(const Queue& queue, bool is_resident) const;
  Duration wait_of(const Queue& queue, bool is_resident) const;
  uint64_t amount_of(const Queue& queue, QueueOrder order) const;
  void count_visits(QueueStates& states) const;

  const FrontierParts& parts_;
};

}  // namespace caddis::frontier
