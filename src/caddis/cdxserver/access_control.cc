// Rules are kept as the JSON that was sent, in one form, beside what is made of it once: prefixes of sortable URLs (SSURT), as
// OutbackCDX makes them, and times. A change makes another state, so that answers that are being sent go on with theirs.
#include "caddis/cdxserver/access_control.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caddis/base/hash.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/url/canonicalize.h"
#include "caddis/url/key_policy.h"

namespace caddis::cdxserver {
namespace {

using nlohmann::ordered_json;
using namespace std::chrono;

constexpr uint64_t kLargestFile = 256 << 20;
constexpr size_t kMostRules = 200'000;
constexpr size_t kMostQuestions = 10'000;       // of one request
constexpr size_t kLongestDecisions = 16 << 20;  // bytes that answer them
constexpr int kMostLevels = 16;                 // of JSON that is sent
constexpr const char* kRuleFields[] = {
    "id",     "policyId",       "urlPatterns", "captured", "accessed", "period",  "publicMessage", "enabled",
    "pinned", "privateComment", "externalId",  "reason",   "created",  "creator", "modified",      "modifier"};

// Values are written by calls for each of their levels, so there may be few of them. ErrorCode::parse.
Result<ordered_json> parse_json(std::string_view text) {
  bool is_too_deep = false;
  const auto keep = [&](int depth, ordered_json::parse_event_t, const ordered_json&) {
    is_too_deep = is_too_deep || depth > kMostLevels;
    return depth <= kMostLevels;
  };
  auto json = ordered_json::parse(text, keep, false);
  if (is_too_deep) return fail(ErrorCode::parse, fmt::format("this JSON has more than {} levels", kMostLevels));
  if (json.is_discarded()) return fail(ErrorCode::parse, "this is no JSON");
  return json;
}

// Aggressive, so that a rule holds for all ways in which a URL is written.
const url::KeyPolicy& rule_policy() {
  static const url::KeyPolicy policy = *url::KeyPolicy::parse(
      "access/1: whatwg-parse strip-fragment strip-userinfo https-as-http strip-www lowercase-parts strip-session-ids "
      "strip-trailing-slash strip-empty-query write-ssurt");
  return policy;
}

std::string sortable(std::string_view url) {
  const bool has_scheme = url.find(':') != std::string_view::npos && url.find(':') < url.find_first_of("/?#.");
  const std::string whole = has_scheme ? std::string(url) : "http://" + std::string(url);
  auto key = url::canonicalize(rule_policy(), whole);
  return key ? *std::move(key) : to_lower(url);
}

// A pattern as a prefix; that of a whole URL ends with a blank, which ends every URL.
std::string prefix_of(std::string_view pattern) {
  if (pattern == "*") return {};
  if (pattern.starts_with("*.")) {
    std::string out;
    auto labels = split(pattern.substr(2), '.');
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) out += to_lower(*label) + ',';
    return out;
  }
  if (pattern.ends_with('*')) return sortable(pattern.substr(0, pattern.size() - 1));
  return sortable(pattern) + ' ';
}

// "2015-08-01T01:00:00+1000", "…+10:00", "…Z", or milliseconds.
std::optional<WallTime> time_of(const ordered_json& value) {
  if (value.is_number_integer()) return WallTime(milliseconds(value.get<int64_t>()));
  if (!value.is_string()) return std::nullopt;
  std::string text = value.get<std::string>();
  const size_t sign = text.find_last_of("+-");
  if (sign != std::string::npos && text.find('T') < sign && text.find(':', sign) == std::string::npos &&
      text.size() == sign + 5)
    text.insert(sign + 3, ":");
  const auto time = parse_w3c_date(text);
  return time ? std::optional(*time) : std::nullopt;
}

std::string written(WallTime time) {
  std::string text = rfc3339_millis(time);
  text.pop_back();
  return text + "+00:00";
}

struct Span {
  std::optional<WallTime> start, end;  // both are outside of it

  bool contains(WallTime time) const { return (!start || *start < time) && (!end || *end > time); }
};

struct Length {
  int years = 0, months = 0, days = 0;
  bool empty() const { return years == 0 && months == 0 && days == 0; }
};

// By the calendar: a month behind the 31st of January is the last of February.
WallTime behind(WallTime time, const Length& length) {
  const auto day = floor<std::chrono::days>(time);
  year_month_day date = year_month_day(day) + years(length.years) + months(length.months);
  if (!date.ok()) date = date.year() / date.month() / last;
  return WallTime(sys_days(date)) + std::chrono::days(length.days) + (time - day);
}

struct Rule {
  ordered_json json;
  int64_t policy = 0;
  std::vector<std::string> prefixes;
  Span captured, accessed;
  Length period;

