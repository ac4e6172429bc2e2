#include "caddis/cdx/broken_lines.h"

#include <utility>

#include "caddis/base/log.h"

namespace caddis::cdx {

void BrokenLines::note(std::string_view file, std::string_view line, const Error& why,
                       const std::function<std::string()>& place) {
  if (!is_broken_line(why)) return;
  if (const auto others = handed_over_to()) {
    others->note(file, line, why, place);
    return;
  }
  if (!is_new(file, line)) return;
  const std::string where = place();
  log_warn("cdx", "{}{}{}: a line is passed over, for it cannot be read: {}", file, where.empty() ? "" : ", ", where,
           why.message);
}

void BrokenLines::hand_over_to(std::shared_ptr<BrokenLines> others) {
  const std::scoped_lock lock(mutex_);
  others_ = std::move(others);
}

std::shared_ptr<BrokenLines> BrokenLines::handed_over_to() const {
  const std::scoped_lock lock(mutex_);
  return others_;
}

bool BrokenLines::is_new(std::string_view file, std::string_view line) {
  const std::string told = std::string(file) + '\n' + std::string(line);
  const std::scoped_lock lock(mutex_);
  return known_.size() < kMost && known_.insert(std::hash<std::string>()(told)).second;
}

uint64_t BrokenLines::count() const {
  const std::scoped_lock lock(mutex_);
  return known_.size();
}

}  // namespace caddis::cdx
