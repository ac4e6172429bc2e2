#include "caddis/replay/viewer_keys.h"

#include <algorithm>

namespace caddis::replay {
namespace {

// Users come from a file of the operator, so this is never met; it bounds what a fault could do.
constexpr size_t kMostKeys = 100'000;

}  // namespace

std::string ViewerKeys::key_of(std::string_view collection, const viewing::Viewer& viewer) {
  if (viewer.user.empty()) return captures_key(secret_, collection);
  // No name of a collection has a line end in it.
  const std::string subject = std::string(collection) + '\n' + viewer.user + '\n' + viewer.role;
  const std::string standing = standing_of(viewer);
  const std::scoped_lock lock(mutex_);
  // Whoever logged out since the request was let in gets a key that is nobody's.
  if (viewer.standing && *viewer.standing != standing) return new_key(subject);
  if (const auto latest = latest_.find(subject); latest != latest_.end()) {
    const auto known = owners_.find(latest->second);
    if (known != owners_.end() && known->second.standing == standing && is_used(known->second)) {
      known->second.used = clock_.steady();
      return known->first;
    }
    if (known != owners_.end()) owners_.erase(known);
  }
  make_room();
  const std::string key = new_key(subject);
  owners_.insert_or_assign(key, Owner{std::string(collection), viewer.user, viewer.role, standing, clock_.steady()});
  latest_.insert_or_assign(subject, key);
  return key;
}

std::optional<viewing::Viewer> ViewerKeys::viewer_of(std::string_view key, std::string_view collection) {
  viewing::Viewer viewer;
  std::string known;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = owners_.find(key);
    if (found == owners_.end() || found->second.collection != collection) return std::nullopt;
    viewer.user = found->second.user;
    viewer.role = found->second.role;
    known = found->second.standing;
  }
  const std::string standing = standing_of(viewer);
  const std::scoped_lock lock(mutex_);
  const auto found = owners_.find(key);
  if (found == owners_.end()) return std::nullopt;
  if (standing.empty() || standing != known || !is_used(found->second)) {
    owners_.erase(found);
    return std::nullopt;
  }
  found->second.used = clock_.steady();
  viewer.standing = standing;
  return viewer;
}

std::string ViewerKeys::new_key(const std::string& subject) {
  return captures_key(secret_, subject + '\n' + std::to_string(++made_));
}

void ViewerKeys::make_room() {
  if (owners_.size() >= kMostKeys) std::erase_if(owners_, [&](const auto& one) { return !is_used(one.second); });
  if (owners_.size() >= kMostKeys) owners_.clear();
  if (latest_.size() >= 2 * kMostKeys)
    std::erase_if(latest_, [&](const auto& one) { return !owners_.contains(one.second); });
}

std::string hide_key(std::string_view text, std::string_view base) {
  const size_t scheme = text.starts_with('/') ? std::string_view::npos : text.find("://");
  const size_t whole = text.find('/', scheme == std::string_view::npos ? 0 : scheme + 3);
  if (whole == std::string_view::npos || !text.substr(whole).starts_with(base)) return std::string(text);
  const size_t path = whole + base.size();
  if (!text.substr(path).starts_with("/~")) return std::string(text);
  const size_t end = std::min(text.find_first_of("/?#", path + 2), text.size());
  return std::string(text.substr(0, path + 2)) + '*' + std::string(text.substr(end));
}

}  // namespace caddis::replay
