// Settings that somebody changes while a crawl runs. Pure.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/config/settings.h"

namespace caddis::crawl {

struct NewSetting {
  std::string name, value;  // "limits.max-documents", "500"
};

struct SettingsEdit {
  // A name that stands there several times has as many items. A list without items is written as one empty value.
  std::vector<NewSetting> settings;
  std::string sheet;               // for that sheet instead of the crawl; empty: for the crawl
  std::vector<std::string> sites;  // where a sheet holds that there is not yet; such a sheet outranks the others
};

// The name of a sheet for these sites, if none is given: "org-example-big" for "(org,example,)/big/".
std::string sheet_name_of(const std::vector<std::string>& sites);

// Returns the settings as they are wanted. ErrorCode::config names what is wrong: a name, a value, a setting that
// sheets cannot change.
Result<config::Settings> edited(const config::Settings& present, const SettingsEdit& edit);

// The differences, those in sheets among them ("sheet 'x': fetch"). ErrorCode::config if one must not change at all.
Result<std::vector<settings::Change>> changes_between(const config::Settings& before, const config::Settings& after);

}  // namespace caddis::crawl
