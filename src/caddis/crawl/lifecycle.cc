#include "caddis/crawl/lifecycle.h"

#include <array>
#include <utility>

namespace caddis::crawl {

std::string_view name_of(RunState state) {
  static constexpr std::array<std::string_view, 5> kNames = {"running", "empty", "paused", "stopping", "ended"};
  return kNames[static_cast<size_t>(state)];
}

void Lifecycle::pause(std::string limit) {
  state_ = RunState::paused;
  paused_at_ = std::move(limit);
  if (hear_) hear_(state_);
  changed_.notify();
}

void Lifecycle::resume() {
  state_ = RunState::running;
  paused_at_.clear();
  if (hear_) hear_(state_);
}

void Lifecycle::stop(CrawlEnd end) {
  state_ = RunState::stopping;
  end_ = std::move(end);
  if (hear_) hear_(state_);
  changed_.notify();
}

void Lifecycle::finish() { state_ = RunState::ended; }

}  // namespace caddis::crawl
