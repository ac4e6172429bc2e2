#include "caddis/crawl/seed_rows.h"

#include <limits>

#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {

Result<std::optional<std::string>> SeedRows::origin(std::string_view url) const {
  if (const auto found = gathered_.find(url); found != gathered_.end()) return found->second;
  for (auto group = staged_.rbegin(); group != staged_.rend(); ++group)
    if (const auto found = group->second.find(url); found != group->second.end()) return found->second;
  return kv_.get(kMeta, std::string(kSeedRow) + std::string(url));
}

void SeedRows::put(std::string_view url, std::string_view origin) { gathered_[std::string(url)] = origin; }

void SeedRows::stage(commit::CommitGroup& group) {
  if (gathered_.empty()) return;
  for (const auto& [url, origin] : gathered_) group.batch().put(kMeta, std::string(kSeedRow) + url, origin);
  staged_.emplace_back(group.number(), std::exchange(gathered_, {}));
}

void SeedRows::committed(commit::GroupNumber group) {
  while (!staged_.empty() && staged_.front().first <= group) staged_.pop_front();
}

SeedRows::Rows SeedRows::uncommitted() const {
  Rows all = gathered_;
  // `insert` leaves alone what came later.
  for (auto group = staged_.rbegin(); group != staged_.rend(); ++group)
    all.insert(group->second.begin(), group->second.end());
  return all;
}

Result<void> each_seed(store::Kv& kv, const SeedCall& call) {
  TRY_VOID(some_seeds(kv, "", std::numeric_limits<size_t>::max(), call));
  return {};
}

Result<void> leave_out_removed(store::Kv& kv, std::vector<url::Url>& seeds) {
  std::vector<url::Url> left;
  for (url::Url& seed : seeds) {
    TRY(const auto origin, kv.get(kMeta, std::string(kSeedRow).append(seed.href())));
    if (origin != kRemovedSeed) left.push_back(std::move(seed));
  }
  seeds = std::move(left);
  return {};
}

Result<std::optional<std::string>> some_seeds(store::Kv& kv, std::string_view from, size_t most, const SeedCall& call) {
  const auto rows = kv.cursor(kMeta);
  for (rows->seek(std::string(kSeedRow).append(from)); rows->valid() && rows->key().starts_with(kSeedRow);
       rows->next()) {
    const std::string_view url = rows->key().substr(kSeedRow.size());
    if (most-- == 0) return std::optional<std::string>(url);
    if (const auto seed = url::Url::parse(url)) call(*seed, rows->value());
  }
  TRY_VOID(rows->status());
  return std::optional<std::string>();
}

}  // namespace caddis::crawl
