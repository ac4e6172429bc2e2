#include "caddis/feeds/feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "caddis/base/time_format.h"
#include "caddis/feeds/feed_date.h"
#include "support/testdata.h"

namespace caddis::feeds {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

url::Url base() { return *url::Url::parse("http://news.test/rss/all.xml"); }

Feed read(std::string_view body) {
  auto feed = parse_feed(body, base());
  EXPECT_TRUE(feed) << feed.error().message;
  return feed ? *std::move(feed) : Feed();
}

std::vector<std::string> links(const Feed& feed) {
  std::vector<std::string> found;
  for (const FeedItem& item : feed.items) found.push_back(item.link);
  return found;
}

std::string date_of(const FeedItem& item) { return item.date() ? rfc3339(*item.date()) : "-"; }

TEST(Feed, ReadsRss20) {
  const Feed feed = read(R"(<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><channel>
<title>News &amp; more</title><link>http://news.test/</link><atom:link href="http://news.test/rss" rel="self"/>
<item><title>One</title><link>http://news.test/1?a=1&amp;b=2</link><guid isPermaLink="false">tag:1</guid>
<pubDate>Tue, 10 Mar 2015 12:00:00 +0100</pubDate><media:content url="http://news.test/1.jpg"/></item>
<item><title>Two</title><guid>http://news.test/2</guid><pubDate>10 Mar 15 13:30 EST</pubDate></item>
<item><title>Three</title><link><![CDATA[ /3 ]]></link></item>
</channel></rss>)");
  EXPECT_EQ(feed.kind, FeedKind::rss);
  EXPECT_EQ(feed.version, "2.0");
  EXPECT_EQ(feed.title, "News & more");
  EXPECT_THAT(links(feed), ElementsAre("http://news.test/1?a=1&b=2", "http://news.test/2", "http://news.test/3"));
  EXPECT_EQ(feed.items[0].id, "tag:1");
  EXPECT_EQ(date_of(feed.items[0]), "2015-03-10T11:00:00Z");
  EXPECT_EQ(date_of(feed.items[1]), "2015-03-10T18:30:00Z");
  EXPECT_EQ(date_of(feed.items[2]), "-");
  EXPECT_FALSE(feed.cut);
}

TEST(Feed, TakesEnclosuresOfItemsWithoutAPage) {
  EXPECT_THAT(links(read(R"(<rss version="2.0"><channel>
<item><title>One</title><guid isPermaLink="false">a</guid><enclosure url="/1.mp3" type="audio/mpeg"/></item>
<item><enclosure url="http://news.test/2.mp3"/><link>http://news.test/2</link></item>
<item><guid isPermaLink="false">c</guid></item></channel></rss>)")),
              ElementsAre("http://news.test/1.mp3", "http://news.test/2", ""));
  EXPECT_THAT(links(read(R"(<feed xmlns="http://www.w3.org/2005/Atom">
<entry><id>a</id><link rel="enclosure" href="/1.ogg"/></entry></feed>)")),
              ElementsAre("http://news.test/1.ogg"));
  EXPECT_THAT(links(read(R"({"version": "https://jsonfeed.org/version/1.1", "items": [
{"id": "1", "attachments": [{"url": "/1.m4a", "mime_type": "audio/mp4"}]}]})")),
              ElementsAre("http://news.test/1.m4a"));
}

TEST(Feed, ReadsRss09InItsForms) {
  for (const std::string_view version : {"0.91", "0.92", "0.93"}) {
    const Feed feed = read("<rss version='" + std::string(version) +
                           "'><channel><title>t</title><item><title>x</title><link>http://news.test/a</link></item>"
                           "</channel></rss>");
    EXPECT_EQ(feed.version, version);
    EXPECT_THAT(links(feed), ElementsAre("http://news.test/a"));
  }
  const Feed rdf = read(R"(<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
xmlns="http://my.netscape.com/rdf/simple/0.9/"><channel><title>t</title><link>http://news.test/</link></channel>
<item><title>x</title><link>http://news.test/b</link></item></rdf:RDF>)");
  EXPECT_EQ(rdf.kind, FeedKind::rdf);
  EXPECT_EQ(rdf.version, "0.90");
  EXPECT_THAT(links(rdf), ElementsAre("http://news.test/b"));
}

TEST(Feed, ReadsRss10WithDublinCore) {
  const Feed feed = read(R"(<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="http://news.test/"><title>t</title><items><rdf:Seq><rdf:li resource="http://news.test/c"/></rdf:Seq>
</items></channel><item rdf:about="http://news.test/c"><dc:date>2015-03-10T12:00+01:00</dc:date></item></rdf:RDF>)");
  EXPECT_EQ(feed.version, "1.0");
  EXPECT_THAT(links(feed), ElementsAre("http://news.test/c"));
  EXPECT_EQ(date_of(feed.items[0]), "2015-03-10T11:00:00Z");
}

TEST(Feed, ReadsAtomWithSeveralLinksAndBases) {
  const Feed feed = read(R"(<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://other.test/x/">
<title type="text">Atom</title><link rel="self" href="/feed"/>
<entry xml:base="y/"><id>urn:uuid:1</id><link rel="enclosure" href="a.mp3"/><link rel="alternate" type="application/pdf"
 href="1.pdf"/><link rel="alternate" type="text/html" href="1"/><published>2015-03-10T10:00:00Z</published>
<updated>2015-03-10T12:00:00.5+02:00</updated></entry>
<entry><id>http://other.test/2</id><link href="2"/></entry>
<entry><id>http://other.test/3</id><content><div xmlns="http://www.w3.org/1999/xhtml"><link href="/no"/></div></content>
</entry></feed>)");
  EXPECT_EQ(feed.kind, FeedKind::atom);
  EXPECT_THAT(links(feed), ElementsAre("http://other.test/x/y/1", "http://other.test/x/2", "http://other.test/3"));
  EXPECT_EQ(date_of(feed.items[0]), "2015-03-10T10:00:00Z");
  EXPECT_EQ(rfc3339(*feed.items[0].published), "2015-03-10T10:00:00Z");
}

TEST(Feed, ReadsAtom03) {
  const Feed feed = read(R"(<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>t</title>
<entry><id>x</id><link rel="alternate" type="text/html" href="http://news.test/d"/><issued>2003-12-13T08:29:29-04:00</issued>
<modified>2003-12-13T18:30:02Z</modified></entry></feed>)");
  EXPECT_EQ(feed.version, "0.3");
  EXPECT_EQ(date_of(feed.items[0]), "2003-12-13T18:30:02Z");
}

TEST(Feed, ReadsJsonFeeds) {
  const Feed feed = read(R"({"version": "https://jsonfeed.org/version/1.1", "title": "J", "items": [
{"id": 7, "url": "/7", "date_published": "2020-01-02T03:04:05Z", "date_modified": "2020-01-03T00:00:00+00:00"},
{"id": "http://news.test/8", "content_text": "x"}, {"id": "9", "external_url": "http://other.test/9"}, 5, {"title": "no"}]})");
  EXPECT_EQ(feed.kind, FeedKind::json);
  EXPECT_EQ(feed.version, "1.1");
  EXPECT_THAT(links(feed), ElementsAre("http://news.test/7", "http://news.test/8", "http://other.test/9"));
  EXPECT_EQ(feed.items[0].id, "7");
  EXPECT_EQ(date_of(feed.items[0]), "2020-01-03T00:00:00Z");
}

TEST(Feed, IsReadAsFarAsItGoes) {
  const Feed feed =
      read("\xEF\xBB\xBF\n <rss><channel><item><link>http://news.test/1</link></item><item><link>http://ne");
  EXPECT_THAT(links(feed), ElementsAre("http://news.test/1"));
  EXPECT_TRUE(feed.cut);
  const Feed limited = *parse_feed(
      "<rss><channel><item><link>http://a/1</link></item><item><link>http://a/2</link></item>"
      "</channel></rss>",
      base(), {.max_items = 1});
  EXPECT_EQ(limited.items.size(), 1u);
  EXPECT_TRUE(limited.cut);
}

TEST(Feed, ReadsUtf16AsFarAsLinksGo) {
  std::string wide("\xFF\xFE", 2);
  for (const char c : std::string_view("<rss><channel><item><link>http://news.test/w</link></item></channel></rss>"))
    wide += c, wide += '\0';
  EXPECT_THAT(links(read(wide)), ElementsAre("http://news.test/w"));
}

TEST(Feed, RefusesWhatIsNone) {
  const auto refusal = [](std::string_view body) { return parse_feed(body, base()).error().message; };
  EXPECT_THAT(refusal(""), HasSubstr("empty"));
  EXPECT_THAT(refusal("<!DOCTYPE html><html><body>Not found</body></html>"), HasSubstr("<html>"));
  EXPECT_THAT(refusal("hello"), HasSubstr("no XML"));
  EXPECT_THAT(refusal("{\"a\": 1}"), HasSubstr("version of a JSON Feed"));
  EXPECT_THAT(refusal("{\"a"), HasSubstr("JSON"));
  EXPECT_THAT(refusal("<urlset><url/></urlset>"), HasSubstr("<urlset>"));
}

TEST(FeedDate, ReadsWhatFeedsWrite) {
  const std::pair<const char*, const char*> kDates[] = {{"Thu, 01 Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21Z"},
                                                        {"Thu, 5 Apr 2012 10:00:00 GMT", "2012-04-05T10:00:00Z"},
                                                        {"01 Jan 04 19:48 PST", "2004-01-02T03:48:00Z"},
                                                        {"Sun Jan  4 16:29:06 PST 2004", "2004-01-05T00:29:06Z"},
                                                        {"Sat, 27 Jun 2015 8:05 PM", "2015-06-27T20:05:00Z"},
                                                        {"2015-03-10 12:00:00", "2015-03-10T12:00:00Z"},
                                                        {"2015-03-10T12:00:00.123456+01:00", "2015-03-10T11:00:00Z"},
                                                        {"20150310", "2015-03-10T00:00:00Z"},
                                                        {"March 10, 2015", "2015-03-10T00:00:00Z"},
                                                        {"10-Mar-15 12:00", "2015-03-10T12:00:00Z"},
                                                        {"2003-12", "2003-12-01T00:00:00Z"}};
  for (const auto& [text, expected] : kDates) {
    const auto found = parse_feed_date(text);
    EXPECT_EQ(found ? rfc3339(*found) : "-", expected) << text;
  }
  for (const char* text : {"", "yesterday", "32 Mar 2015", "Mar", "99", "2015-13-01", "Tue, 10 Foo 2015"})
    EXPECT_FALSE(parse_feed_date(text)) << text;
}

// Dates of other languages are not read.
TEST(FeedDate, HasAsManyDigitsOfASecondAsItLikes) {
  const auto whole = parse_feed_date("2015-03-10T12:00:00Z");
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(parse_feed_date("2015-03-10T12:00:00.999999999999999999Z"), whole);
}

TEST(FeedDate, ReadsThoseOfFeedparser) {
  CADDIS_TESTDATA_OR_SKIP(path, "04-feeds/feedparser_dates.jsonl");
  int right = 0, all = 0;
  for (const std::string& line : testing::read_lines(path)) {
    const json row = json::parse(line);
    const std::string parser = row["parser"];
    if (row["utc_tuple"].is_null() || (parser != "_parse_date_rfc822" && parser != "_parse_date_w3dtf")) continue;
    if (row["utc_tuple"][0].get<int>() < 1970) continue;  // before there were feeds
    ++all;
    const auto found = parse_feed_date(row["in"].get<std::string>());
    const json& at = row["utc_tuple"];
    const std::string expected = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", at[0].get<int>(), at[1].get<int>(),
                                             at[2].get<int>(), at[3].get<int>(), at[4].get<int>(), at[5].get<int>());
    const std::string is = found ? rfc3339(*found) : "-";
    if (is == expected)
      ++right;
    else
      ADD_FAILURE() << row["in"] << " is " << is << ", not " << expected;
  }
  EXPECT_GT(all, 20);
  RecordProperty("dates", right);
}

