#include "caddis/crawl/settings.h"

#include <fmt/format.h>

#include <iterator>

#include "caddis/base/visible.h"
#include "caddis/crawl/seeds.h"
#include "caddis/dns/resolver.h"
#include "caddis/frontier/again.h"
#include "caddis/frontier/slots.h"
#include "caddis/robots/agent.h"
#include "caddis/scope/rules.h"
#include "caddis/scope/sheets.h"

namespace caddis::settings {
namespace {

Result<void> product_token(std::string_view agent) {
  if (robots::is_product_token(agent)) return {};
  return fail(ErrorCode::config,
              fmt::format("'{}' is no name as robots.txt has them (letters, '-' and '_')", visible(agent, kQuoted)));
}

// What is kept of the state beside the state itself.
std::vector<Field> state_fields() {
  using S = crawl::CrawlSettings;
  return {
      field<&S::checkpoint_interval>(
          "checkpoint-interval",
          "Take a checkpoint this often while the crawl runs, which closes the WARC file "
          "that is being written; 0: never.",
          {.flags = kLive, .min = "0s", .heritrix = "checkpointService.checkpointIntervalMinutes"}),
      field<&S::checkpoints_kept>("checkpoints-kept",
                                  "Of the checkpoints that nobody named, so many of the latest are kept.",
                                  {.flags = kLive, .min = "1", .max = "1000"}),
      field<&S::checkpoint_at_stop>(
          "checkpoint-at-stop",
          "Take a checkpoint when the crawl ends, where anything was committed since the last one.",
          {.flags = kLive, .heritrix = "checkpointService.checkpointOnShutdown"}),
      field<&S::recovery_log>("recovery-log",
                              "Write logs/frontier.recover.gz, Heritrix's log of all that is queued and finished: "
                              "--recover and Heritrix can take a crawl over by it.",
                              {.heritrix = "frontier.recoveryLogEnabled"}),
  };
}

using CrawlS = crawl::CrawlSettings;

// Who may log in somewhere, and how, is not for others.
Value shown_seeds(const Value& value) {
  auto seeds = std::get<std::vector<std::string>>(value);
  for (std::string& seed : seeds) seed = crawl::shown_seed(seed);
  return seeds;
}

// What is crawled, and for whom.
std::vector<Field> what_is_crawled() {
  return {
      field<&CrawlS::name>("name", "The name of the crawl; folders and reports carry it.",
                           {.check = file_name_part, .heritrix = "metadata.jobName"}),
      field<&CrawlS::contact>(
          "contact", "A web page or mail address under which site owners reach you; sent with every request.",
          {.check = header_value, .option = "--contact", .heritrix = "metadata.operatorContactUrl"}),
      field<&CrawlS::seeds>("seeds", "The URLs that the crawl begins with.",
                            // Each is judged for itself: one that is none does not keep the others from being crawled.
                            {.check = free_text, .heritrix = "seeds.textSource", .shown = shown_seeds}),
      field<&CrawlS::is_private>(
          "private",
          "Only the owner may read the folder of the launch: settings, logs, reports, and what waits. Nobody else may "
          "ever read its state.",
          {.flags = kLive, .option = "--private"}),
      field<&CrawlS::robots>(
          "robots",
          "What is done with robots.txt: obey it and nofollow in pages (classic is the same), obey it "
          "but not nofollow, ignore both, obey one of your own in place of the site's, obey it as the "
          "first of robots-agents that it names, or fetch what any of them may.",
          {.flags = kHostSheet,
           .choices = {{"obey", 0},
                       {"classic", 1},
                       {"robots-txt-only", 2},
                       {"ignore", 3},
                       {"custom", 4},
                       {"first-named", 5},
                       {"most-favored", 6}},
           .option = "--robots",
           .heritrix = "metadata.robotsPolicyName"}),
      field<&CrawlS::robots_agents>("robots-agents",
                                    "For first-named and most-favored: names of crawlers, in order of preference. They "
                                    "are looked up in robots.txt, "
                                    "not sent; Crawl-delay stays that for the crawl's own name.",
                                    {.flags = kHostSheet, .check = product_token, .option = "--robots-agent"}),
      field<&CrawlS::robots_custom>("robots-custom",
                                    "For custom: the lines of the robots.txt that counts on every site.",
                                    {.flags = kHostSheet, .check = free_text}),
      field<&CrawlS::robots_unavailable>(
          "robots-unavailable",
          "What a robots.txt means that cannot be had after all tries (server errors, no connection).",
          {.flags = kHostSheet, .choices = {{"disallow", 0}, {"allow", 1}}}),
      field<&CrawlS::crawl_key>("crawl-key",
                                "By which canonical form a URL is known again; fixed once a crawl has begun.",
                                {.flags = kExpert, .choices = {{"caddis", 0}, {"exact", 1}, {"heritrix", 2}}}),
  };
}

// When it ends.
std::vector<Field> limits() {
  return {
      field<&CrawlS::max_documents>(
          "max-documents", "Stop after this many captured documents; 0: no limit.",
          {.flags = kLive, .min = "0", .option = "--max-documents", .heritrix = "crawlLimiter.maxDocumentsDownload"}),
      field<&CrawlS::max_bytes>("max-bytes", "Stop after this many received bytes; 0: no limit.",
                                {.flags = kLive,
                                 .unit = kBytes,
                                 .min = "0",
                                 .option = "--max-bytes",
                                 .heritrix = "crawlLimiter.maxBytesDownload"}),
      field<&CrawlS::max_novel_bytes>("max-novel-bytes",
                                      "Stop after this many received bytes without repetitions; 0: no limit. So far "
                                      "only answers that nothing has changed (304) are repetitions, and no request "
                                      "asks for them: it counts what max-bytes counts.",
                                      {.flags = kLive,
                                       .unit = kBytes,
                                       .min = "0",
                                       .option = "--max-novel-bytes",
                                       .heritrix = "crawlLimiter.maxNovelBytes"}),
      field<&CrawlS::max_warc_bytes>("max-warc-bytes",
                                     "Stop after this many bytes of records, as they are written to WARC files "
                                     "(compressed); 0: no limit.",
                                     {.flags = kLive, .unit = kBytes, .min = "0", .option = "--max-warc-bytes"}),
      field<&CrawlS::max_time>(
          "max-time", "Stop after this time; 0: no limit.",
          {.flags = kLive, .min = "0s", .option = "--max-time", .heritrix = "crawlLimiter.maxTimeSeconds"}),
      field<&CrawlS::max_silence>("max-silence",
                                  "Stop when no byte was received from the web for this time; 0: no limit.",
                                  {.flags = kLive, .min = "0s", .option = "--max-silence"}),
      field<&CrawlS::max_idle>("max-idle",
                               "Stop when no visit was active for this time: whatever waits, waits long; 0: no limit.",
                               {.flags = kLive, .min = "0s", .option = "--max-idle"}),
      field<&CrawlS::at_limit>(
          "at-limit",
          "What happens when one of these limits is reached: the crawl ends, to be resumed with a "
          "higher one (end); it is paused until somebody raises the limit and resumes it, or stops "
          "it (pause); or every URL that waits is given up with -5004, and then it ends (block).",
          {.flags = kLive,
           .choices = {{"end", 0}, {"pause", 1}, {"block", 2}},
           .option = "--at-limit",
           .heritrix = "runtimeLimitEnforcer.expirationOperation"}),
      field<&CrawlS::run_while_empty>(
          "run-while-empty", "Do not end when no URL waits any more: somebody will add some, or stop the crawl.",
          {.flags = kLive, .option = "--run-while-empty", .heritrix = "crawlController.runWhileEmpty"}),
  };
}

// What it may take of the machine, and how it gets on with it.
std::vector<Field> of_the_machine() {
  return {
      field<&CrawlS::max_visits>(
          "max-visits", "Visits in flight at the same time; 0: as many as processors, memory and disk can follow.",
          {.flags = kLive,
           .min = "0",
           .max = "20000",
           .option = "--max-visits",
           .heritrix = "crawlController.maxToeThreads"}),
      field<&CrawlS::lanes>("lanes", "Threads that visit; 0: one for each processor core.",
                            {.flags = kLive | kExpert, .min = "0", .max = "1024"}),
      field<&CrawlS::memory>("memory",
                             "Bytes of memory that the whole process may use; beyond that hardly any new visit begins.",
                             {.flags = kLive, .unit = kBytes, .min = "256MB", .option = "--memory"}),
      field<&CrawlS::seen_memory>("seen-memory",
                                  "Bytes of memory for the set of all known URLs, 9 to 14 for each; more of them go to "
                                  "disk, 6 to 8 bytes each. 0: half of `memory`.",
                                  {.flags = kLive, .unit = kBytes, .min = "0"}),
      field<&CrawlS::hosts_in_memory>("hosts-in-memory",
                                      "Hosts that are kept in memory, one to two kilobytes each, while others wait on "
                                      "disk; 0: what a seventh of `memory` holds.",
                                      {.flags = kExpert, .min = "0"}),
      field<&CrawlS::min_free_space>(
          "min-free-space",
          "Pause while the disk has less free space than this. An answer of many megabytes that would not leave half "
          "of it, and as much as it has itself, is given up (-3000, noRoom).",
          {.flags = kLive, .unit = kBytes, .min = "0", .heritrix = "diskSpaceMonitor.pauseThresholdMiB"}),
      field<&CrawlS::name_servers>("name-servers", "Addresses (with port) of DNS servers; empty: those of the system.",
                                   {.flags = kLive, .check = dns::check_server}),
      field<&CrawlS::hosts>("hosts", "Fixed addresses, \"name=address[,address]\", asked before DNS.",
                            {.flags = kLive, .check = dns::check_fixed_host}),
      field<&CrawlS::robots_validity>("robots-validity", "How long a robots.txt is used before it is fetched again.",
                                      {.flags = kHostSheet | kLive,
                                       .min = "1m",
                                       .max = "1d",
                                       .heritrix = "preconditions.robotsValidityDurationSeconds"}),
      field<&CrawlS::action_interval>("action-interval",
                                      "How often the crawl looks into its folder action/ for what it is to do (.seeds, "
                                      ".schedule, .force, .include and .recover files); 0: never.",
                                      {.flags = kLive, .min = "0s", .heritrix = "actionDirectory.delaySeconds"}),
      field<&CrawlS::progress_interval>(
          "progress-interval", "How often a line is written to progress-statistics.log.",
          {.flags = kLive, .min = "1s", .max = "1d", .heritrix = "statisticsTracker.intervalSeconds"}),
      field<&CrawlS::stop_grace>("stop-grace", "How long visits in flight may go on when the crawl is stopped.",
                                 {.flags = kLive | kExpert, .min = "0s", .max = "1h"}),
  };
}

}  // namespace

template <>
const Schema& schema_of<CrawlS>() {
  static const Schema schema("crawl", "What is crawled, for whom, and within which limits.", [] {
    std::vector<Field> fields = what_is_crawled();
    for (const auto& more : {limits(), of_the_machine(), state_fields()})
      fields.insert(fields.end(), more.begin(), more.end());
    return fields;
  }());
  return schema;
}

template <>
const Schema& schema_of<extract::Options>() {
  using S = extract::Options;
  static const Schema schema(
      "extract", "Which links of a document are followed.",
      {
          field<&S::max_links>(
              "max-links", "Links taken from one document.",
              {.flags = kSheet | kLive, .min = "0", .max = "1000000", .heritrix = "frontier.maxOutlinks"}),
          field<&S::max_sitemap_links>("max-sitemap-links", "Links taken from one sitemap.",
                                       {.flags = kSheet | kLive, .min = "0", .max = "1000000"}),
          field<&S::max_length>("max-length",
                                "Look for links in so much of a document (of a sitemap, in up to 64 MB); one with more "
                                "is archived whole, "
                                "and readTrunc in crawl.log says so.",
                                {.flags = kSheet | kLive, .unit = kBytes, .min = "64KB", .max = "1GB"}),
          field<&S::max_url_length>("max-url-length", "Longer URLs are no links.",
                                    {.flags = kSheet | kLive | kExpert, .min = "64", .max = "65536"}),
          field<&S::javascript>("javascript", "Take strings in scripts that are surely URLs.",
                                {.flags = kSheet | kLive, .heritrix = "extractorHtml.extractJavascript"}),
          field<&S::value_attributes>("value-attributes", "Take value attributes that are surely URLs.",
                                      {.flags = kSheet | kLive, .heritrix = "extractorHtml.extractValueAttributes"}),
          field<&S::forms>("forms", "Take the targets of forms.", {.flags = kSheet | kLive}),
          field<&S::only_get_forms>("only-get-forms", "Of forms, only those that are sent by GET.",
                                    {.flags = kSheet | kLive, .heritrix = "extractorHtml.extractOnlyFormGets"}),
          field<&S::frames_as_embeds>("frames-as-embeds", "Treat frames as parts of the page, not as links.",
                                      {.flags = kSheet | kLive, .heritrix = "extractorHtml.treatFramesAsEmbedLinks"}),
          field<&S::obey_rel_nofollow>("obey-rel-nofollow", "Leave out links marked rel=nofollow.",
                                       {.flags = kSheet | kLive, .heritrix = "extractorHtml.obeyRelNofollow"}),
          field<&S::obey_meta_nofollow>("obey-meta-nofollow",
                                        "What says nofollow has no links: a page by its robots meta element, any "
                                        "document by X-Robots-Tag.",
                                        {.flags = kSheet | kLive}),
          field<&S::not_found_pages>("not-found-pages", "Look for links in pages that come with 404, too.",
                                     {.flags = kSheet | kLive, .heritrix = "frontier.extract404s"}),
          field<&S::favicon>("favicon", "Ask every site for /favicon.ico.", {.flags = kSheet | kLive}),
      });
  return schema;
}

}  // namespace caddis::settings