  bool holds(WallTime capture, WallTime now) const {
    return captured.contains(capture) && accessed.contains(now) && (period.empty() || now < behind(capture, period));
  }
};

struct Policy {
  ordered_json json;
  std::set<std::string, std::less<>> points;
};

std::string text_in(const ordered_json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::unexpected<Error> no_rule(const std::string& why) { return fail(ErrorCode::parse, "this is no rule: " + why); }

Result<Span> read_span(ordered_json& rule, const char* name) {
  Span span;
  ordered_json& value = rule[name];
  if (value.is_null()) return span;
  if (!value.is_object()) return no_rule(fmt::format("'{}' has start and end", name));
  ordered_json normal = {{"start", nullptr}, {"end", nullptr}};
  for (auto& [side, time] : value.items()) {
    if (side != "start" && side != "end") return no_rule(fmt::format("'{}' has start and end, and no {}", name, side));
    if (time.is_null()) continue;
    const auto read = time_of(time);
    if (!read) return no_rule(fmt::format("'{}' of '{}' is no time: 2015-08-01T01:00:00+10:00 is", side, name));
    (side == "start" ? span.start : span.end) = *read;
    normal[side] = written(*read);
  }
  value = std::move(normal);
  return span;
}

Result<Length> read_length(ordered_json& rule) {
  Length length;
  ordered_json& value = rule["period"];
  if (value.is_null()) return length;
  if (!value.is_object()) return no_rule("'period' has years, months and days");
  for (const auto& [name, number] :
       {std::pair("years", &length.years), {"months", &length.months}, {"days", &length.days}}) {
    const auto found = value.find(name);
    if (found == value.end() || found->is_null()) continue;
    if (!found->is_number_integer() || found->get<int64_t>() < 0 || found->get<int64_t>() > 10'000)
      return no_rule(fmt::format("'{}' is a whole number up to 10000", name));
    *number = found->get<int>();
  }
  value = {{"years", length.years}, {"months", length.months}, {"days", length.days}};
  return length;
}

// A rule in the order and form in which it is kept; its patterns may be wrong (`errors_of`).
Result<Rule> read_rule(const ordered_json& sent) {
  if (!sent.is_object()) return no_rule("it is no object");
  Rule rule;
  for (const char* const name : kRuleFields) rule.json[name] = nullptr;
  for (const auto& [name, value] : sent.items()) {
    if (!rule.json.contains(name)) return no_rule(fmt::format("it has a field '{}', which rules do not have", name));
    rule.json[name] = value;
  }
  for (const char* const name : {"enabled", "pinned"})
    if (!rule.json[name].is_boolean()) rule.json[name] = false;
  for (const char* const name : {"publicMessage", "privateComment", "externalId", "reason", "creator", "modifier"})
    if (!rule.json[name].is_null() && !rule.json[name].is_string()) return no_rule(fmt::format("'{}' is a text", name));
  for (const char* const name : {"id", "policyId"})
    if (!rule.json[name].is_null() && !rule.json[name].is_number_integer())
      return no_rule(fmt::format("'{}' is a number", name));
  if (rule.json["urlPatterns"].is_null()) rule.json["urlPatterns"] = ordered_json::array();
  if (!rule.json["urlPatterns"].is_array()) return no_rule("'urlPatterns' is a list of texts");
  for (const auto& pattern : rule.json["urlPatterns"]) {
    if (!pattern.is_string()) return no_rule("'urlPatterns' is a list of texts");
    rule.prefixes.push_back(prefix_of(pattern.get<std::string>()));
  }
  TRY(rule.captured, read_span(rule.json, "captured"));
  TRY(rule.accessed, read_span(rule.json, "accessed"));
  TRY(rule.period, read_length(rule.json));
  rule.policy = rule.json["policyId"].is_null() ? -1 : rule.json["policyId"].get<int64_t>();
  return rule;
}

void add_errors(const Rule& rule, ordered_json& errors) {
  const auto add = [&](int index, const char* message) {
    errors.push_back({{"ruleId", rule.json["id"]}, {"patternIndex", index}, {"message", message}});
  };
  int index = 0;
  for (const auto& one : rule.json["urlPatterns"]) {
    const std::string pattern = one.get<std::string>();
    if (pattern.starts_with("*.") && pattern.find('/') != std::string::npos)
      add(index, "can't use a domain wildcard with path");
    else if (pattern.empty())
      add(index, "URL pattern can't be blank");
    ++index;
  }
  if (rule.prefixes.empty()) add(-1, "rule must have at least one URL pattern");
}

Result<Policy> read_policy(const ordered_json& sent) {
  const auto wrong = [] {
    return fail(ErrorCode::parse, "this is no policy: it has a name and accessPoints, a list of texts");
  };
  if (!sent.is_object()) return wrong();
  Policy policy;
  policy.json = {{"id", nullptr}, {"name", nullptr}, {"accessPoints", ordered_json::array()}};
  for (const auto& [name, value] : sent.items()) {
    if (!policy.json.contains(name)) return wrong();
    policy.json[name] = value;
  }
  const auto& id = policy.json["id"];
  const auto& called = policy.json["name"];
  const bool has_name = called.is_null() || called.is_string();
  if (!(id.is_null() || id.is_number_integer()) || !has_name || !policy.json["accessPoints"].is_array()) return wrong();
  for (const auto& point : policy.json["accessPoints"]) {
    if (!point.is_string()) return wrong();
    policy.points.insert(point.get<std::string>());
  }
  policy.json["accessPoints"] = policy.points;
  return policy;
}

std::string text_of(const ordered_json& value, int indent = -1) {
  return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

std::string tag_of(std::string_view text) { return fmt::format("\"{:016x}\"", siphash(text, 0, 0)); }

// The answer for what got these numbers; null is one that it had before.
AccessControl::Put put_of(const ordered_json& ids, bool is_single) {
  if (!is_single) return {false, false, text_of(ids)};
  if (ids.front().is_null()) return {};
  return {false, true, fmt::format(R"({{"id":"{}"}})", ids.front().get<int64_t>())};
}

std::string csv_text(const ordered_json& value) {
  if (!value.is_string()) return {};
  std::string out = "\"";
  for (const char c : value.get<std::string>()) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

}  // namespace

struct AccessControl::State {
  std::map<int64_t, Rule> rules;
  std::map<int64_t, Policy> policies;
  int64_t next_rule = 0, next_policy = 0;
  std::string tag;                                                  // of its text
  std::unordered_map<std::string, std::vector<int64_t>> by_prefix;  // numbers of rules, ascending
  std::set<size_t> lengths;                                         // of the prefixes

  static Result<std::shared_ptr<State>> read(std::string_view text) {
    const auto json = ordered_json::parse(text, nullptr, false);
    const auto wrong = [] { return fail(ErrorCode::corrupt, "it is no file of access rules of an index"); };
    if (!json.is_object() || !json.contains("rules") || !json.contains("policies")) return wrong();
    if (!json["rules"].is_array() || !json["policies"].is_array()) return wrong();
    auto state = std::make_shared<State>();
    for (const auto& one : json["policies"]) {
      TRY(auto policy, read_policy(one));
      if (policy.json["id"].is_null()) return wrong();
      state->put(std::move(policy));
    }
    for (const auto& one : json["rules"]) {
      TRY(auto rule, read_rule(one));
      if (rule.json["id"].is_null()) return wrong();
      state->put(std::move(rule));
    }
    for (const auto& [name, next] : {std::pair("nextRule", &state->next_rule), {"nextPolicy", &state->next_policy}})
      if (json.contains(name) && json[name].is_number_integer()) *next = std::max(*next, json[name].get<int64_t>());
    state->link();
    return state;
  }

  std::string write() const {
    ordered_json json = {{"version", 1},
                         {"nextRule", next_rule},
                         {"nextPolicy", next_policy},
                         {"policies", ordered_json::array()},
                         {"rules", ordered_json::array()}};
    for (const auto& [id, policy] : policies) json["policies"].push_back(policy.json);
    for (const auto& [id, rule] : rules) json["rules"].push_back(rule.json);
    return text_of(json, 1) + '\n';
  }

  void put(Rule rule) {
    const int64_t id = rule.json["id"].get<int64_t>();
    next_rule = std::max(next_rule, id + 1);
    rules.insert_or_assign(id, std::move(rule));
  }
  void put(Policy policy) {
    const int64_t id = policy.json["id"].get<int64_t>();
    next_policy = std::max(next_policy, id + 1);
    policies.insert_or_assign(id, std::move(policy));
  }

  void link() {
    by_prefix.clear();
    lengths.clear();
    for (const auto& [id, rule] : rules) {
      for (const std::string& prefix : rule.prefixes) {
        auto& numbers = by_prefix[prefix];
        if (numbers.empty() || numbers.back() != id) numbers.push_back(id);
        lengths.insert(prefix.size());
      }
    }
  }

  // Rules whose pattern fits, the longest last.
  std::vector<const Rule*> about(std::string_view url) const {
    std::vector<const Rule*> found;
    const std::string key = sortable(url) + ' ';
    for (const size_t length : lengths) {
      if (length > key.size()) break;
      const auto numbers = by_prefix.find(key.substr(0, length));
      if (numbers == by_prefix.end()) continue;
      for (const int64_t id : numbers->second) found.push_back(&rules.at(id));
    }
    return found;
  }

  static const Rule* deciding(const std::vector<const Rule*>& about, WallTime capture, WallTime now) {
    for (auto rule = about.rbegin(); rule != about.rend(); ++rule)
      if ((*rule)->holds(capture, now)) return *rule;
    return nullptr;
  }
  bool shows(const Rule* rule, std::string_view point) const {
    const auto policy = rule == nullptr ? policies.end() : policies.find(rule->policy);
    return policy == policies.end() || policy->second.points.contains(point);
  }

  std::vector<const Rule*> in_order(const RuleOrder& order) const {
    std::vector<const Rule*> listed;
    const std::string search = to_lower(order.search);
    for (const auto& [id, rule] : rules) {
      std::string text;
      for (const auto& pattern : rule.json["urlPatterns"]) text += pattern.get<std::string>() + '\n';
      for (const char* const name : {"privateComment", "publicMessage", "externalId", "reason"})
        text += text_in(rule.json, name) + '\n';
      if (search.empty() || to_lower(text).find(search) != std::string::npos) listed.push_back(&rule);
    }
    const auto place = [](const Rule* rule) {
      const std::string first = rule->prefixes.empty() ? std::string() : rule->prefixes.front();
      return std::tuple(!rule->json["pinned"].get<bool>(), first, rule->json["id"].get<int64_t>());
    };
    if (order.by_pattern) std::ranges::sort(listed, {}, place);
    if (order.is_reversed) std::ranges::reverse(listed);
    return listed;
  }
};

AccessControl::AccessControl(io::Files& files, std::string path, std::shared_ptr<const State> state, bool is_kept)
    : files_(files), path_(std::move(path)), state_(std::move(state)), is_kept_(is_kept) {}
AccessControl::~AccessControl() = default;

Result<std::unique_ptr<AccessControl>> AccessControl::open(io::Files& files, std::string path) {
  std::shared_ptr<State> state;
  const bool is_kept = files.exists(path);
  if (is_kept) {
    TRY(const std::string text, files.read_all(path, kLargestFile));
    auto read = State::read(text);
    if (!read) return pass(std::move(read).error(), path);
    state = *std::move(read);
  } else {
    state = std::make_shared<State>();
    for (const char* const policy : {R"({"id":0,"name":"Public","accessPoints":["public","staff"]})",
                                     R"({"id":1,"name":"Staff Only","accessPoints":["staff"]})",
                                     R"({"id":2,"name":"No Access","accessPoints":[]})"})
      state->put(*read_policy(ordered_json::parse(policy)));
  }
  state->tag = tag_of(state->write());
  return std::unique_ptr<AccessControl>(new AccessControl(files, std::move(path), std::move(state), is_kept));
}

std::shared_ptr<const AccessControl::State> AccessControl::state() const {
  const std::scoped_lock lock(mutex_);
  return state_;
}

Result<void> AccessControl::change_to(std::shared_ptr<State> state) {
  const std::string text = state->write();
  state->tag = tag_of(text);
  TRY_VOID(files_.write_atomically(path_, text));
  const std::scoped_lock lock(mutex_);
  state_ = std::move(state);
  is_kept_ = true;
  return {};
}

std::string AccessControl::text() const { return state()->write(); }
std::string AccessControl::tag() const { return state()->tag; }

Result<void> AccessControl::replace(std::string_view text) {
  TRY(auto state, State::read(text));
  const std::scoped_lock lock(changing_);
  return change_to(std::move(state));
}

bool AccessControl::is_kept() const {
  const std::scoped_lock lock(mutex_);
  return is_kept_;
}

std::function<bool(const cdx::Capture&)> AccessControl::shown_at(std::string point, WallTime now) const {
  // Captures of one URL follow each other.
  struct Asker {
    std::shared_ptr<const State> state;
    std::string point, url;
    WallTime now;
    std::vector<const Rule*> rules;
  };
  auto asker = std::make_shared<Asker>(state(), std::move(point), std::string(), now, std::vector<const Rule*>());
  return [asker](const cdx::Capture& capture) {
    if (asker->state->rules.empty()) return true;
    if (capture.url != asker->url) {
      asker->url = capture.url;
      asker->rules = asker->state->about(capture.url);
    }
    if (asker->rules.empty()) return true;
    const auto time = parse_timestamp(capture.timestamp);
    return asker->state->shows(State::deciding(asker->rules, time ? *time : WallTime(), asker->now), asker->point);
  };
}

Result<std::string> AccessControl::decision(const std::string& point, std::string_view url, std::string_view timestamp,
                                            WallTime now) const {
  const auto time = parse_timestamp(timestamp);
  if (!time) return fail(ErrorCode::parse, fmt::format("timestamp={}: 14 digits are wanted", timestamp));
  const auto held = state();
  const Rule* const rule = State::deciding(held->about(url), *time, now);
  return text_of({{"allowed", held->shows(rule, point)},
                  {"rule", rule == nullptr ? ordered_json(nullptr) : rule->json},
                  {"publicMessage", rule == nullptr ? ordered_json(nullptr) : rule->json["publicMessage"]}});
}

Result<std::string> AccessControl::decisions(const std::string& point, std::string_view questions, WallTime now) const {
  TRY(const auto asked, parse_json(questions));
  if (!asked.is_array()) return fail(ErrorCode::parse, R"(a JSON array is wanted: [{"url":…,"timestamp":…}])");
  if (asked.size() > kMostQuestions)
    return fail(ErrorCode::limit,
                fmt::format("these are {} questions: ask up to {} at once", asked.size(), kMostQuestions));
  std::string all = "[";
  for (const auto& one : asked) {
    if (!one.is_object() || text_in(one, "url").empty())
      return fail(ErrorCode::parse, R"(each question is an object: {"url":…,"timestamp":…})");
    TRY(const std::string told, decision(point, text_in(one, "url"), text_in(one, "timestamp"), now));
    all += (all.size() > 1 ? "," : "") + told;
    if (all.size() > kLongestDecisions)
      return fail(ErrorCode::limit,
                  "the answer is longer than 16 MB, since rules are long: ask fewer questions at once");
  }
  return all + "]";
}

std::string AccessControl::rules(const RuleOrder& order) const {
  const auto held = state();
  std::string all = "[";
  for (const Rule* const rule : held->in_order(order)) all += (all.size() > 1 ? ",\n" : "") + text_of(rule->json);
  return all + "]";
}

std::string AccessControl::rules_csv(const RuleOrder& order) const {
  const auto held = state();
  std::string all =
      "ruleId,policyId,patterns,accessedFrom,accessedTo,capturedFrom,capturedTo,period,publicMessage,privateComment,"
      "externalId,reason,pinned,created,creator,modified,modifier\r\n";
  for (const Rule* const rule : held->in_order(order)) {
    const ordered_json& json = rule->json;
    const auto policy = held->policies.find(rule->policy);
    std::string patterns;
    for (const auto& one : json["urlPatterns"]) patterns += (patterns.empty() ? "" : " ") + one.get<std::string>();
    const auto span = [&](const char* name) {
      const ordered_json& value = json[name];
      return value.is_object() ? csv_text(value["start"]) + ',' + csv_text(value["end"]) : std::string(",");
    };
    const Length& length = rule->period;
    std::string period = length.empty() ? "" : fmt::format("\"P{}Y{}M{}D\"", length.years, length.months, length.days);
    all += fmt::format("{},{},{},{},{},{}", json["id"].get<int64_t>(),
                       policy == held->policies.end() ? std::string() : csv_text(policy->second.json["name"]),
                       csv_text(patterns), span("accessed"), span("captured"), period);
    for (const char* const name : {"publicMessage", "privateComment", "externalId", "reason"})
      all += ',' + csv_text(json[name]);
    all += json["pinned"].get<bool>() ? ",Y" : ",N";
    for (const char* const name : {"created", "creator", "modified", "modifier"}) all += ',' + csv_text(json[name]);
    all += "\r\n";
  }
  return all;
}

std::string AccessControl::policies() const {
  ordered_json all = ordered_json::array();
  for (const auto& [id, policy] : state()->policies) all.push_back(policy.json);
  return text_of(all);
}

std::optional<std::string> AccessControl::rule(int64_t id) const {
  const auto held = state();
  const auto found = held->rules.find(id);
  return found == held->rules.end() ? std::nullopt : std::optional(text_of(found->second.json));
}

std::optional<std::string> AccessControl::policy(int64_t id) const {
  const auto held = state();
  const auto found = held->policies.find(id);
  return found == held->policies.end() ? std::nullopt : std::optional(text_of(found->second.json));
}

std::string AccessControl::empty_rule() { return text_of(read_rule(ordered_json::object())->json); }

Result<AccessControl::Put> AccessControl::put_rules(std::string_view text, std::string_view user, WallTime now) {
  TRY(const auto sent, parse_json(text));
  const bool is_single = !sent.is_array();
  std::vector<Rule> rules;
  ordered_json errors = ordered_json::array();
  const std::scoped_lock lock(changing_);
  auto changed = std::make_shared<State>(*state());
  for (const auto& one : is_single ? ordered_json::array({sent}) : sent) {
    TRY(Rule rule, read_rule(one));
    if (!changed->policies.contains(rule.policy))
      return fail(ErrorCode::parse, fmt::format("no such policyId: {}", text_of(rule.json["policyId"])));
    add_errors(rule, errors);
    rules.push_back(std::move(rule));
  }
  if (!errors.empty()) return Put{true, false, text_of(errors)};
  if (changed->rules.size() + rules.size() > kMostRules)
    return fail(ErrorCode::limit, fmt::format("an index has {} rules at most", kMostRules));
  ordered_json ids = ordered_json::array();
  for (Rule& rule : rules) {
    const bool is_new = rule.json["id"].is_null();
    if (is_new) rule.json["id"] = changed->next_rule;
    const auto known = changed->rules.find(rule.json["id"].get<int64_t>());
    rule.json["created"] = known == changed->rules.end() ? ordered_json(written(now)) : known->second.json["created"];
    rule.json["creator"] = known == changed->rules.end() ? ordered_json(user) : known->second.json["creator"];
    rule.json["modified"] = written(now);
    rule.json["modifier"] = user;
    ids.push_back(is_new ? rule.json["id"] : ordered_json(nullptr));
    changed->put(std::move(rule));
  }
  changed->link();
  TRY_VOID(change_to(std::move(changed)));
  return put_of(ids, is_single);
}

Result<AccessControl::Put> AccessControl::put_policies(std::string_view text) {
  TRY(const auto sent, parse_json(text));
  const bool is_single = !sent.is_array();
  std::vector<Policy> policies;
  for (const auto& one : is_single ? ordered_json::array({sent}) : sent) {
    TRY(policies.emplace_back(), read_policy(one));
  }
  const std::scoped_lock lock(changing_);
  auto changed = std::make_shared<State>(*state());
  ordered_json ids = ordered_json::array();
  for (Policy& policy : policies) {
    const bool is_new = policy.json["id"].is_null();
    if (is_new) policy.json["id"] = changed->next_policy;
    ids.push_back(is_new ? policy.json["id"] : ordered_json(nullptr));
    changed->put(std::move(policy));
  }
  TRY_VOID(change_to(std::move(changed)));
  return put_of(ids, is_single);
}

Result<bool> AccessControl::remove_rule(int64_t id) {
  const std::scoped_lock lock(changing_);
  auto changed = std::make_shared<State>(*state());
  if (changed->rules.erase(id) == 0) return false;
  changed->link();
  TRY_VOID(change_to(std::move(changed)));
  return true;
}

}  // namespace caddis::cdxserver
