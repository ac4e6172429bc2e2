#include "caddis/config/log_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace caddis::config {
namespace {

Result<void> known_log(std::string_view text) {
  if (logs::json_log_named(text)) return {};
  return fail(
      ErrorCode::config,
      fmt::format("there is no log '{}'; there are http, dns, failures, not-crawled, ftp, sftp, whois, file and scope",
                  text));
}

Result<void> sound_fields(std::string_view text) {
  TRY_VOID(logs::parse_field_choice(text));
  return {};
}

}  // namespace

std::optional<logs::JsonFields> fields_of(logs::JsonLog log, const LogSettings& settings) {
  if (std::ranges::find(settings.write, to_string(log)) == settings.write.end()) return std::nullopt;
  return chosen_fields(log, settings.fields);
}

LinkLogs link_logs(const LogSettings& settings) {
  LinkLogs logged{.answers = fields_of(logs::JsonLog::scope, settings), .rejections = {}};
  if (settings.rejected_links) logged.rejections = fields_of(logs::JsonLog::not_crawled, settings);
  return logged;
}

}  // namespace caddis::config

namespace caddis::settings {

template <>
const Schema& schema_of<config::LogSettings>() {
  using S = config::LogSettings;
  using config::RollEvery;
  static const Schema schema(
      "logs", "Which logs the crawl writes, and how.",
      {
          field<&S::crawl_log>("crawl-log",
                               "Write logs/crawl.log, in Heritrix's columns: a line for each visit that ended.", {}),
          field<&S::extra_info>("extra-info",
                                "End each line of crawl.log with a JSON object: contentSize, and where the capture "
                                "lies, warcFilename and warcFileOffset.",
                                {.flags = kLive, .heritrix = "loggerModule.logExtraInfo"}),
          field<&S::content_size>("content-size",
                                  "Annotate lines of crawl.log with content-size:N, bytes of head and body, as "
                                  "NetarchiveSuite does. The third column has the body alone.",
                                  {.flags = kLive}),
          field<&S::uri_errors>("uri-errors",
                                "Write logs/uri-errors.log: links that are no URL, or have a scheme that is not "
                                "fetched.",
                                {.flags = kLive}),
          field<&S::roll_size>(
              "roll-size", "Logs go on in another file (crawl.log.2) when they are this large, 1KB at least; 0: never.",
              {.flags = kLive, .unit = kBytes, .min = "0"}),
          field<&S::roll_every>(
              "roll-every",
              "When logs go on in another file, whatever their size: with "
              "each day (UTC), or never.",
              {.flags = kLive,
               .choices = {{"never", static_cast<int>(RollEvery::never)}, {"day", static_cast<int>(RollEvery::day)}}}),
          field<&S::roll_at_checkpoint>("roll-at-checkpoint",
                                        "Logs go on in another file behind each checkpoint, as Heritrix's do.",
                                        {.flags = kLive}),
          field<&S::pack>("pack", "Pack files of logs that are closed by gzip.", {.flags = kLive}),
          field<&S::outlinks>("outlinks",
                              "Write logs/outlinks.jsonl: a line for each link of each page, "
                              "in the scope or not. 'caddis log graph' makes a link graph of it.",
                              {}),
          field<&S::write>(
              "write",
              "The logs by protocol and by fate that are written: http, dns, "
              "failures, not-crawled; ftp, sftp, whois, file, if there is a line for them; scope, if it is named.",
              {.flags = kLive, .check = config::known_log}),
          field<&S::fields>("fields",
                            "Which fields a log has, \"http: time url status\"; all where "
                            "nothing is said of it.",
                            {.flags = kLive, .check = config::sound_fields}),
          field<&S::rejected_links>("rejected-links",
                                    "Write links that are found and not queued into not-crawled.jsonl, each URL once: "
                                    "what the scope or a budget rejects, and what is known by another URL (duplicate). "
                                    "The crawl then remembers every URL that it meets, off-site ones too.",
                                    {}),
      });
  return schema;
}

}  // namespace caddis::settings
