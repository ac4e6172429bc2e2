#include "caddis/config/checkpoint_settings.h"

namespace caddis::settings {

template <>
const Schema& schema_of<config::CheckpointSettings>() {
  using S = config::CheckpointSettings;
  static const Schema schema(
      "checkpoint", "When checkpoints are taken, and how many are kept.",
      {
          field<&S::interval>("interval",
                              "Take a checkpoint this often while the crawl runs, which closes the WARC file that is "
                              "being written; 0: never.",
                              {.flags = kLive, .min = "0s", .heritrix = "checkpointService.checkpointIntervalMinutes"}),
          field<&S::kept>("kept", "Of the checkpoints that nobody named, so many of the latest are kept.",
                          {.flags = kLive, .min = "1", .max = "1000"}),
          field<&S::at_stop>("at-stop",
                             "Take a checkpoint when the crawl ends, if anything was committed since the last one.",
                             {.flags = kLive, .heritrix = "checkpointService.checkpointOnShutdown"}),
      });
  return schema;
}

}  // namespace caddis::settings
