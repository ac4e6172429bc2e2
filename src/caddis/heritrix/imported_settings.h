// The settings that an import makes, each with where it comes from, and the crawl.yaml that says so.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/config/settings.h"
#include "caddis/heritrix/import_report.h"
#include "caddis/heritrix/settings_target.h"
#include "caddis/settings/sheet.h"

namespace caddis::heritrix {

class ImportedSettings : public SettingsTarget {
 public:
  Result<bool> set(std::string_view section, std::string_view name, const std::vector<std::string>& texts,
                   const std::string& from) override;
  // ErrorCode::config if it contradicts the settings of the crawl; then it is not added.
  Result<void> add_sheet(settings::Sheet sheet);

  const config::Settings& settings() const { return settings_; }
  // Where a setting comes from; empty if it was not set.
  std::string_view origin(std::string_view section, std::string_view name) const;
  // Sections with what differs from Caddis's defaults, each line with where it comes from; defaults of Heritrix that were
  // left and differ are there as comments. `heading` stands above, commented out.
  std::string yaml(std::string_view heading, const std::vector<OtherDefault>& defaults) const;

 private:
  config::Settings settings_;
  std::map<std::pair<std::string, std::string>, std::string> origins_;
};

// Values of a sheet. Only settings that may differ between sites or hosts can be set.
class SheetTarget : public SettingsTarget {
 public:
  Result<bool> set(std::string_view section, std::string_view name, const std::vector<std::string>& texts,
                   const std::string& from) override;
  const settings::Overlay& values() const { return values_; }
  // Whether one of them is of hosts, and cannot be set for single URLs.
  bool is_of_hosts() const;

 private:
  config::Settings scratch_;
  settings::Overlay values_;
};

}  // namespace caddis::heritrix
