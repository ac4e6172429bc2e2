#include "caddis/robots/policy.h"

namespace caddis::robots {
namespace {

PolicyVerdict ask(const Robots& robots, std::string_view agent, std::string_view path) {
  return {robots.verdict(agent, path), agent};
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

std::string_view to_string(RobotsPolicy policy) {
  switch (policy) {
    case RobotsPolicy::obey:
      return "obey";
    case RobotsPolicy::robots_txt_only:
      return "robots-txt-only";
    case RobotsPolicy::ignore:
      return "ignore";
    case RobotsPolicy::custom:
      return "custom";
    case RobotsPolicy::first_named:
      return "first-named";
    case RobotsPolicy::most_favored:
      return "most-favored";
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
      return {{}, context.user_agent};
    case RobotsPolicy::custom:
      return ask(context.custom != nullptr ? *context.custom : site, context.user_agent, path_and_query);
    case RobotsPolicy::first_named:
      return judge_first_named(context, site, path_and_query);
    case RobotsPolicy::most_favored:
      return judge_most_favored(context, site, path_and_query);
  }
  return ask(site, context.user_agent, path_and_query);
}

}  // namespace caddis::robots
