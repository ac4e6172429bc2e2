// Feeds in the simulated world: forty news sites with a hundred feeds of all forms are polled for days, through any number
// of deaths. Every item is captured once and soon, and nothing else is captured twice.
//
// CADDIS_FEED_DAYS: how many days, 1 by default; a month is for a build without sanitizers.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/crawl_status.h"
#include "caddis/crawl/feed_rows.h"
#include "caddis/crawl/operator.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/dns/resolver.h"
#include "sim/crawl.h"
#include "sim/requests.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;
using testing::SimCrawl;

constexpr WallTime kBegin = WallTime(1'790'000'000s);
constexpr size_t kShown = 20;  // items in a feed

WallTime after(WallTime time, Duration wait) { return std::chrono::time_point_cast<WallTime::duration>(time + wait); }

struct NewsItem {
  std::string path;
  WallTime published;  // it is in the feed from then on
  WallTime dated;      // as its feed says; earlier for one that comes late
  std::optional<WallTime> updated;
};

enum class Form { rss20, rss091, rdf, atom, json };

struct NewsFeed {
  std::string path;
  Form form = Form::rss20;
  bool has_etag = false, has_date = false;
  std::vector<NewsItem> items;  // by publication
  WallTime down_from{}, down_until{};

  bool is_dated() const { return form != Form::rss091; }
};

std::string answer(std::string_view status, std::string_view type, std::string_view body,
                   std::string_view fields = "") {
  return fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}\r\n{}", status, type, body.size(),
                     fields, body);
}

// One host with its feeds, its articles and their pictures.
class NewsSite {
 public:
  NewsSite(int number, int feeds, WallTime end, Random& random) : host_(fmt::format("news{}.test", number)) {
    for (int i = 0; i < feeds; ++i) {
      NewsFeed feed;
      feed.path = fmt::format("/feeds/{}", i);
      feed.form = static_cast<Form>((number + i) % 5);
      feed.has_etag = random.below(2) == 0;
      feed.has_date = random.below(3) == 0;
      add_items(feed, i, end, random);
      if (random.below(4) == 0) {
        feed.down_from = after(kBegin, std::chrono::hours(6 + random.below(30)));
        feed.down_until = after(feed.down_from, std::chrono::minutes(20 + random.below(120)));
      }
      feeds_.push_back(std::move(feed));
    }
    // Some of the first feed's items stand in the second, too.
    for (size_t k = 0; k < feeds_[0].items.size(); k += 7) shared_.push_back(feeds_[0].items[k]);
  }

  const std::string& host() const { return host_; }
  const std::vector<NewsFeed>& feeds() const { return feeds_; }
  std::string url(std::string_view path) const { return fmt::format("http://{}{}", host_, path); }
  std::string line(int wait_minutes) const {
    std::string text = fmt::format("{}: every {}m", host_, wait_minutes);
    for (const NewsFeed& feed : feeds_) text += fmt::format(" feed {} implies {}", url(feed.path), url("/"));
    return text;
  }

  std::string respond(std::string_view path, std::string_view head, WallTime now) const {
    if (path == "/robots.txt") return answer("404 Not Found", "text/plain", "");
    if (path == "/style.css") return answer("200 OK", "text/css", "body { color: black }");
    if (path == "/") return answer("200 OK", "text/html", front_page(now));
    if (path.starts_with("/feeds/")) return feed_answer(feeds_[static_cast<size_t>(path.back() - '0')], head, now);
    if (path.starts_with("/img/")) return answer("200 OK", "image/png", fmt::format("picture {}{}", host_, path));
    if (path.starts_with("/item/"))
      return answer("200 OK", "text/html",
                    fmt::format("<html><link rel=stylesheet href=/style.css><img src=/img{}.png><a href=/about>us</a>"
                                "<a href=/item/elsewhere>more</a>{} {}</html>",
                                path, host_, path));
    return answer("404 Not Found", "text/html", "");
  }

  // The latest first.
  std::vector<const NewsItem*> shown(const NewsFeed& feed, WallTime now) const {
    std::vector<const NewsItem*> items;
    for (const NewsItem& item : feed.items)
      if (item.published <= now) items.push_back(&item);
    if (&feed == &feeds_[1])
      for (const NewsItem& item : shared_)
        if (item.published <= now) items.push_back(&item);
    std::ranges::sort(items, [](const NewsItem* one, const NewsItem* other) {
      return one->published != other->published ? one->published > other->published : one->path < other->path;
    });
    if (items.size() > kShown) items.resize(kShown);
    return items;
  }

