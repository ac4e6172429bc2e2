#include "caddis/frontier/row_cache.h"

#include <memory>

namespace caddis::frontier {

void RowCache::change(store::Family family, std::string key, std::optional<std::string> value, bool is_new) {
  const auto [at, inserted] = overlay_[family].try_emplace(std::move(key));
  Uncommitted& row = at->second;
  if (inserted || row.stage != stage_) changed_.emplace_back(family, at);
  if (inserted) row.is_new = is_new;
  row.value = std::move(value);
  row.stage = stage_;
}

Result<std::optional<std::string>> RowCache::get(store::Family family, const std::string& key) const {
  if (const auto rows = overlay_.find(family); rows != overlay_.end())
    if (const auto row = rows->second.find(key); row != rows->second.end()) return row->second.value;
  return kv_.get(family, key);
}

RowCache::Rows RowCache::uncommitted(store::Family family, std::string_view prefix) const {
  Rows rows;
  const auto changed = overlay_.find(family);
  if (changed == overlay_.end()) return rows;
  const Overlay& overlay = changed->second;
  for (auto at = overlay.lower_bound(prefix); at != overlay.end() && at->first.starts_with(prefix); ++at)
    rows.emplace(at->first, at->second.value);
  return rows;
}

Result<void> RowCache::merge(store::Family family, std::string_view prefix, std::string_view from, Rows fresh,
                             const See& see, store::Cursor* rows) const {
  // `fresh` is a copy: `see` may change rows.
  fresh.erase(fresh.begin(), fresh.lower_bound(from));
  auto next = fresh.begin();
  const auto see_fresh = [&]() -> Result<bool> {
    const auto& [key, value] = *next++;
    return value ? see(key, *value) : Result<bool>(true);
  };
  std::unique_ptr<store::Cursor> own;
  if (rows == nullptr) {
    own = kv_.cursor(family);
    rows = own.get();
  }
  bool go_on = true;
  for (rows->seek(from); rows->valid() && rows->key().starts_with(prefix); rows->next()) {
    while (go_on && next != fresh.end() && next->first < rows->key()) {
      TRY(go_on, see_fresh());
    }
    if (!go_on) return {};
    const bool is_fresh = next != fresh.end() && next->first == rows->key();
    TRY(go_on, is_fresh ? see_fresh() : see(rows->key(), rows->value()));
    if (!go_on) return {};
  }
  TRY_VOID(rows->status());
  while (go_on && next != fresh.end()) {
    TRY(go_on, see_fresh());
  }
  return {};
}

uint64_t RowCache::stage(store::Batch& batch) {
  for (const auto& [family, at] : changed_) {
    auto& [key, row] = *at;
    if (row.is_new && !row.value) {
      overlay_[family].erase(at);
      continue;
    }
    if (row.value)
      pending_.put(family, key, *row.value);
    else
      pending_.erase(family, key);
    row.is_new = false;
    uncommitted_.emplace_back(stage_, family, at);
  }
  changed_.clear();
  batch.append(std::move(pending_));
  pending_.clear();
  return stage_++;
}

void RowCache::committed(uint64_t stage) {
  for (; !uncommitted_.empty() && std::get<0>(uncommitted_.front()) <= stage; uncommitted_.pop_front()) {
    const auto& [number, family, at] = uncommitted_.front();
    if (at->second.stage == number) overlay_[family].erase(at);
  }
}

}  // namespace caddis::frontier
