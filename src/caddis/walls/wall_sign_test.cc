#include "caddis/walls/wall_sign.h"

#include <gtest/gtest.h>

#include <set>

#include "caddis/walls/settings.h"

namespace caddis::walls {
namespace {

struct Page {
  std::string head;  // status and fields, in lines
  std::string title;
  std::string body;
  std::string url = "https://site.example/page";
};

std::string wall_of(const WallSigns& signs, const Page& page) {
  std::string bytes = "HTTP/1.1 " + page.head + "\r\n\r\n";
  const auto head = http::parse_response_head(bytes, http::Mode::lenient);
  if (!head) return "no head";
  const std::string body = page.title.empty() ? page.body : "<head><TITLE>\n " + page.title + " </title>" + page.body;
  const WallSign* const sign = signs.find(Answer(page.url, *head, body));
  return sign == nullptr ? "" : std::string(to_string(sign->kind())) + " " + sign->name();
}

std::string wall_of(const Page& page) { return wall_of(*signs_of({}), page); }

WallSigns signs(const std::vector<std::string>& lines) { return *WallSigns::parse(lines); }

std::string error_of(std::string_view line) {
  const auto sign = WallSign::parse(line);
  return sign ? "" : sign.error().message;
}

TEST(WallSignTest, HoldsIfAllItsConditionsDo) {
  const WallSigns one = signs({"bot x: status 403 503; header server ~ ^X; title no entry"});
  EXPECT_EQ(wall_of(one, {.head = "403 No\r\nServer: xserver", .title = "No Entry", .body = ""}), "bot x");
  EXPECT_EQ(wall_of(one, {.head = "503 No\r\nServer: xserver", .title = "No Entry", .body = ""}), "bot x");
  EXPECT_EQ(wall_of(one, {.head = "200 No\r\nServer: xserver", .title = "No Entry", .body = ""}), "");
  EXPECT_EQ(wall_of(one, {.head = "403 No\r\nServer: the x", .title = "No Entry", .body = ""}), "");
  EXPECT_EQ(wall_of(one, {.head = "403 No", .title = "No Entry", .body = ""}), "");
  EXPECT_EQ(wall_of(one, {.head = "403 No\r\nServer: xserver", .title = "A page", .body = ""}), "");
}

TEST(WallSignTest, KnowsEachCondition) {
  const WallSigns all =
      signs({"consent a: cookie wall_", "bot b: url /sorry/", "bot c: below 10; body two", "bot d: header X-Wall"});
  EXPECT_EQ(wall_of(all, {.head = "200 OK\r\nSet-Cookie: a=b\r\nSet-Cookie: wall_7=x", .title = "", .body = ""}),
            "consent a");
  EXPECT_EQ(wall_of(all, {.head = "200 OK\r\nSet-Cookie: the_wall_7=x", .title = "", .body = ""}), "");
  EXPECT_EQ(wall_of(all, {.head = "200 OK", .title = "", .body = "", .url = "http://h/sorry/index"}), "bot b");
  EXPECT_EQ(wall_of(all, {.head = "200 OK", .title = "", .body = "ONE TWO"}), "bot c");
  EXPECT_EQ(wall_of(all, {.head = "200 OK", .title = "", .body = "one two three"}), "");
  EXPECT_EQ(wall_of(all, {.head = "200 OK\r\nx-wall:", .title = "", .body = ""}), "bot d");
}

TEST(WallSignTest, ReadsTheFrontOfABody) {
  const WallSigns one = signs({"bot x: body needle"});
  EXPECT_EQ(wall_of(one, {.head = "200 OK", .title = "", .body = std::string(60'000, ' ') + "needle"}), "bot x");
  EXPECT_EQ(wall_of(one, {.head = "200 OK", .title = "", .body = std::string(70'000, ' ') + "needle"}), "");
}

TEST(WallSignTest, SaysWhatIsWrong) {
  EXPECT_NE(error_of("x"), "");
  EXPECT_NE(error_of("wall x: status 403").find("begins with bot or consent"), std::string::npos);
  EXPECT_NE(error_of("bot: status 403").find("name"), std::string::npos);
  EXPECT_NE(error_of("bot a b: status 403").find("name"), std::string::npos);
  EXPECT_NE(error_of("bot x:").find("needs a condition"), std::string::npos);
  EXPECT_NE(error_of("bot x: size 3").find("'size' is no condition"), std::string::npos);
  EXPECT_NE(error_of("bot x: status").find("status needs numbers"), std::string::npos);
  EXPECT_NE(error_of("bot x: status 40").find("no status"), std::string::npos);
  EXPECT_NE(error_of("bot x: status 403x").find("no status"), std::string::npos);
  EXPECT_NE(error_of("bot x: title (").find("no regular expression"), std::string::npos);
  EXPECT_NE(error_of("bot x: title").find("is missing"), std::string::npos);
  EXPECT_NE(error_of("bot x: below much"), "");
  EXPECT_EQ(error_of("bot x: status 403"), "");
}

// A page that each shipped wall shows, and one much like it that is none.
struct Known {
  std::string wall;
  Page page;
  Page like_it;
};

std::vector<Known> known() {
  const std::string article = std::string(70'000, 'a');
  const Page ordinary = {
      .head = "200 OK\r\nServer: cloudflare", .title = "Just a moment in time", .body = "g-recaptcha px-captcha"};
  return {
      {"bot cloudflare", {.head = "403 Forbidden\r\ncf-mitigated: challenge", .title = "", .body = ""}, ordinary},
      {"bot cloudflare", {.head = "503 Busy\r\nServer: cloudflare", .title = "Just a moment...", .body = ""}, ordinary},
      {"bot cloudflare",
       {.head = "403 No\r\nServer: cloudflare", .title = "", .body = "error code: 1020"},
       {.head = "403 No\r\nServer: cloudflare", .title = "Members only", .body = "Log in"}},
      {"bot vercel",
       {.head = "429 No\r\nx-vercel-mitigated: challenge", .title = "", .body = ""},
       {.head = "200 OK\r\nx-vercel-id: 1", .title = "", .body = ""}},
      {"bot aws-waf",
       {.head = "405 No\r\nx-amzn-waf-action: captcha", .title = "", .body = ""},
       {.head = "405 No\r\nx-amzn-requestid: 1", .title = "", .body = ""}},
      {"bot akamai",
       {.head = "403 Forbidden\r\nServer: AkamaiGHost", .title = "Access Denied", .body = ""},
       {.head = "404 Not Found\r\nServer: AkamaiGHost", .title = "Access Denied", .body = ""}},
      {"bot akamai",
       {.head = "428 Precondition", .title = "", .body = "<div id=\"sec-if-cpt-container\">"},
       {.head = "200 OK", .title = "", .body = article + "sec-if-cpt-container"}},
      {"bot datadome",
       {.head = "403 Forbidden\r\nX-DD-B: 1", .title = "", .body = ""},
       {.head = "200 OK\r\nX-DataDome: protected", .title = "", .body = ""}},
      {"bot datadome",
       {.head = "403 Forbidden", .title = "", .body = "src=https://geo.captcha-delivery.com/captcha/"},
       {.head = "200 OK", .title = "", .body = "captcha-delivery.com"}},
      {"bot human",
       {.head = "403 Forbidden", .title = "", .body = "window._pxAppId = 'PX1'"},
       {.head = "200 OK", .title = "", .body = "window._pxAppId = 'PX1'"}},
      {"bot imperva",
       {.head = "200 OK\r\nX-Iinfo: 1", .title = "", .body = "Incapsula incident ID: 1-2"},
       {.head = "200 OK\r\nX-Iinfo: 1", .title = "", .body = "<script src=\"/_Incapsula_Resource?SWJIYLWA=1\">"}},
      {"bot kasada",
       {.head = "429 No\r\nx-kpsdk-ct: 1", .title = "", .body = ""},
       {.head = "200 OK\r\nx-kpsdk-ct: 1", .title = "", .body = ""}},
      {"bot f5",
       {.head = "200 OK",
        .title = "Request Rejected",
        .body = "The requested URL was rejected. Please consult with your administrator."},
       {.head = "200 OK", .title = "", .body = "rejected"}},
      {"bot reblaze",
       {.head = "503 No\r\nSet-Cookie: rbzid=1", .title = "", .body = "window.rbzns = {}"},
       {.head = "404 No", .title = "", .body = "window.rbzns"}},
      {"bot sucuri",
       {.head = "403 No\r\nX-Sucuri-ID: 1", .title = "Sucuri WebSite Firewall - Access Denied", .body = ""},
       {.head = "200 OK\r\nX-Sucuri-ID: 1", .title = "", .body = ""}},
      {"bot sucuri",
       {.head = "200 OK\r\nX-Sucuri-ID: 1", .title = "", .body = "sucuri_cloudproxy_js='"},
       {.head = "404 No", .title = "", .body = "sucuri"}},
      {"bot ddos-guard",
       {.head = "403 No\r\nServer: ddos-guard", .title = "", .body = ""},
       {.head = "200 OK\r\nServer: ddos-guard", .title = "", .body = ""}},
      {"bot radware",
       {.head = "200 OK", .title = "", .body = "", .url = "https://validate.perfdrive.com/?x"},
       ordinary},
      {"bot google",
       {.head = "429 No", .title = "", .body = "", .url = "https://www.google.com/sorry/index?continue=x"},
       {.head = "200 OK", .title = "", .body = "", .url = "https://www.example.com/sorry/"}},
      {"bot amazon",
       {.head = "200 OK",
        .title = "Amazon.com",
        .body = "<form action=\"/errors/validateCaptcha\">",
        .url = "https://www.amazon.com/dp/1"},
       {.head = "404 No", .title = "", .body = "/errors/validateCaptcha"}},
      {"bot anubis",
       {.head = "200 OK", .title = "Making sure you're not a bot!", .body = "<script id=\"anubis_challenge\">"},
       {.head = "200 OK", .title = "", .body = "An article on Anubis"}},
      {"bot go-away",
       {.head = "403 No",
        .title = "",
        .body = "<title>Checking you are not a bot</title>/.well-known/.git.gammaspectra.live/git/go-away/cmd/"},
       ordinary},
      {"bot wordfence",
       {.head = "503 No", .title = "", .body = "Generated by Wordfence at"},
       {.head = "200 OK", .title = "", .body = "Generated by Wordfence"}},
      {"bot mod-security",
       {.head = "406 No", .title = "", .body = "This error was generated by Mod_Security."},
       {.head = "200 OK", .title = "", .body = "generated by mod_security"}},
      {"bot captcha", {.head = "403 No", .title = "", .body = "<div class=g-recaptcha>"}, ordinary},
      {"bot robot-check",
       {.head = "429 No", .title = "Are you a robot?", .body = ""},
       {.head = "200 OK", .title = "Are you a robot?", .body = ""}},
      {"consent google",
       {.head = "200 OK", .title = "", .body = "", .url = "https://consent.youtube.com/m?continue=x"},
       {.head = "200 OK", .title = "", .body = "", .url = "https://consent.example.org/"}},
      {"consent yahoo", {.head = "200 OK", .title = "", .body = "", .url = "https://guce.yahoo.com/consent"}, ordinary},
      {"consent tumblr",
       {.head = "200 OK", .title = "", .body = "", .url = "https://www.tumblr.com/privacy/consent?redirect=x"},
       {.head = "200 OK", .title = "", .body = "", .url = "https://www.tumblr.com/privacy"}},
      {"consent dpg-media",
       {.head = "200 OK", .title = "", .body = "", .url = "https://myprivacy.dpgmedia.nl/consent"},
       {.head = "200 OK", .title = "", .body = "", .url = "https://www.dpgmedia.nl/"}},
      {"consent golem",
       {.head = "200 OK", .title = "", .body = "", .url = "https://www.golem.de/sonstiges/zustimmung/auswahl.html"},
       {.head = "200 OK", .title = "", .body = "", .url = "https://www.golem.de/news/zustimmung/"}},
      {"consent cookie-wall",
       {.head = "200 OK",
        .title = "",
        .body = "<button>Accept all</button>",
        .url = "https://h.example/cookiewall?next=/"},
       {.head = "200 OK",
        .title = "Informed consent for our study",
        .body = "<p>You accept all risks",
        .url = "https://h.example/blog/consent"}},
      {"consent cookie-wall",
       {.head = "200 OK", .title = "", .body = "onetrust", .url = "https://h.example/consent"},
       {.head = "200 OK",
        .title = "Informed consent for our study",
        .body = "<p>You may withdraw",
        .url = "https://h.example/consent"}},
      {"consent words",
       {.head = "200 OK", .title = "Before you continue to Search", .body = ""},
       {.head = "200 OK", .title = "Before you continue reading", .body = ""}},
  };
}

TEST(KnownWallsTest, AreKnownByWhatTheyShow) {
  std::set<std::string> shown;
  for (const Known& one : known()) {
    EXPECT_EQ(wall_of(one.page), one.wall);
    EXPECT_EQ(wall_of(one.like_it), "") << one.wall;
    shown.insert(one.wall);
  }
  for (const std::string_view line : known_walls())
    EXPECT_TRUE(shown.contains(std::string(line.substr(0, line.find(':'))))) << line;
}

TEST(KnownWallsTest, AskForMoreThanWords) {
  for (const std::string_view line : known_walls()) {
    const bool has_more = line.find("status ") != line.npos || line.find("header ") != line.npos ||
                          line.find("cookie ") != line.npos || line.find("url ") != line.npos ||
                          line.find("below ") != line.npos;
    EXPECT_TRUE(has_more) << line;
  }
}

TEST(KnownWallsTest, AreLeftAloneIfSettingsSaySo) {
  const Page challenge = {.head = "403 Forbidden\r\ncf-mitigated: challenge", .title = "", .body = ""};
  EXPECT_EQ(wall_of(*signs_of({.known = false}), challenge), "");
  EXPECT_EQ(wall_of(*signs_of({.signs = {"bot mine: status 403"}}), challenge), "bot mine") << "one's own come first";
}

}  // namespace
}  // namespace caddis::walls
