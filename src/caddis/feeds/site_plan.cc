#include "caddis/feeds/site_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/url/url.h"

namespace caddis::feeds {
namespace {

constexpr size_t kShown = 200;

std::unexpected<Error> wrong(std::string_view name, std::string what) {
  return fail(ErrorCode::config, fmt::format("the site '{}' {}", visible(name, kShown), what));
}

Result<std::string> web_address(std::string_view name, std::string_view written) {
  const auto url = url::Url::parse(written);
  if (!url || !url->is_http() || url->hostname().empty())
    return wrong(
        name, fmt::format("has '{}', which is no URL that begins with https:// or http://", visible(written, kShown)));
  return std::string(url->without_fragment());
}

Result<void> check_name(std::string_view name) {
  const bool is_name = !name.empty() && name.size() <= SitePlan::kMostName &&
                       std::ranges::all_of(name, [](unsigned char c) { return c > ' ' && c != 0x7f && c != '/'; }) &&
                       !name.ends_with(':');
  if (is_name) return {};
  return fail(ErrorCode::config, fmt::format("'{}' is no name of a site: up to {} letters without blanks and slashes",
                                             visible(name, kShown), SitePlan::kMostName));
}

}  // namespace

Result<void> check_site_plan(SitePlan& plan) {
  TRY_VOID(check_name(plan.name));
  if (plan.wait && *plan.wait < SitePlan::kLeastWait)
    return wrong(plan.name, fmt::format("is to be polled every {}; the least is 1m", format_duration(*plan.wait)));
  if (plan.feeds.empty()) return wrong(plan.name, "has no feed: add \"feed URL\"");
  if (plan.feeds.size() > SitePlan::kMostFeeds)
    return wrong(plan.name, fmt::format("has more than {} feeds", SitePlan::kMostFeeds));
  std::set<std::string, std::less<>> urls;
  for (FeedPlan& feed : plan.feeds) {
    TRY(feed.url, web_address(plan.name, feed.url));
    if (!urls.insert(feed.url).second) return wrong(plan.name, fmt::format("has the feed {} twice", feed.url));
    if (feed.implied_pages.size() > SitePlan::kMostPages)
      return wrong(plan.name, fmt::format("has more than {} implied pages", SitePlan::kMostPages));
    for (std::string& page : feed.implied_pages) {
      TRY(page, web_address(plan.name, page));
    }
  }
  return {};
}

Result<SitePlan> parse_site_plan(std::string_view line) {
  std::vector<std::string_view> words;
  for (const std::string_view word : split(line, ' '))
    if (!trim(word).empty()) words.push_back(trim(word));
  if (words.empty() || !words.front().ends_with(':') || words.front().size() == 1)
    return fail(ErrorCode::config,
                fmt::format("'{}' does not begin with the name of a site and a colon; write "
                            "\"news.example: every 30m feed https://news.example/rss implies https://news.example/\"",
                            visible(line, kShown)));
  SitePlan plan;
  plan.name = words.front().substr(0, words.front().size() - 1);
  enum class Next { keyword, wait, feed, page } next = Next::keyword;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (next == Next::wait) {
      const auto wait = parse_duration(word);
      if (!wait)
        return wrong(plan.name, fmt::format("has '{}' behind \"every\": write 30m or 1h30m", visible(word, kShown)));
      plan.wait = *wait;
      next = Next::keyword;
    } else if (next == Next::feed) {
      plan.feeds.push_back({std::string(word), {}});
      next = Next::keyword;
    } else if (word == "every" && plan.feeds.empty()) {
      next = Next::wait;
    } else if (word == "paused" && plan.feeds.empty()) {
      plan.active = false;
    } else if (word == "feed") {
      next = Next::feed;
    } else if (word == "implies" && !plan.feeds.empty()) {
      next = Next::page;
    } else if (next == Next::page) {
      plan.feeds.back().implied_pages.emplace_back(word);
    } else {
      return wrong(plan.name,
                   fmt::format("has '{}' where one of every, paused, feed, implies is expected (\"every\" and "
                               "\"paused\" before the feeds, \"implies\" behind one)",
                               visible(word, kShown)));
    }
  }
  if (next == Next::wait || next == Next::feed) return wrong(plan.name, "ends before a duration or a URL");
  TRY_VOID(check_site_plan(plan));
  return plan;
}

std::string to_line(const SitePlan& plan) {
  std::string line = plan.name + ":";
  if (!plan.active) line += " paused";
  if (plan.wait) line += " every " + format_duration(*plan.wait);
  for (const FeedPlan& feed : plan.feeds) {
    line += " feed " + feed.url;
    if (!feed.implied_pages.empty()) line += " implies";
    for (const std::string& page : feed.implied_pages) line += " " + page;
  }
  return line;
}

Result<std::vector<SitePlan>> parse_site_plans(const std::vector<std::string>& lines) {
  std::vector<SitePlan> plans;
  std::set<std::string, std::less<>> names;
  for (const std::string& line : lines) {
    TRY(SitePlan plan, parse_site_plan(line));
    if (!names.insert(plan.name).second)
      return fail(ErrorCode::config, fmt::format("the site '{}' is there twice", plan.name));
    plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace caddis::feeds
