#include "caddis/crawl/progress_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/statistics.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/frontier/url_ledger.h"

namespace caddis::crawl {
namespace {

// Numbers sort as their keys do.
std::string key_of(uint64_t number) { return fmt::format("{}{:012}", ProgressSeries::kRow, number); }

std::string to_row(const SeriesPoint& point) {
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(point.time.time_since_epoch()).count();
  return fmt::format("{} {} {} {} {} {} {}", millis, point.documents, point.bytes, point.failed, point.hosts,
                     point.queued, point.seen);
}

SeriesPoint read_point(std::string_view row) {
  const auto parts = split(row, ' ');
  const auto number = [&](size_t index) {
    return index < parts.size() ? static_cast<uint64_t>(parse_int(parts[index]).value_or(0)) : 0;
  };
  return {.time = WallTime(std::chrono::milliseconds(static_cast<int64_t>(number(0)))),
          .documents = number(1),
          .bytes = number(2),
          .failed = number(3),
          .hosts = number(4),
          .queued = number(5),
          .seen = number(6)};
}

// Calls with the number and the value of each row.
template <class Call>
Result<void> each_point(store::Kv& kv, const Call& call) {
  const auto rows = kv.cursor(kStatistics);
  const std::string prefix(1, ProgressSeries::kRow);
  for (rows->seek(prefix); rows->valid() && rows->key().starts_with(prefix); rows->next())
    call(static_cast<uint64_t>(parse_int(rows->key().substr(1)).value_or(0)), read_point(rows->value()));
  return rows->status();
}

}  // namespace

ProgressSeries::ProgressSeries(const Clock& clock, const Statistics& statistics, const frontier::UrlLedger& frontier,
                               store::Kv& kv)
    : clock_(clock), statistics_(statistics), frontier_(frontier), kv_(kv) {}

void ProgressSeries::load() {
  if (std::exchange(is_loaded_, true)) return;
  // A series that cannot be read begins anew: it is a picture, nothing else goes by it.
  (void)each_point(kv_, [&](uint64_t number, const SeriesPoint& point) {
    points_[number] = point;
    next_ = number + 1;
  });
  while (next_ / stride_ > kMost) stride_ *= 2;
}

void ProgressSeries::on_running_time(Duration passed) {
  load();
  // Where it began; so a crawl of less than a second has two points, too.
  if (points_.empty()) add({.time = clock_.wall() - std::chrono::duration_cast<WallTime::duration>(passed)});
  const HostTallies& hosts = statistics_.hosts();
  const frontier::Stats stats = frontier_.stats();
  add({.time = clock_.wall(),
       .documents = statistics_.documents(),
       .bytes = statistics_.bytes(),
       .failed = statistics_.failed(),
       .hosts = hosts.all().size() + hosts.others().hosts,
       .queued = stats.queued,
       .seen = stats.seen});
}

void ProgressSeries::add(const SeriesPoint& point) {
  const uint64_t number = next_++;
  if (number % stride_ != 0) return;
  // A clock that was set back does not turn the series round.
  const WallTime before = points_.empty() ? point.time : points_.rbegin()->second.time;
  points_[number] = point;
  points_[number].time = std::max(point.time, before);
  changed_.push_back(number);
  if (points_.size() <= kMost) return;
  stride_ *= 2;
  std::erase_if(points_, [&](const auto& one) {
    const bool goes = one.first % stride_ != 0;
    if (goes) gone_.push_back(one.first);
    return goes;
  });
}

void ProgressSeries::stage(commit::CommitGroup& group) {
  for (const uint64_t number : std::exchange(changed_, {}))
    if (const auto point = points_.find(number); point != points_.end())
      group.batch().put(kStatistics, key_of(number), to_row(point->second));
  for (const uint64_t number : std::exchange(gone_, {})) group.batch().erase(kStatistics, key_of(number));
}

Result<std::vector<SeriesPoint>> read_series(store::Kv& kv) {
  std::vector<SeriesPoint> points;
  TRY_VOID(each_point(kv, [&](uint64_t, const SeriesPoint& point) { points.push_back(point); }));
  return points;
}

}  // namespace caddis::crawl
