// Links in formats beside those of pages: feeds, media, listings, calendars and pages in one file.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "caddis/extract/extract.h"
#include "caddis/extract/plan.h"
#include "caddis/io/gzip.h"

namespace caddis::extract {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// "L http://h/x" for each link.
std::vector<std::string> words_of(const Extracted& extracted) {
  std::vector<std::string> out;
  for (const Link& link : extracted.links)
    out.push_back(std::string(1, static_cast<char>(link.hop)) + " " + std::string(link.url()));
  return out;
}

// "http://h" is the document's host.
std::vector<std::string> links_of(std::string_view type, std::string_view body, Options options = {},
                                  std::string_view url = "http://h/d/x") {
  options.favicon = false;
  return words_of(extract({.url = url, .content_type = type, .body = body}, options));
}

TEST(Feeds, Rss) {
  EXPECT_THAT(
      links_of("application/rss+xml",
               "<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel><link>http://s.org/</link>"
               "<image><url>http://s.org/logo</url><link>http://s.org/</link></image>"
               "<item><title>see /a.html</title><link>http://s.org/1</link><guid>http://s.org/?p=1</guid>"
               "<comments>http://s.org/1#c</comments><enclosure url='http://s.org/1.mp3' length='1'/>"
               "<media:content url='/v'><media:thumbnail url='t'/></media:content>"
               "<itunes:image href='http://s.org/cover'/></item>"
               "<item><guid isPermaLink='false'>http://s.org/opaque</guid><description>&lt;img src='/p.png'&gt;"
               "</description></item></channel></rss>"),
      ElementsAre("L http://s.org/", "E http://s.org/logo", "L http://s.org/1", "L http://s.org/?p=1",
                  "E http://s.org/1.mp3", "E http://h/v", "E http://h/d/t", "E http://s.org/cover",
                  "X http://h/p.png"));
}

TEST(Feeds, Atom) {
  EXPECT_THAT(
      links_of("application/atom+xml",
               "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://s.org/b/'><link rel='self' href='feed'/>"
               "<link rel='hub' href='http://hub.org/'/><link rel='next' href='?p=2'/><icon>/i.png</icon>"
               "<entry><id>tag:s.org,2026:1</id><link href='1'/><link rel='enclosure' href='1.ogg'/>"
               "<link rel='edit' href='edit/1'/><author><uri>http://a.org/</uri></author>"
               "<content type='image/png' src='1.png'/></entry></feed>"),
      ElementsAre("L http://s.org/b/feed", "L http://s.org/b/?p=2", "E http://s.org/i.png", "L http://s.org/b/1",
                  "E http://s.org/b/1.ogg", "X http://a.org/", "E http://s.org/b/1.png"));
}

TEST(Feeds, RelativeReferences) {
  EXPECT_THAT(links_of("application/atom+xml",
                       "<feed xmlns='http://www.w3.org/2005/Atom'><icon>3.ico</icon><logo>img/l5.png</logo><entry>"
                       "<author><uri>/about6</uri></author><content type='xhtml'><div><a href='next/8'>n</a>"
                       "<x:img src='img10' srcset='b 2x'/><p title='/t.html'/></div></content></entry></feed>"),
              ElementsAre("E http://h/d/3.ico", "E http://h/d/img/l5.png", "X http://h/about6", "X http://h/d/next/8",
                          "X http://h/d/img10", "X http://h/d/b", "X http://h/t.html"));
  EXPECT_THAT(
      links_of("application/rss+xml",
               "<rss><channel><link>../</link><image><url>3.png</url><link>?x</link></image>"
               "<item><link>6</link><source url='s.xml'>S</source></item></channel></rss>"),
      ElementsAre("L http://h/", "E http://h/d/3.png", "L http://h/d/x?x", "L http://h/d/6", "L http://h/d/s.xml"));
  EXPECT_THAT(links_of("application/rss+xml",
                       "<rss><channel><link>example.org/a.html</link><link>example.pl</link><link>None</link>"
                       "<link>tag:a,1:/b</link><guid>7</guid><icon>star</icon><uri>see a</uri><title>8</title>"
                       "<link>N/A</link><link>localhost/x</link><icon>10d</icon><url>n/a</url>"
                       "</channel></rss>"),
              IsEmpty());
}

TEST(Feeds, Rdf) {
  EXPECT_THAT(links_of("text/xml",
                       "<?xml version='1.0'?><rdf:RDF xmlns='http://purl.org/rss/1.0/'><channel rdf:about='x'>"
                       "<items><rdf:Seq><rdf:li rdf:resource='http://s.org/1'/></rdf:Seq></items></channel>"
                       "<item rdf:about='http://s.org/1'><link>http://s.org/1</link></item></rdf:RDF>"),
              ElementsAre("L http://s.org/1"));
}

TEST(Feeds, Json) {
  EXPECT_THAT(
      links_of("application/feed+json",
               R"({"version":"https://jsonfeed.org/version/1.1","home_page_url":"http://s.org/","next_url":"?p=2",
                   "hubs":[{"type":"x","url":"http://hub.org/"}],"icon":"i.png",
                   "items":[{"id":"http://s.org/?1","url":"1","external_url":"http://o.org/","image":"1.jpg",
                             "content_html":"<a href='/in'>","tags":["a/b"],
                             "attachments":[{"url":"1.mp3","mime_type":"audio/mpeg"}],"_own":{"u":"http://x.org/y"}}]})"),
      UnorderedElementsAre("E http://h/d/1.mp3", "L http://s.org/", "E http://h/d/i.png", "I http://x.org/y",
                           "X http://h/in", "L http://o.org/", "E http://h/d/1.jpg", "L http://h/d/1",
                           "L http://h/d/x?p=2"));
  EXPECT_THAT(links_of("application/feed+json", "{\"broken\": \"http://x.org/a\","), ElementsAre("I http://x.org/a"))
      << "what is no JSON is read like any script";
}

