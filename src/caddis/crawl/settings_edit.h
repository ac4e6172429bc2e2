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
  // Names, or sections for all that they have. In the crawl they get their defaults, a sheet does not speak of them any
  // more. A sheet that says nothing any more is taken away.
  std::vector<std::string> unset = {};
  bool removes_sheet = false;  // the sheet is taken away with all that it says
};

// The name of a sheet for these sites, if none is given: "org-example-big" for "(org,example,)/big/".
std::string sheet_name_of(const std::vector<std::string>& sites);

// Returns the settings as they are wanted. ErrorCode::config names what is wrong: a name, a value, a setting that
// sheets cannot change.
Result<config::Settings> edited(const config::Settings& present, const SettingsEdit& edit);

// The differences, those in sheets among them ("sheets: fetch"), whether they may be or not.
std::vector<settings::Change> changes_between(const config::Settings& before, const config::Settings& after);

}  // namespace caddis::crawl
