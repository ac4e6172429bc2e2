#include "caddis/access/log_outs.h"

namespace caddis::access {

void LogOuts::add(std::string_view user) {
  const std::scoped_lock lock(mutex_);
  ++counts_[std::string(user)];
}

uint64_t LogOuts::of(std::string_view user) const {
  const std::scoped_lock lock(mutex_);
  const auto found = counts_.find(user);
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace caddis::access
