#include "caddis/visit/consent_walls.h"

#include <utility>

namespace caddis::visit {

bool ConsentWalls::add(uint64_t target, const WaitingPage& page) {
  const std::lock_guard lock(mutex_);
  if (open_.contains(target)) return false;
  const auto [wall, is_new] = waiting_.try_emplace(target);
  if (is_new) targets_.push_back(target);
  if (wall->second.size() == kMostOfAWall) return true;
  wall->second.push_back(page);
  if (++pages_ <= kMost) return true;
  // All that wait for the oldest target go.
  const auto oldest = waiting_.find(targets_.front());
  targets_.pop_front();
  pages_ -= oldest->second.size();
  waiting_.erase(oldest);
  return true;
}

std::vector<WaitingPage> ConsentWalls::open(uint64_t target) {
  const std::lock_guard lock(mutex_);
  if (open_.insert(target).second) opened_.push_back(target);
  if (opened_.size() > kMostOpen) {
    open_.erase(opened_.front());
    opened_.pop_front();
  }
  const auto found = waiting_.find(target);
  if (found == waiting_.end()) return {};
  std::vector<WaitingPage> pages = std::move(found->second);
  waiting_.erase(found);
  std::erase(targets_, target);
  pages_ -= pages.size();
  return pages;
}

}  // namespace caddis::visit
