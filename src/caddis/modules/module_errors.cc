#include "caddis/modules/module_errors.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/counted.h"
#include "caddis/base/visible.h"

namespace caddis::modules {
namespace {

constexpr size_t kLongest = 500;

}  // namespace

void ModuleErrors::record(std::string_view where, std::string_view what, std::string_view subject) {
  const std::lock_guard lock(mutex_);
  ++count_;
  if (told_.size() < kTold)
    told_.push_back(fmt::format("module {}: its {} failed at {}: {}", name_, where, visible(subject, kLongest),
                                visible(what, kLongest)));
  const int64_t most = most_.load(std::memory_order_relaxed);
  if (most == 0 || std::cmp_less(count_, most) || is_off()) return;
  is_off_.store(true, std::memory_order_relaxed);
  told_.push_back(
      fmt::format("module {} is switched off after {} (modules.max-errors); a script is on again as soon as "
                  "its file has changed",
                  name_, counted(count_, "error", "errors")));
}

void ModuleErrors::say(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (told_.size() < kTold) told_.push_back(fmt::format("module {} says: {}", name_, visible(text, kLongest)));
}

void ModuleErrors::reset() {
  const std::lock_guard lock(mutex_);
  count_ = 0;
  is_off_.store(false, std::memory_order_relaxed);
}

std::vector<std::string> ModuleErrors::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(told_, {});
}

}  // namespace caddis::modules