 private:
  void add_items(NewsFeed& feed, int number, WallTime end, Random& random) const {
    const auto mean = static_cast<int64_t>(40 + random.below(300));  // minutes
    WallTime at = after(kBegin, -std::chrono::hours(20));
    for (int k = 0; at < end; ++k) {
      NewsItem item;
      item.path = fmt::format("/item/{}-{}", number, k);
      item.published = item.dated = at;
      if (random.below(20) == 0) item.dated = after(at, -3h);
      if (random.below(15) == 0 && feed.is_dated()) item.updated = after(at, 5h);
      feed.items.push_back(std::move(item));
      at = after(at, std::chrono::seconds(1 + random.below(static_cast<uint64_t>(mean) * 120)));
    }
  }

  std::string front_page(WallTime now) const {
    std::string body = "<html><link rel=stylesheet href=/style.css>";
    for (const NewsFeed& feed : feeds_)
      for (const NewsItem* item : shown(feed, now)) body += fmt::format("<a href={}>x</a>", item->path);
    return body + "</html>";
  }

  std::string entry(Form form, const NewsItem& item, WallTime now) const {
    const std::string link = url(item.path);
    const WallTime date = item.updated && *item.updated <= now ? *item.updated : item.dated;
    switch (form) {
      case Form::rss20:
        return fmt::format("<item><link>{}</link><guid isPermaLink=\"false\">{}</guid><pubDate>{}</pubDate></item>",
                           link, item.path, http_date(date));
      case Form::rss091:
        return fmt::format("<item><title>x</title><link>{}</link></item>", link);
      case Form::rdf:
        return fmt::format("<item rdf:about=\"{}\"><link>{}</link><dc:date>{}</dc:date></item>", link, link,
                           rfc3339(date));
      case Form::atom:
        return fmt::format(
            "<entry><id>{}</id><link href=\"{}\"/><published>{}</published><updated>{}</updated></entry>", item.path,
            item.path, rfc3339(item.dated), rfc3339(date));
      case Form::json:
        return fmt::format("{{\"id\":\"{}\",\"url\":\"{}\",\"date_modified\":\"{}\"}}", link, link, rfc3339(date));
    }
    return "";
  }

  std::string feed_body(const NewsFeed& feed, WallTime now) const {
    std::string items;
    for (const NewsItem* item : shown(feed, now))
      items += (feed.form == Form::json && !items.empty() ? "," : "") + entry(feed.form, *item, now);
    switch (feed.form) {
      case Form::rss20:
        return "<rss version=\"2.0\"><channel>" + items + "</channel></rss>";
      case Form::rss091:
        return "<rss version=\"0.91\"><channel>" + items + "</channel></rss>";
      case Form::rdf:
        return "<rdf:RDF xmlns:rdf=\"r\" xmlns:dc=\"d\" xmlns=\"http://purl.org/rss/1.0/\">" + items + "</rdf:RDF>";
      case Form::atom:
        return "<feed xmlns=\"http://www.w3.org/2005/Atom\">" + items + "</feed>";
      case Form::json:
        return "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[" + items + "]}";
    }
    return "";
  }

  std::string feed_answer(const NewsFeed& feed, std::string_view head, WallTime now) const {
    if (now >= feed.down_from && now < feed.down_until) return answer("500 Broken", "text/html", "down");
    const std::string body = feed_body(feed, now);
    const std::string etag = fmt::format("\"{:x}\"", std::hash<std::string>()(body));
    if (feed.has_etag && head.find("If-None-Match: " + etag) != head.npos)
      return "HTTP/1.1 304 Not Modified\r\nETag: " + etag + "\r\n\r\n";
    std::string fields;
    if (feed.has_etag) fields += "ETag: " + etag + "\r\n";
    if (feed.has_date) fields += "Last-Modified: " + http_date(kBegin) + "\r\n";
    return answer("200 OK", "application/xml", body, fields);
  }

  std::string host_;
  std::vector<NewsFeed> feeds_;
  std::vector<NewsItem> shared_;
};

class NewsWorld {
 public:
  NewsWorld(int sites, WallTime end, uint64_t seed) : random_(seed) {
    for (int i = 0; i < sites; ++i) sites_.push_back(std::make_unique<NewsSite>(i, i % 2 == 0 ? 2 : 3, end, random_));
  }

  const std::vector<std::unique_ptr<NewsSite>>& sites() const { return sites_; }

  Result<visit::Lane::Parts> parts(aio::SimLoop& loop) {
    auto network = std::make_unique<aio::SimNetwork>(loop, aio::SimNetworkSettings());
    std::map<std::string, std::vector<std::string>> addresses;
    for (size_t i = 0; i < sites_.size(); ++i) {
      const std::string address = fmt::format("192.0.2.{}", i + 1);
      addresses[sites_[i]->host()] = {address};
      network->serve(aio::Endpoint(address, 80), [site = sites_[i].get(), &loop](std::unique_ptr<aio::Stream> stream) {
        return testing::answer_heads(std::move(stream), [site, &loop](const std::string& head) {
          const size_t from = head.find(' ') + 1;
          return testing::Answer{
              site->respond(head.substr(from, head.find(' ', from) - from), head, loop.clock().wall()), false};
        });
      });
    }
    return visit::Lane::Parts{loop, std::move(network), dns::make_table_resolver(loop.clock(), std::move(addresses)),
                              0};
  }

