#include "caddis/viewing/rule_counts.h"

#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "caddis/viewing/rule_file.h"
#include "caddis/viewing/rule_set.h"

namespace caddis::viewing {
namespace {

constexpr size_t kMostGone = kMostRules;

size_t content_of(Rule rule) {
  rule.id.clear();
  return std::hash<std::string>()(format_rule(rule));
}

}  // namespace

void RuleCounts::give_to(RuleList& list) {
  const std::scoped_lock lock(mutex_);
  std::unordered_map<std::string_view, size_t> by_id;
  std::unordered_multimap<size_t, size_t> by_content;
  for (size_t i = 0; i < known_.size(); ++i) {
    if (!is_id_of_line(known_[i].id)) by_id.emplace(known_[i].id, i);
    by_content.emplace(known_[i].content, i);
  }
  std::vector<bool> is_taken(known_.size());
  std::vector<Known> now;
  for (const Rule& rule : list.rules) {
    now.push_back({rule.id, content_of(rule), nullptr});
    const auto same = by_id.find(rule.id);
    if (same == by_id.end()) continue;
    now.back().count = known_[same->second].count;
    is_taken[same->second] = true;
  }
  for (Known& rule : now) {
    const auto [begin, end] = by_content.equal_range(rule.content);
    for (auto same = begin; same != end && rule.count == nullptr; ++same) {
      if (is_taken[same->second]) continue;
      rule.count = known_[same->second].count;
      is_taken[same->second] = true;
    }
    if (rule.count == nullptr) rule.count = std::make_shared<RuleCount>();
  }
  list.counts.clear();
  for (const Known& rule : now) list.counts.push_back(rule.count);
  const size_t most = now.size() + kMostGone;
  for (size_t i = 0; i < known_.size() && now.size() < most; ++i)
    if (!is_taken[i]) now.push_back(std::move(known_[i]));
  known_ = std::move(now);
}

}  // namespace caddis::viewing
