// The columns of progress-statistics.log, as Heritrix has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/frontier/inspection.h"

namespace caddis::crawl {

// The line above the columns, without its end.
extern const std::string_view kProgressHeader;

struct ProgressColumns {
  WallTime time;
  uint64_t discovered = 0, queued = 0, downloaded = 0;
  double documents_per_second = 0, documents_per_second_average = 0;
  double bytes_per_second = 0, bytes_per_second_average = 0;
  uint64_t failed = 0, visiting = 0;
  uint64_t memory = 0, memory_allowed = 0;  // bytes
  double congestion = 0;
  int64_t deepest = -1;  // URLs of the largest queue; -1: there is none
  uint64_t average = 0;  // URLs of a queue
};
// Without a line end. What is too wide for its column moves those behind it.
std::string progress_line(const ProgressColumns& columns);

// Queues with URLs that may be visited, or will be, to those that are being visited or have to wait for their time: as
// many times as much could go on at once if there were lanes enough. NaN or infinite if none of the latter is there.
double congestion(const frontier::QueueStates& queues);

// The words in which Heritrix says how a crawl has ended: "Finished - Ended by operator".
struct CrawlEnd;
std::string end_words(const CrawlEnd& end);

}  // namespace caddis::crawl