namespace caddis::crawl {

settings::Sections Settings::sections() {
  return {settings::section(crawl),    settings::section(scope),  settings::section(politeness),
          settings::section(frontier), settings::section(quota),  settings::section(fetch),
          settings::section(extract),  settings::section(archive)};
}

settings::ConstSections Settings::sections() const {
  return {settings::section(crawl),    settings::section(scope),  settings::section(politeness),
          settings::section(frontier), settings::section(quota),  settings::section(fetch),
          settings::section(extract),  settings::section(archive)};
}

std::vector<const settings::Schema*> settings_schemas() {
  std::vector<const settings::Schema*> schemas;
  for (const settings::ConstSection& section : static_cast<const Settings&>(Settings()).sections())
    schemas.push_back(section.schema);
  return schemas;
}

namespace {

Result<void> validate_robots(const CrawlSettings& settings) {
  const bool by_name = settings.robots == RobotsChoice::first_named || settings.robots == RobotsChoice::most_favored;
  if (by_name && settings.robots_agents.empty())
    return fail(ErrorCode::config, "crawl.robots: this policy needs crawl.robots-agents (--robots-agent NAME)");
  if (settings.robots == RobotsChoice::custom && settings.robots_custom.empty())
    return fail(ErrorCode::config, "crawl.robots: custom needs crawl.robots-custom, the lines of a robots.txt");
  return {};
}

// What does not fit into a file of settings: it is written into one, and read from it when the crawl is resumed.
Result<void> validate_seeds(const std::vector<std::string>& seeds) {
  constexpr size_t kMost = 1'000'000, kMostBytes = 32'000'000;
  size_t bytes = 0;
  for (const std::string& seed : seeds) bytes += seed.size();
  if (seeds.size() <= kMost && bytes <= kMostBytes) return {};
  return fail(
      ErrorCode::config,
      fmt::format("crawl.seeds: these are {} seeds of {} MB; a crawl begins with at most {} of {} MB: begin with "
                  "some, and give it the others in a .seeds file in its folder action/",
                  seeds.size(), bytes / 1'000'000, kMost, kMostBytes / 1'000'000));
}

// Values that came into the structs by another way than the tables.
Result<void> validate_texts(const Settings& settings) {
  for (const settings::ConstSection& section : settings.sections()) {
    for (const settings::Field& field : section.schema->fields()) {
      if (field.row.check == settings::free_text) continue;
      const settings::Value value = field.get(section.object);
      std::vector<std::string> texts;
      if (const auto* text = std::get_if<std::string>(&value)) texts.push_back(*text);
      if (const auto* items = std::get_if<std::vector<std::string>>(&value)) texts = *items;
      for (const std::string& text : texts)
        if (auto sound = field.check(text); !sound)
          return pass(std::move(sound).error(), fmt::format("{}.{}", section.schema->name(), field.name));
    }
  }
  return {};
}

Result<void> validate_sections(const Settings& settings) {
  TRY_VOID(validate_texts(settings));
  TRY_VOID(validate_seeds(settings.crawl.seeds));
  TRY_VOID(fetch::validate(settings.fetch));
  if (auto again = frontier::Again::parse(settings.fetch.again); !again)
    return pass(std::move(again).error(), "fetch.again");
  if (settings.politeness.min_delay > settings.politeness.max_delay)
    return fail(ErrorCode::config, "politeness: min-delay is longer than max-delay");
  TRY_VOID(frontier::PolitenessGroups::create(settings.politeness));
  TRY_VOID(validate_robots(settings.crawl));
  if (settings.crawl.name.empty())
    return fail(ErrorCode::config, "crawl.name must not be empty, since a folder is called by it");
  return {};
}

Result<void> validate_sheet(const Settings& base, const scope::SiteRules& base_rules, const settings::Sheet& sheet) {
  Settings alone = base;
  sheet.values.lay_over(alone.sections());
  TRY_VOID(validate_sections(alone));
  TRY([[maybe_unused]] const auto rules, scope::SiteRules::create(alone.scope, {&base_rules}));
  const bool is_opic = alone.frontier.order == frontier::UrlOrder::opic;
  if (is_opic != (base.frontier.order == frontier::UrlOrder::opic))
    return fail(ErrorCode::config, "frontier.order: opic is an order of the whole crawl, or of none of it");
  return {};
}

Result<void> validate_sheets(const Settings& settings) {
  if (settings.sheets.empty()) return {};
  TRY([[maybe_unused]] const auto sheets, scope::Sheets::create(settings.sheets));
  TRY(const auto base_rules, scope::SiteRules::create(settings.scope));
  Settings base = settings;
  base.sheets.clear();
  base.crawl.seeds.clear();
  for (const settings::Sheet& sheet : settings.sheets)
    if (auto sound = validate_sheet(base, base_rules, sheet); !sound)
      return pass(std::move(sound).error(), "sheet '" + sheet.name + "'");
  return {};
}

}  // namespace

Result<void> load_settings(std::string_view yaml, std::string_view file_name, Settings& into) {
  TRY_VOID(settings::load_yaml(yaml, file_name, into.sections(), &into.sheets));
  // What else is wrong may be put right by what comes after the file.
  if (!validate_sections(into)) return {};
  if (auto sound = validate_sheets(into); !sound) return pass(std::move(sound).error(), file_name);
  return {};
}

Result<void> load_settings_file(io::Files& files, const std::string& path, Settings& into) {
  auto text = files.read_all(path, settings::kMostYaml);
  if (text) return load_settings(*text, path, into);
  Error error = std::move(text).error();
  if (error.code == ErrorCode::limit)
    return fail(ErrorCode::config,
                fmt::format("{}: larger than {} MB, this is no settings file (many seeds are given with --seeds FILE)",
                            path, settings::kMostYaml / 1'000'000));
  if (error.code == ErrorCode::unsupported) error.code = ErrorCode::config;
  return std::unexpected(std::move(error));
}

std::string settings_yaml(const Settings& settings, settings::Secrets secrets) {
  std::string yaml = settings::to_yaml(settings.sections(), secrets);
  return yaml += settings::to_yaml(settings.sheets, secrets);
}

Result<void> load_secrets(std::string_view yaml, std::string_view file_name, Settings& into) {
  return settings::load_secrets(yaml, file_name, into.sections(), into.sheets);
}

Result<void> validate(const Settings& settings) {
  TRY_VOID(validate_sections(settings));
  return validate_sheets(settings);
}

Result<std::vector<settings::Change>> allowed_changes(const Settings& before, const Settings& after) {
  if (before.crawl.seeds != after.crawl.seeds)
    return fail(
        ErrorCode::config,
        "crawl.seeds are those that the crawl began with: resume it without new ones, and add them while it runs "
        "(caddis frontier --add URL --seed, or a .seeds file in its folder action/; --run-while-empty keeps it "
        "from ending before)");
  auto live = settings::allowed_changes(before.sections(), after.sections());
  if (!live) {
    live.error().message += " (caddis crawl --from-checkpoint takes over what this one knows and has waiting)";
    return live;
  }
  std::vector<settings::Change> changes = *std::move(live);
  TRY(auto of_sheets, settings::allowed_changes(before.sheets, after.sheets));
  changes.insert(changes.end(), of_sheets.begin(), of_sheets.end());
  return changes;
}

}  // namespace caddis::crawl
