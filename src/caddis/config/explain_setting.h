// Which value of a setting counts, where it comes from, and what it would be without. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/config/remarks.h"
#include "caddis/config/settings.h"
#include "caddis/url/url.h"

namespace caddis::config {

// One that says something; the last of a setting counts.
struct SettingOrigin {
  enum class Where { by_default, crawl, sheet };
  Where where = Where::by_default;
  std::string sheet;                   // its name
  std::string value;                   // as others may see it; items of lists on lines of their own
  std::optional<WallTime> until = {};  // a sheet with times: the next moment at which it begins or ends to hold
};

struct ExplainedSetting {
  std::string name;  // "politeness.delay"
  const settings::Field* field = nullptr;
  std::vector<SettingOrigin> origins;
  std::vector<SettingOrigin> not_now;  // sheets that would say something if their time had come
  std::vector<Remark> remarks;         // on the value that counts
};

// `name`: "politeness.delay", "politeness" for all of a section, or "" for all. For a URL, sheets count that hold for
// it; settings of hosts go by its host. Null: no sheets. Those with times count if they hold now. ErrorCode::config if there is no such setting.
Result<std::vector<ExplainedSetting>> explain_settings(const Settings& settings, std::string_view name,
                                                       const url::Url* url, WallTime now);

}  // namespace caddis::config
