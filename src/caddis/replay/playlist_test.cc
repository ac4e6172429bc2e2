// HLS.
#include "caddis/replay/playlist.h"

#include <gtest/gtest.h>

#include "caddis/replay/fuzz_windows.h"

namespace caddis::replay {
namespace {

std::string playlist(std::string_view text, size_t window = 1 << 20) {
  const LinkRewriter links("/c/", "20260102030405", *url::Url::parse("https://m.example/show/a.m3u8?token=t&x=y"),
                           Modifier::other);
  PlaylistRewriter rewriter(links);
  return in_windows(rewriter, text, window);
}

TEST(Playlist, LinesAndAttributesLeadIntoTheArchive) {
  EXPECT_EQ(playlist("#EXTM3U\r\n"
                     "#EXT-X-VERSION:7\r\n"
                     "# remark https://m.example/remark\r\n"
                     "#EXT-X-KEY:METHOD=AES-128,URI=\"https://keys.example/k?a=1,2\",IV=0x12\r\n"
                     "#EXT-X-MAP:URI=\"init.mp4\",BYTERANGE=\"7@0\"\r\n"
                     "#EXTINF:4.0,title, URI=\"no\"\r\n"
                     "  seg/1.ts \r\n"
                     "#EXTINF:4.0,\r\n"
                     "//cdn.example/2.ts"),
            "#EXTM3U\r\n"
            "#EXT-X-VERSION:7\r\n"
            "# remark https://m.example/remark\r\n"
            "#EXT-X-KEY:METHOD=AES-128,URI=\"/c/20260102030405oe_/https://keys.example/k?a=1,2\",IV=0x12\r\n"
            "#EXT-X-MAP:URI=\"/c/20260102030405oe_/https://m.example/show/init.mp4\",BYTERANGE=\"7@0\"\r\n"
            "#EXTINF:4.0,title, URI=\"no\"\r\n"
            "  /c/20260102030405oe_/https://m.example/show/seg/1.ts \r\n"
            "#EXTINF:4.0,\r\n"
            "/c/20260102030405oe_/https://cdn.example/2.ts");
}

TEST(Playlist, SeveralAttributesOfOneTag) {
  EXPECT_EQ(playlist("#EXT-X-DATERANGE:ID=\"a\",X-ASSET-URI=\"a.m3u8\",X-ASSET-LIST=\"/l.json\",X-OTHER=\"b.m3u8\"\n"),
            "#EXT-X-DATERANGE:ID=\"a\",X-ASSET-URI=\"/c/20260102030405oe_/https://m.example/show/a.m3u8\","
            "X-ASSET-LIST=\"/c/20260102030405oe_/https://m.example/l.json\",X-OTHER=\"b.m3u8\"\n");
}

TEST(Playlist, WhatIsNotFetchedStays) {
  for (const char* text : {"#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://key\"\n",
                           "#EXT-X-KEY:METHOD=AES-128,URI=\"data:text/plain;base64,AAAA\"\n",
                           "#EXTM3U\nC:\\music\\a.mp3\n", "", "\n\n", "#EXT-X-MAP:URI", "#EXT-X-MAP"})
    EXPECT_EQ(playlist(text), text);
}

TEST(Playlist, VariablesAreFilledInWhereTheirValueIsKnown) {
  EXPECT_EQ(playlist("#EXTM3U\n"
                     "#EXT-X-DEFINE:NAME=\"cdn\",VALUE=\"https://cdn.example\"\n"
                     "#EXT-X-DEFINE:QUERYPARAM=\"token\"\n"
                     "#EXT-X-DEFINE:IMPORT=\"other\"\n"
                     "{$cdn}/1.ts?{$token}\n"
                     "{$other}/2.ts\n"),
            "#EXTM3U\n"
            "#EXT-X-DEFINE:NAME=\"cdn\",VALUE=\"https://cdn.example\"\n"
            "#EXT-X-DEFINE:QUERYPARAM=\"token\"\n"
            "#EXT-X-DEFINE:IMPORT=\"other\"\n"
            "/c/20260102030405oe_/https://cdn.example/1.ts?t\n"
            "{$other}/2.ts\n");
}

TEST(Playlist, VariablesThatMultiplyAreNotFilledIn) {
  std::string text = "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"" + std::string(4000, 'x') + "\"\n";
  std::string line;
  for (int i = 0; i < 20'000; ++i) line += "{$a}";
  EXPECT_EQ(playlist(text + line + "\n"), text + line + "\n");
}

TEST(Playlist, ALineBeyondAllWindowsPassesAndOthersDoNot) {
  const std::string longest(10'000, 'a');
  EXPECT_EQ(playlist("b\n" + longest + "\nb\n", 1024), "/c/20260102030405oe_/https://m.example/show/b\n" + longest +
                                                           "\n/c/20260102030405oe_/https://m.example/show/b\n");
}

TEST(Playlist, IsKnownByItsFirstLine) {
  EXPECT_TRUE(looks_like_playlist("#EXTM3U\n"));
  EXPECT_TRUE(looks_like_playlist("\xEF\xBB\xBF#EXTM3U"));
  EXPECT_FALSE(looks_like_playlist("text #EXTM3U"));
  EXPECT_EQ(playlist("\xEF\xBB\xBF#EXTM3U\na"), "\xEF\xBB\xBF#EXTM3U\n/c/20260102030405oe_/https://m.example/show/a");
}

}  // namespace
}  // namespace caddis::replay
