#include "caddis/replay/missed.h"

namespace caddis::replay {
namespace {

constexpr size_t kLongestUrl = 4096;

}  // namespace

void MissedResources::add(std::string_view collection, MissedResource missed) {
  if (missed.url.size() > kLongestUrl || missed.page.size() > kLongestUrl) return;
  const std::scoped_lock lock(mutex_);
  const Key key{std::string(collection), {missed.page, missed.url}};
  const auto known = all_.find(key);
  if (known != all_.end()) {
    ++known->second.count;
    return;
  }
  if (all_.size() >= kMost) return;
  missed.count = 1;
  all_.emplace(key, std::move(missed));
}

std::vector<MissedResource> MissedResources::of(std::string_view collection) const {
  const std::scoped_lock lock(mutex_);
  std::vector<MissedResource> found;
  for (auto it = all_.lower_bound({std::string(collection), {}}); it != all_.end() && it->first.first == collection;
       ++it)
    found.push_back(it->second);
  return found;
}

bool MissedResources::is_full() const {
  const std::scoped_lock lock(mutex_);
  return all_.size() >= kMost;
}

void MissedResources::clear(std::string_view collection) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(all_, [&](const auto& one) { return one.first.first == collection; });
}

}  // namespace caddis::replay
