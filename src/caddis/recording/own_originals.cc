#include "caddis/recording/own_originals.h"

#include <mutex>

namespace caddis::recording {

Result<std::optional<std::string>> OwnOriginals::value_of(const std::string& key) const {
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = gathered_.find(key); found != gathered_.end()) return found->second;
    for (const auto& [group, rows] : staged_)
      if (const auto found = rows.find(key); found != rows.end()) return found->second;
  }
  return kv_.get(family_, key);
}

dedup::Likeness OwnOriginals::likeness_of(const dedup::Original& original, const dedup::Question& question) const {
  if (original.url == question.url) return dedup::Likeness::url;
  const std::string asked = question.url_key.empty() ? key_.of(question.url) : std::string(question.url_key);
  return key_.of(original.url) == asked ? dedup::Likeness::canonical : dedup::Likeness::digest;
}

Result<std::optional<dedup::Match>> OwnOriginals::find(dedup::Strategy strategy,
                                                       const dedup::Question& question) const {
  const auto key = row_key(strategy, question);
  if (!key) return std::nullopt;
  TRY(const auto value, value_of(*key));
  if (!value) return std::nullopt;
  TRY(dedup::Original original, dedup::read_row(*value));
  const dedup::Likeness likeness = likeness_of(original, question);
  if (!dedup::serves(strategy, likeness)) return std::nullopt;
  return dedup::Match{std::move(original), likeness};
}

void OwnOriginals::add(std::string key, std::string value) {
  const std::scoped_lock lock(mutex_);
  gathered_.try_emplace(std::move(key), std::move(value));
}

void OwnOriginals::stage(uint64_t group, store::Batch& batch) {
  const std::scoped_lock lock(mutex_);
  if (gathered_.empty()) return;
  for (const auto& [key, value] : gathered_) batch.put(family_, key, value);
  staged_.emplace_back(group, std::exchange(gathered_, {}));
}

void OwnOriginals::committed(uint64_t group) {
  const std::scoped_lock lock(mutex_);
  while (!staged_.empty() && staged_.front().first <= group) staged_.pop_front();
}

}  // namespace caddis::recording
