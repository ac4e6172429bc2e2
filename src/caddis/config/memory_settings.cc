#include "caddis/config/memory_settings.h"

namespace caddis::settings {

template <>
const Schema& schema_of<config::MemorySettings>() {
  using S = config::MemorySettings;
  static const Schema schema(
      "memory", "What the crawl may keep in memory; the rest waits on disk.",
      {
          field<&S::total>("total",
                           "Bytes of memory that the whole process may use; beyond that hardly any new visit begins.",
                           {.flags = kLive, .unit = kBytes, .min = "256MB", .option = "--memory"}),
          field<&S::seen>("seen",
                          "Bytes of memory for the set of all known URLs, 9 to 14 for each; more of them go to disk, 6 "
                          "to 8 bytes each. 0: half of `total`.",
                          {.flags = kLive, .unit = kBytes, .min = "0"}),
          field<&S::hosts>("hosts",
                           "Hosts that are kept in memory, one to two kilobytes each, while others wait on disk; 0: "
                           "what a seventh of `total` holds.",
                           {.flags = kExpert, .min = "0"}),
      });
  return schema;
}

}  // namespace caddis::settings
