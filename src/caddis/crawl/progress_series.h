// How a crawl went, for plots: a bounded number of points over all of its time, also over restarts. One a second at
// first; when there are kMost, every second one goes, and the next ones are twice as far apart. Rows of the statistics:
//
//   P<number>   "<milliseconds since 1970> <documents> <bytes> <failed> <hosts> <queued> <seen>"
//
// Belongs to the crawl's loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/commit/participant.h"
#include "caddis/crawl/crawl_state_listener.h"
#include "caddis/store/kv.h"

namespace caddis::frontier {
class UrlLedger;
}

namespace caddis::crawl {

class Statistics;

struct SeriesPoint {
  WallTime time;
  uint64_t documents = 0, bytes = 0, failed = 0, hosts = 0, queued = 0, seen = 0;
};

class ProgressSeries final : public commit::CommitParticipant, public CrawlStateListener {
 public:
  static constexpr char kRow = 'P';
  static constexpr size_t kMost = 600;

  // All of it must outlive the series.
  ProgressSeries(const Clock& clock, const Statistics& statistics, const frontier::UrlLedger& frontier, store::Kv& kv);

  void on_running_time(Duration passed) override;
  void stage(commit::CommitGroup& group) override;

 private:
  // Goes on behind the points of an earlier process.
  void load();
  void add(const SeriesPoint& point);

  const Clock& clock_;
  const Statistics& statistics_;
  const frontier::UrlLedger& frontier_;
  store::Kv& kv_;
  std::map<uint64_t, SeriesPoint> points_;  // by their rows' numbers
  uint64_t next_ = 0;                       // number
  uint64_t stride_ = 1;                     // only numbers that it divides are kept
  std::vector<uint64_t> changed_, gone_;
  bool is_loaded_ = false;
};

// The committed points, in order.
Result<std::vector<SeriesPoint>> read_series(store::Kv& kv);

}  // namespace caddis::crawl