TEST(WebManifests, Members) {
  EXPECT_THAT(links_of("application/manifest+json",
                       R"({"name":"a/b.html","id":"/id","start_url":"./?app","scope":"/s/","icons":[{"src":"i.png"}],
                   "shortcuts":[{"url":"new","icons":[{"src":"n.svg"}]}],"screenshots":[{"src":"/s.jpg"}],
                   "share_target":{"action":"/share","params":{"url":"link"}},
                   "protocol_handlers":[{"protocol":"web+a","url":"/p?u=%s"}]})"),
              UnorderedElementsAre("E http://h/d/i.png", "E http://h/s.jpg", "E http://h/d/n.svg", "L http://h/d/new",
                                   "L http://h/d/?app"));
}

TEST(Oai, RecordsAndTheNextPart) {
  const std::string_view body =
      "<OAI-PMH><ListRecords><record><header><identifier>oai:h:1</identifier></header><metadata><dc:dc>"
      "<dc:identifier>http://r.org/1</dc:identifier><dc:identifier>ISBN 3</dc:identifier>"
      "<dc:relation>http://r.org/1.pdf</dc:relation></dc:dc></metadata></record>"
      "<resumptionToken cursor='0'>a/b+c</resumptionToken></ListRecords></OAI-PMH>";
  EXPECT_THAT(links_of("text/xml", body, {}, "http://h/oai?verb=ListRecords&metadataPrefix=oai_dc"),
              ElementsAre("L http://r.org/1", "X http://r.org/1.pdf",
                          "L http://h/oai?verb=ListRecords&resumptionToken=a%2Fb%2Bc"));
  EXPECT_THAT(links_of("text/xml", body, {}, "http://h/oai"), SizeIs(2)) << "nobody knows of which list it is a part";
  EXPECT_THAT(links_of("text/xml", "<OAI-PMH><ListRecords><resumptionToken/></ListRecords></OAI-PMH>", {},
                       "http://h/oai?verb=ListRecords"),
              IsEmpty());
}

TEST(Sitemaps, NewerThanADate) {
  const std::string_view body =
      "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://h/old</loc><lastmod>2024-12-31</"
      "lastmod></url><url><loc>http://h/new</loc><lastmod>2025-01-01T00:00:00Z</lastmod></url><url><loc>http://h/any</"
      "loc></url></urlset>";
  EXPECT_THAT(links_of("text/xml", body), SizeIs(3));
  EXPECT_THAT(links_of("text/xml", body, {.sites = {.sitemap_newer_than = "2025-01-01"}}),
              ElementsAre("M http://h/new", "M http://h/any"));
}

