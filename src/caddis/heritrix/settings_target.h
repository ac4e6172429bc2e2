// The place that imported values go to: the settings of the crawl, or a sheet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::heritrix {

class SettingsTarget {
 public:
  virtual ~SettingsTarget() = default;
  // In place of what was set before; `from` says where it comes from. ErrorCode::config says why it cannot be so. Returns
  // whether that is Caddis's default, too.
  virtual Result<bool> set(std::string_view section, std::string_view name, const std::vector<std::string>& texts,
                           const std::string& from) = 0;
};

}  // namespace caddis::heritrix
