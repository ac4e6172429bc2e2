#include "caddis/url/canonicalize.h"

#include <span>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/url/session_ids.h"
#include "caddis/url/steps.h"

namespace caddis::url {
namespace {

using namespace steps;

constexpr const Step* kCaddis[] = {&whatwg_parse,      &strip_fragment,    &strip_userinfo,
                                   &strip_session_ids, &strip_empty_query, &write_url};
constexpr const Step* kExact[] = {&whatwg_parse, &strip_fragment, &write_url};
constexpr const Step* kHeritrix[] = {
    &whatwg_parse, &strip_fragment,       &write_url,      &lowercase,  &heritrix_strip_userinfo,
    &strip_wwwn,   &heritrix_session_ids, &heritrix_cfids, &fixup_query};
constexpr const Step* kIaSurt[] = {&lenient_parse,
                                   &strip_fragment,
                                   &unescape,
                                   &normalize_host,
                                   &normalize_path,
                                   &escape,
                                   &strip_userinfo,
                                   &strip_default_port,
                                   &strip_host_wwwn,
                                   &lowercase_parts,
                                   &strip_path_session_ids,
                                   &strip_trailing_slash,
                                   &strip_query_session_ids,
                                   &sort_query,
                                   &write_surt_key};
constexpr const Step* kSsurt[] = {&whatwg_parse, &strip_fragment, &write_ssurt};

struct PolicyRow {
  Policy policy;
  std::string_view name;
  int version;
  std::span<const Step* const> steps;
};

const PolicyRow kPolicies[] = {
    {Policy::caddis, "caddis", 1, kCaddis},       {Policy::exact, "exact", 1, kExact},
    {Policy::heritrix, "heritrix", 1, kHeritrix}, {Policy::ia_surt, "ia-surt", 1, kIaSurt},
    {Policy::ssurt, "ssurt", 1, kSsurt},
};

const PolicyRow& row(Policy policy) { return kPolicies[static_cast<size_t>(policy)]; }

Result<std::string> run(std::span<const Step* const> steps, Draft draft) {
  for (const Step* step : steps) {
    if (draft.final) break;
    TRY_VOID(step->apply(draft));
  }
  return std::move(draft.text);
}

// Is the href without its fragment already its own key under `caddis`?
bool is_caddis_key(const Url& url) {
  if (url.has_userinfo() || (url.has_query() && url.search().empty())) return false;
  const std::string_view href = url.without_fragment();
  return !may_hold_session_id(href.substr(url.host().data() + url.host().size() - href.data()));
}

}  // namespace

Result<Policy> policy_from_name(std::string_view name) {
  std::vector<std::string> names;
  for (const PolicyRow& known : kPolicies) {
    if (known.name == name) return known.policy;
    names.emplace_back(known.name);
  }
  std::string message = "unknown canonicalization policy \"" + std::string(name) + "\"";
  const std::string nearest = nearest_name(name, names);
  if (!nearest.empty())
    message += "; did you mean \"" + nearest + "\"?";
  else
    message += "; there are caddis, exact, heritrix, ia-surt, ssurt";
  return fail(ErrorCode::config, std::move(message));
}

std::string_view to_string(Policy policy) { return row(policy).name; }

std::string policy_rules(Policy policy) {
  const PolicyRow& known = row(policy);
  std::string out = std::string(known.name) + "/" + std::to_string(known.version) + ":";
  for (const Step* step : known.steps) out.append(" ").append(step->name);
  return out;
}

Result<std::string> canonicalize(Policy policy, std::string_view url) {
  if (url.size() > Url::kMaxLength) return fail(ErrorCode::limit, "invalid URL: longer than 2 MiB");
  if (policy != Policy::ia_surt) {
    TRY(const Url parsed, Url::parse(url));
    return crawl_key(policy, parsed);
  }
  Draft draft;
  draft.text = url;
  return run(row(policy).steps, std::move(draft));
}

Result<std::string> crawl_key(Policy policy, const Url& url) {
  if (policy == Policy::exact || (policy == Policy::caddis && is_caddis_key(url)))
    return std::string(url.without_fragment());
  if (policy == Policy::ia_surt) return canonicalize(policy, url.href());
  Draft draft;
  if (policy == Policy::heritrix) {  // its rules work on the text, which is already written
    draft.text = url.without_fragment();
    return run(row(policy).steps.subspan(3), std::move(draft));
  }
  read_parts(draft, url);
  return run(row(policy).steps.subspan(1), std::move(draft));
}

}  // namespace caddis::url