TEST(Sitemaps, DatesWithoutADayReachToTheirEnd) {
  const auto links = [](std::string_view date) {
    const std::string body =
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://h/a</loc>"
        "<lastmod>" +
        std::string(date) + "</lastmod></url></urlset>";
    return links_of("text/xml", body, {.sites = {.sitemap_newer_than = "2024-02-29T12:00:00Z"}}).size();
  };
  for (const char* date : {"2024", "2024-02", "2024-02-29", "2024-02-29T12:00:00Z", "2025"}) EXPECT_EQ(links(date), 1U);
  for (const char* date : {"2023", "2024-01", "2024-02-28", "2024-02-29T11:59Z"}) EXPECT_EQ(links(date), 0U) << date;
}

TEST(Feeds, BasesOfElements) {
  EXPECT_THAT(
      links_of("application/atom+xml",
               "<feed xml:base='http://s.org/b/'><link href='self'/><entry xml:base='2020/'><link href='1'/>"
               "<content xml:base='/c/' type='html'>&lt;img src='i.png'&gt;</content><link href='2'/></entry>"
               "<entry><link href='3'/><link xml:base='http://t.org/' href='4'/><link href='5'/></entry></feed>"),
      ElementsAre("L http://s.org/b/self", "L http://s.org/b/2020/1", "X http://s.org/c/i.png",
                  "L http://s.org/b/2020/2", "L http://s.org/b/3", "L http://t.org/4", "L http://s.org/b/5"));
  EXPECT_THAT(links_of("application/atom+xml",
                       "<feed><entry xml:base='http://s.org/a/'><entry><link href=1></entry><p xml:base=b/><q "
                       "xml:base=c/><link href=2></entry><link href=3></feed>"),
              ElementsAre("L http://s.org/a/1", "L http://s.org/a/b/c/2", "L http://h/d/3"))
      << "also if tags are not closed";
  EXPECT_THAT(links_of("text/xml", "<a xml:base='http://s.org/x/'><b href='1.html'/></a>"),
              ElementsAre("X http://s.org/x/1.html"));
  EXPECT_THAT(links_of("text/xml", "<a xml:base='urn:x'><b href='1.html'/></a>"), ElementsAre("X http://h/d/1.html"));
}

TEST(Xml, TextsThatAreSurelyUrls) {
  EXPECT_THAT(
      links_of("text/xml", "<a><u>/r/x.pdf</u><u>www.s.org/y</u><u>r/x.pdf</u><u>/r/x</u><u v='www.s.org/z'/></a>"),
      ElementsAre("X http://h/r/x.pdf", "X http://www.s.org/y", "X http://www.s.org/z"));
}

// A sitemap may be a list of URLs, a gzip file of any name, or called something else by its server.
TEST(Sitemaps, AreThoseThatAreNamed) {
  const auto named = [](std::string_view type, std::string_view body, std::string_view url = "http://h/map") {
    return words_of(extract({.url = url, .content_type = type, .body = body, .is_named_sitemap = true}, Options{}));
  };
  const std::string_view list = "\xEF\xBB\xBFhttps://h/a\r\nhttps://h/b\n",
                         xml = "<urlset><url><loc>/a</loc></url></urlset>";
  EXPECT_THAT(named("text/plain", list), ElementsAre("M https://h/a", "M https://h/b"));
  EXPECT_THAT(links_of("text/plain", list), IsEmpty()) << "any text may begin so";
  EXPECT_THAT(named("text/html", xml), ElementsAre("M http://h/a"));
  EXPECT_THAT(named("application/octet-stream", io::gzip_member(list, io::GzipEffort::fast)),
              ElementsAre("M https://h/a", "M https://h/b"));
  EXPECT_THAT(named("text/plain", "A page that a sitemap lists: https://h/a"), IsEmpty());
  EXPECT_THAT(links_of("text/html", xml, {}), ElementsAre("M http://h/a"));
  EXPECT_THAT(named("text/html", "<a href=/x>"), Contains("L http://h/x")) << "so are most pages";
  EXPECT_THAT(links_of("text/plain", list, {.sites = {.sitemap_urls = {"/map$"}}}, "http://h/map"), SizeIs(2));
  EXPECT_THAT(links_of("text/plain", list, {.sites = {.sitemap_urls = {"/map$"}}}, "http://h/other"), IsEmpty());
}

