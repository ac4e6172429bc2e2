#include "caddis/crawl/scope_question.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "caddis/config/seeds.h"
#include "caddis/config/settings_cache.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/scope/hops.h"
#include "caddis/scope/scope.h"
#include "caddis/scope/verdict_word.h"
#include "caddis/url/public_form.h"

namespace caddis::crawl {

Result<ScopeAnswer> explain_scope(CrawlState& state, const ScopeQuestion& question, WallTime now) {
  TRY(const url::Url url, config::parse_seed(question.url));
  if (!scope::is_hop_path(question.hops))
    return fail(ErrorCode::parse, fmt::format("hops '{}': a letter a hop, such as LLE", question.hops));
  const config::EffectiveSettings& site = state.effective->of(url);
  const std::string hops = question.hops.empty() && !question.is_seed ? "L" : question.hops;
  const scope::Candidate candidate{.url = url,
                                   .hop_path = hops,
                                   .via = question.via,
                                   .is_seed = question.is_seed,
                                   .rules = site.scope.get(),
                                   .source_seed = question.source_seed,
                                   .at = now};
  const scope::Decision decision = state.scope->decide(candidate);
  ScopeAnswer answer{.url = url::public_form(url.href()),
                     .accepted = decision.accepted,
                     .rule = std::string(decision.rule),
                     .detail = std::string(decision.detail),
                     .explanation = state.scope->explain(candidate),
                     .sheets = site.sheets,
                     .rules = {}};
  for (const scope::Scope::Answered& one : state.scope->explain_rules(candidate))
    answer.rules.push_back({.rule = fmt::format("{}", fmt::join(one.rule->lines(), "; ")),
                            .name = std::string(one.rule->name()),
                            .verdict = std::string(scope::word_of(one.ruling.verdict)),
                            .reason = one.reason});
  return answer;
}

}  // namespace caddis::crawl
