#include "caddis/scope/scope.h"

#include <fmt/format.h>

#include "caddis/scope/hops.h"

namespace caddis::scope {
namespace {

constexpr std::string_view kPrerequisite = "prerequisite";
constexpr std::string_view kOutOfScope = "out-of-scope";
constexpr std::string_view kNoRule = "no-rule";

}  // namespace

Result<std::unique_ptr<Scope>> Scope::create(const ScopeSettings& settings, const std::vector<url::Url>& seeds,
                                             const std::vector<ScopeKind>& also, const ReadFile& read) {
  TRY(SiteRules rules, SiteRules::create(settings, {}, read));
  std::vector<ScopeKind> kinds = rules.list->seed_kinds();
  kinds.insert(kinds.end(), also.begin(), also.end());
  return std::unique_ptr<Scope>(new Scope(std::move(rules), kinds, seeds));
}

Decision Scope::decide(const Candidate& candidate) const {
  if (candidate.hop_path.ends_with('P')) return {true, kPrerequisite, {}};
  const Ruling ruling = list_of(candidate).ask(candidate, seeds_);
  if (ruling.verdict == Verdict::none) return {false, kNoRule, {}};
  return {ruling.verdict == Verdict::accept, ruling.by->name(), ruling.detail};
}

void Scope::look_for(const std::vector<ScopeKind>& kinds) {
  for (const ScopeKind kind : kinds) seeds_.add_kind(kind);
}

bool Scope::becomes_seed(const Candidate& target) const {
  const std::string_view letters = hop_letters(target.hop_path);
  const int64_t hops = count_hops(target.hop_path);
  const bool is_shown = letters.size() == static_cast<size_t>(hops);
  const ScopeSettings& settings = target.rules != nullptr ? target.rules->settings : rules_.settings;
  if (seeds_.has_ended(target.source_seed) || seeds_.has_ended(target.url.without_fragment())) return false;
  return settings.seed_redirects && is_shown && hops > 0 && hops <= settings.max_seed_redirects &&
         count_redirects(letters) == hops;
}

std::string Scope::explain(const Candidate& candidate) const {
  if (candidate.hop_path.ends_with('P')) return "accepted by prerequisite: another URL that is in scope asks for it";
  const Ruling ruling = list_of(candidate).ask(candidate, seeds_);
  if (ruling.verdict == Verdict::none) return "rejected by no-rule: no rule says anything of it";
  const std::string_view word = ruling.verdict == Verdict::accept ? "accepted" : "rejected";
  if (ruling.by->name() == kOutOfScope)
    return fmt::format("{} by {}: no seed, include rule or page in scope leads to it", word, kOutOfScope);
  return fmt::format("{} by {}: {}", word, ruling.by->name(), ruling.by->explain(candidate, seeds_));
}

std::vector<Scope::Answered> Scope::explain_rules(const Candidate& candidate) const {
  std::vector<Answered> answers;
  for (const auto& rule : list_of(candidate).rules()) {
    Answered answer{rule.get(), rule->ask(candidate, seeds_), {}};
    if (answer.ruling.verdict != Verdict::none) answer.reason = answer.ruling.by->explain(candidate, seeds_);
    answers.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace caddis::scope