// Links behind the limit of a packed one are not lost in silence, nor are those of a file that is broken.
TEST(Sitemaps, SayWhatOfAPackedOneIsNotRead) {
  const auto read = [](const std::string& packed) {
    return extract({.url = "http://h/map.xml.gz", .content_type = "application/gzip", .body = packed}, Options{});
  };
  const std::string front = "<urlset><url><loc>/first</loc></url>", end = "<url><loc>/last</loc></url></urlset>";
  const std::string whole = io::gzip_member(front + end, io::GzipEffort::fast);
  EXPECT_EQ(read(whole).unread, "");
  const Extracted large = read(io::gzip_member(front + std::string(kMaxSitemap, ' ') + end, io::GzipEffort::fast));
  EXPECT_THAT(words_of(large), ElementsAre("M http://h/first"));
  EXPECT_EQ(large.unread, "only the first 67108864 bytes of the packed sitemap are read");
  EXPECT_FALSE(large.is_damaged);
  const Extracted cut = read(whole.substr(0, whole.size() - 4));
  EXPECT_THAT(cut.unread, HasSubstr("gzip"));
  EXPECT_TRUE(cut.is_damaged);
}

TEST(SitePaths, AreAskedOfEachSiteThatAnswers) {
  Options options;
  options.sites.paths = {"/", "/humans.txt?a=1"};
  EXPECT_THAT(words_of(extract({.url = "http://h:81/d/a", .status = 403}, options)),
              ElementsAre("I http://h:81/", "I http://h:81/humans.txt?a=1"));
  EXPECT_THAT(words_of(extract({.url = "ftp://h/d/a"}, options)), IsEmpty());
  EXPECT_FALSE(is_site_path("humans.txt"));
  EXPECT_FALSE(is_site_path("//h/humans.txt"));
}

TEST(Whois, OfDomainsAndAddresses) {
  const Options options{.extractors = {"whois"}};
  const auto asked = [&](std::string_view url, std::string_view address) {
    return words_of(extract({.url = url, .address = address}, options));
  };
  EXPECT_THAT(asked("https://www.example.co.uk/a", "192.0.2.7"),
              ElementsAre("I whois://whois.iana.org/example.co.uk", "I whois://whois.iana.org/192.0.2.7"));
  EXPECT_THAT(asked("ftp://localhost/a", "2001:db8::7"), ElementsAre("I whois://whois.iana.org/2001:db8::7"));
  EXPECT_THAT(asked("whois://whois.iana.org/example.org", "192.0.2.7"), IsEmpty()) << "it would never end";
  EXPECT_THAT(asked("file:///a", ""), IsEmpty());
}

constexpr std::string_view kMaster =
    "#EXTM3U\n"
    "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"lo\",NAME=\"a, b\",URI=\"lo.m3u8\"\n"
    "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"hi\",NAME=\"a\",URI=\"hi.m3u8\"\n"
    "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"cc\",INSTREAM-ID=\"CC1\"\n"
    "#EXT-X-STREAM-INF:BANDWIDTH=100,AUDIO=\"lo\"\nv1.m3u8\n"
    "#EXT-X-STREAM-INF:CODECS=\"a,b\",BANDWIDTH=900,AUDIO=\"hi\"\n\nv2.m3u8\r\n"
    "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=5,URI=\"f1.m3u8\"\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=7,URI=\"f2.m3u8\"\n";

TEST(Hls, AllRenditionsOrTheBest) {
  EXPECT_THAT(links_of("application/vnd.apple.mpegurl", kMaster),
              ElementsAre("E http://h/d/lo.m3u8", "E http://h/d/hi.m3u8", "E http://h/d/v1.m3u8",
                          "E http://h/d/v2.m3u8", "E http://h/d/f1.m3u8", "E http://h/d/f2.m3u8"));
  EXPECT_THAT(links_of("application/vnd.apple.mpegurl", kMaster, {.renditions = Renditions::best}),
              ElementsAre("E http://h/d/hi.m3u8", "E http://h/d/v2.m3u8", "E http://h/d/f2.m3u8"));
}

TEST(Hls, WhatIsPutInBetweenAndWhoSteers) {
  EXPECT_THAT(links_of("application/vnd.apple.mpegurl",
                       "#EXTM3U\n#EXT-X-CONTENT-STEERING:SERVER-URI=\"/steer?s=1\",PATHWAY-ID=\"a\"\n"
                       "#EXT-X-DATERANGE:ID=\"1\",START-DATE=\"2026-01-31T12:00:00Z\",X-ASSET-URI=\"ad/1.m3u8\"\n"
                       "#EXT-X-DATERANGE:ID=\"2\",X-ASSET-LIST=\"/list?x=1,2\",X-COM-NOTE=\"no.ts\"\n"
                       "#EXT-X-KEY:METHOD=AES-128,SERVER-URI=\"no\"\n"),
              ElementsAre("E http://h/steer?s=1", "E http://h/d/ad/1.m3u8", "E http://h/list?x=1,2"));
}

