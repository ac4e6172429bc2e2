#include "caddis/config/crawl_settings.h"

#include <fmt/format.h>

#include "caddis/config/seeds.h"

namespace caddis::config {
namespace {

// Settings are written into a file, and read from it when the crawl is resumed.
Result<void> validate_seeds(const std::vector<std::string>& seeds) {
  constexpr size_t kMost = 10'000, kMostBytes = 4'000'000;
  size_t bytes = 0;
  for (const std::string& seed : seeds) bytes += seed.size();
  if (seeds.size() <= kMost && bytes <= kMostBytes) return {};
  return fail(
      ErrorCode::config,
      fmt::format("crawl.seeds: these are {} seeds of {} MB, settings hold at most {} of {} MB: put them into a file, "
                  "one a line, and give it with --seeds FILE, or name it in crawl.seed-files",
                  seeds.size(), bytes / 1'000'000, kMost, kMostBytes / 1'000'000));
}

}  // namespace

Result<void> validate(const CrawlSettings& settings) {
  TRY_VOID(validate_seeds(settings.seeds));
  for (const std::string& path : settings.seed_files)
    if (!path.starts_with('/'))
      return fail(ErrorCode::config,
                  fmt::format("crawl.seed-files: '{}' is no whole path, which begins with '/'", path));
  if (settings.name.empty())
    return fail(ErrorCode::config, "crawl.name must not be empty, since a folder is called by it");
  return {};
}

}  // namespace caddis::config

namespace caddis::settings {
namespace {

// Passwords of seeds are not for others.
Value shown_seeds(const Value& value) {
  auto seeds = std::get<std::vector<std::string>>(value);
  for (std::string& seed : seeds) seed = config::shown_seed(seed);
  return seeds;
}

}  // namespace

template <>
const Schema& schema_of<config::CrawlSettings>() {
  using S = config::CrawlSettings;
  static const Schema schema(
      "crawl", "What is crawled, and for whom.",
      {
          field<&S::name>("name", "The name of the crawl; folders and reports carry it.",
                          {.check = file_name_part, .heritrix = "metadata.jobName"}),
          field<&S::contact>("contact",
                             "A web page or mail address under which site owners reach you; sent with every request.",
                             {.check = header_value,
                              .option = "--contact",
                              .heritrix = "metadata.operatorContactUrl",
                              .constraints = {{.severity = Severity::warning,
                                               .pattern = R"(https?://\S+\.\S+|(mailto:)?[^@\s]+@[^@\s]+)",
                                               .text = "is neither a web page (https://…) nor a mail address",
                                               .of_others = true}}}),
          // A seed that is no URL does not keep the others from being crawled: each is checked when the crawl begins.
          field<&S::seeds>("seeds", "The URLs that the crawl begins with.",
                           {.check = free_text, .heritrix = "seeds.textSource", .shown = shown_seeds}),
          field<&S::seed_files>(
              "seed-files",
              "Whole paths of files with more of them, one a line, as many as you like; plain or gzip. The crawl "
              "copies them when it begins, and those that are new here when it is resumed.",
              {.flags = kLive, .check = single_line, .heritrix = "seeds.textSource"}),
          field<&S::is_private>("private",
                                "Only the owner may read the folder of the launch: settings, logs, reports, and what "
                                "waits. Nobody else may ever read its state.",
                                {.flags = kLive, .option = "--private"}),
          field<&S::lanes>("lanes", "Threads that visit; 0: one for each processor core.",
                           {.flags = kLive | kExpert, .min = "0", .max = "1024"}),
          field<&S::action_interval>("action-interval",
                                     "How often the crawl looks into its folder action/ for what it is to do (.seeds, "
                                     ".schedule, .force, .requests, "
                                     ".include and .recover files); 0: never.",
                                     {.flags = kLive, .min = "0s", .heritrix = "actionDirectory.delaySeconds"}),
          field<&S::progress_interval>(
              "progress-interval", "How often a line is written to progress-statistics.log.",
              {.flags = kLive, .min = "1s", .max = "1d", .heritrix = "statisticsTracker.intervalSeconds"}),
          field<&S::stop_grace>("stop-grace", "How long visits in flight may go on when the crawl is stopped.",
                                {.flags = kLive | kExpert, .min = "0s", .max = "1h"}),
          field<&S::recovery_log>("recovery-log",
                                  "Write logs/frontier.recover.gz, Heritrix's log of all that is queued and finished: "
                                  "--recover and Heritrix can take a crawl over by it.",
                                  {.heritrix = "frontier.recoveryLogEnabled"}),
          field<&S::repair>(
              "repair",
              "What a resume mends by itself if a disk has lost or damaged files of the crawl: nothing, "
              "what can be mended without losing anything for good, or all that can be mended. What is "
              "not mended is refused: caddis repair shows it, and mends it with --apply.",
              {.flags = kLive | kExpert,
               .choices = {choice("never", config::SelfRepair::never), choice("lossless", config::SelfRepair::lossless),
                           choice("always", config::SelfRepair::always)}}),
          field<&S::sheet_order>(
              "sheet-order",
              "Which sheet counts if several set the same: the one that is written later, or the one for the more "
              "specific site, a part of a host before the host, and a host before all of the web.",
              {.flags = kLive,
               .choices = {choice("as-written", SheetOrder::written), choice("most-specific", SheetOrder::specific)},
               .heritrix = "surtPrefixesSheetAssociation.order"}),
      });
  return schema;
}

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
