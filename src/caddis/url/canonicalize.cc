#include "caddis/url/canonicalize.h"

#include "caddis/url/key_rules.h"
#include "caddis/url/session_ids.h"
#include "caddis/url/steps.h"

namespace caddis::url {
namespace {

// Takes the steps from `begin` on.
Result<std::string> run(const KeyRules& rules, size_t begin, Draft draft) {
  for (size_t i = begin; i < rules.list.size() && !draft.final; ++i) TRY_VOID(rules.list[i].apply(draft));
  return std::move(draft.text);
}

// The same with those alone whose guards hold.
Result<std::string> run_guarded(const KeyRules& rules, size_t begin, Draft draft, const GuardFacts& facts) {
  for (size_t i = begin; i < rules.list.size() && !draft.final; ++i)
    if (rules.list[i].holds(facts)) TRY_VOID(rules.list[i].apply(draft));
  return std::move(draft.text);
}

bool parses_first(const KeyRules& rules) {
  return rules.parse_at == 0 && rules.list.front().kind->plain == &steps::whatwg_parse;
}

// Is the href without its fragment already its own key under `caddis`?
bool is_caddis_key(const Url& url) {
  if (url.has_userinfo() || (url.has_query() && url.search().empty())) return false;
  const std::string_view href = url.without_fragment();
  return !may_hold_session_id(href.substr(url.host().data() + url.host().size() - href.data()));
}

bool is_own_key(ShortWay way, const Url& url) {
  return way == ShortWay::caddis ? is_caddis_key(url) : way == ShortWay::exact;
}

Result<std::string> run_on(const KeyRules& rules, const Url& url, std::string_view timestamp) {
  Draft draft;
  size_t begin = 0;
  if (rules.short_way == ShortWay::text) {
    draft.text = url.without_fragment();
    begin = 3;
  } else if (parses_first(rules)) {
    read_parts(draft, url);
    begin = 1;
  } else {
    draft.text = url.href();
  }
  if (!rules.is_guarded) return run(rules, begin, std::move(draft));
  return run_guarded(rules, begin, std::move(draft), GuardFacts::of(&url, {}, timestamp));
}

Result<void> check_length(std::string_view url) {
  if (url.size() <= Url::kMaxLength) return {};
  return fail(ErrorCode::limit, "invalid URL: longer than 2 MiB");
}

// The URL under the hands of a step, as a text.
Result<std::string> shown(const Draft& draft, bool is_parts) {
  Draft copy = draft;
  if (is_parts && !draft.final) TRY_VOID(steps::write_url.apply(copy));
  return std::move(copy.text);
}

}  // namespace

Result<std::string> canonicalize(const KeyPolicy& policy, std::string_view url, std::string_view timestamp) {
  TRY_VOID(check_length(url));
  const KeyRules& rules = policy.rules();
  if (parses_first(rules)) {
    TRY(const Url parsed, Url::parse(url));
    return is_own_key(policy.rules().short_way, parsed) ? std::string(parsed.without_fragment())
                                                        : run_on(rules, parsed, timestamp);
  }
  Draft draft;
  draft.text = url;
  if (!rules.is_guarded) return run(rules, 0, std::move(draft));
  return run_guarded(rules, 0, std::move(draft), GuardFacts::of(nullptr, url, timestamp));
}

Result<std::string> crawl_key(const KeyPolicy& policy, const Url& url) {
  if (is_own_key(policy.rules().short_way, url)) return std::string(url.without_fragment());
  return run_on(policy.rules(), url, {});
}

Result<KeyExplanation> explain_key(const KeyPolicy& policy, std::string_view url, std::string_view timestamp) {
  TRY_VOID(check_length(url));
  const KeyRules& rules = policy.rules();
  const GuardFacts facts = GuardFacts::of(nullptr, url, timestamp);
  KeyExplanation explanation;
  Draft draft;
  draft.text = url;
  std::string before(url);
  for (size_t i = 0; i < rules.list.size() && !draft.final; ++i) {
    const KeyStep& step = rules.list[i];
    if (!step.holds(facts)) continue;
    TRY_VOID(step.apply(draft));
    TRY(std::string after, shown(draft, i >= rules.parse_at && i < rules.write_at));
    if (after == before) continue;
    explanation.changes.push_back({step.write(), before, after});
    before = std::move(after);
  }
  explanation.key = std::move(before);
  return explanation;
}

}  // namespace caddis::url
