#include "caddis/config/limit_settings.h"

namespace caddis::settings {

template <>
const Schema& schema_of<config::LimitSettings>() {
  using S = config::LimitSettings;
  using config::AtLimit;
  static const Schema schema(
      "limits", "When the crawl ends or waits, and how many visits it makes at a time.",
      {
          field<&S::max_documents>("max-documents", "Stop after this many captured documents; 0: no limit.",
                                   {.flags = kLive,
                                    .min = "0",
                                    .option = "--max-documents",
                                    .heritrix = "crawlLimiter.maxDocumentsDownload"}),
          field<&S::max_bytes>("max-bytes", "Stop after this many received bytes; 0: no limit.",
                               {.flags = kLive,
                                .unit = kBytes,
                                .min = "0",
                                .option = "--max-bytes",
                                .heritrix = "crawlLimiter.maxBytesDownload"}),
          field<&S::max_novel_bytes>("max-novel-bytes",
                                     "Stop after this many received bytes without repetitions; 0: no limit. Answers "
                                     "that nothing has changed (304), "
                                     "and those whose payloads are stored already, are repetitions.",
                                     {.flags = kLive,
                                      .unit = kBytes,
                                      .min = "0",
                                      .option = "--max-novel-bytes",
                                      .heritrix = "crawlLimiter.maxNovelBytes"}),
          field<&S::max_warc_bytes>("max-warc-bytes",
                                    "Stop after this many bytes of records, as they are written to WARC files "
                                    "(compressed); 0: no limit.",
                                    {.flags = kLive, .unit = kBytes, .min = "0", .option = "--max-warc-bytes"}),
          field<&S::max_time>(
              "max-time", "Stop after this time; 0: no limit.",
              {.flags = kLive, .min = "0s", .option = "--max-time", .heritrix = "crawlLimiter.maxTimeSeconds"}),
          field<&S::max_silence>("max-silence",
                                 "Stop when no byte was received from the web for this time; 0: no limit.",
                                 {.flags = kLive, .min = "0s", .option = "--max-silence"}),
          field<&S::max_idle>("max-idle",
                              "Stop when no visit was active for this time: whatever waits, waits long; 0: no limit.",
                              {.flags = kLive, .min = "0s", .option = "--max-idle"}),
          field<&S::at_limit>(
              "at-limit",
              "What happens when one of these limits is reached: the crawl ends, to be resumed with a higher one "
              "(end); "
              "it is paused until somebody raises the limit and resumes it, or stops it (pause); or every URL that "
              "waits is given up with -5004, and then it ends (block).",
              {.flags = kLive,
               .choices = {choice("end", AtLimit::end), choice("pause", AtLimit::pause),
                           choice("block", AtLimit::block)},
               .option = "--at-limit",
               .heritrix = "runtimeLimitEnforcer.expirationOperation"}),
          field<&S::run_while_empty>(
              "run-while-empty", "Do not end when no URL waits any more: somebody will add some, or stop the crawl.",
              {.flags = kLive, .option = "--run-while-empty", .heritrix = "crawlController.runWhileEmpty"}),
          field<&S::max_visits>(
              "max-visits", "Visits in flight at the same time; 0: as many as processors, memory and disk can follow.",
              {.flags = kLive,
               .min = "0",
               .max = "20000",
               .option = "--max-visits",
               .heritrix = "crawlController.maxToeThreads"}),
          field<&S::min_free_space>(
              "min-free-space",
              "Pause while the disk has less free space than this. An answer of many megabytes that would not leave "
              "half of it, and as much as it has itself, is given up (-3000, noRoom).",
              {.flags = kLive,
               .unit = kBytes,
               .min = "0",
               .heritrix = "diskSpaceMonitor.pauseThresholdMiB",
               .constraints = {{.severity = Severity::info,
                                .min = "1",
                                .text = "fills the disk to its last byte, which other programs need, too"}}}),
      });
  return schema;
}

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
