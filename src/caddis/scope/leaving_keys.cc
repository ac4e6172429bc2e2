#include "caddis/scope/leaving_keys.h"

#include <mutex>

namespace caddis::scope {

void LeavingKeys::propose(std::string_view key) {
  const std::unique_lock lock(mutex_);
  keys_.emplace(key, false);
  has_any_.store(true, std::memory_order_release);
}

void LeavingKeys::note_gone(std::string_view key) {
  const std::unique_lock lock(mutex_);
  keys_.insert_or_assign(std::string(key), true);
  has_any_.store(true, std::memory_order_release);
}

void LeavingKeys::keep(std::string_view key) {
  if (!has_any_.load(std::memory_order_acquire)) return;
  {
    const std::shared_lock lock(mutex_);
    if (!keys_.contains(key)) return;
  }
  const std::unique_lock lock(mutex_);
  if (const auto found = keys_.find(key); found != keys_.end()) keys_.erase(found);
}

void LeavingKeys::settle() {
  const std::unique_lock lock(mutex_);
  for (auto& [key, is_gone] : keys_) is_gone = true;
}

bool LeavingKeys::is_gone(std::string_view key) const {
  if (!has_any_.load(std::memory_order_acquire)) return false;
  const std::shared_lock lock(mutex_);
  const auto found = keys_.find(key);
  return found != keys_.end() && found->second;
}

}  // namespace caddis::scope