 private:
  SeededRandom random_;
  std::vector<std::unique_ptr<NewsSite>> sites_;
};

struct LogLine {
  WallTime time;
  int status = 0;
  std::string hops;
};

// By URL, in order.
std::map<std::string, std::vector<LogLine>> read_log(SimCrawl& crawl) {
  std::map<std::string, std::vector<LogLine>> lines;
  const auto launch = **collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
  std::string all;
  for (int part = 1;; ++part) {
    const std::string name = part == 1 ? launch.crawl_log() : launch.crawl_log() + "." + std::to_string(part);
    const bool is_packed = !crawl.disk.files.exists(name) && crawl.disk.files.exists(name + ".gz");
    if (!crawl.disk.files.exists(name) && !is_packed) break;
    auto bytes = crawl.disk.files.read_all(is_packed ? name + ".gz" : name);
    if (is_packed) bytes = io::gunzip_all(*bytes, 1 << 30);
    all += *bytes;
  }
  for (const std::string_view line : split(all, '\n')) {
    std::vector<std::string_view> fields;
    for (const std::string_view field : split(line, ' '))
      if (!field.empty()) fields.push_back(field);
    if (fields.size() < 5) continue;
    lines[std::string(fields[3])].push_back(
        {*parse_w3c_date(fields[0]), static_cast<int>(*parse_int(fields[1])), std::string(fields[4])});
  }
  return lines;
}

void poll_news(SimCrawl& crawl, NewsWorld& world, WallTime end) {
  crawl.settings.crawl.seeds.clear();
  crawl.settings.politeness.delay = 1s;
  crawl.settings.checkpoint.interval = 0s;
  crawl.settings.crawl.action_interval = 0s;
  crawl.settings.memory.hosts = 0;
  int wait = 0;
  for (const auto& site : world.sites()) crawl.settings.feeds.sites.push_back(site->line(10 + 10 * (wait++ % 6)));
  crawl.make_parts = [&world](aio::SimLoop& loop) { return world.parts(loop); };
  crawl.on_pulse = [end](aio::SimLoop& loop, Operator& running) {
    if (loop.clock().wall() >= end) running.stop("enough");
  };
}

// Lives until the end of the period, dying at random moments.
void live_through(SimCrawl& crawl) {
  for (int lives = 0; lives < 3000; ++lives) {
    SimCrawl::Death death;
    death.events = 5'000 + crawl.disk.random.below(50'000);
    if (crawl.disk.random.below(4) == 0) death.changes = 100 + crawl.disk.random.below(20'000);
    crawl.live(death);
    if (::testing::Test::HasFailure()) return;
    if (crawl.has_ended() && crawl.end().reason == EndReason::stopped) return;
  }
  FAIL() << "it does not end";
}

struct Delays {
  std::vector<double> minutes, of_wait;
  std::string describe(std::vector<double> of) const {
    std::ranges::sort(of);
    const auto at = [&](double part) {
      return of.empty() ? 0 : of[static_cast<size_t>(part * static_cast<double>(of.size() - 1))];
    };
    return fmt::format("{} items: median {:.1f}, 90 % {:.1f}, 99 % {:.1f}, most {:.1f}", of.size(), at(0.5), at(0.9),
                       at(0.99), of.empty() ? 0 : of.back());
  }
};

int days() {
  const char* const wanted = std::getenv("CADDIS_FEED_DAYS");
  return wanted == nullptr ? 1 : std::atoi(wanted);
}

