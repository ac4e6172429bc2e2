#include "caddis/robots/policy.h"

#include "caddis/base/strings.h"

namespace caddis::robots {
namespace {

struct Named {
  std::string_view name;
  RobotsPolicy policy;
};
// The first name of a policy is its own; Heritrix's spellings follow.
constexpr Named kPolicies[] = {
    {"obey", RobotsPolicy::obey},
    {"classic", RobotsPolicy::obey},
    {"robots-txt-only", RobotsPolicy::robots_txt_only},
    {"robotsTxtOnly", RobotsPolicy::robots_txt_only},
    {"ignore", RobotsPolicy::ignore},
    {"custom", RobotsPolicy::custom},
    {"first-named", RobotsPolicy::first_named},
    {"firstNamed", RobotsPolicy::first_named},
    {"most-favored", RobotsPolicy::most_favored},
    {"mostFavored", RobotsPolicy::most_favored},
};

PolicyVerdict ask(const Robots& robots, std::string_view agent, std::string_view path) {
  return {robots.verdict(agent, path), agent, robots.crawl_delay(agent)};
}

PolicyVerdict judge_first_named(const PolicyContext& context, const Robots& site, std::string_view path) {
  if (context.candidates != nullptr) {
    for (const std::string& candidate : *context.candidates) {
      if (site.names(candidate)) return ask(site, candidate, path);
    }
  }
  return ask(site, context.user_agent, path);
}

PolicyVerdict judge_most_favored(const PolicyContext& context, const Robots& site, std::string_view path) {
  PolicyVerdict own = ask(site, context.user_agent, path);
  if (own.verdict.allowed || context.candidates == nullptr) return own;
  for (const std::string& candidate : *context.candidates) {
    PolicyVerdict favored = ask(site, candidate, path);
    if (favored.verdict.allowed) return favored;
  }
  return own;
}

}  // namespace

Result<RobotsPolicy> policy_from_name(std::string_view name) {
  std::vector<std::string> names;
  for (const Named& known : kPolicies) {
    if (known.name == name) return known.policy;
    names.emplace_back(known.name);
  }
  const std::string near = nearest_name(name, names);
  return fail(ErrorCode::config, "'" + std::string(name) + "' is no robots policy" +
                                     (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

std::string_view to_string(RobotsPolicy policy) {
  for (const Named& known : kPolicies) {
    if (known.policy == policy) return known.name;
  }
  return "";
}

bool obeys_nofollow(RobotsPolicy policy) {
  return policy != RobotsPolicy::ignore && policy != RobotsPolicy::robots_txt_only;
}

PolicyVerdict judge(const PolicyContext& context, const Robots& site, std::string_view path_and_query) {
  switch (context.policy) {
    case RobotsPolicy::obey:
    case RobotsPolicy::robots_txt_only:
      return ask(site, context.user_agent, path_and_query);
    case RobotsPolicy::ignore:
      return {{}, context.user_agent, std::nullopt};
    case RobotsPolicy::custom:
      return ask(context.custom != nullptr ? *context.custom : site, context.user_agent, path_and_query);
    case RobotsPolicy::first_named:
      return judge_first_named(context, site, path_and_query);
    case RobotsPolicy::most_favored:
      return judge_most_favored(context, site, path_and_query);
  }
  return ask(site, context.user_agent, path_and_query);
}

std::shared_ptr<const Robots> under_policy(RobotsPolicy policy,
                                           std::shared_ptr<const std::vector<std::string>> candidates,
                                           std::shared_ptr<const Robots> site) {
  if (policy != RobotsPolicy::first_named && policy != RobotsPolicy::most_favored) return site;
  return std::make_shared<const Robots>(site->judged_by(
      [policy, candidates](const Robots& plain, std::string_view agent, std::string_view path_and_query) {
        const PolicyContext context{.policy = policy, .user_agent = agent, .candidates = candidates.get()};
        return judge(context, plain, path_and_query).verdict;
      }));
}

}  // namespace caddis::robots
