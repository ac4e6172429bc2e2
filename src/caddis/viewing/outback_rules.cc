// OutbackCDX: a rule has a policy, and a policy the access points at which captures are shown. Here that is a rule that
// blocks for everybody, and if there are access points one for their groups that allows; "public" is everybody.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/viewing/foreign_rules.h"
#include "caddis/viewing/rule_file.h"

namespace caddis::viewing {
namespace {

using nlohmann::json;

constexpr std::string_view kPublic = "public";
constexpr std::string_view kAllowedPart = "-for-groups";

std::string text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

Result<json> parse_array(std::string_view text, std::string_view what) {
  if (text.size() > kLargestRuleFile) return fail(ErrorCode::limit, fmt::format("{}: more than 64 MiB", what));
  json value = json::parse(text, nullptr, false);
  if (value.is_discarded() || !value.is_array())
    return fail(ErrorCode::parse, fmt::format("{}: no JSON array, as OutbackCDX answers", what));
  if (value.size() > kMostRules) return fail(ErrorCode::limit, fmt::format("{}: more than {} items", what, kMostRules));
  return value;
}

// "2015-08-01T01:00:00+1000" as 14 digits in UTC; empty if there is none.
Result<std::string> time_of(const json& range, const char* name) {
  std::string text = text_of(range, name);
  if (text.empty()) return text;
  const size_t sign = text.find_last_of("+-");
  if (sign != std::string::npos && sign > text.find('T') && text.find(':', sign) == std::string::npos &&
      text.size() == sign + 5)
    text.insert(sign + 3, ":");
  TRY(const WallTime time, parse_w3c_date(text));
  return timestamp14(time);
}

Result<void> read_range(const json& rule, const char* name, std::vector<TimeRange>& into) {
  const auto found = rule.find(name);
  if (found == rule.end() || !found->is_object()) return {};
  TimeRange range;
  TRY(range.from, time_of(*found, "start"));
  TRY(range.to, time_of(*found, "end"));
  if (!range.from.empty() || !range.to.empty()) into.push_back(std::move(range));
  return {};
}

void read_period(const json& rule, Rule& into) {
  const auto found = rule.find("period");
  if (found == rule.end() || !found->is_object()) return;
  const auto number = [&](const char* name) {
    const auto value = found->find(name);
    return value != found->end() && value->is_number_integer() ? std::clamp<int>(value->get<int>(), 0, 10'000) : 0;
  };
  const Period period{number("years"), number("months"), number("days")};
  if (!period.empty()) into.newer = period;
}

// "*.example.org" is a domain, "http://example.org/*" a prefix.
Subject subject_of(std::string_view pattern) {
  if (pattern == "*") return {Subject::Kind::all, "true"};
  if (pattern.starts_with("*.")) return {Subject::Kind::domain, std::string(pattern.substr(2))};
  if (!pattern.ends_with('*')) return {Subject::Kind::url, std::string(pattern)};
  pattern.remove_suffix(1);
  std::string key = rule_key(pattern);
  // The key of a folder may have lost the slash that the pattern ends with.
  if (pattern.ends_with('/') && !key.ends_with('/')) key += '/';
  return {Subject::Kind::prefix, std::move(key)};
}

Result<Rule> read_rule(const json& one) {
  if (!one.is_object()) return fail(ErrorCode::parse, "a rule that is no object");
  Rule rule;
  rule.id = "outback-" + text_of(one, "id");
  const auto patterns = one.find("urlPatterns");
  if (patterns == one.end() || !patterns->is_array() || patterns->empty())
    return fail(ErrorCode::parse, rule.id + " has no urlPatterns");
  for (const json& pattern : *patterns) {
    if (!pattern.is_string()) return fail(ErrorCode::parse, rule.id + " has a pattern that is no text");
    rule.subjects.push_back(subject_of(pattern.get<std::string>()));
  }
  TRY_VOID(read_range(one, "captured", rule.captured));
  TRY_VOID(read_range(one, "accessed", rule.accessed));
  read_period(one, rule);
  rule.message = text_of(one, "publicMessage");
  rule.comment = text_of(one, "privateComment");
  rule.reason = text_of(one, "reason");
  rule.made.by = text_of(one, "creator");
  rule.made.when = text_of(one, "created");
  return rule;
}

using Policies = std::map<std::string, std::vector<std::string>>;  // id -> access points

Result<Policies> read_policies(std::string_view text) {
  Policies policies;
  TRY(const json array, parse_array(text, "policies"));
  for (const json& one : array) {
    if (!one.is_object()) return fail(ErrorCode::parse, "policies: one that is no object");
    auto& points = policies[text_of(one, "id")];
    const auto named = one.find("accessPoints");
    if (named == one.end() || !named->is_array()) continue;
    for (const json& point : *named)
      if (point.is_string()) points.push_back(point.get<std::string>());
  }
  return policies;
}

json range_json(const std::vector<TimeRange>& ranges) {
  if (ranges.empty()) return nullptr;
  const auto moment = [](const std::string& digits, bool is_end) -> json {
    if (digits.empty()) return nullptr;
    const auto time = is_end ? parse_timestamp_end(digits) : parse_timestamp(digits);
    return time ? json(rfc3339(*time)) : json(nullptr);
  };
  return {{"start", moment(ranges.front().from, false)}, {"end", moment(ranges.front().to, true)}};
}

// A prefix "com,example,www)/a" as a URL with a star; nothing for what is no whole host.
std::string pattern_of_prefix(std::string_view surt) {
  const size_t close = surt.find(')');
  std::string host;
  for (const std::string_view label : split(surt.substr(0, close), ','))
    if (!label.empty()) host = std::string(label) + (host.empty() ? "" : "." + host);
  if (close == std::string_view::npos) return surt.ends_with(',') ? "*." + host : "";
  return "http://" + host + std::string(surt.substr(close + 1)) + '*';
}

std::vector<std::string> patterns_of(const Rule& rule, std::vector<std::string>& remarks) {
  std::vector<std::string> patterns;
  for (const Subject& subject : rule.subjects) {
    std::string pattern;
    switch (subject.kind) {
      case Subject::Kind::all:
        pattern = "*";
        break;
      case Subject::Kind::url:
        pattern = subject.text;
        break;
      case Subject::Kind::domain:
        pattern = "*." + subject.text;
        break;
      case Subject::Kind::host:
        pattern = "http://" + subject.text + "/*";
        break;
      case Subject::Kind::prefix:
        pattern = pattern_of_prefix(subject.text);
        break;
      case Subject::Kind::regex:
        break;
    }
    if (pattern.empty())
      remarks.push_back(fmt::format("{}: {} '{}' cannot be said", rule.id, to_string(subject.kind), subject.text));
    else
      patterns.push_back(std::move(pattern));
  }
  return patterns;
}

// The rule that allows for groups what this one blocks.
const Rule* partner_of(const RuleList& list, const Rule& rule) {
  const auto found = std::ranges::find(list.rules, rule.id + std::string(kAllowedPart), &Rule::id);
  return found == list.rules.end() || found->verdict != Verdict::allow ? nullptr : &*found;
}

class OutbackWriter {
 public:
  // The id of the policy with these access points.
  int policy(std::set<std::string> points) {
    const auto [place, is_new] = ids_.try_emplace(points, static_cast<int>(ids_.size()) + 1);
    if (is_new) {
      std::string name = points.empty() ? "No access" : "";
      for (const std::string& point : points) name += (name.empty() ? "" : ", ") + point;
      policies_.push_back({{"id", place->second}, {"name", name}, {"accessPoints", points}});
    }
    return place->second;
  }
  json policies() const { return policies_; }

 private:
  std::map<std::set<std::string>, int> ids_;
  json policies_ = json::array();
};

std::set<std::string> all_points(const RuleList& list) {
  std::set<std::string> points = {std::string(kPublic)};
  for (const Rule& rule : list.rules) points.insert(rule.groups.begin(), rule.groups.end());
  return points;
}

}  // namespace

Result<ImportedRules> import_outback(std::string_view rules, std::string_view policies) {
  TRY(const Policies known, read_policies(policies));
  TRY(const json array, parse_array(rules, "rules"));
  ImportedRules imported;
  for (const json& one : array) {
    TRY(Rule rule, read_rule(one));
    const auto policy = known.find(text_of(one, "policyId"));
    if (policy == known.end())
      return fail(ErrorCode::not_found, fmt::format("{} has the policy {}, which the policies do not have", rule.id,
                                                    text_of(one, "policyId")));
    const std::vector<std::string>& points = policy->second;
    const bool is_public = std::ranges::find(points, kPublic) != points.end();
    rule.verdict = is_public ? Verdict::allow : Verdict::block;
    imported.list.rules.push_back(rule);
    if (is_public || points.empty()) continue;
    rule.id += kAllowedPart;
    rule.verdict = Verdict::allow;
    rule.groups = points;
    imported.list.rules.push_back(std::move(rule));
    for (const std::string& point : points) imported.list.groups.try_emplace(point);
  }
  for (const auto& [group, users] : imported.list.groups)
    imported.remarks.push_back(
        fmt::format("the access point '{}' is a group of the file: name its users, or give its rules networks", group));
  return imported;
}

OutbackTexts export_outback(const RuleList& list) {
  OutbackTexts texts;
  OutbackWriter writer;
  json rules = json::array();
  const std::set<std::string> everywhere = all_points(list);
  int64_t id = 0;
  for (const Rule& rule : list.rules) {
    if (rule.id.ends_with(kAllowedPart) && rule.verdict == Verdict::allow) continue;  // with its partner
    const Rule* const partner = partner_of(list, rule);
    std::set<std::string> points;
    if (rule.verdict == Verdict::allow && rule.groups.empty()) points = everywhere;
    if (rule.verdict == Verdict::allow) points.insert(rule.groups.begin(), rule.groups.end());
    if (partner != nullptr) points.insert(partner->groups.begin(), partner->groups.end());
    if (rule.verdict != Verdict::allow && !rule.groups.empty())
      texts.remarks.push_back(rule.id + ": that it blocks for some groups alone cannot be said; it blocks for all");
    if (!rule.users.empty() || !rule.networks.empty() || rule.older || rule.priority != 0)
      texts.remarks.push_back(rule.id + ": users, networks, older and priority cannot be said, and are left out");
    const auto patterns = patterns_of(rule, texts.remarks);
    if (patterns.empty()) continue;
    // A rule for each period.
    const size_t periods = std::max<size_t>(1, rule.captured.size());
    for (size_t i = 0; i < periods; ++i) {
      const auto captured = rule.captured.empty() ? rule.captured : std::vector{rule.captured[i]};
      json one = {{"id", ++id},
                  {"policyId", writer.policy(points)},
                  {"urlPatterns", patterns},
                  {"captured", range_json(captured)},
                  {"accessed", range_json(rule.accessed)},
                  {"publicMessage", rule.message},
                  {"privateComment", rule.comment},
                  {"reason", rule.reason},
                  {"creator", rule.made.by},
                  {"pinned", false}};
      if (rule.newer)
        one["period"] = {{"years", rule.newer->years}, {"months", rule.newer->months}, {"days", rule.newer->days}};
      rules.push_back(std::move(one));
    }
    if (rule.accessed.size() > 1) texts.remarks.push_back(rule.id + ": of its times of access the first one is kept");
  }
  using Handler = json::error_handler_t;
  texts.rules = rules.dump(2, ' ', false, Handler::replace) + '\n';
  texts.policies = writer.policies().dump(2, ' ', false, Handler::replace) + '\n';
  return texts;
}

}  // namespace caddis::viewing
