// Playlists, manifests and listings that ask for more than a document may cost. Times are the processor's, and so large
// that only work beyond all bounds reaches them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <ctime>
#include <string>

#include "caddis/extract/dash_template.h"
#include "caddis/extract/extract.h"

namespace caddis::extract {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kHls = "application/vnd.apple.mpegurl", kDash = "application/dash+xml";

std::string repeated(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

// The links of a document that is read within some seconds, whatever the machine.
Extracted read_soon(std::string_view type, const std::string& body, Options options = {}) {
  constexpr double kMost = 10;
  options.favicon = false;
  const std::clock_t begin = std::clock();
  Extracted found = extract({.url = "http://h/d/x", .content_type = type, .body = body}, options);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, kMost);
  return found;
}

std::vector<std::string> urls(const Extracted& found) {
  std::vector<std::string> all;
  for (const Link& link : found.links) all.emplace_back(link.url());
  return all;
}

TEST(HlsLimits, VariablesMultiply) {
  const Extracted found =
      read_soon(kHls, "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"" + std::string(500'000, 'v') +
                          "\"\n#EXT-X-DEFINE:NAME=\"b\",VALUE=\"ok\"\n" + repeated("{$a}", 100'000) + "\n" +
                          repeated("{$a}", 1000) + "\n{$b}.ts\n");
  EXPECT_THAT(urls(found), ElementsAre("http://h/d/ok.ts"));
  EXPECT_EQ(found.dropped, 2U);
}

TEST(HlsLimits, LinesOfVariables) {
  const Extracted found = read_soon(kHls, "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"" + std::string(4000, 'v') +
                                              "\"\n" + repeated("{$a}\n", 400'000));
  EXPECT_THAT(found.links, IsEmpty());
  EXPECT_GT(found.dropped, 0U);
  EXPECT_LT(found.dropped, 10'000U) << "most lines are not filled in any more";
}

TEST(HlsLimits, LongTagOfTheBestVariant) {
  const std::string best = "#EXT-X-STREAM-INF:" + repeated("A=1,", 200'000) + "BANDWIDTH=9,AUDIO=\"hi\"\nv.m3u8\n";
  const Extracted found = read_soon(kHls,
                                    "#EXTM3U\n" + best + repeated("#EXT-X-STREAM-INF:BANDWIDTH=1\nlo.m3u8\n", 20'000) +
                                        repeated("#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"lo\",URI=\"lo\"\n", 20'000) +
                                        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"hi\",URI=\"hi\"\n",
                                    {.renditions = Renditions::best});
  EXPECT_THAT(urls(found), ElementsAre("http://h/d/v.m3u8", "http://h/d/hi"));
}

// A manifest of one set: `inside` it, and that many times `representation`.
std::string manifest(std::string_view inside, std::string_view representation, size_t times) {
  return fmt::format("<MPD><Period><AdaptationSet>{}{}</AdaptationSet></Period></MPD>", inside,
                     repeated(representation, times));
}

TEST(DashLimits, NamesMultiply) {
  const std::string media = repeated("$RepresentationID$", 50'000);
  const Extracted found = read_soon(kDash, manifest("<SegmentTemplate media='" + media + "'/>",
                                                    "<Representation id='" + std::string(500'000, 'r') + "'/>", 1));
  EXPECT_THAT(found.links, IsEmpty());
  EXPECT_EQ(found.dropped, 1U);
}

TEST(DashLimits, ListsThatAreInherited) {
  const Extracted found =
      read_soon(kDash, manifest("<SegmentList>" + repeated("<SegmentURL media='a'/>", 20'000) + "</SegmentList>",
                                "<Representation/>", 30'000));
  EXPECT_THAT(urls(found), ElementsAre("http://h/d/a"));
  EXPECT_EQ(found.dropped, 1U);
}

TEST(DashLimits, TimelinesThatAreRefused) {
  const Extracted found =
      read_soon(kDash, manifest("<SegmentTemplate media='$Time$'><SegmentTimeline>" + repeated("<S/>", 100'000) +
                                    "</SegmentTimeline></SegmentTemplate>",
                                "<Representation/>", 30'000));
  EXPECT_THAT(found.links, IsEmpty());
}

TEST(DashLimits, ChildrenOfTemplates) {
  const Extracted found = read_soon(
      kDash, manifest("<SegmentTemplate media='a'>" + repeated("<BitstreamSwitching/>", 60'000) + "</SegmentTemplate>",
                      "<Representation/>", 60'000));
  EXPECT_THAT(urls(found), ElementsAre("http://h/d/a"));
}

TEST(DashLimits, PeriodsWithoutAStart) {
  const Extracted found = read_soon(kDash, "<MPD>" + repeated("<Period/>", 100'000) + "</MPD>");
  EXPECT_THAT(found.links, IsEmpty());
}

TEST(DashLimits, UrlsThatAreAllTooLong) {
  const Extracted found = read_soon(
      kDash, manifest("<SegmentTemplate media='" + std::string(4000, 'm') + "$Number$' endNumber='1000000000'/>",
                      "<Representation/>", 10));
  EXPECT_THAT(found.links, IsEmpty());
  EXPECT_GT(found.dropped, 0U);
}

// The sanitizer ends the test if anything overflows.
TEST(DashLimits, NumbersBeyondAllBounds) {
  const std::string_view kLow = "-9223372036854775808", kHigh = "9223372036854775807", kQuarter = "2305843009213693951";
  const std::string representation = "<Representation id='a' bandwidth='9223372036854775807'/>";
  for (const std::string_view first : {kLow, kHigh, kQuarter})
    for (const std::string_view last : {kLow, kHigh, kQuarter}) {
      const std::string attributes = fmt::format(
          "<SegmentTemplate media='$Number$-$Time$' startNumber='{}' endNumber='{}' duration='{}' timescale='{}'",
          first, last, first, last);
      (void)read_soon(kDash, manifest(attributes + "/>", representation, 1));
      (void)read_soon(kDash, manifest(attributes + fmt::format("><SegmentTimeline><S t='{}' d='{}' r='{}'/><S d='{}' "
                                                               "r='-1'/><S t='{}' d='1'/></SegmentTimeline>"
                                                               "</SegmentTemplate>",
                                                               first, last, last, first, first),
                                      representation, 1));
    }
  const std::string endless = std::string(90, '9');
  EXPECT_THAT(
      read_soon(kDash, fmt::format("<MPD mediaPresentationDuration='PT{}S'><Period start='PT{}S'><AdaptationSet>"
                                   "<SegmentTemplate media='$Time$' timescale='{}'><SegmentTimeline>"
                                   "<S t='0' d='1' r='-1'/></SegmentTimeline></SegmentTemplate>"
                                   "<Representation/></AdaptationSet></Period></MPD>",
                                   endless, endless, kQuarter))
          .links,
      ElementsAre(::testing::Field(&Link::context, "=EMBED_MISC")));
}

TEST(Dash, PeriodsEndWhereTheNextBegins) {
  const std::string set =
      "<AdaptationSet><SegmentTemplate media='$RepresentationID$$Number$' duration='2'/>"
      "<Representation id='{}'/></AdaptationSet>";
  const std::string body =
      "<MPD mediaPresentationDuration='PT10S'><Period start='PT0S'>" + fmt::format(fmt::runtime(set), "a") +
      "</Period><Period/><Location>http://h/l</Location><Period start='PT3S'>" + fmt::format(fmt::runtime(set), "b") +
      "</Period><Period start='PT8S'>" + fmt::format(fmt::runtime(set), "c") + "</Period></MPD>";
  EXPECT_THAT(urls(read_soon(kDash, body)), ElementsAre("http://h/l", "http://h/d/a1", "http://h/d/a2", "http://h/d/b1",
                                                        "http://h/d/b2", "http://h/d/b3", "http://h/d/c1"));
}

TEST(DashTemplates, AreFilledIn) {
  const SegmentValues values{.id = "v/1", .bandwidth = 500, .number = 7, .time = 90};
  EXPECT_EQ(fill_in("$RepresentationID$-$Bandwidth$-$Number%03d$-$Time$$$", values, 100), "v/1-500-007-90$");
  EXPECT_EQ(fill_in("$SubNumber$", values, 100), std::nullopt);
  EXPECT_EQ(fill_in("$Number", values, 100), std::nullopt);
  EXPECT_EQ(fill_in("abcdef", values, 3), "abcd") << "too long, as its size says";
  EXPECT_EQ(fill_in("$RepresentationID$", {.id = "abcdefghijklmnopqrstuvwxyz"}, 20), "abcdefghijklmnopqrstu");
  EXPECT_EQ(fill_in("$Number%0999999999d$", values, 100)->size(), 40U);
}

}  // namespace
}  // namespace caddis::extract
