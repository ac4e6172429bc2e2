#include "caddis/crawl/host_tallies.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::crawl {
namespace {

std::string text(const HostTally& tally) {
  return fmt::format("{} {} {} {} {} {} {} {} {}", tally.urls, tally.bytes, tally.failed, tally.excluded,
                     tally.slowest_ms, tally.repeated, tally.repeated_bytes, tally.unchanged, tally.unchanged_bytes);
}

HostTally read_tally(const std::vector<std::string_view>& parts, size_t first) {
  const auto number = [&](size_t index) {
    return index < parts.size() ? static_cast<uint64_t>(parse_int(parts[index]).value_or(0)) : 0;
  };
  return {number(first),     number(first + 1), number(first + 2), number(first + 3), number(first + 4),
          number(first + 5), number(first + 6), number(first + 7), number(first + 8)};
}

}  // namespace

void HostTally::add(const HostTally& other) {
  urls += other.urls;
  bytes += other.bytes;
  failed += other.failed;
  excluded += other.excluded;
  slowest_ms = std::max(slowest_ms, other.slowest_ms);
  repeated += other.repeated;
  repeated_bytes += other.repeated_bytes;
  unchanged += other.unchanged;
  unchanged_bytes += other.unchanged_bytes;
}

HostTally& HostTallies::of(std::string_view host) {
  std::string name(host);
  if (hosts_.size() >= max_hosts_ && !hosts_.contains(name)) sum_up_quiet_hosts();
  HostTally& tally = hosts_[name];
  changed_.insert(std::move(name));
  return tally;
}

// A tenth at a time, so that the search for them costs little for each new host.
void HostTallies::sum_up_quiet_hosts() {
  std::vector<uint64_t> activities;
  activities.reserve(hosts_.size());
  for (const auto& [name, tally] : hosts_) activities.push_back(tally.activity());
  size_t left = hosts_.size() / 10 + 1;
  std::ranges::nth_element(activities, activities.begin() + static_cast<std::ptrdiff_t>(left - 1));
  const uint64_t most = activities[left - 1];
  for (auto host = hosts_.begin(); host != hosts_.end() && left > 0;) {
    const HostTally& tally = host->second;
    if (tally.activity() > most) {
      ++host;
      continue;
    }
    ++others_.hosts;
    others_.tally.add(tally);
    changed_.erase(host->first);
    gone_.push_back(host->first);
    host = hosts_.erase(host);
    --left;
  }
  others_changed_ = true;
}

void HostTallies::stage(store::Batch& batch, store::Family family) {
  for (const std::string& host : gone_) batch.erase(family, kRow + host);
  gone_.clear();
  for (const std::string& host : changed_) batch.put(family, kRow + host, text(hosts_[host]));
  changed_.clear();
  if (others_changed_)
    batch.put(family, std::string(1, kOthersRow), fmt::format("{} {}", others_.hosts, text(others_.tally)));
  others_changed_ = false;
}

void HostTallies::load(char kind, std::string_view name, std::string_view value) {
  const auto parts = split(value, ' ');
  if (kind == kRow)
    hosts_[std::string(name)] = read_tally(parts, 0);
  else
    others_ = {static_cast<uint64_t>(parse_int(parts[0]).value_or(0)), read_tally(parts, 1)};
}

}  // namespace caddis::crawl