TEST(SimulatedFeeds, OfFortySitesAreFollowedThroughDeaths) {
  const WallTime end = after(kBegin, std::chrono::hours(24) * days());
  NewsWorld world(40, end, 4);
  SimCrawl crawl(7);
  poll_news(crawl, world, end);
  size_t feeds = 0;
  for (const auto& site : world.sites()) feeds += site->feeds().size();
  EXPECT_EQ(feeds, 100u);
  live_through(crawl);
  if (HasFailure()) return;

  auto log = read_log(crawl);
  Delays delays;
  size_t items = 0, polls = 0, unchanged = 0, fronts = 0, updates = 0;
  int wait = 0;
  for (const auto& site : world.sites()) {
    const double minutes_of_wait = 10 + 10 * (wait++ % 6);
    for (const NewsFeed& feed : site->feeds()) {
      const auto taken = log.extract(site->url(feed.path));
      ASSERT_FALSE(taken.empty()) << feed.path;
      polls += taken.mapped().size();
      unchanged += static_cast<size_t>(std::ranges::count(taken.mapped(), 304, &LogLine::status));
      // Items that had left the feed when the crawl began are not to be had.
      const auto at_begin = site->shown(feed, kBegin);
      for (size_t k = 0; k < feed.items.size(); ++k) {
        const NewsItem& item = feed.items[k];
        const auto lines = log.extract(site->url(item.path));
        const auto picture = log.extract(site->url("/img" + item.path + ".png"));
        const size_t captures = lines.empty() ? 0 : lines.mapped().size();
        const bool was_shown = item.published > kBegin || std::ranges::find(at_begin, &item) != at_begin.end();
        if (!was_shown || after(item.published, 4h) >= end) continue;
        ++items;
        const bool is_updated = item.updated && *item.updated > kBegin && after(*item.updated, 4h) < end;
        const bool may_be = item.updated && *item.updated > kBegin;
        updates += is_updated ? 1 : 0;
        EXPECT_GE(captures, is_updated ? 2u : 1u) << site->url(item.path) << " of " << rfc3339(item.published);
        EXPECT_LE(captures, may_be ? 2u : 1u) << site->url(item.path);
        EXPECT_EQ(picture.empty() ? 0 : picture.mapped().size(), 1u) << site->url(item.path);
        if (captures == 0 || item.published <= kBegin) continue;
        EXPECT_EQ(lines.mapped().front().hops, "L");
        const bool was_down = feed.down_from <= after(item.published, 1h) && feed.down_until >= item.published;
        if (was_down) continue;
        const double late =
            std::chrono::duration<double, std::ratio<60>>(lines.mapped().front().time - item.published).count();
        delays.minutes.push_back(late);
        delays.of_wait.push_back(late / minutes_of_wait);
      }
    }
    fronts += log[site->url("/")].size();
    EXPECT_LE(log[site->url("/style.css")].size(), 1u);
    for (const std::string path : {"/", "/style.css"}) log.erase(site->url(path));
    log.erase("dns:" + site->host());
    log.erase(site->url("/robots.txt"));
  }
  for (const auto& [url, lines] : log) ADD_FAILURE() << url << " was visited, " << lines.front().hops;
  EXPECT_GT(items, 300u);
  EXPECT_GT(updates, 5u);
  EXPECT_GT(unchanged, polls / 10);
  EXPECT_GT(fronts, 40u);
  EXPECT_LT(fronts, polls);
  const std::string in_minutes = delays.describe(delays.minutes), in_waits = delays.describe(delays.of_wait);
  fmt::print("{} days, {} lives, {} polls of 100 feeds, {} of them unchanged (304), {} front pages, {} updates\n",
             days(), crawl.lives(), polls, unchanged, fronts, updates);
  fmt::print("minutes from publication to capture: {}\n", in_minutes);
  fmt::print("in waits of the site:                {}\n", in_waits);
  std::ranges::sort(delays.of_wait);
  // A wait, the pages of the round, and now and then a clock that was set back by ten minutes.
  EXPECT_LT(delays.of_wait[delays.of_wait.size() * 9 / 10], 1.5);
}

// The waits of a site hold, and an operator may do without them.
TEST(SimulatedFeeds, KeepACrawlOpenUntilItIsStopped) {
  const WallTime end = after(kBegin, 3h);
  NewsWorld world(1, end, 1);
  SimCrawl crawl(1);
  poll_news(crawl, world, end);
  std::set<std::string> states;
  bool is_between = false;
  const auto stop = crawl.on_pulse;
  crawl.on_pulse = [&](aio::SimLoop& loop, Operator& operations) {
    const CrawlStatus status = operations.status();
    states.insert(std::string(name_of(status.state)));
    if (status.state == RunState::empty)
      is_between |= status.waits_for.starts_with("the next poll of a feed is due in");
    stop(loop, operations);
  };
  crawl.live({.events = 200'000});
  ASSERT_TRUE(crawl.has_ended());
  EXPECT_EQ(crawl.end().text, "enough");
  EXPECT_TRUE(states.contains("running"));
  EXPECT_TRUE(states.contains("empty"));
  EXPECT_TRUE(is_between);
  auto log = read_log(crawl);
  const auto& polls = log[world.sites()[0]->url("/feeds/0")];
  ASSERT_GT(polls.size(), 10u);
  for (size_t i = 1; i < polls.size(); ++i) EXPECT_GE(polls[i].time - polls[i - 1].time, 9min + 50s);
}

}  // namespace
}  // namespace caddis::crawl
