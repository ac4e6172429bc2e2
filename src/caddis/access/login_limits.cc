#include "caddis/access/login_limits.h"

#include <algorithm>
#include <chrono>

#include "caddis/base/strings.h"

namespace caddis::access {
namespace {

constexpr unsigned kFree = 3;  // people mistype
constexpr Duration kFirst = std::chrono::seconds(1);
constexpr Duration kLongestOfAddress = std::chrono::minutes(5);
// Shorter, for anybody can make a name wait.
constexpr Duration kLongestOfName = std::chrono::seconds(30);
constexpr Duration kForgetAfter = std::chrono::hours(1);
constexpr size_t kMost = 4096;
constexpr size_t kLongestKey = 64;

// An IPv6 address in one way of writing: its first four groups.
std::string group_of(std::string_view address) {
  if (!address.contains(':')) return std::string(address.substr(0, kLongestKey));
  address = address.substr(0, address.find('%'));
  const size_t gap = address.find("::");
  const auto head = split(address.substr(0, gap), ':');
  std::vector<std::string_view> groups(head.begin(), head.end());
  if (gap != std::string_view::npos) {
    const auto tail = split(address.substr(gap + 2), ':');
    while (groups.size() + tail.size() < 8) groups.emplace_back("0");
    groups.insert(groups.end(), tail.begin(), tail.end());
  }
  std::string key;
  for (size_t i = 0; i < std::min<size_t>(groups.size(), 4); ++i) {
    std::string_view group = groups[i];
    while (group.size() > 1 && group.starts_with('0')) group.remove_prefix(1);
    key += to_lower(group.empty() ? "0" : group) + ':';
  }
  return key.substr(0, kLongestKey);
}

}  // namespace

Duration LoginLimits::wait_of(const Table& table, std::string_view key, SteadyTime now, Duration longest) {
  const auto found = table.find(key);
  if (found == table.end() || found->second.count < kFree) return {};
  const unsigned doublings = std::min(found->second.count - kFree, 20u);
  const Duration delay = std::min<Duration>(kFirst * (1LL << doublings), longest);
  return std::max(found->second.last + delay - now, Duration());
}

Duration LoginLimits::wait(std::string_view address, std::string_view name, SteadyTime now) const {
  return std::max(wait_of(addresses_, group_of(address), now, kLongestOfAddress),
                  wait_of(names_, name.substr(0, kLongestKey), now, kLongestOfName));
}

void LoginLimits::add(Table& table, std::string_view key, SteadyTime now) {
  auto found = table.find(key);
  if (found == table.end()) {
    if (table.size() >= kMost) {
      std::erase_if(table, [&](const auto& row) { return row.second.last + kForgetAfter < now; });
      if (table.size() >= kMost)
        table.erase(std::ranges::min_element(table, {}, [](const auto& row) { return row.second.last; }));
    }
    found = table.emplace(std::string(key), Failures()).first;
  }
  Failures& failures = found->second;
  if (failures.last + kForgetAfter < now) failures.count = 0;
  ++failures.count;
  failures.last = now;
}

void LoginLimits::failed(std::string_view address, std::string_view name, SteadyTime now) {
  add(addresses_, group_of(address), now);
  add(names_, name.substr(0, kLongestKey), now);
}

void LoginLimits::succeeded(std::string_view name) {
  if (const auto found = names_.find(name.substr(0, kLongestKey)); found != names_.end()) names_.erase(found);
}

}  // namespace caddis::access
