#include "caddis/crawl/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/config/seeds.h"
#include "caddis/fetch/status.h"

namespace caddis::crawl {
namespace {

// Rows are "<kind><name>" → numbers (and a text) separated by blanks. Kinds:
//   t total, m mime, s status, h host, o other hosts, e seed, r rejecting rule
constexpr const char* kOtherHostsRow = "o";
constexpr const char* kOtherMimes = "other";

uint64_t number(const std::vector<std::string_view>& parts, size_t index) {
  return index < parts.size() ? static_cast<uint64_t>(parse_int(parts[index]).value_or(0)) : 0;
}

uint64_t activity(const HostTally& tally) { return tally.urls + tally.failed + tally.excluded; }

std::string text(const HostTally& tally) {
  return fmt::format("{} {} {} {} {}", tally.urls, tally.bytes, tally.failed, tally.excluded, tally.slowest_ms);
}

HostTally host_tally(const std::vector<std::string_view>& parts, size_t first) {
  return {number(parts, first), number(parts, first + 1), number(parts, first + 2), number(parts, first + 3),
          number(parts, first + 4)};
}

}  // namespace

void Statistics::bump(const std::string& name, uint64_t by) {
  totals_[name] += by;
  dirty_.insert("t" + name);
}

void Statistics::count(const visit::LogEntry& entry, std::string_view host, bool is_prerequisite, bool is_seed,
                       std::string_view redirect) {
  const bool captured = entry.status > 0;
  if (is_seed) {
    SeedFate& fate = seeds_[entry.url];
    fate.status = entry.status;
    fate.redirect = redirect;
    dirty_.insert("e" + entry.url);
  }
  HostTally& tally = this->host(host);
  if (captured) {
    bump(is_prerequisite ? "prerequisites" : "documents", 1);
    bump("bytes", entry.size);
    bump("novel-bytes", visit::novel_size(entry));
    // DNS is asked about the host, and answers where the host never does.
    if (entry.status != fetch::status::kDnsOk) {
      tally.urls += 1;
      tally.bytes += entry.size;
    }
    const auto millis =
        static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(entry.duration).count());
    tally.slowest_ms = std::max(tally.slowest_ms, millis);
    count_mime(entry.mime, entry.size, is_prerequisite);
    if (is_prerequisite) bump(fmt::format("prerequisites-of-status-{}", entry.status), 1);
  } else if (entry.status == -9998 || entry.status <= -5000) {
    bump("excluded", 1);
    tally.excluded += 1;
  } else {
    bump("failed", 1);
    tally.failed += 1;
  }
  statuses_[entry.status].add(captured ? entry.size : 0);
  dirty_.insert(fmt::format("s{}", entry.status));
}

void Statistics::set_rejected(std::string_view rule, uint64_t links) {
  if (links == 0 || rejected_[std::string(rule)] == links) return;
  count_rejected(rule, links - rejected_[std::string(rule)]);
}

void Statistics::count_mime(const std::string& mime, uint64_t size, bool is_prerequisite) {
  auto found = mimes_.find(mime);
  if (found == mimes_.end()) {
    const bool fits = mime.size() <= kMaxMimeLength && mimes_.size() < kMaxMimes;
    found = mimes_.try_emplace(fits ? mime : kOtherMimes).first;
  }
  found->second.add(size);
  dirty_.insert("m" + found->first);
  if (is_prerequisite) bump("prerequisites-of-type-" + found->first, 1);
}

HostTally& Statistics::host(std::string_view name) {
  const std::string key(name);
  if (hosts_.size() >= max_hosts_ && !hosts_.contains(key)) sum_up_quiet_hosts();
  dirty_.insert("h" + key);
  return hosts_[key];
}

// A tenth at a time, so that the search for them costs little for each new host.
void Statistics::sum_up_quiet_hosts() {
  std::vector<uint64_t> activities;
  activities.reserve(hosts_.size());
  for (const auto& [name, tally] : hosts_) activities.push_back(activity(tally));
  size_t left = hosts_.size() / 10 + 1;
  std::ranges::nth_element(activities, activities.begin() + static_cast<std::ptrdiff_t>(left - 1));
  const uint64_t most = activities[left - 1];
  for (auto host = hosts_.begin(); host != hosts_.end() && left > 0;) {
    const HostTally& tally = host->second;
    if (activity(tally) > most) {
      ++host;
      continue;
    }
    ++other_hosts_.hosts;
    HostTally& sum = other_hosts_.tally;
    sum.urls += tally.urls;
    sum.bytes += tally.bytes;
    sum.failed += tally.failed;
    sum.excluded += tally.excluded;
    sum.slowest_ms = std::max(sum.slowest_ms, tally.slowest_ms);
    dirty_.erase("h" + host->first);
    gone_.push_back("h" + host->first);
    host = hosts_.erase(host);
    --left;
  }
  dirty_.insert(kOtherHostsRow);
}

