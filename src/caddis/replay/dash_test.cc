// MPEG-DASH.
#include "caddis/replay/dash.h"

#include <gtest/gtest.h>

#include "caddis/replay/fuzz_windows.h"

namespace caddis::replay {
namespace {

std::string dash(std::string_view text, size_t window = 1 << 20) {
  const LinkRewriter links("/c/", "20260102030405", *url::Url::parse("https://m.example/show/a.mpd"), Modifier::other);
  DashRewriter rewriter(links);
  return in_windows(rewriter, text, window);
}

TEST(Dash, WhatLeadsAwayLeadsIntoTheArchive) {
  EXPECT_EQ(
      dash("<?xml version='1.0'?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\">\n"
           " <Location>https://m.example/show/live.mpd?a=1&amp;b=2</Location>\n"
           " <BaseURL serviceLocation=\"a\"> https://cdn.example/v/ </BaseURL>\n"
           " <Period xlink:href=\"/more.xml\"><AdaptationSet>\n"
           "  <SegmentTemplate media='/$RepresentationID$/$Number%05d$.m4s' initialization=\"i-$Bandwidth$.mp4\"/>\n"
           " </AdaptationSet></Period></MPD>"),
      "<?xml version='1.0'?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\">\n"
      " <Location>/c/20260102030405oe_/https://m.example/show/live.mpd?a=1&amp;b=2</Location>\n"
      " <BaseURL serviceLocation=\"a\">/c/20260102030405oe_/https://cdn.example/v/</BaseURL>\n"
      " <Period xlink:href=\"/c/20260102030405oe_/https://cdn.example/more.xml\"><AdaptationSet>\n"
      "  <SegmentTemplate media='/c/20260102030405oe_/https://cdn.example/$RepresentationID$/$Number%05d$.m4s' "
      "initialization=\"i-$Bandwidth$.mp4\"/>\n"
      " </AdaptationSet></Period></MPD>");
}

TEST(Dash, RelativeUrlsStay) {
  const std::string text =
      "<MPD><BaseURL>v/</BaseURL><Period><BaseURL>./w/</BaseURL><SegmentList><Initialization sourceURL='init.mp4'/>"
      "<SegmentURL media=\"1.m4s\" mediaRange=\"0-9\"/></SegmentList></Period><UTCTiming "
      "schemeIdUri='urn:mpeg:dash:utc:"
      "direct:2014' value='2026-01-01T00:00:00Z'/></MPD>";
  EXPECT_EQ(dash(text), text);
}

TEST(Dash, TheBaseIsThatOfTheElementAround) {
  EXPECT_EQ(
      dash("<MPD><BaseURL>one/</BaseURL><BaseURL>https://second.example/</BaseURL><Period><BaseURL>https://b.example"
           "/</BaseURL><SegmentURL media='/1'/></Period><Period><SegmentURL media='/2'/><SegmentURL media='../3'/>"
           "</Period></MPD>"),
      "<MPD><BaseURL>one/</BaseURL><BaseURL>/c/20260102030405oe_/https://second.example/</BaseURL><Period><BaseURL>"
      "/c/20260102030405oe_/https://b.example/</BaseURL><SegmentURL media='/c/20260102030405oe_/https://b.example/1'/>"
      "</Period><Period><SegmentURL media='/c/20260102030405oe_/https://m.example/2'/>"
      "<SegmentURL media='/c/20260102030405oe_/https://m.example/show/3'/></Period></MPD>");
}

TEST(Dash, FilesAndClocks) {
  EXPECT_EQ(
      dash("<d:MPD xmlns:d='urn:x'><d:Initialization sourceURL='/i'/><d:RepresentationIndex sourceURL='//x.example/r'/>"
           "<d:UTCTiming value='https://time.example/now http://other.example/'/><d:Other sourceURL='/no'/></d:MPD>"),
      "<d:MPD xmlns:d='urn:x'><d:Initialization sourceURL='/c/20260102030405oe_/https://m.example/i'/>"
      "<d:RepresentationIndex sourceURL='/c/20260102030405oe_/https://x.example/r'/><d:UTCTiming "
      "value='/c/20260102030405oe_/https://time.example/now /c/20260102030405oe_/http://other.example/'/>"
      "<d:Other sourceURL='/no'/></d:MPD>");
}

TEST(Dash, TextsBeyondAllWindowsPass) {
  const std::string longest = "<MPD><BaseURL>https://a.example/" + std::string(5000, 'a') + "</BaseURL>";
  EXPECT_EQ(dash(longest + "<SegmentURL media='/1'/></MPD>", 1024),
            longest + "<SegmentURL media='/c/20260102030405oe_/https://m.example/1'/></MPD>");
}

TEST(Dash, CharacterData) {
  EXPECT_EQ(dash("<MPD><BaseURL><![CDATA[https://a.example/?a&b]]></BaseURL></MPD>"),
            "<MPD><BaseURL>/c/20260102030405oe_/https://a.example/?a&amp;b</BaseURL></MPD>");
}

}  // namespace
}  // namespace caddis::replay
