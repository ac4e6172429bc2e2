#include "caddis/replay/base_path.h"

#include "caddis/replay/viewer_keys.h"
#include "caddis/replay/wayback_fixture.h"

namespace caddis::replay {
namespace {

TEST(BasePath, IsWrittenInOneWay) {
  for (const char* const text : {"wayback", "/wayback", "/wayback/", "wayback/"})
    EXPECT_EQ(parse_base_path(text).value(), "/wayback");
  EXPECT_EQ(parse_base_path("").value(), "");
  EXPECT_EQ(parse_base_path("/").value(), "");
  EXPECT_EQ(parse_base_path("/a/web_archive").value(), "/a/web_archive");
  for (const char* const text : {"//", "/a//b", "/..", "/a b", "/a?b", "/-", "/~a", "/2020mp_", "https://a.test/b"})
    EXPECT_FALSE(parse_base_path(text)) << text;
}

TEST(BasePath, IsTakenOffRequests) {
  EXPECT_EQ(below_base("/w", "/w/c/?x=/w/"), "/c/?x=/w/");
  EXPECT_EQ(below_base("/w", "/w/"), "/");
  EXPECT_EQ(below_base("/w", "/w"), std::nullopt);
  EXPECT_EQ(below_base("/w", "/wx/"), std::nullopt);
  EXPECT_EQ(below_base("", "/c"), "/c");
  http::ServerRequest request;
  request.target = "http://a.test/w/c/cdx?url=x";
  request.path = "/w/c/cdx";
  request.query = "url=x";
  const auto below = below_base("/w", request);
  ASSERT_TRUE(below);
  EXPECT_EQ(below->target, "/c/cdx?url=x");
  EXPECT_EQ(below->path, "/c/cdx");
  EXPECT_EQ(below->query, "url=x");
}

TEST(BasePath, HidesKeysBelowIt) {
  EXPECT_EQ(hide_key("/w/~0123/c/x", "/w"), "/w/~*/c/x");
  EXPECT_EQ(hide_key("http://a.test/w/~0123/c/x", "/w"), "http://a.test/w/~*/c/x");
  EXPECT_EQ(hide_key("/c/2021/http://a.test/w/~home/", "/w"), "/c/2021/http://a.test/w/~home/");
}

class BasePathTest : public WaybackTest {
 protected:
  void SetUp() override {
    names.base = "/w";
    maker.response("http://a.test/", "20200102030405",
                   http_ok("text/html", "<link rel=stylesheet href=/s.css><a href=next>n</a>"));
    maker.response("http://a.test/go", "20200102030405",
                   "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n");
    maker.response("http://a.test/w.js", "20200102030405", http_ok("text/javascript", "x()"));
  }
};

// What begins with '/' behind one of these is an address of this server.
std::string addresses_outside(std::string_view text) {
  std::string found;
  for (const std::string_view mark : {"href=\"/", "src=\"/", "action=\"/", "data-prefix=\"/", "captures=\"/"})
    for (size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
      const std::string_view rest = text.substr(at + mark.size());
      if (!rest.starts_with("w/") && !rest.starts_with("/c.localhost:8080/w/"))
        found += std::string(text.substr(at, 60)) + "\n";
    }
  return found;
}

TEST_F(BasePathTest, OwnPagesLeadBelowIt) {
  open();
  for (const char* const target :
       {"/", "/c/", "/c/*/http://a.test/", "/c/search?url=a.test/*", "/c/info?url=http://a.test/&time=20200102030405",
        "/-/search?url=a.test/*", "/c/qa", "/nowhere", "/c/20200102030405/http://a.test/", "/c/2020/http://b.test/"}) {
    const auto response = get_for("document", target);
    EXPECT_EQ(addresses_outside(response.body), "") << target;
    if (response.status == 200) EXPECT_NE(response.body.find("=\"/w/-/"), std::string::npos) << target;
    const std::string location = header(response, "location");
    EXPECT_TRUE(location.empty() || location.starts_with("/w/")) << target << ": " << location;
  }
}

TEST_F(BasePathTest, RedirectsAndCookiesHaveIt) {
  open();
  EXPECT_EQ(header(get("/c"), "location"), "/w/c/");
  EXPECT_EQ(header(get("/-/go?url=a.test"), "location"), "/w/c/*/http://a.test");
  const auto language = get("/-/language?to=de&back=/c/");
  EXPECT_EQ(header(language, "location"), "/w/c/");
  EXPECT_NE(header(language, "set-cookie").find("; Path=/w/;"), std::string::npos);
  EXPECT_EQ(header(get("/c/timegate/http://a.test/"), "location"), "/w/c/20200102030405/http://a.test/");
  EXPECT_EQ(header(get("/c/20200102030405mp_/http://a.test/go"), "location"),
            "/w/c/20200102030405mp_/http://a.test/next");
  EXPECT_EQ(header(get_for("document", "/c/20200102030405mp_/http://a.test/", "c.localhost:8080"), "location"),
            "http://127.0.0.1:8080/w/c/20200102030405mp_/http://a.test/");
}

TEST_F(BasePathTest, MementoAndTheOtherApisHaveIt) {
  open();
  const auto page = get("/c/20200102030405mp_/http://a.test/");
  EXPECT_NE(header(page, "link").find("<http://localhost:8080/w/c/timegate/http://a.test/>"), std::string::npos);
  EXPECT_EQ(header(page, "link").find("8080/c/"), std::string::npos);
  const auto map = get("/c/timemap/link/http://a.test/");
  EXPECT_NE(map.body.find("<http://localhost:8080/w/c/20200102030405mp_/http://a.test/>"), std::string::npos);
  EXPECT_EQ(map.body.find("8080/c/"), std::string::npos);
  EXPECT_NE(get("/wayback/available?url=a.test").body.find("http://localhost:8080/w/web/2020"), std::string::npos);
}

TEST_F(BasePathTest, CollectionsAreListedForPrograms) {
  open();
  const auto list = get("/collinfo.json");
  EXPECT_EQ(list.body,
            "[{\"id\":\"c\",\"name\":\"c\",\"timegate\":\"http://localhost:8080/w/c/timegate/\","
            "\"cdx-api\":\"http://localhost:8080/w/c/cdx\"}]");
  EXPECT_EQ(header(list, "access-control-allow-origin"), "*");
}

TEST_F(BasePathTest, CapturesAreRewrittenAndConfinedBelowIt) {
  open();
  const auto page = get_for("iframe", "/c/20200102030405mp_/http://a.test/", "c.localhost:8080");
  EXPECT_NE(page.body.find("<script src=\"/w/-/client.js\" data-prefix=\"/w/c/\""), std::string::npos) << page.body;
  EXPECT_NE(page.body.find("/w/c/20200102030405cs_/http://a.test/s.css"), std::string::npos);
  EXPECT_NE(page.body.find("/w/c/20200102030405mp_/http://a.test/next"), std::string::npos);
  EXPECT_EQ(get_for("script", "/-/client.js", "c.localhost:8080").status, 200);
  EXPECT_NE(get_for("worker", "/c/20200102030405wkr_/http://a.test/w.js", "c.localhost:8080")
                .body.find("importScripts(\"/w/-/client.js\")"),
            std::string::npos);
  // With a key, for clients for which captures have no host.
  const std::string framed = get_for("document", "/c/20200102030405/http://a.test/", "192.0.2.1:8080").body;
  const size_t at = framed.find("src=\"/w/~");
  ASSERT_NE(at, std::string::npos) << framed;
  const std::string address = framed.substr(at + 7, framed.find('"', at + 7) - at - 7);
  const auto keyed = get_for("iframe", address, "192.0.2.1:8080");
  EXPECT_EQ(keyed.status, 200);
  const std::string prefix = "/w" + address.substr(0, address.find("/c/") + 3);
  EXPECT_NE(header(keyed, "content-security-policy")
                .find("default-src http://192.0.2.1:8080" + prefix + " http://192.0.2.1:8080/w/-/client.js "),
            std::string::npos)
      << header(keyed, "content-security-policy");
  EXPECT_NE(keyed.body.find("data-prefix=\"" + prefix), std::string::npos);
}

TEST_F(BasePathTest, StraysOutsideOfItAreLedBackFromCapturesAlone) {
  open();
  http::ServerRequest request;
  request.method = "GET";
  request.target = request.path = "/s.css";
  request.headers = {{"Host", "c.localhost:8080"},
                     {"Referer", "http://c.localhost:8080/w/c/20200102030405mp_/http://a.test/"},
                     {"Sec-Fetch-Dest", "style"}};
  const auto led = wayback->answer_outside(request);
  EXPECT_EQ(led.status, 307);
  EXPECT_EQ(header(led, "location"), "/w/c/20200102030405cs_/http://a.test/s.css");
  EXPECT_FALSE(header(led, "connection-allowlist").empty());
  request.headers[1].second = "http://c.localhost:8080/c/20200102030405mp_/http://a.test/";
  EXPECT_EQ(wayback->answer_outside(request).status, 404);
  request.headers = {{"Host", "localhost:8080"}};
  EXPECT_EQ(wayback->answer_outside(request).status, 404);
  request.target = request.path = "/w";
  EXPECT_EQ(header(wayback->answer_outside(request), "location"), "/w/");
  request.headers = {{"Host", "evil.test"}};
  EXPECT_EQ(wayback->answer_outside(request).status, 421);
}

TEST_F(BasePathTest, MissedResourcesAreNoted) {
  open();
  get("/c/20200102030405im_/http://a.test/p.png",
      {{"Host", "c.localhost:8080"},
       {"Sec-Fetch-Dest", "image"},
       {"Referer", "http://c.localhost:8080/w/c/20200102030405mp_/http://a.test/"}});
  EXPECT_NE(get("/c/qa").body.find("a.test/p.png"), std::string::npos);
}

}  // namespace
}  // namespace caddis::replay
