#include "caddis/crawl/seed_rows.h"

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

Result<void> SeedRows::each(const Call& call) const {
  const auto each_of = [&](const Rows& rows) {
    for (const auto& [href, origin] : rows)
      if (const auto seed = url::Url::parse(href)) call(*seed, origin);
  };
  for (const auto& [group, rows] : staged_) each_of(rows);
  each_of(gathered_);
  return each_seed(kv_, call);
}

Result<void> each_seed(store::Kv& kv, const SeedRows::Call& call) {
  const auto rows = kv.cursor(kMeta);
  for (rows->seek(kSeedRow); rows->valid() && rows->key().starts_with(kSeedRow); rows->next())
    if (const auto seed = url::Url::parse(rows->key().substr(kSeedRow.size()))) call(*seed, rows->value());
  return rows->status();
}

}  // namespace caddis::crawl
