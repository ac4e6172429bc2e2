#include "caddis/feeds/sitemap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <map>
#include <nlohmann/json.hpp>

#include "caddis/base/time_format.h"
#include "caddis/feeds/xml_reader.h"
#include "support/testdata.h"

namespace caddis::feeds {
namespace {

using nlohmann::json;

// Rows that are not about reading sitemaps as Caddis does, by the name of their test.
const std::map<std::string, std::string> kNotApplicable = {
    {"testAtomFormat", "Atom is a feed; read by the feed reader, not as a sitemap"},
    {"testRSSFormat", "RSS is a feed"},
    {"testRSS10SyndicationFormat", "RSS is a feed"},
    {"testRSSPubDate", "RSS is a feed"},
};
// Files that crawler-commons refuses and Caddis reads, since refusing loses links and gains nothing.
const std::map<std::string, std::string> kReadAllTheSame = {
    {"testSitemapXXE", "a DTD is passed over, so the file is harmless: its plain entries are kept"},
    {"testSitemapWithWrongNamespace", "the namespace is not asked for"},
    {"testSitemapParserBrokenXml", "the entries before the break are kept, and `cut` is set"},
};

std::string base64(std::string_view text) {
  static constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, held = 0;
  for (char c : text) {
    const size_t value = kAlphabet.find(c);
    if (value == kAlphabet.npos) break;
    held = (held << 6) | static_cast<unsigned>(value);
    if ((bits += 6) >= 8) out += static_cast<char>((held >> (bits -= 8)) & 255);
  }
  return out;
}

std::string gunzip(std::string bytes) {
  if (!bytes.starts_with("\x1F\x8B")) return bytes;
  z_stream stream{};
  inflateInit2(&stream, 31);
  std::string out(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  inflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  inflateEnd(&stream);
  return out;
}

// What crawler-commons' option "strict" leaves: URLs below the sitemap's own folder, without their fragments.
std::vector<SitemapEntry> below(std::string_view sitemap_url, std::vector<SitemapEntry> entries, bool strict) {
  const std::string_view folder = sitemap_url.substr(0, sitemap_url.rfind('/') + 1);
  std::erase_if(entries, [&](const SitemapEntry& entry) { return strict && !entry.loc.starts_with(folder); });
  for (SitemapEntry& entry : entries) entry.loc = entry.loc.substr(0, entry.loc.find('#'));
  return entries;
}

std::string frequency_name(ChangeFrequency frequency) {
  constexpr std::string_view kNames[] = {"", "ALWAYS", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY", "NEVER"};
  return std::string(kNames[static_cast<size_t>(frequency)]);
}

json text_or_null(const std::string& text) { return text.empty() ? json() : json(text); }

void expect_entry(const SitemapEntry& entry, const json& expected, bool index, const std::string& where) {
  EXPECT_EQ(entry.loc, expected["loc"].get<std::string>()) << where;
  EXPECT_EQ(text_or_null(entry.lastmod ? rfc3339(*entry.lastmod) : ""), expected["lastmod"]) << where << entry.loc;
  if (index) return;
  EXPECT_EQ(text_or_null(frequency_name(entry.changefreq)), expected["changefreq"]) << where << entry.loc;
  EXPECT_EQ(entry.priority, expected["priority"].get<double>()) << where << entry.loc;
  const json none = json::array();
  const json extensions = expected.value("extensions", json::object());
  for (const json& image : extensions.value("IMAGE", none)) {
    EXPECT_THAT(entry.embeds, ::testing::Contains(image["loc"][0].get<std::string>())) << where;
  }
  for (const json& video : extensions.value("VIDEO", none)) {
    for (const char* name : {"thumbnail_loc", "content_loc", "player_loc"}) {
      if (video.contains(name))
        EXPECT_THAT(entry.embeds, ::testing::Contains(video[name][0].get<std::string>())) << where << name;
    }
  }
  for (const json& link : extensions.value("LINKS", none)) {
    EXPECT_THAT(entry.alternates, ::testing::Contains(link["href"][0].get<std::string>())) << where;
  }
}

TEST(SitemapData, CrawlerCommons) {
  CADDIS_TESTDATA_OR_SKIP(path, "04-sitemaps/crawler_commons.jsonl");
  int read = 0, refused = 0;
  for (const std::string& line : testing::read_lines(path)) {
    const json row = json::parse(line);
    const std::string test = row["src"].get<std::string>().substr(std::string("crawler-commons ").size());
    const std::string where = test + " " + row["url"].get<std::string>() + " ";
    if (kNotApplicable.contains(test)) continue;
    const std::string body = gunzip(row.contains("content") ? row["content"].get<std::string>()
                                                            : base64(row["content_b64"].get<std::string>()));
    const auto sitemap = parse_sitemap(body);
    if (row.contains("error")) {
      EXPECT_EQ(sitemap.has_value(), kReadAllTheSame.contains(test)) << where;
      ++refused;
      continue;
    }
    ASSERT_TRUE(sitemap.has_value()) << where << sitemap.error().message;
    EXPECT_EQ(sitemap->cut, row["options"]["allow_partial"].get<bool>()) << where;
    const bool index = row["index"];
    EXPECT_EQ(sitemap->kind, row["type"] == "TEXT" ? SitemapKind::text
                             : index               ? SitemapKind::index
                                                   : SitemapKind::url_set)
        << where;
    const auto entries =
        below(row["url"].get<std::string>(), sitemap->entries, !index && row["options"]["strict"].get<bool>());
    ASSERT_EQ(entries.size(), row["expected"].size()) << where;
    for (size_t i = 0; i < entries.size(); ++i) expect_entry(entries[i], row["expected"][i], index, where);
    ++read;
  }
  EXPECT_EQ(read + refused, 51);
}

TEST(Sitemap, RefusesWhatIsNone) {
  EXPECT_EQ(parse_sitemap("<rss version='2.0'></rss>").error().message, "this is a feed (<rss>), not a sitemap");
  EXPECT_EQ(parse_sitemap("<!DOCTYPE html><html></html>").error().message,
            "the root element <html> is that of no sitemap");
  EXPECT_FALSE(parse_sitemap(""));
  EXPECT_FALSE(parse_sitemap("<urlset><url><loc>"));
  EXPECT_TRUE(parse_sitemap("<urlset/>"));
}

TEST(Sitemap, KeepsToItsLimits) {
  const std::string body = "<urlset><url><loc>https://a/1</loc></url><url><loc>https://a/" + std::string(9000, 'x') +
                           "</loc></url><url><loc>https://a/2</loc></url>"
                           "<url><loc>https://a/3</loc></url></urlset>";
  const auto sitemap = parse_sitemap(body, {.max_entries = 2});
  ASSERT_TRUE(sitemap.has_value());
  EXPECT_TRUE(sitemap->cut);
  ASSERT_EQ(sitemap->entries.size(), 2u);
  EXPECT_EQ(sitemap->entries[1].loc, "https://a/2") << "too long a URL is left out";
  EXPECT_TRUE(parse_sitemap(body, {.max_bytes = 60})->cut);
}

TEST(Sitemap, ForgivesAmpersands) {
  const auto sitemap =
      parse_sitemap("<urlset><url><loc>https://a/?b=1&c=2&copy;=3&amp;d=&#x41;&#0;</loc></url></urlset>");
  EXPECT_EQ(sitemap->entries.at(0).loc, "https://a/?b=1&c=2&copy;=3&d=A&#0;");
}

TEST(Sitemap, IsRecognized) {
  EXPECT_TRUE(looks_like_sitemap("\xEF\xBB\xBF <?xml version='1.0'?><!-- x --><s:urlset xmlns:s='x'>"));
  EXPECT_TRUE(looks_like_sitemap("<sitemapindex>"));
  EXPECT_FALSE(looks_like_sitemap("<html>"));
  EXPECT_FALSE(looks_like_sitemap("https://example.org/"));
}

TEST(XmlReader, ReadsElementsAttributesAndText) {
  XmlReader xml("<a x='1' y:z=\"&lt;2\"><b/>t&amp;<![CDATA[<c>]]></a>");
  ASSERT_EQ(xml.next(), XmlReader::Event::start);
  EXPECT_EQ(xml.attribute("x") + xml.attribute("y:z") + xml.attribute("no"), "1<2");
  ASSERT_EQ(xml.next(), XmlReader::Event::start);
  EXPECT_EQ(xml.depth(), 2u);
  ASSERT_EQ(xml.next(), XmlReader::Event::end);
  ASSERT_EQ(xml.next(), XmlReader::Event::text);
  EXPECT_EQ(xml.text(), "t&");
  ASSERT_EQ(xml.next(), XmlReader::Event::text);
  EXPECT_EQ(xml.text(), "<c>");
  ASSERT_EQ(xml.next(), XmlReader::Event::end);
  ASSERT_EQ(xml.next(), XmlReader::Event::finished);
  EXPECT_FALSE(xml.broken());
}

TEST(XmlReader, StopsAtWhatDoesNotFit) {
  for (std::string_view text : {"<a></b>", "<a>", "<a", "<a><!--", "<!DOCTYPE a [", "<a><![CDATA[x"}) {
    XmlReader xml(text);
    while (xml.next() != XmlReader::Event::finished) {
    }
    EXPECT_TRUE(xml.broken()) << text;
  }
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "<a>";
  XmlReader xml(deep);
  size_t most = 0;
  while (xml.next() != XmlReader::Event::finished) most = std::max(most, xml.depth());
  EXPECT_EQ(most, XmlReader::kMaxDepth);
}

}  // namespace
}  // namespace caddis::feeds