// Links, ids and dates of entries in the feeds of feedparser's tests, as that program reads them.
TEST(Feed, ReadsThoseOfFeedparser) {
  CADDIS_TESTDATA_OR_SKIP(path, "04-feeds/feedparser_wellformed.jsonl");
  int feeds = 0, checks = 0, wrong = 0;
  for (const std::string& line : testing::read_lines(path)) {
    const json row = json::parse(line);
    // Headers of HTTP do not name the base of links any more (RFC 9110, 8.7).
    const bool has_header_base = row["src"].get<std::string>().find("/base/http_") != std::string::npos;
    if (!row.contains("content") || has_header_base) continue;
    const auto feed = parse_feed(row["content"].get<std::string>(), base());
    if (!feed) continue;
    ++feeds;
    for (const json& check : row["checks"]) {
      const std::string what = check["path"];
      if (!what.starts_with("entries[0]") || feed->items.empty()) continue;
      const FeedItem& item = feed->items[0];
      const bool is_update = what.find("updated_parsed") != std::string::npos;
      if (is_update || what.find("published_parsed") != std::string::npos) {
        const json& at = check["value"];
        if (!at.is_array() || at.size() < 6) continue;
        const auto& date = is_update ? item.date() : item.published;
        const std::string expected =
            fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", at[0].get<int>(), at[1].get<int>(), at[2].get<int>(),
                        at[3].get<int>(), at[4].get<int>(), at[5].get<int>());
        ++checks;
        EXPECT_EQ(date ? rfc3339(*date) : "-", expected) << row["src"];
        continue;
      }
      if (!check["value"].is_string()) continue;
      const std::string expected = check["value"];
      std::string is;
      if (what == "entries[0]['link']" || what == "entries[0].link") {
        const auto url = url::Url::parse(expected);
        if (!url || !url->is_http()) continue;  // relative to where its file was served, or no page
        if (expected.find("127.0.0.1") != std::string::npos) continue;
        is = item.link;
        if (is == url->href()) is = expected;
      } else if (what == "entries[0]['id']" || what == "entries[0].id") {
        is = item.id;
      } else {
        continue;
      }
      ++checks;
      if (is != expected) {
        ++wrong;
        if (wrong < 30) ADD_FAILURE() << row["src"] << " " << what << ": " << is << ", not " << expected;
      }
    }
  }
  EXPECT_GT(feeds, 450);
  EXPECT_GE(checks, 20);
}

}  // namespace
}  // namespace caddis::feeds