void Statistics::count_rejected(std::string_view rule, uint64_t links) {
  rejected_[std::string(rule)] += links;
  dirty_.insert("r" + std::string(rule));
}

void Statistics::add_seed(const std::string& url) {
  if (seeds_.try_emplace(url).second) dirty_.insert("e" + url);
}

void Statistics::add_unusable_seed(std::string_view text) {
  constexpr size_t kLongest = 500;
  std::string shown = config::shown_seed(text).substr(0, kLongest);
  // Reports are columns.
  std::ranges::replace_if(shown, [](unsigned char c) { return c <= ' ' || c == 0x7f; }, '_');
  if (!is_utf8(shown)) std::ranges::replace_if(shown, [](unsigned char c) { return c >= 0x80; }, '_');
  const auto [seed, is_new] = seeds_.try_emplace(shown);
  if (!is_new) return;
  seed->second.status = fetch::status::kUnfetchable;
  dirty_.insert("e" + shown);
}

void Statistics::note_known_seed(const std::string& url) {
  SeedFate& fate = seeds_[url];
  if (fate.known || fate.status != 0) return;
  fate.known = true;
  dirty_.insert("e" + url);
}

void Statistics::add_running_time(Duration time) {
  bump("milliseconds", static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()));
}

void Statistics::stage(store::Batch& batch, store::Family family) {
  for (std::string& key : gone_) batch.erase(family, std::move(key));
  gone_.clear();
  for (const std::string& key : dirty_) {
    const std::string name = key.substr(1);
    std::string value;
    switch (key.front()) {
      case 't':
        value = std::to_string(totals_[name]);
        break;
      case 'm':
        value = fmt::format("{} {}", mimes_[name].urls, mimes_[name].bytes);
        break;
      case 's': {
        const Tally& tally = statuses_[static_cast<int>(parse_int(name).value_or(0))];
        value = fmt::format("{} {}", tally.urls, tally.bytes);
        break;
      }
      case 'h':
        value = text(hosts_[name]);
        break;
      case 'o':
        value = fmt::format("{} {}", other_hosts_.hosts, text(other_hosts_.tally));
        break;
      case 'e':
        value = fmt::format("{} {}{}", seeds_[name].status, seeds_[name].redirect, seeds_[name].known ? " known" : "");
        break;
      default:
        value = std::to_string(rejected_[name]);
        break;
    }
    batch.put(family, key, std::move(value));
  }
  dirty_.clear();
}

Result<void> Statistics::load(store::Kv& kv, store::Family family) {
  const auto rows = kv.cursor(family);
  for (rows->seek(""); rows->valid(); rows->next()) {
    const std::string key(rows->key());
    const std::string name = key.substr(1);
    const std::string value(rows->value());
    const auto parts = split(value, ' ');
    switch (key.front()) {
      case 't':
        totals_[name] = number(parts, 0);
        break;
      case 'm':
        mimes_[name] = {number(parts, 0), number(parts, 1)};
        break;
      case 's':
        statuses_[static_cast<int>(parse_int(name).value_or(0))] = {number(parts, 0), number(parts, 1)};
        break;
      case 'h':
        hosts_[name] = host_tally(parts, 0);
        break;
      case 'o':
        other_hosts_ = {number(parts, 0), host_tally(parts, 1)};
        break;
      case 'e':
        seeds_[name] = {static_cast<int>(parse_int(parts[0]).value_or(0)), parts.size() > 2 && parts[2] == "known",
                        parts.size() > 1 ? std::string(parts[1]) : ""};
        break;
      case 'r':
        rejected_[name] = number(parts, 0);
        break;
      default:
        return fail(ErrorCode::corrupt, "the statistics hold a row of unknown kind");
    }
  }
  return rows->status();
}

}  // namespace caddis::crawl
