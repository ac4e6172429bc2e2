#include "caddis/url/key_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/io/digest.h"
#include "caddis/url/key_notation.h"
#include "caddis/url/key_rules.h"

namespace caddis::url {
namespace {

constexpr size_t kTimestamp = 14;

// The first timestamp that is later than all that begin so; nothing behind 9999.
std::optional<std::string> behind(std::string date) {
  size_t at = date.size();
  while (at > 0 && date[at - 1] == '9') date[--at] = '0';
  if (at == 0) return std::nullopt;
  ++date[at - 1];
  date.resize(kTimestamp, '0');
  return date;
}

std::vector<KeyPeriod> periods_of(const std::vector<KeyStep>& steps) {
  std::set<std::string> starts = {""};
  for (const KeyStep& step : steps) {
    for (const KeyGuard& guard : step.guards) {
      if (!guard.from().empty()) {
        std::string from = guard.from();
        from.resize(kTimestamp, '0');
        starts.insert(std::move(from));
      }
      if (!guard.to().empty())
        if (auto end = behind(guard.to())) starts.insert(*std::move(end));
    }
  }
  std::vector<KeyPeriod> periods;
  for (const std::string& start : starts) {
    if (!periods.empty()) periods.back().to = start;
    periods.push_back({start, {}});
  }
  return periods;
}

ShortWay short_way_of(const std::vector<KeyStep>& list, std::string_view steps) {
  static const std::string_view kExact = "whatwg-parse strip-fragment write-url";
  static const std::string_view kCaddis =
      "whatwg-parse strip-fragment strip-userinfo strip-session-ids strip-empty-query write-url";
  if (steps == kExact) return ShortWay::exact;
  if (steps == kCaddis) return ShortWay::caddis;
  const bool is_text = steps.starts_with(kExact) && steps[kExact.size()] == ' ' && list.size() > 3;
  return is_text ? ShortWay::text : ShortWay::none;
}

std::shared_ptr<const KeyRules> compile(ReadNotation read) {
  auto rules = std::make_shared<KeyRules>();
  rules->notation = std::move(read.notation);
  rules->list = std::move(read.steps);
  rules->steps = write_steps(rules->list);
  rules->hash = to_hex(io::sha256(rules->steps)).substr(0, 16);
  for (size_t i = 0; i < rules->list.size(); ++i) {
    const KeyStep& step = rules->list[i];
    if (step.kind->stage == StepStage::parse) rules->parse_at = i;
    if (step.kind->stage == StepStage::write) rules->write_at = i;
    rules->is_guarded = rules->is_guarded || !step.guards.empty();
  }
  rules->short_way = short_way_of(rules->list, rules->steps);
  rules->periods = periods_of(rules->list);
  return rules;
}

KeyPolicy shipped(std::string_view name) {
  auto made = KeyPolicy::parse(name);
  CADDIS_CHECK(made.has_value());
  return *std::move(made);
}

}  // namespace

bool KeyStep::holds(const GuardFacts& facts) const {
  return std::ranges::all_of(guards, [&](const KeyGuard& guard) { return guard.holds(facts); });
}

std::string KeyStep::write() const {
  std::string out(kind->name);
  if (!made.arguments.empty()) out.append("(").append(made.arguments).append(")");
  for (const KeyGuard& guard : guards) out += guard.write();
  return out;
}

Result<KeyPolicy> KeyPolicy::parse(std::string_view notation) {
  auto read = read_notation(notation);
  if (!read) return pass(std::move(read).error(), "key policy");
  return KeyPolicy(compile(*std::move(read)));
}

const KeyPolicy& KeyPolicy::caddis() {
  static const KeyPolicy policy = shipped("caddis");
  return policy;
}

const KeyPolicy& KeyPolicy::ia_surt() {
  static const KeyPolicy policy = shipped("ia-surt");
  return policy;
}

std::vector<std::string> KeyPolicy::shipped_names() {
  std::vector<std::string> names;
  for (const ShippedPolicy& policy : shipped_policies()) names.emplace_back(policy.name);
  return names;
}

const std::string& KeyPolicy::notation() const { return rules_->notation; }
const std::string& KeyPolicy::steps() const { return rules_->steps; }
const std::string& KeyPolicy::hash() const { return rules_->hash; }
const std::vector<KeyPeriod>& KeyPolicy::periods() const { return rules_->periods; }
KeyForm KeyPolicy::form() const { return rules_->list[rules_->write_at].kind->form; }

std::string KeyPolicy::record() const {
  const std::string list = ": " + rules_->steps;
  const std::string_view name = rules_->notation;
  const bool has_list = name.ends_with(list);
  return fmt::format("{}{} (sha256 {})", name, has_list ? "" : list, rules_->hash);
}

}  // namespace caddis::url
