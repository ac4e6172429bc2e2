#include "caddis/viewing/rule_set.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/viewing/rule_order.h"

namespace caddis::viewing {
namespace {

constexpr size_t kLongestPattern = 4096;
constexpr int64_t kPatternMemory = 1 << 20;
// As indexers write them, and wrote them.
constexpr std::string_view kPostMarks[] = {"__wb_method=", "__wb_post_data=", "__warc_post_data="};

bool holds_at(const std::vector<TimeRange>& ranges, std::string_view timestamp) {
  return ranges.empty() ||
         std::ranges::any_of(ranges, [&](const TimeRange& range) { return range.contains(timestamp); });
}

}  // namespace

std::string rule_key(std::string_view url) { return cdx::index_key(cdx::asked_url(url)); }

RuleSet::~RuleSet() = default;

Result<std::shared_ptr<const RuleSet>> RuleSet::make(RuleList list) {
  auto set = std::shared_ptr<RuleSet>(new RuleSet(std::move(list)));
  for (size_t place = 0; place < set->list_.rules.size(); ++place) {
    const Rule& rule = set->list_.rules[place];
    if (auto added = set->add(rule, place); !added) return pass(std::move(added).error(), "rule " + rule.id);
  }
  set->link_prefixes();
  return std::shared_ptr<const RuleSet>(std::move(set));
}

Result<void> RuleSet::add(const Rule& rule, size_t place) {
  if (rule.subjects.empty())
    return fail(ErrorCode::config, "it is about nothing: give url, surt, host, domain or regex, or 'all: true'");
  for (const Subject& subject : rule.subjects) TRY_VOID(add(Entry{&rule, &subject, place, exactness_of(subject.kind)}));
  return {};
}

Result<void> RuleSet::add(const Entry& entry) {
  const Subject& subject = *entry.subject;
  switch (subject.kind) {
    case Subject::Kind::all:
      of_all_.push_back(entry);
      return {};
    case Subject::Kind::url: {
      std::string key = rule_key(subject.text);
      urls_[key].push_back(entry);
      std::string path = key.substr(0, key.find('?'));
      posts_[std::move(path)].emplace_back(std::move(key), entry);
      return {};
    }
    case Subject::Kind::regex: {
      RE2::Options options;
      options.set_log_errors(false);
      options.set_max_mem(kPatternMemory);
      auto regex = std::make_shared<const RE2>(subject.text, options);
      if (subject.text.size() > kLongestPattern || !regex->ok())
        return fail(ErrorCode::config, fmt::format("'{}' is no regular expression (RE2): {}", subject.text,
                                                   regex->ok() ? "it is too long" : regex->error()));
      patterns_.push_back({std::move(regex), entry});
      return {};
    }
    default:
      break;
  }
  TRY(auto texts, prefixes_of(subject));
  for (std::string& text : texts) {
    if (text.empty()) return fail(ErrorCode::config, "an empty SURT prefix; 'all: true' is about everything");
    Entry one = entry;
    one.length = text.size();
    prefixes_.push_back({std::move(text), -1, {one}});
  }
  return {};
}

// Sorts them, joins equal ones, and ties each to the longest one that it begins with: those a key begins with are then
// found from its place upwards.
void RuleSet::link_prefixes() {
  std::ranges::sort(prefixes_, {}, &Prefix::text);
  std::vector<Prefix> joined;
  for (Prefix& prefix : prefixes_) {
    if (!joined.empty() && joined.back().text == prefix.text)
      std::ranges::move(prefix.entries, std::back_inserter(joined.back().entries));
    else
      joined.push_back(std::move(prefix));
  }
  prefixes_ = std::move(joined);
  for (std::ptrdiff_t i = 0; i < std::ssize(prefixes_); ++i) {
    std::ptrdiff_t other = i - 1;
    while (other >= 0 && !prefixes_[i].text.starts_with(prefixes_[other].text)) other = prefixes_[other].shorter;
    prefixes_[i].shorter = other;
  }
}

void RuleSet::add_of_key(std::string_view key, std::vector<Entry>& entries) const {
  const auto behind =
      std::ranges::upper_bound(prefixes_, key, {}, [](const Prefix& prefix) { return std::string_view(prefix.text); });
  for (std::ptrdiff_t i = behind - prefixes_.begin() - 1; i >= 0; i = prefixes_[i].shorter)
    if (key.starts_with(prefixes_[i].text)) std::ranges::copy(prefixes_[i].entries, std::back_inserter(entries));
  if (const auto found = urls_.find(std::string(key)); found != urls_.end())
    std::ranges::copy(found->second, std::back_inserter(entries));
  add_of_post(key, entries);
}

std::vector<RuleSet::Entry> RuleSet::entries_about(const CapturedUrl& url) const {
  std::vector<Entry> all = of_all_;
  for (const Pattern& pattern : patterns_)
    if (RE2::PartialMatch(url.url, *pattern.regex)) all.push_back(pattern.entry);
  for (const std::string& key : url.keys) add_of_key(key, all);
  const auto rank = [](const Entry& entry) { return rank_of(*entry.rule, entry.exactness, entry.length, entry.place); };
  std::ranges::sort(all, {}, rank);
  // Several keys may meet the same rule.
  std::set<const Subject*> known;
  if (url.keys.size() > 1) std::erase_if(all, [&](const Entry& entry) { return !known.insert(entry.subject).second; });
  return all;
}

// A capture of a POST is one of each URL whose parameters it has.
void RuleSet::add_of_post(std::string_view key, std::vector<Entry>& entries) const {
  const size_t query = key.find('?');
  const auto is_marked = [&](std::string_view mark) { return key.find(mark, query) != std::string_view::npos; };
  if (query == std::string_view::npos || std::ranges::none_of(kPostMarks, is_marked)) return;
  const auto found = posts_.find(std::string(key.substr(0, query)));
  if (found == posts_.end()) return;
  const auto all = split(key.substr(query + 1), '&');
  for (const auto& [url, entry] : found->second) {
    const size_t own = url.find('?');
    const auto wanted =
        own == std::string::npos ? std::vector<std::string_view>() : split(std::string_view(url).substr(own + 1), '&');
    const auto is_there = [&](std::string_view one) { return std::ranges::find(all, one) != all.end(); };
    if (url != key && std::ranges::all_of(wanted, is_there)) entries.push_back(entry);
  }
}

bool RuleSet::is_in_group(const Viewer& viewer, const std::string& group) const {
  if (viewer.user.empty()) return false;
  const auto found = list_.groups.find(group);
  if (found != list_.groups.end()) return std::ranges::find(found->second, viewer.user) != found->second.end();
  return viewer.role == group;
}

std::string RuleSet::why_not(const Rule& rule, const Viewer& viewer, std::string_view now) const {
  if (!holds_at(rule.accessed, now)) return "it does not hold at this time";
  if (rule.is_for_everybody()) return {};
  const bool named = std::ranges::find(rule.users, viewer.user) != rule.users.end() && !viewer.user.empty();
  const bool grouped =
      std::ranges::any_of(rule.groups, [&](const std::string& group) { return is_in_group(viewer, group); });
  const bool there = viewer.address && std::ranges::any_of(rule.networks, [&](const Network& network) {
                       return url::stands_in(network.block, *viewer.address);
                     });
  return named || grouped || there ? std::string() : "it is for others";
}

UrlDecision RuleSet::about(const CapturedUrl& url, const Viewer& viewer, WallTime now) const {
  UrlDecision decision;
  decision.fallback_ = {list_.fallback, nullptr, list_.message};
  const std::string moment = timestamp14(now);
  for (const Entry& entry : entries_about(url)) {
    const Rule& rule = *entry.rule;
    if (!why_not(rule, viewer, moment).empty()) continue;
    UrlDecision::Candidate candidate{&rule, {}, {}};
    if (!list_.counts.empty()) candidate.count = list_.counts[entry.place].get();
    if (rule.newer) candidate.newer = timestamp14(before(now, *rule.newer));
    if (rule.older) candidate.older = timestamp14(before(now, *rule.older));
    decision.candidates_.push_back(std::move(candidate));
    if (rule.is_for_all_times()) break;
  }
  return decision;
}

Decision UrlDecision::at(std::string_view timestamp) const {
  for (const Candidate& candidate : candidates_) {
    if (!candidate.newer.empty() && timestamp <= candidate.newer) continue;
    if (!candidate.older.empty() && timestamp > candidate.older) continue;
    if (!holds_at(candidate.rule->captured, timestamp)) continue;
    const std::string_view message = candidate.rule->message.empty() ? fallback_.message : candidate.rule->message;
    return {candidate.rule->verdict, candidate.rule, message, candidate.count};
  }
  return fallback_;
}

bool UrlDecision::hides_anything() const {
  for (const Candidate& candidate : candidates_) {
    if (candidate.rule->verdict != Verdict::allow) return true;
    if (candidate.rule->is_for_all_times()) return false;
  }
  return fallback_.verdict != Verdict::allow;
}

std::vector<Finding> RuleSet::explain(std::string_view url, std::string_view timestamp, const Viewer& viewer,
                                      WallTime now) const {
  std::vector<Finding> findings;
  for (const Entry& entry : entries_about(captured_url(cdx::asked_url(url)))) {
    const Rule& rule = *entry.rule;
    Finding finding{&rule, entry.subject, why_not(rule, viewer, timestamp14(now))};
    if (finding.why_not.empty() && !holds_at(rule.captured, timestamp))
      finding.why_not = "it is about captures of other times";
    else if (finding.why_not.empty() && rule.newer && timestamp <= timestamp14(before(now, *rule.newer)))
      finding.why_not = "the capture is older than " + to_string(*rule.newer);
    else if (finding.why_not.empty() && rule.older && timestamp > timestamp14(before(now, *rule.older)))
      finding.why_not = "the capture is not older than " + to_string(*rule.older);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace caddis::viewing
