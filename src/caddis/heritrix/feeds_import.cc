// The sites that CrawlRSS polls: a line of feeds.sites for each RssSite.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/feeds/site_plan.h"
#include "caddis/heritrix/handlers.h"

namespace caddis::heritrix {
namespace {

constexpr std::string_view kSite = "RssSite";

// The beans of a list: those that are written in it, and those that are referred to.
std::vector<const Bean*> beans_of(const BeanTree& tree, const BeanProperty* property) {
  std::vector<const Bean*> beans;
  const BeanValue* const list = property == nullptr ? nullptr : tree.list(property->value);
  if (list == nullptr) return beans;
  for (const BeanValue& item : list->items)
    if (const Bean* const bean = tree.follow(item)) beans.push_back(bean);
  return beans;
}

feeds::FeedPlan feed_of(const BeanTree& tree, const Bean& bean) {
  feeds::FeedPlan feed{bean.text("uri"), {}};
  const BeanProperty* const pages = bean.find("impliedPages");
  const BeanValue* const list = pages == nullptr ? nullptr : tree.list(pages->value);
  if (list == nullptr) return feed;
  for (const BeanValue& item : list->items)
    if (item.is_text()) feed.implied_pages.emplace_back(trim(item.text));
  return feed;
}

// A site as its bean states it, and how that differs from what the bean says; empty if it does not.
struct StatedSite {
  feeds::SitePlan plan;
  std::string difference;
};

Result<StatedSite> site_of(const BeanTree& tree, const Bean& bean) {
  StatedSite site;
  site.plan.name = bean.text("name");
  std::ranges::replace_if(site.plan.name, [](unsigned char c) { return c <= ' ' || c == '/'; }, '-');
  if (site.plan.name != bean.text("name"))
    site.difference = fmt::format("names have no blanks and slashes, so it is {}", site.plan.name);
  if (const std::string wait = bean.text("minWaitInterval"); !wait.empty()) {
    TRY(site.plan.wait, parse_duration(wait));
    if (*site.plan.wait < feeds::SitePlan::kLeastWait) {
      site.plan.wait = feeds::SitePlan::kLeastWait;
      site.difference += fmt::format("{}the least wait is one minute", site.difference.empty() ? "" : "; ");
    }
  }
  for (const Bean* const feed : beans_of(tree, bean.find("rssFeeds"))) site.plan.feeds.push_back(feed_of(tree, *feed));
  TRY_VOID(feeds::check_site_plan(site.plan));
  return site;
}

void tell_site(Import& import, const Bean& bean, Fate fate, std::string_view said) {
  import.tell_deep(bean, fate, said);
  for (const Bean* const feed : beans_of(import.tree(), bean.find("rssFeeds"))) import.tell_deep(*feed, fate, said);
}

}  // namespace

void import_feeds(Import& import) {
  std::vector<std::pair<const Bean*, StatedSite>> sites;
  std::vector<std::string> lines;
  import.tree().each([&](const Bean& bean) {
    if (bean.kind() != kSite) return;
    auto site = site_of(import.tree(), bean);
    if (!site)
      return tell_site(import, bean, Fate::without,
                       fmt::format("{}: write its line into feeds.sites (docs/feeds.md)", site.error().message));
    lines.push_back(feeds::to_line(site->plan));
    sites.emplace_back(&bean, *std::move(site));
  });
  if (sites.empty()) return;
  const bool is_set = import.set(sites.front().first->item, "feeds", "sites", lines);
  for (const auto& [bean, site] : sites) {
    if (!is_set)
      tell_site(import, *bean, Fate::without, "feeds.sites could not be set: write the lines (docs/feeds.md)");
    else if (site.difference.empty())
      tell_site(import, *bean, Fate::taken, fmt::format("feeds.sites: {}", site.plan.name));
    else
      tell_site(import, *bean, Fate::differently, fmt::format("feeds.sites: {}", site.difference));
  }
}

}  // namespace caddis::heritrix
