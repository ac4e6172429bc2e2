// The settings of the section `robots`: what is done with robots.txt.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/robots/page_directives.h"
#include "caddis/robots/policy.h"
#include "caddis/settings/schema.h"

namespace caddis::robots {

// What a robots.txt means that cannot be had after all tries.
enum class WhenUnavailable { disallow, allow };

// Whether robots.txt counts for the parts of pages: pictures, style sheets, scripts.
enum class ForRequisites { obey, ignore };

struct RobotsSettings {
  RobotsPolicy policy = RobotsPolicy::obey;
  std::vector<std::string> agents;  // for first_named and most_favored, in order of preference
  std::vector<std::string> custom;  // for custom: the lines of a robots.txt
  WhenUnavailable unavailable = WhenUnavailable::disallow;
  ForRequisites requisites = ForRequisites::obey;
  WhenSaid noindex = WhenSaid::archive;
  WhenSaid noarchive = WhenSaid::archive;
  WhenSaid unavailable_after = WhenSaid::archive;
  Duration validity = std::chrono::hours(24);  // of a robots.txt that was fetched
};

// ErrorCode::config if the policy lacks what it needs.
Result<void> validate(const RobotsSettings& settings);

}  // namespace caddis::robots

namespace caddis::settings {
template <>
const Schema& schema_of<robots::RobotsSettings>();
}  // namespace caddis::settings
