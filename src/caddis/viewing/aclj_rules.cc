// pywb: "com,example)/a - {"access": "block"}", the longest key first; "###" behind a key is that URL alone, "*," is
// everything.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/viewing/foreign_rules.h"
#include "caddis/viewing/rule_file.h"

namespace caddis::viewing {
namespace {

using nlohmann::json;

constexpr std::string_view kExact = "###";
constexpr std::string_view kAll = "*,";
constexpr int kOverEmbargo = 1;  // priority of what ignores embargoes

std::string text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

Result<void> read_access(const json& object, Rule& rule) {
  const std::string access = text_of(object, "access");
  const bool over_embargo = access == "allow_ignore_embargo";
  const auto verdict = verdict_of(over_embargo ? "allow" : access);
  if (!verdict) return fail(ErrorCode::parse, fmt::format("access '{}' is not known", access));
  rule.verdict = *verdict;
  rule.priority = over_embargo ? kOverEmbargo : 0;
  return {};
}

Result<std::string> digits_of(const json& object, const char* name) {
  std::string digits;
  for (const char c : text_of(object, name))
    if (is_digit(c)) digits += c;
  if (digits.size() > 14) return fail(ErrorCode::parse, fmt::format("{} is no time", name));
  return digits;
}

std::optional<Period> period_of(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_object()) return std::nullopt;
  const auto number = [&](const char* unit) {
    const auto value = found->find(unit);
    return value != found->end() && value->is_number_integer() ? std::clamp<int>(value->get<int>(), 0, 10'000) : 0;
  };
  return Period{number("years"), number("months"), number("days") + 7 * number("weeks")};
}

Result<void> read_times(const json& object, Rule& rule) {
  TimeRange range;
  TRY(range.from, digits_of(object, "after"));
  TRY(range.to, digits_of(object, "before"));
  if (!range.from.empty() || !range.to.empty()) rule.captured.push_back(std::move(range));
  rule.newer = period_of(object, "newer");
  rule.older = period_of(object, "older");
  return {};
}

Result<Rule> read_line(std::string_view line, size_t number) {
  const size_t blank = line.find(' ');
  const size_t brace = line.find('{');
  if (blank == std::string_view::npos || brace == std::string_view::npos || brace < blank)
    return fail(ErrorCode::parse, "no line of the form 'surt - {json}'");
  const json object = json::parse(line.substr(brace), nullptr, false);
  if (!object.is_object()) return fail(ErrorCode::parse, "its JSON is no object");
  Rule rule;
  rule.id = fmt::format("aclj-{}", number);
  std::string_view key = line.substr(0, blank);
  if (key == kAll) {
    rule.subjects.push_back({Subject::Kind::all, "true"});
  } else if (key.ends_with(kExact)) {
    key.remove_suffix(kExact.size());
    const std::string url = text_of(object, "url");
    rule.subjects.push_back({Subject::Kind::url, url.empty() ? std::string(key) : url});
  } else {
    rule.subjects.push_back({Subject::Kind::prefix, std::string(key)});
  }
  TRY_VOID(read_access(object, rule));
  TRY_VOID(read_times(object, rule));
  if (const std::string user = text_of(object, "user"); !user.empty()) rule.users.push_back(user);
  rule.comment = text_of(object, "comment");
  return rule;
}

// The keys of what a rule is about.
std::vector<std::string> keys_of(const Rule& rule, std::vector<std::string>& remarks) {
  std::vector<std::string> keys;
  for (const Subject& subject : rule.subjects) {
    switch (subject.kind) {
      case Subject::Kind::all:
        keys.emplace_back(kAll);
        break;
      case Subject::Kind::url:
        keys.push_back(rule_key(subject.text) + std::string(kExact));
        break;
      case Subject::Kind::prefix:
        keys.push_back(subject.text);
        break;
      case Subject::Kind::host:
      case Subject::Kind::domain: {
        const std::string key = rule_key("http://" + subject.text + "/");
        const std::string host = key.substr(0, key.find(')'));
        keys.push_back(host + ")/");
        if (subject.kind == Subject::Kind::domain) keys.push_back(host + ',');
        break;
      }
      case Subject::Kind::regex:
        remarks.push_back(fmt::format("{}: the pattern '{}' cannot be said", rule.id, subject.text));
        break;
    }
  }
  return keys;
}

json object_of(const Rule& rule, size_t captured) {
  json object = {{"access", rule.verdict == Verdict::allow && rule.priority > 0
                                ? "allow_ignore_embargo"
                                : std::string(to_string(rule.verdict))}};
  for (const Subject& subject : rule.subjects)
    if (subject.kind == Subject::Kind::url) object["url"] = subject.text;
  if (captured < rule.captured.size()) {
    if (!rule.captured[captured].from.empty()) object["after"] = rule.captured[captured].from;
    if (!rule.captured[captured].to.empty()) object["before"] = rule.captured[captured].to;
  }
  const auto add = [&](const char* name, const std::optional<Period>& period) {
    if (period) object[name] = {{"years", period->years}, {"months", period->months}, {"days", period->days}};
  };
  add("newer", rule.newer);
  add("older", rule.older);
  if (!rule.comment.empty()) object["comment"] = rule.comment;
  return object;
}

}  // namespace

Result<ImportedRules> import_aclj(std::string_view text) {
  if (text.size() > kLargestRuleFile) return fail(ErrorCode::limit, "an .aclj of more than 64 MiB");
  ImportedRules imported;
  size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = trim(line);
    if (line.empty()) continue;
    if (imported.list.rules.size() >= kMostRules)
      return fail(ErrorCode::limit, fmt::format("an .aclj of more than {} rules", kMostRules));
    auto rule = read_line(line, number);
    if (!rule) return pass(std::move(rule).error(), fmt::format("line {}", number));
    imported.list.rules.push_back(*std::move(rule));
  }
  if (std::ranges::any_of(imported.list.rules, [](const Rule& rule) { return rule.verdict == Verdict::block; }))
    imported.remarks.emplace_back("what is blocked is left out of lists, too; pywb lists it");
  return imported;
}

ExportedRules export_aclj(const RuleList& list) {
  ExportedRules exported;
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Rule& rule : list.rules) {
    if (!rule.groups.empty() || !rule.networks.empty() || !rule.accessed.empty()) {
      exported.remarks.push_back(rule.id + ": groups, networks and times of access cannot be said; it is left out");
      continue;
    }
    const auto keys = keys_of(rule, exported.remarks);
    for (size_t i = 0; i < std::max<size_t>(1, rule.captured.size()); ++i) {
      json object = object_of(rule, i);
      for (size_t user = 0; user < std::max<size_t>(1, rule.users.size()); ++user) {
        if (!rule.users.empty()) object["user"] = rule.users[user];
        for (const std::string& key : keys)
          lines.emplace_back(key, " - " + object.dump(-1, ' ', false, json::error_handler_t::replace));
      }
    }
  }
  if (list.fallback != Verdict::allow)
    lines.emplace_back(kAll, fmt::format(" - {{\"access\":\"{}\"}}", to_string(list.fallback)));
  std::ranges::sort(lines, std::greater());
  for (const auto& [key, rest] : lines) exported.text += key + rest + '\n';
  return exported;
}

}  // namespace caddis::viewing
