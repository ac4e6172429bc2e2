#include "caddis/feeds/settings.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <string_view>

#include "caddis/feeds/site_plan.h"

namespace caddis::feeds {

Result<void> validate(const FeedSettings& settings) {
  if (const auto plans = parse_site_plans(settings.sites); !plans)
    return fail(ErrorCode::config, "feeds.sites: " + plans.error().message);
  if (settings.max_wait < settings.min_wait)
    return fail(ErrorCode::config, "feeds.max-wait is less than feeds.min-wait");
  return {};
}

}  // namespace caddis::feeds

namespace caddis::settings {
namespace {

Result<void> is_site(std::string_view text) {
  TRY_VOID(single_line(text));
  TRY_VOID(feeds::parse_site_plan(text));
  return {};
}

Result<void> is_pattern(std::string_view text) {
  TRY_VOID(single_line(text));
  const re2::RE2 pattern(re2::StringPiece(text.data(), text.size()), re2::RE2::Quiet);
  if (pattern.ok()) return {};
  return fail(ErrorCode::config, fmt::format("'{}' is no regular expression: {}", text, pattern.error()));
}

}  // namespace

template <>
const Schema& schema_of<feeds::FeedSettings>() {
  using S = feeds::FeedSettings;
  static const Schema schema(
      "feeds", "Sites whose feeds are polled, and of which every new item is captured with its page (docs/feeds.md).",
      {
          field<&S::sites>(
              "sites",
              "The sites, a line each: its name and a colon, then \"every\" with the time between two polls, "
              "\"feed\" with a URL, and \"implies\" with pages that change when the feed has new items: "
              "\"news.example: every 1h30m feed https://news.example/rss implies https://news.example/\". "
              "The crawl runs until it is stopped or a limit is reached.",
              {.flags = kLive, .check = is_site}),
          field<&S::min_wait>(
              "min-wait",
              "The time from one poll of a site to the next, at least, for sites that have none of their "
              "own. A poll begins only when all that the last one found is done.",
              {.flags = kLive, .min = "1m", .max = "30d", .option = "--feed-wait"}),
          field<&S::hop_path>(
              "hop-path",
              "Which URLs are captured with an item or an implied page: a regular expression that all of "
              "the hop path from the feed must match. The default is one hop, a redirect, and up to two "
              "embeds, of which the first may be a guess.",
              {.flags = kLive, .check = is_pattern, .heritrix = "RssInScopeDecideRule.hoppathAllowed"}),
          field<&S::updated_items>("updated-items",
                                   "An item that is known is captured again if the feed gives it a newer date.",
                                   {.flags = kLive}),
          field<&S::adaptive>("adaptive",
                              "Sites are polled less often while they have nothing new, up to max-wait, and more often "
                              "when they have.",
                              {.flags = kLive}),
          field<&S::max_wait>("max-wait", "The longest time between two polls of a site, if adaptive.",
                              {.flags = kLive, .min = "1m", .max = "365d"}),
          field<&S::max_back_off>("max-back-off",
                                  "A feed that fails is left out of polls for twice as long each time, up to this.",
                                  {.flags = kLive, .min = "1m", .max = "365d"}),
          field<&S::longest_round>("longest-round",
                                   "A site is polled again after this long, though not all that the last poll found is "
                                   "done; 0 waits for it in any case.",
                                   {.flags = kLive, .min = "0s", .max = "365d"}),
          field<&S::failures_told>("failures-told",
                                   "A feed that has failed so often in a row is told as an alert; 0 tells none.",
                                   {.flags = kLive, .min = "0", .max = "1000"}),
          field<&S::database>("database",
                              "A database whose tables name sites, too (docs/formats/feeds-db.md): sqlite:PATH "
                              "or postgresql://USER@HOST/NAME. What the crawl learns is written back. It is not "
                              "shown, as it may hold a password.",
                              {.flags = kSecret | kLive}),
          field<&S::database_interval>("database-interval",
                                       "How often the database is read for changes, and what is new is written back.",
                                       {.flags = kLive, .min = "1s", .max = "1h"}),
      });
  return schema;
}

}  // namespace caddis::settings
