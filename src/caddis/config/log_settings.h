// The settings of the section `logs`: which logs a crawl writes, and how.
#pragma once

#include "caddis/settings/schema.h"

namespace caddis::config {

struct LogSettings {
  bool crawl_log = true;
};

}  // namespace caddis::config

namespace caddis::settings {
template <>
const Schema& schema_of<config::LogSettings>();
}  // namespace caddis::settings
