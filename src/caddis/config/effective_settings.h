// The settings that hold for a URL or a host: those of the crawl with the sheets laid over them that hold there.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/archive/settings.h"
#include "caddis/base/clock.h"
#include "caddis/config/reading_settings.h"
#include "caddis/config/request_settings.h"
#include "caddis/config/step_rules.h"
#include "caddis/dedup/settings.h"
#include "caddis/frontier/host_rules.h"
#include "caddis/logins/settings.h"
#include "caddis/modules/module_values.h"
#include "caddis/robots/robots.h"
#include "caddis/scope/candidate.h"
#include "caddis/scope/rules.h"

namespace caddis::extract {
class Plan;
}
namespace caddis::feeds {
class HopPath;
}

namespace caddis::logins {
class Accounts;
class SessionCheck;
}  // namespace caddis::logins

namespace caddis::config {

// How the robots.txt of a host is heeded.
struct HostRobots {
  robots::RobotsPolicy policy = robots::RobotsPolicy::obey;
  robots::WhenUnavailable unavailable = robots::WhenUnavailable::disallow;
  bool spares_requisites = false;  // it does not count for the parts of pages
  Duration validity{};
  std::string custom_text;
  std::shared_ptr<const robots::Robots> custom;  // the same, parsed
  std::shared_ptr<const std::vector<std::string>> agents;
  std::string product_token;  // the crawler's name in robots.txt
};

// The login for the host, if it is of the site of that.
struct HostLogin {
  logins::LoginSettings settings;
  std::shared_ptr<const logins::SessionCheck> check;  // null if there is none
  std::shared_ptr<const logins::Accounts> accounts;   // never null

  bool is_for(std::string_view host) const { return settings.is_set() && logins::covers(settings.site, host); }
};

// Immutable. What counts by host is read from the settings of the host, whatever URL of it is at hand.
struct EffectiveSettings {
  std::vector<std::string> sheets;  // their names; a later one outranks an earlier one
  // By URL.
  fetch::FetchSettings fetch;
  cookies::CookieSettings cookies;
  extract::Options extract;
  std::shared_ptr<const extract::Plan> links;  // the same, ready for use; never null
  documents::DocumentSettings documents;
  std::shared_ptr<const scope::SiteRules> scope;         // never null
  std::shared_ptr<const frontier::OrderSettings> order;  // null: those of the crawl
  std::shared_ptr<const StepRules> steps;                // null: every step is taken
  std::shared_ptr<const scope::Countries> countries;     // null: nobody knows them; the same everywhere
  modules::ModuleSections modules;
  bool stores_walls = true;
  std::shared_ptr<const feeds::HopPath> feed_hops;  // never null; the same everywhere
  robots::PagePolicy pages;
  dedup::DedupSettings dedup;
  archive::SiteArchive archive;
  // By host.
  std::shared_ptr<const frontier::HostRules> host;
  HostRobots robots;
  HostLogin login;
  std::string user_agent;  // as sent
};

}  // namespace caddis::config
