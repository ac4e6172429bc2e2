#include "caddis/robots/rule_set.h"

#include <algorithm>

namespace caddis::robots {
namespace {

// Each byte value sets one of 64 bits: a path can only match a pattern whose bits it has all.
uint64_t bytes_of(std::string_view text) {
  uint64_t bits = 0;
  for (unsigned char c : text) bits |= uint64_t{1} << (c & 63);
  return bits;
}

uint64_t bytes_needed(std::string_view pattern) {
  uint64_t bits = 0;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const bool is_operator = pattern[i] == '*' || (pattern[i] == '$' && i + 1 == pattern.size());
    if (!is_operator) bits |= bytes_of(pattern.substr(i, 1));
  }
  return bits;
}

// Each part between stars at its first place behind the one before; only the last part of an anchored pattern has no
// choice.
bool matches(std::string_view pattern, std::string_view path) {
  const bool anchored = pattern.ends_with('$');
  if (anchored) pattern.remove_suffix(1);
  size_t at = 0;
  for (bool first = true;; first = false) {
    const size_t star = pattern.find('*');
    const std::string_view part = pattern.substr(0, star);
    if (star == pattern.npos && anchored) {
      return first ? path == part : path.size() - at >= part.size() && path.ends_with(part);
    }
    const size_t found = first ? (path.starts_with(part) ? 0 : path.npos) : path.find(part, at);
    if (found == path.npos) return false;
    if (star == pattern.npos) return true;
    at = found + part.size();
    pattern.remove_prefix(star + 1);
  }
}

bool is_wild(const Rule& rule) {
  return rule.normal.find('*') != std::string::npos || rule.normal.ends_with('$') ||
         (rule.allow && !rule.literal.empty());
}

// An allow has to match in both forms; see encoding.h.
bool applies(const Rule& rule, const RequestPath& path) {
  if (!matches(rule.normal, path.normal)) return false;
  if (!rule.allow || (rule.literal.empty() && path.normal.data() == path.literal.data())) return true;
  return matches(rule.literal.empty() ? rule.normal : rule.literal, path.literal);
}

}  // namespace

bool outranks(const Rule& a, const Rule* b) {
  if (b == nullptr || a.length() != b->length()) return b == nullptr || a.length() > b->length();
  return a.allow && !b->allow;
}

void RuleSet::compile() {
  for (uint32_t i = 0; i < rules_.size(); ++i) {
    if (is_wild(rules_[i]))
      wilds_.push_back({i, bytes_needed(rules_[i].normal)});
    else
      prefixes_.push_back(i);
  }
  std::ranges::sort(wilds_, [&](const Wild& a, const Wild& b) {
    const Rule &left = rules_[a.rule], &right = rules_[b.rule];
    return outranks(left, &right) || (!outranks(right, &left) && a.rule < b.rule);
  });
  std::ranges::sort(prefixes_, [&](uint32_t a, uint32_t b) {
    const int order = rules_[a].normal.compare(rules_[b].normal);
    return order != 0 ? order < 0 : std::pair(rules_[a].allow, b) < std::pair(rules_[b].allow, a);
  });
  std::vector<int32_t> open;  // the chain of prefixes of the current one
  for (uint32_t i = 0; i < prefixes_.size(); ++i) {
    const std::string& pattern = rules_[prefixes_[i]].normal;
    while (!open.empty() && !pattern.starts_with(rules_[prefixes_[static_cast<size_t>(open.back())]].normal))
      open.pop_back();
    parents_.push_back(open.empty() ? -1 : open.back());
    open.push_back(static_cast<int32_t>(i));
  }
}

const Rule* RuleSet::find_prefix(const RequestPath& path) const {
  // The last pattern not behind the path begins with every pattern that begins the path: they are it and its ancestors.
  const auto behind = std::ranges::upper_bound(prefixes_, path.normal, {},
                                               [&](uint32_t rule) -> std::string_view { return rules_[rule].normal; });
  for (auto at = static_cast<int32_t>(behind - prefixes_.begin()) - 1; at >= 0;
       at = parents_[static_cast<size_t>(at)]) {
    const Rule& rule = rules_[prefixes_[static_cast<size_t>(at)]];
    if (applies(rule, path)) return &rule;
  }
  return nullptr;
}

const Rule* RuleSet::find(const RequestPath& path) const {
  const Rule* best = find_prefix(path);
  if (wilds_.empty()) return best;
  const uint64_t has = bytes_of(path.normal);
  for (const Wild& wild : wilds_) {
    const Rule& rule = rules_[wild.rule];
    if (!outranks(rule, best)) break;
    if ((wild.needs & ~has) == 0 && applies(rule, path)) return &rule;
  }
  return best;
}

}  // namespace caddis::robots
