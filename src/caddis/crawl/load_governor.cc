#include "caddis/crawl/load_governor.h"

#include <algorithm>
#include <utility>

#include "caddis/base/log.h"
#include "caddis/base/time_format.h"
#include "caddis/io/files.h"

namespace caddis::crawl {
namespace {

double share(uint64_t part, uint64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

void LoadGovernor::observe(Duration late, uint64_t backlog, size_t lanes) {
  const aio::ProcessUse use = use_of_process_ ? use_of_process_() : aio::ProcessUse();
  const double seconds = std::chrono::duration<double>(kTick + std::max(late, Duration(0))).count();
  const double processors = std::max<double>(1, static_cast<double>(lanes));
  VisitsLimit::Load load;
  load.was_reached = std::exchange(limit_was_reached_, false);
  load.processor = std::chrono::duration<double>(use.processor - use_.processor).count() / seconds / processors;
  load.lag = late;
  load.backlog = share(backlog, settings_.memory().finished);
  load.memory = share(use.memory, static_cast<uint64_t>(settings_.now().memory.total));
  visits_limit_.observe(load);
  constexpr double kLittle = 0.5, kLittleOfMachine = 0.7;
  has_idle_processors_ = use_of_process_ && load.processor < kLittle && use.load < kLittleOfMachine * processors;
  use_ = use;
}

void LoadGovernor::check_disk() {
  const auto free = files_.free_space(folder_);
  if (!free) return;
  const int64_t least = settings_.now().limits.min_free_space;
  const bool is_low = *free < static_cast<uint64_t>(least);
  if (is_low && !is_disk_low_)
    log_warn("crawl", "paused: {} free on the disk of {}, min-free-space is {}; the crawl goes on when there is room",
             format_size(static_cast<long long>(*free)), folder_, format_size(least));
  if (!is_low && is_disk_low_) log_warn("crawl", "there is room on the disk again: the crawl goes on");
  is_disk_low_ = is_low;
}

}  // namespace caddis::crawl