TEST(Hls, SegmentsKeysAndMaps) {
  EXPECT_THAT(links_of("audio/mpegurl",
                       "#EXTM3U\n#EXT-X-DEFINE:NAME=\"q\",VALUE=\"t=1\"\n#EXT-X-KEY:METHOD=AES-128,URI=\"k?{$q}\"\n"
                       "#EXT-X-MAP:URI=\"init.mp4\"\n#EXTINF:4,\na.ts\n#EXTINF:4,a title: b=\"c\"\n/b.ts\n# a comment\n"
                       "{$unknown}.ts\n#EXT-X-PART:DURATION=1,URI=\"p.mp4\"\n",
                       {.renditions = Renditions::best}),
              ElementsAre("E http://h/d/k?t=1", "E http://h/d/init.mp4", "E http://h/d/a.ts", "E http://h/b.ts",
                          "E http://h/d/p.mp4"));
}

TEST(Dash, TemplatesWithNumbers) {
  const std::string_view body =
      "<MPD mediaPresentationDuration='PT10S'><BaseURL>http://c.org/v/</BaseURL><Period><AdaptationSet>"
      "<SegmentTemplate media='$RepresentationID$/$Number%03d$.m4s' "
      "initialization='$RepresentationID$/i-$Bandwidth$.mp4' "
      "startNumber='1' timescale='1000' duration='4000'/>"
      "<Representation id='lo' bandwidth='10'/><Representation id='hi' bandwidth='90'/></AdaptationSet></Period></MPD>";
  EXPECT_THAT(links_of("application/dash+xml", body), SizeIs(8));
  EXPECT_THAT(links_of("application/dash+xml", body, {.renditions = Renditions::best}),
              ElementsAre("E http://c.org/v/hi/i-90.mp4", "E http://c.org/v/hi/001.m4s", "E http://c.org/v/hi/002.m4s",
                          "E http://c.org/v/hi/003.m4s"));
}

TEST(Dash, TimelinesAndLists) {
  EXPECT_THAT(
      links_of("application/dash+xml",
               "<MPD mediaPresentationDuration='PT1M'><Period duration='PT10S'><AdaptationSet><SegmentTemplate "
               "media='t$Time$-$Number$' timescale='2'><SegmentTimeline><S t='4' d='2' r='1'/><S d='6' r='-1'/>"
               "</SegmentTimeline></SegmentTemplate><Representation id='a'/></AdaptationSet>"
               "<AdaptationSet><Representation><BaseURL>one.mp4</BaseURL><SegmentBase><Initialization "
               "sourceURL='i.mp4'/></SegmentBase></Representation></AdaptationSet>"
               "<AdaptationSet><SegmentList><Initialization sourceURL='l0'/><SegmentURL media='l1'/><SegmentURL "
               "media='l2'/></SegmentList><Representation/></AdaptationSet></Period></MPD>"),
      ElementsAre("E http://h/d/t4-1", "E http://h/d/t6-2", "E http://h/d/t8-3", "E http://h/d/t14-4",
                  "E http://h/d/one.mp4", "E http://h/d/i.mp4", "E http://h/d/l0", "E http://h/d/l1",
                  "E http://h/d/l2"));
}

TEST(Dash, EndsAtTheLimitOfLinks) {
  const Extracted found = extract(
      {.url = "http://h/x.mpd",
       .content_type = "application/dash+xml",
       .body =
           "<MPD><Period><AdaptationSet><SegmentTemplate media='$Number$'><SegmentTimeline><S t='0' d='1' "
           "r='999999999999'/></SegmentTimeline></SegmentTemplate><Representation/></AdaptationSet></Period></MPD>"},
      {.max_links = 50});
  EXPECT_EQ(found.links.size(), 50U);
  EXPECT_EQ(found.dropped, 1U);
}

TEST(Subtitles, TextsAndPictures) {
  EXPECT_THAT(links_of("text/vtt",
                       "WEBVTT\n\n00:01.000 --> 00:02.000\nsprite.jpg#xywh=0,0,160,90\n\n1\n00:02.000 --> 00:03.000\n"
                       "<v Ann>See http://s.org/a. and (https://s.org/b)</v>\n"),
              ElementsAre("E http://h/d/sprite.jpg", "X http://s.org/a", "X https://s.org/b"));
  EXPECT_THAT(
      links_of("application/x-subrip", "1\n00:00:01,000 --> 00:00:02,000\n<a href=\"http://s.org/c\">w</a> a.html\n"),
      ElementsAre("X http://s.org/c"));
}

