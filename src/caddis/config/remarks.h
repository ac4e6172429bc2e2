// Remarks on settings that can be read: infos, and warnings, with which no crawl starts
// (caddis/settings/constraint.h). Those of rows, of the values of sheets, and of settings that meet. Pure.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/config/settings.h"

namespace caddis::config {

struct Remark {
  settings::Severity severity = settings::Severity::info;
  std::string setting;  // "politeness.delay"
  std::string sheet;    // in which it has that value; empty: in the crawl
  std::string text;     // a sentence that names both
};

// In the order of crawl.yaml, then of the sheets. Without `visits_others` all seeds are on
// this machine, and remarks about the sites of others are left out.
std::vector<Remark> remarks_on(const Settings& settings, bool visits_others);
// With the seeds of the settings.
std::vector<Remark> remarks_on(const Settings& settings);

// Whether it is about a setting that has changed, in the crawl or in a sheet as it is.
bool is_about(const Remark& remark, const std::vector<settings::Change>& changes);

// ErrorCode::config with all warnings, if there are any.
Result<void> check_warnings(const std::vector<Remark>& remarks);

}  // namespace caddis::config
