#include "caddis/config/log_settings.h"

namespace caddis::settings {

template <>
const Schema& schema_of<config::LogSettings>() {
  using S = config::LogSettings;
  static const Schema schema("logs", "Which logs the crawl writes, and how.",
                             {
                                 field<&S::crawl_log>("crawl-log",
                                                      "Write logs/crawl.log, in Heritrix's columns: a line for each "
                                                      "visit that ended.",
                                                      {}),
                             });
  return schema;
}

}  // namespace caddis::settings