TEST(Subtitles, Ttml) {
  EXPECT_THAT(
      links_of("application/ttml+xml",
               "<tt xmlns='http://www.w3.org/ns/ttml'><div smpte:backgroundImage='s/1.png'/><p>a.html</p></tt>"),
      ElementsAre("X http://h/d/s/1.png"));
}

TEST(Listings, S3) {
  const auto listing = [](std::string_view rest, std::string_view url) {
    return links_of("application/xml",
                    fmt::format("<?xml version='1.0'?><ListBucketResult "
                                "xmlns='http://s3.amazonaws.com/doc/2006-03-01/'><Name>b</Name><Prefix>p</Prefix>"
                                "<Contents><Key>a b/c?d.png</Key><Size>1</Size></Contents><Contents><Key>dir/</Key>"
                                "</Contents>{}</ListBucketResult>",
                                rest),
                    {}, url);
  };
  EXPECT_THAT(listing("<CommonPrefixes><Prefix>q/</Prefix></CommonPrefixes>", "http://b.h/?delimiter=/&marker=x"),
              ElementsAre("L http://b.h/a%20b/c%3Fd.png", "L http://b.h/?delimiter=/&prefix=q%2F"));
  EXPECT_THAT(listing("<IsTruncated>true</IsTruncated>", "http://h/bucket"),
              ElementsAre("L http://h/bucket/a%20b/c%3Fd.png", "L http://h/bucket?marker=dir%2F"));
  EXPECT_THAT(listing("<IsTruncated>true</IsTruncated><NextContinuationToken>1/x=</NextContinuationToken>",
                      "http://b.h/?list-type=2"),
              ElementsAre("L http://b.h/a%20b/c%3Fd.png", "L http://b.h/?list-type=2&continuation-token=1%2Fx%3D"));
  EXPECT_THAT(listing("<IsTruncated>false</IsTruncated>", "http://b.h/"), SizeIs(1));
}

TEST(Listings, VersionsOfS3) {
  EXPECT_THAT(links_of("application/xml",
                       "<?xml version='1.0'?><ListVersionsResult><IsTruncated>true</IsTruncated>"
                       "<NextKeyMarker>b/2</NextKeyMarker><NextVersionIdMarker>v=9</NextVersionIdMarker>"
                       "<Version><Key>a 1</Key><VersionId>v2</VersionId><IsLatest>true</IsLatest></Version>"
                       "<Version><Key>a 1</Key><VersionId>v1</VersionId><IsLatest>false</IsLatest></Version>"
                       "<Version><Key>gone</Key><IsLatest>false</IsLatest></Version>"
                       "<DeleteMarker><Key>gone</Key><IsLatest>true</IsLatest></DeleteMarker>"
                       "<CommonPrefixes><Prefix>q/</Prefix></CommonPrefixes></ListVersionsResult>",
                       {}, "http://b.h/?versions&key-marker=a"),
              ElementsAre("L http://b.h/a%201", "L http://b.h/?versions&prefix=q%2F",
                          "L http://b.h/?versions&key-marker=b%2F2&version-id-marker=v%3D9"));
}

// As in forms, and once: for the next page as for the object.
TEST(Listings, S3ThatIsEncoded) {
  const auto listing = [](std::string_view rest) {
    return links_of("application/xml",
                    fmt::format("<?xml version='1.0'?><ListBucketResult "
                                "xmlns='http://s3.amazonaws.com/doc/2006-03-01/'>"
                                "<IsTruncated>true</IsTruncated><Contents><Key>a+b%2Bc%25/d%3Fe</Key></Contents>"
                                "<Contents><Key>f%2F</Key></Contents>{}"
                                "<EncodingType>url</EncodingType></ListBucketResult>",
                                rest),
                    {}, "http://b.h/?encoding-type=url");
  };
  EXPECT_THAT(listing("<CommonPrefixes><Prefix>q+%C3%A9%2F</Prefix></CommonPrefixes>"),
              ElementsAre("L http://b.h/a%20b%2Bc%25/d%3Fe", "L http://b.h/?encoding-type=url&prefix=q%20%C3%A9%2F",
                          "L http://b.h/?encoding-type=url&marker=f%2F"));
  EXPECT_THAT(listing("<NextMarker>g%2Bh+i</NextMarker>"),
              ElementsAre("L http://b.h/a%20b%2Bc%25/d%3Fe", "L http://b.h/?encoding-type=url&marker=g%2Bh%20i"));
}

