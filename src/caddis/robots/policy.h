// What is done with a robots.txt: obeyed, or by the operator's decision not, or not quite. Heritrix's policies by their
// names. Pure functions, any thread; the caller records which policy was used (warcinfo).
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

// Returns the name that settings have for it.
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
  std::string_view agent;  // by whose rules: the own user agent or a candidate
};

PolicyVerdict judge(const PolicyContext& context, const Robots& site, std::string_view path_and_query);

}  // namespace caddis::robots
