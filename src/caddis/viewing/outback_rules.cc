// OutbackCDX: a rule has a policy, and a policy the access points at which captures are shown. Here that is a rule that
// blocks for everybody, and if there are access points one for their groups that allows; "public" is everybody.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/viewing/foreign_rules.h"
#include "caddis/viewing/outback_names.h"
#include "caddis/viewing/rule_file.h"

namespace caddis::viewing {
namespace {

using nlohmann::json;

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

// "2015-08-01T01:00:00+1000" as 14 digits in UTC, up to the next second for a start; empty if there is none.
Result<std::string> time_of(const json& range, const char* name, bool is_start) {
  std::string text = text_of(range, name);
  if (text.empty()) return text;
  const size_t sign = text.find_last_of("+-");
  if (sign != std::string::npos && sign > text.find('T') && text.find(':', sign) == std::string::npos &&
      text.size() == sign + 5)
    text.insert(sign + 3, ":");
  TRY(const WallTime time, parse_w3c_date(text));
  return timestamp14(is_start ? WallTime(std::chrono::ceil<std::chrono::seconds>(time)) : time);
}

Result<void> read_range(const json& rule, const char* name, std::vector<TimeRange>& into) {
  const auto found = rule.find(name);
  if (found == rule.end() || !found->is_object()) return {};
  TimeRange range;
  TRY(range.from, time_of(*found, "start", true));
  TRY(range.to, time_of(*found, "end", false));
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
    const bool is_public = std::ranges::find(points, kPublicPoint) != points.end();
    rule.verdict = is_public ? Verdict::allow : Verdict::block;
    imported.list.rules.push_back(rule);
    if (is_public || points.empty()) continue;
    rule.id += kForGroups;
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

}  // namespace caddis::viewing