TEST(Listings, Azure) {
  EXPECT_THAT(links_of("application/xml",
                       "<?xml version='1.0'?><EnumerationResults ContainerName='http://h/c'><Blobs><Blob><Name>a/b.pdf"
                       "</Name><Properties/></Blob><BlobPrefix><Name>d/</Name></BlobPrefix></Blobs><NextMarker>2!m"
                       "</NextMarker></EnumerationResults>",
                       {}, "http://h/c?restype=container&comp=list"),
              ElementsAre("L http://h/c/a/b.pdf", "L http://h/c?restype=container&comp=list&prefix=d%2F",
                          "L http://h/c?restype=container&comp=list&marker=2!m"));
}

TEST(Calendars, PropertiesAndTexts) {
  EXPECT_THAT(links_of("text/calendar",
                       "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nURL:http://s.org/e/\r\n 1\r\n"
                       "ATTACH;FMTTYPE=application/pdf:http://s.org/a\r\n"
                       "DESCRIPTION;ALTREP=\"http://s.org/alt\":See http://s.org/d\\, or\\nhttp://s.org/f\r\n"
                       "ATTACH;ENCODING=BASE64;VALUE=BINARY:aHR0cDovL3gub3JnLw==\r\nUID:x@s.org\r\nEND:VEVENT\r\n"),
              ElementsAre("L http://s.org/e/1", "E http://s.org/a", "X http://s.org/alt", "X http://s.org/d",
                          "X http://s.org/f"));
  EXPECT_THAT(links_of("text/vcard",
                       "BEGIN:VCARD\nitem1.URL;TYPE=home:http://s.org/me\nPHOTO;VALUE=URI:http://s.org/p.jpg\n"
                       "EMAIL:a@s.org\nNOTE:no link\nEND:VCARD\n"),
              ElementsAre("L http://s.org/me", "E http://s.org/p.jpg"));
}

TEST(Mhtml, PartsByTheirOwnExtractors) {
  const std::string_view body =
      "From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n"
      "\tboundary=\"--b--\"\r\n\r\npreamble\r\n----b--\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: "
      "quoted-printable\r\nContent-Location: http://o.org/dir/page\r\n\r\n<title>T</title><a href=3D\"ne=\r\nxt\"><img "
      "src=3D\"cid:1\">\r\n----b--\r\nContent-Type: text/css\r\nContent-Transfer-Encoding: base64\r\n"
      "Content-Location: http://o.org/css/s.css\r\n\r\nYXt1cmwo\r\naS5wbmcpfQ==\r\n----b----\r\n";
  EXPECT_THAT(links_of("multipart/related", body), ElementsAre("L http://o.org/dir/next", "E http://o.org/css/i.png"));
  const Extracted found = extract({.url = "http://h/a.mhtml", .content_type = "", .body = body}, {});
  EXPECT_EQ(found.title, "T");
  EXPECT_THAT(found.links, SizeIs(2)) << "no favicon for parts";
}

