#include "caddis/crawl/load_governor.h"

#include <algorithm>
#include <utility>

#include "caddis/archive/writer_spec.h"
#include "caddis/base/log.h"
#include "caddis/base/time_format.h"
#include "caddis/collection/layout.h"
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

// A writer without which the crawl goes on holds up nothing.
std::vector<std::string> LoadGovernor::written_folders() const {
  const collection::Layout layout(collection_);
  const archive::ArchiveSettings& settings = settings_.now().archive;
  std::vector<std::string> folders = {collection_, layout.archive(), layout.crawls()};
  for (const std::string& folder : settings.folders) folders.push_back(layout.within(folder));
  if (const auto chain = archive::writer_chain(settings.writers))
    for (const archive::WriterSpec& writer : *chain)
      if (!writer.folder.empty() && writer.on_failure != archive::OnFailure::go_on)
        folders.push_back(layout.within(writer.folder));
  return folders;
}

void LoadGovernor::check_disk() {
  const int64_t least = settings_.now().limits.min_free_space;
  std::string low;
  uint64_t room = 0;
  for (const std::string& folder : written_folders()) {
    const auto free = files_.free_space(folder);
    if (!free || *free >= static_cast<uint64_t>(least)) continue;
    low = folder;
    room = *free;
    break;
  }
  if (!low.empty() && low_.empty())
    log_warn("crawl", "paused: {} free on the disk of {}, min-free-space is {}; the crawl goes on when there is room",
             format_size(static_cast<long long>(room)), low, format_size(least));
  if (low.empty() && !low_.empty()) log_warn("crawl", "there is room on the disk again: the crawl goes on");
  low_ = std::move(low);
}

}  // namespace caddis::crawl
