#include "caddis/replay/fuzzy.h"

#include <algorithm>
#include <map>
#include <set>

#include <re2/re2.h>
#include <nlohmann/json.hpp>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/replay/assets.h"

namespace caddis::replay {
namespace {

constexpr size_t kMostParameters = 500;
constexpr size_t kMostRules = 10'000;

// "utm_*" is all that begins so.
bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == name;
}

std::string extension_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string() : to_lower(name.substr(dot + 1));
}

using Names = std::vector<std::string>;

Result<Names> names_of(const nlohmann::json& value, const std::string& where) {
  Names names;
  if (!value.is_array()) return fail(ErrorCode::config, where + " is a list of names");
  for (const auto& name : value) {
    if (!name.is_string()) return fail(ErrorCode::config, where + " is a list of names");
    names.push_back(to_lower(name.get<std::string>()));
  }
  return names;
}

}  // namespace

class FuzzyRules::Rule {
 public:
  static Result<std::shared_ptr<const Rule>> read(const nlohmann::json& json, const std::string& where) {
    if (!json.is_object()) return fail(ErrorCode::config, where + ": a rule is an object");
    auto rule = std::make_shared<Rule>();
    for (const auto& [key, value] : json.items()) TRY_VOID(rule->set(key, value, where));
    return std::shared_ptr<const Rule>(std::move(rule));
  }

  bool holds_for(const url::Url& url) const {
    const std::string_view host = url.hostname();
    if (!host_.empty() && host != host_ && !host.ends_with('.' + host_)) return false;
    if (!url.pathname().starts_with(path_)) return false;
    return extensions_.empty() || extensions_.contains(extension_of(url.pathname()));
  }
  bool ignores(std::string_view name, std::string_view value) const {
    const auto fits = [&](const std::string& pattern) { return matches(pattern, name); };
    if (!keep_.empty()) return std::ranges::none_of(keep_, fits);
    if (std::ranges::any_of(ignore_, fits)) return true;
    const auto known = values_.find(name);
    return known != values_.end() && RE2::FullMatch(value, *known->second);
  }
  bool is_query_free() const { return ignores_query_; }

 private:
  Result<void> set(const std::string& key, const nlohmann::json& value, const std::string& where) {
    const std::string place = where + ": '" + key + "'";
    if (key == "remark") return {};
    if (key == "host" || key == "path") {
      if (!value.is_string()) return fail(ErrorCode::config, place + " is a text");
      (key == "host" ? host_ : path_) = key == "host" ? to_lower(value.get<std::string>()) : value.get<std::string>();
      return {};
    }
    if (key == "ignore" || key == "keep") {
      TRY((key == "ignore" ? ignore_ : keep_), names_of(value, place));
      return {};
    }
    if (key == "extensions") {
      TRY(const Names names, names_of(value, place));
      extensions_.insert(names.begin(), names.end());
      return {};
    }
    if (key == "ignore-query") {
      if (!value.is_boolean()) return fail(ErrorCode::config, place + " is true or false");
      ignores_query_ = value.get<bool>();
      return {};
    }
    if (key == "ignore-values") return set_values(value, place);
    return fail(ErrorCode::config, where + ": there is no '" + key +
                                       "'; there are host, path, extensions, ignore, ignore-values, keep, "
                                       "ignore-query and remark");
  }

  Result<void> set_values(const nlohmann::json& value, const std::string& place) {
    if (!value.is_object()) return fail(ErrorCode::config, place + " is an object: a pattern for each name");
    RE2::Options options;
    options.set_log_errors(false);
    options.set_case_sensitive(false);
    for (const auto& [name, pattern] : value.items()) {
      if (!pattern.is_string()) return fail(ErrorCode::config, place + ": a pattern is a text");
      auto made = std::make_shared<const RE2>(pattern.get<std::string>(), options);
      if (!made->ok()) return fail(ErrorCode::config, place + ": " + made->error());
      values_[to_lower(name)] = std::move(made);
    }
    return {};
  }

  std::string host_, path_;
  std::set<std::string> extensions_;
  Names ignore_, keep_;
  std::map<std::string, std::shared_ptr<const RE2>, std::less<>> values_;
  bool ignores_query_ = false;
};

Result<void> FuzzyRules::add(std::string_view json) {
  const auto root = nlohmann::json::parse(json, nullptr, false);
  if (!root.is_object() || !root.contains("rules") || !root["rules"].is_array())
    return fail(ErrorCode::parse, "rules for replay are JSON: {\"rules\": [ … ]}");
  size_t number = 0;
  for (const auto& one : root["rules"]) {
    if (rules_.size() >= kMostRules) return fail(ErrorCode::limit, "there are more than 10000 rules");
    TRY(auto rule, Rule::read(one, "rule " + std::to_string(++number)));
    rules_.push_back(std::move(rule));
  }
  return {};
}

Result<FuzzyRules> FuzzyRules::parse(std::string_view json) {
  FuzzyRules all = standard();
  TRY_VOID(all.add(json));
  return all;
}

const FuzzyRules& FuzzyRules::standard() {
  static const FuzzyRules rules = [] {
    FuzzyRules made;
    const auto read = made.add(find_asset("fuzzy.json"));
    CADDIS_CHECK(read.has_value());
    return made;
  }();
  return rules;
}

std::string FuzzyRules::remainder(const url::Url& url) const {
  std::vector<const Rule*> rules;
  for (const auto& rule : rules_)
    if (rule->holds_for(url)) rules.push_back(rule.get());
  std::string_view query = url.search();
  if (query.starts_with('?')) query.remove_prefix(1);
  std::vector<std::string> left;
  size_t seen = 0;
  for (const std::string_view part : split(query, '&')) {
    if (part.empty() || ++seen > kMostParameters) continue;
    std::string parameter = to_lower(part);
    const std::string_view name = std::string_view(parameter).substr(0, parameter.find('='));
    const std::string_view value = std::string_view(parameter).substr(std::min(name.size() + 1, parameter.size()));
    if (std::ranges::none_of(rules, [&](const Rule* rule) { return rule->ignores(name, value); }))
      left.push_back(std::move(parameter));
  }
  std::ranges::sort(left);
  std::string remainder;
  for (const std::string& parameter : left) remainder += (remainder.empty() ? "" : "&") + parameter;
  return remainder;
}

bool FuzzyRules::is_query_free(const url::Url& url) const {
  return std::ranges::any_of(rules_, [&](const auto& rule) { return rule->is_query_free() && rule->holds_for(url); });
}

}  // namespace caddis::replay