TEST(Mhtml, SaysWhatIsBeyondItsLimits) {
  const auto unread_of = [](const std::string& body) {
    return extract({.url = "http://h/a.mht", .content_type = "multipart/related; boundary=b", .body = body}, Options{})
        .unread;
  };
  std::string parts;
  for (int i = 0; i < 10'000; ++i) parts += "--b\r\nContent-Type: image/png\r\n\r\nx\r\n";
  EXPECT_EQ(unread_of(parts + "--b--\r\n"), "");
  EXPECT_EQ(unread_of(parts + "--b\r\n\r\nx\r\n--b--\r\n"), "only the first 10000 of its parts are read");
  std::string part = "Content-Type: text/html\r\n\r\n<a href=/x>";
  for (int depth = 1; depth <= 4; ++depth) {
    EXPECT_EQ(unread_of("\r\n--b\r\n" + part + "\r\n--b--\r\n"),
              depth <= 3 ? "" : "parts more than 3 deep are not read")
        << depth;
    part =
        fmt::format("Content-Type: multipart/mixed; boundary=w{0}\r\n\r\n--w{0}\r\n{1}\r\n--w{0}--\r\n", depth, part);
  }
}

TEST(Patterns, UniversalReadsWhatNobodyElseReads) {
  const std::string body = std::string("\0\1http://s.org/a\0xhttps://s.org/b\" http://nohost/ http://", 56) +
                           std::string(2000, ' ') + "http://s.org/far";
  EXPECT_THAT(links_of("application/octet-stream", body), IsEmpty());
  Options options{.extractors = {"+universal"}};
  options.patterns.universal_length = 1024;
  EXPECT_THAT(links_of("application/octet-stream", body, options),
              ElementsAre("X http://s.org/a", "X https://s.org/b"));
  const auto unread_of = [&options](std::string_view text) {
    return extract({.url = "http://h/", .content_type = "application/octet-stream", .body = text}, options).unread;
  };
  EXPECT_EQ(unread_of(body), "only the first 1024 bytes are searched for URLs (extract.universal-length)");
  EXPECT_EQ(unread_of("http://s.org/a"), "");
  EXPECT_THAT(links_of("text/html", "<p>http://s.org/a", options), IsEmpty());
}

// Whoever asks not to be followed is not followed by patterns either.
TEST(Patterns, HeedNofollow) {
  Options options{.extractors = {"+universal", "+multiple-regex"}, .favicon = false};
  options.patterns.multiple_url = ".*";
  options.patterns.multiple_parts = {"id: data-id='(\\d)'"};
  options.patterns.multiple_format = "/${id[1]}";
  const HeaderField field{"X-Robots-Tag", "nofollow"};
  Document document{
      .url = "http://h/x", .content_type = "application/octet-stream", .body = "http://s.org/a data-id='1'"};
  EXPECT_THAT(extract(document, options).links, SizeIs(2));
  document.fields = {&field, 1};
  EXPECT_THAT(extract(document, options).links, IsEmpty());
  document = {
      .url = "http://h/x", .content_type = "text/html", .body = "<meta name=robots content=nofollow><p data-id='1'>"};
  EXPECT_THAT(extract(document, options).links, IsEmpty());
}

TEST(Patterns, UriInUri) {
  const std::string_view body = "<a href='/go?x=1&u=http%3A%2F%2Fs.org%2Fa&v=/b.html'><a href='/r?https://s.org/c'>";
  EXPECT_THAT(links_of("text/html", body), SizeIs(2));
  EXPECT_THAT(links_of("text/html", body, {.extractors = {"+uri-in-uri"}}),
              ElementsAre("L http://h/go?x=1&u=http%3A%2F%2Fs.org%2Fa&v=/b.html", "L http://h/r?https://s.org/c",
                          "X http://s.org/a", "X https://s.org/c"));
}

TEST(Patterns, ImpliedUris) {
  const std::string_view body = "<a href=/watch/12><a href=/watch/12/more><a href=/b>";
  Options options{.extractors = {"+implied-uris"}};
  options.patterns.implied_uris = {R"(http://h/watch/(\d+) -> http://h/info?id=$1&x=$$)"};
  EXPECT_THAT(links_of("text/html", body, options), ElementsAre("L http://h/watch/12", "L http://h/watch/12/more",
                                                                "L http://h/b", "I http://h/info?id=12&x=$"));
  options.patterns.remove_triggers = true;
  EXPECT_THAT(links_of("text/html", body, options),
              ElementsAre("L http://h/watch/12/more", "L http://h/b", "I http://h/info?id=12&x=$"));
}

TEST(Patterns, MultipleRegex) {
  const std::string_view body = "<p data-id='1'><p data-id='2'> key=k";
  Options options{.extractors = {"+multiple-regex"}};
  options.patterns.multiple_url = "http://h/(\\w+)/.*";
  options.patterns.multiple_parts = {"id: data-id='(\\d)'", "key: key=(\\w)"};
  options.patterns.multiple_format = "/${url[1]}/${key[1]}/${id[1]}";
  EXPECT_THAT(links_of("text/html", body, options), ElementsAre("I http://h/d/k/1", "I http://h/d/k/2"));
  EXPECT_THAT(links_of("text/html", body, options, "http://o/d/x"), IsEmpty());
  options.patterns.multiple_format = "/${no[1]}";
  EXPECT_THAT(links_of("text/html", body, options), IsEmpty());
}

}  // namespace
}  // namespace caddis::extract
