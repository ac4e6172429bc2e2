// What is done with a robots.txt: obeyed, or by the operator's decision not, or not quite. Heritrix's policies by their
// names. Pure functions; the caller records which policy was used (warcinfo) and whom it pretended to be.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/robots/robots.h"

namespace caddis::robots {

enum class RobotsPolicy {
  obey,             // robots.txt, and nofollow in pages
  classic = obey,   // Heritrix's older name
  robots_txt_only,  // robots.txt, but not nofollow in pages
  ignore,           // everything is allowed, without crawl delay
  custom,           // a robots.txt of the operator's in place of the site's
  first_named,      // as the first of several agents that the file names
  most_favored,     // allowed where any of several agents is
};

Result<RobotsPolicy> policy_from_name(std::string_view name);
std::string_view to_string(RobotsPolicy policy);
// Whether `nofollow` of meta elements and link attributes counts.
bool obeys_nofollow(RobotsPolicy policy);

// What the policies need besides the site's file; borrowed for the call.
struct PolicyContext {
  RobotsPolicy policy = RobotsPolicy::obey;
  std::string_view user_agent;                           // the crawler's own
  const std::vector<std::string>* candidates = nullptr;  // for first_named and most_favored, in order of preference
  const Robots* custom = nullptr;                        // for custom
};

struct PolicyVerdict {
  Verdict verdict;
  std::string_view
      agent;  // by whose rules: the own user agent or a candidate, to be presented if masquerading is wished
  std::optional<Duration> crawl_delay;
};

PolicyVerdict judge(const PolicyContext& context, const Robots& site, std::string_view path_and_query);

// The site's file, as one that answers verdict() by the policy first_named or most_favored; any other: as it is.
std::shared_ptr<const Robots> under_policy(RobotsPolicy policy,
                                           std::shared_ptr<const std::vector<std::string>> candidates,
                                           std::shared_ptr<const Robots> site);

}  // namespace caddis::robots
