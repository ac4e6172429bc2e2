// The settings of what is told of a crawl: to its logs, and to people who are not there.
#pragma once

#include "caddis/alerts/alert_settings.h"
#include "caddis/config/log_settings.h"

namespace caddis::config {

struct NoticeSettings {
  LogSettings logs;
  alerts::AlertSettings alerts;
};

}  // namespace caddis::config
