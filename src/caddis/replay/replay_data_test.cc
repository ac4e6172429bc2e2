// Playlists, manifests and XML as a client gets them: whether they are rewritten depends on who asks for what.
#include <gmock/gmock.h>

#include "caddis/replay/wayback_fixture.h"

namespace caddis::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kCaptures = "c.localhost:8080";
constexpr std::string_view kList = "#EXTM3U\n#EXTINF:4,\nhttp://cdn.example/1.ts\n";
constexpr std::string_view kRewrittenList = "#EXTM3U\n#EXTINF:4,\n/c/20260102030405oe_/http://cdn.example/1.ts\n";

class ReplayDataTest : public WaybackTest {
 protected:
  void add(std::string_view path, std::string_view type, std::string_view body, std::string_view more = "") {
    maker.response("http://example.org/" + std::string(path), "20260102030405", http_ok(type, body, more));
  }
  http::ServerResponse load(std::string_view destination, std::string_view path, std::string_view modifier = "oe_") {
    return get_for(destination,
                   "/c/20260102030405" + std::string(modifier) + "/http://example.org/" + std::string(path),
                   std::string(kCaptures));
  }
};

TEST_F(ReplayDataTest, PlaylistsLeadPlayersIntoTheArchive) {
  add("typed", "application/vnd.apple.mpegurl", kList);
  add("text.m3u8", "text/plain", kList);
  add("other.txt", "text/plain", "http://cdn.example/1.ts\n");
  open();
  for (const char* path : {"typed", "text.m3u8"}) {
    EXPECT_EQ(load("video", path).body, kRewrittenList);
    // A program.
    EXPECT_EQ(get("/c/20260102030405mp_/http://example.org/" + std::string(path)).body, kRewrittenList);
    // A script has it rewritten by the client where it asks on.
    EXPECT_EQ(load("empty", path).body, kList);
    EXPECT_EQ(load("video", path, "id_").body, kList);
  }
  EXPECT_EQ(load("video", "other.txt").body, "http://cdn.example/1.ts\n");
}

TEST_F(ReplayDataTest, ManifestsOfMediaAndApplications) {
  add("a.mpd", "application/dash+xml", "<MPD><BaseURL>http://cdn.example/</BaseURL></MPD>");
  add("app.webmanifest", "application/manifest+json", R"({"start_url": "/"})");
  add("app.json", "application/json", R"({"start_url": "/"})");
  open();
  EXPECT_THAT(load("video", "a.mpd").body, HasSubstr(">/c/20260102030405oe_/http://cdn.example/<"));
  EXPECT_THAT(load("empty", "a.mpd").body, Not(HasSubstr("/c/")));
  for (const char* path : {"app.webmanifest", "app.json"})
    EXPECT_EQ(load("manifest", path).body, R"({"start_url": "/c/20260102030405/http://example.org/"})");
  // Any other JSON is data.
  EXPECT_EQ(load("empty", "app.json").body, R"({"start_url": "/"})");
  EXPECT_EQ(load("iframe", "app.json", "mp_").body, R"({"start_url": "/"})");
}

TEST_F(ReplayDataTest, XmlThatABrowserShows) {
  add("feed", "application/rss+xml", "<?xml-stylesheet type='text/css' href='/a.css'?><rss/>");
  add("page", "text/xml",
      "<html xmlns='http://www.w3.org/1999/xhtml'><head/><body><a href='/b'>b</a><img src='/c'/></body></html>");
  open();
  EXPECT_EQ(load("iframe", "feed", "mp_").body,
            "<?xml-stylesheet type='text/css' href='/c/20260102030405cs_/http://example.org/a.css'?><rss/>");
  EXPECT_EQ(load("empty", "feed").body, "<?xml-stylesheet type='text/css' href='/a.css'?><rss/>");
  EXPECT_THAT(load("iframe", "page", "mp_").body, HasSubstr("/-/client.js"));
}

TEST_F(ReplayDataTest, PagesThatAStyleSheetMakesHaveTheClient) {
  constexpr std::string_view kSpaces =
      "xmlns='http://www.w3.org/1999/xhtml' xmlns:x='http://www.w3.org/1999/XSL/Transform'";
  add("a.xsl", "text/xsl",
      "<x:stylesheet " + std::string(kSpaces) + "><html><head/><body><p/></body></html></x:stylesheet>");
  add("page.xsl", "text/xml", "<html " + std::string(kSpaces) + " x:version='1.0'><head><title/></head></html>");
  open();
  // The page's address is that of the document, whatever that is.
  constexpr std::string_view kClient =
      "<script src=\"/-/client.js\" data-prefix=\"/c/\" data-own=\"http://127.0.0.1:8080/c/\"></script>";
  EXPECT_THAT(load("xslt", "a.xsl").body, HasSubstr("><html>" + std::string(kClient) + "<head/>"));
  EXPECT_THAT(load("xslt", "page.xsl").body, HasSubstr("<head>" + std::string(kClient) + "<title/>"));
  EXPECT_THAT(load("empty", "a.xsl").body, Not(HasSubstr("client.js")));
}

TEST_F(ReplayDataTest, APartOfAPlaylistStaysInItsPlace) {
  maker.response("http://example.org/part.m3u8", "20260102030405",
                 "HTTP/1.1 206 Partial Content\r\nContent-Type: application/x-mpegurl\r\nContent-Range: bytes "
                 "0-47/100\r\nContent-Length: " +
                     std::to_string(kList.size()) + "\r\n\r\n" + std::string(kList));
  open();
  EXPECT_EQ(load("video", "part.m3u8").body, kList);
}

TEST_F(ReplayDataTest, AnAnswerCallsTheFunctionThatThePageWaitsFor) {
  add("data?callback=jQuery11_22&_=1", "text/javascript", "jQuery11_22({\"a\": location});");
  add("data?callback=show&id=5", "application/json", "/**/show({\"a\": 5})");
  open();
  EXPECT_EQ(load("script", "data?callback=jQuery33_44&_=2", "js_").body, "jQuery33_44({\"a\": _caddis.l(location)});");
  EXPECT_EQ(load("script", "data?id=5&callback=hide", "js_").body, "/**/hide({\"a\": 5})");
  EXPECT_EQ(load("script", "data?callback=show&id=5", "js_").body, "/**/show({\"a\": 5})");
  EXPECT_EQ(load("script", "data?callback=jQuery33_44&_=2", "id_").body, "jQuery11_22({\"a\": location});");
}

}  // namespace
}  // namespace caddis::replay
