// The wayback machine as a function from request to response, over a collection made by hand and over pywb's samples.
#include "caddis/replay/wayback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "caddis/base/clock.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/indexer.h"
#include "caddis/cdx/journal.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/memento.h"
#include "caddis/replay/range.h"
#include "caddis/replay/wayback_fixture.h"
#include "support/testdata.h"

namespace caddis::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(WaybackTest, PageIsRewrittenAndConfined) {
  maker.response(
      "http://example.org/dir/", "20260102030405",
      http_ok("text/html", "<html><head><title>T</title></head><body><a href='x'>x</a><img src='/i.png'></body></html>",
              "Set-Cookie: a=b\r\nStrict-Transport-Security: max-age=9\r\n"));
  open();
  const auto page = get("/c/20260102030405/http://example.org/dir/");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, StartsWith("<html><head><script src=\"/-/client.js\" data-prefix=\"/c/\" "));
  EXPECT_THAT(page.body,
              HasSubstr("<a archived-href='x' href='/././c/20260102030405/http://example.org/dir/x'>x</a>"
                        "<img archived-src='/i.png' src='/./c/20260102030405im_/http://example.org/i.png'>"));
  EXPECT_THAT(header(page, "content-security-policy"), HasSubstr("default-src http://localhost:8080/c/ "));
  EXPECT_EQ(header(page, "set-cookie"), "");
  EXPECT_EQ(header(page, "strict-transport-security"), "");
  EXPECT_EQ(header(page, "x-archive-orig-set-cookie"), "a=b");
  EXPECT_EQ(header(page, "memento-datetime"), "Fri, 02 Jan 2026 03:04:05 GMT");
  EXPECT_THAT(header(page, "link"), HasSubstr("<http://example.org/dir/>; rel=\"original\""));
  EXPECT_THAT(header(page, "link"),
              HasSubstr("<http://localhost:8080/c/20260102030405mp_/http://example.org/dir/>; "
                        "rel=\"first last memento\"; datetime=\"Fri, 02 Jan 2026 03:04:05 GMT\""));

  // Asked for by a script: a fragment, not a page.
  EXPECT_THAT(get("/c/20260102030405/http://example.org/dir/", {{"Sec-Fetch-Dest", "empty"}}).body,
              StartsWith("<html><head><title>"));
}

constexpr std::string_view kCaptures = "c.localhost:8080";

TEST_F(WaybackTest, WindowsGetAFrameThatHoldsTheCapture) {
  maker.response("http://example.org/", "20250101000000", http_ok("text/html", "old"));
  maker.response("http://example.org/", "20260102030405", http_ok("text/html", "new"));
  open();
  const auto window = get_for("document", "/c/20260102030405/http://example.org/");
  EXPECT_EQ(window.status, 200);
  EXPECT_THAT(window.body, HasSubstr("src=\"//c.localhost:8080/c/20260102030405mp_/http://example.org/\""));
  EXPECT_THAT(window.body,
              HasSubstr("sandbox=\"allow-scripts allow-forms allow-modals allow-pointer-lock allow-same-origin\""));
  EXPECT_THAT(window.body, HasSubstr("2 Jan 2026, 03:04:05 UTC"));
  EXPECT_THAT(window.body, HasSubstr("<a id=\"previous\" href=\"/c/20250101000000/http://example.org/\""));
  EXPECT_THAT(window.body, Not(HasSubstr("new</")));
  EXPECT_THAT(header(window, "content-security-policy"), HasSubstr("frame-src c.localhost:8080"));
  EXPECT_THAT(header(window, "content-security-policy"), HasSubstr("frame-ancestors 'none'"));
  EXPECT_EQ(header(window, "memento-datetime"), "Fri, 02 Jan 2026 03:04:05 GMT");

  // Any address of a page, and on any host: the window shows the exact one, with the page around it.
  EXPECT_EQ(header(get_for("document", "/c/2026mp_/http://example.org/"), "location"),
            "/c/20260102030405/http://example.org/");
  EXPECT_EQ(
      header(get_for("document", "/c/20260102030405mp_/http://example.org/?x", std::string(kCaptures)), "location"),
      "http://127.0.0.1:8080/c/20260102030405mp_/http://example.org/?x");
  // A browser that does not say what it opens, but opens a page.
  const auto silent = get("/c/20260102030405/http://example.org/", {{"Accept", "text/html,*/*"}});
  EXPECT_THAT(silent.body, HasSubstr("<iframe id=\"capture\""));
  // Under an address that has no host for captures, their origin is nobody's.
  const auto remote = get_for("document", "/c/20260102030405/http://example.org/", "192.0.2.1:8080");
  EXPECT_THAT(remote.body, HasSubstr("src=\"/~" + Origins::create({}, {"c"}, "secret")->key_of("c") +
                                     "/c/20260102030405mp_/http://example.org/\""));
  EXPECT_THAT(remote.body, Not(HasSubstr("allow-same-origin")));
}

// No content security policy can name an IPv6 address.
TEST_F(WaybackTest, WindowsUnderIpv6AddressesAreLedElsewhere) {
  maker.response("http://example.org/", "20260102030405", http_ok("text/html", "x"));
  open();
  const std::string target = "/c/20260102030405/http://example.org/?q";
  EXPECT_EQ(header(get_for("document", target, "[::1]:8080"), "location"), "http://localhost:8080" + target);
  const auto other = get_for("document", target, "[2001:db8::1]:8080");
  EXPECT_EQ(other.status, 421);
  EXPECT_THAT(other.body, HasSubstr("--public-name"));
  EXPECT_EQ(get("/c/20260102030405/http://example.org/", {{"Host", "[2001:db8::1]:8080"}}).status, 200);  // a program
}

TEST_F(WaybackTest, CapturesAnswerUnderTheirHostAlone) {
  maker.response("http://example.org/", "20260102030405", http_ok("text/html", "<a href=/x>"));
  open();
  const std::string target = "/c/20260102030405mp_/http://example.org/";
  const auto page = get_for("iframe", target, std::string(kCaptures));
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("data-own=\"http://127.0.0.1:8080/c/\""));
  EXPECT_THAT(header(page, "content-security-policy"), HasSubstr("allow-same-origin"));
  EXPECT_THAT(header(page, "link"), HasSubstr("<http://127.0.0.1:8080/c/timegate/http://example.org/>"));
  EXPECT_EQ(header(get_for("iframe", target), "location"), "//c.localhost:8080" + target);
  // Read by a program under the archive's own host, scripts in it are nobody's.
  EXPECT_THAT(header(get(target), "content-security-policy"), Not(HasSubstr("allow-same-origin")));
  for (const char* own : {"/", "/c/", "/c/cdx?url=example.org", "/c/timemap/link/http://example.org/",
                          "/c/*/http://example.org/", "/-/frame.js", "/-/go?collection=c&url=x", "/other/"}) {
    const auto refused = get(own, {{"Host", std::string(kCaptures)}});
    EXPECT_EQ(refused.status, 404) << own;
    // Also what is refused confines whoever frames it.
    EXPECT_THAT(header(refused, "content-security-policy"), HasSubstr("sandbox")) << own;
    EXPECT_THAT(header(refused, "connection-allowlist"), StartsWith("(response-origin)")) << own;
  }
  EXPECT_EQ(get("/-/client.js", {{"Host", std::string(kCaptures)}}).status, 200);
  EXPECT_EQ(get(target, {{"Host", "evil.test:8080"}}).status, 421);
}

TEST_F(WaybackTest, RawBodiesRunNoScriptsWhenTheyAreOpened) {
  maker.response("http://example.org/", "20260102030405",
                 http_ok("text/html", "<script>location='http://evil.test'</script>"));
  open();
  for (const char* modifier : {"id_", "js_", "cs_", "im_", "oe_"}) {
    const std::string target = "/c/20260102030405" + std::string(modifier) + "/http://example.org/";
    for (const char* destination : {"document", "iframe"}) {
      const auto raw = get_for(destination, target,
                               destination == std::string_view("document") ? "localhost:8080" : std::string(kCaptures));
      EXPECT_EQ(raw.status, 200) << target;
      EXPECT_THAT(header(raw, "content-security-policy"), Not(HasSubstr("allow-scripts"))) << target;
    }
    EXPECT_THAT(header(get(target), "content-security-policy"), Not(HasSubstr("allow-scripts"))) << target;
  }
  EXPECT_THAT(header(get_for("worker", "/c/20260102030405js_/http://example.org/", std::string(kCaptures)),
                     "content-security-policy"),
              HasSubstr("allow-scripts"));
}

// A browser that does not say what it opens (over http) may have opened a window, which only a script of ours leaves.
TEST_F(WaybackTest, WhatCannotHoldTheClientScriptRunsNoOthersUnlessItIsInAFrame) {
  maker.response("http://example.org/svg", "20260102030405", http_ok("image/svg+xml", "<svg><script/></svg>"));
  maker.response("http://example.org/xml", "20260102030405", http_ok("text/xml", "<a/>"));
  maker.response("http://example.org/xhtml", "20260102030405",
                 http_ok("application/xhtml+xml", "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:body/></h:html>"));
  open();
  for (const char* url : {"svg", "xml", "xhtml"}) {
    const std::string target = "/c/20260102030405mp_/http://example.org/" + std::string(url);
    const auto silent = get(target, {{"Host", "192.0.2.1"}, {"Accept", "text/html,*/*"}});
    EXPECT_EQ(header(silent, "content-security-policy").contains("allow-scripts"), url != std::string_view("xml"))
        << url;
    EXPECT_THAT(header(get_for("iframe", target, std::string(kCaptures)), "content-security-policy"),
                HasSubstr("allow-scripts"));
  }
  EXPECT_THAT(
      get_for("iframe", "/c/20260102030405mp_/http://example.org/xhtml", std::string(kCaptures)).body,
      StartsWith("<h:html xmlns:h='http://www.w3.org/1999/xhtml'><script xmlns=\"http://www.w3.org/1999/xhtml\" src="));
  const auto svg = [&](std::string_view destination, std::string_view modifier) {
    return get_for(destination, "/c/20260102030405" + std::string(modifier) + "/http://example.org/svg",
                   std::string(kCaptures))
        .body;
  };
  EXPECT_THAT(svg("iframe", "mp_"), StartsWith("<svg><script xmlns=\"http://www.w3.org/1999/xhtml\" src="));
  EXPECT_THAT(svg("object", "oe_"), HasSubstr("/-/client.js"));
  // As a picture it runs no scripts.
  for (const char* modifier : {"im_", "oe_", "mp_"})
    EXPECT_EQ(svg("image", modifier), "<svg><script/></svg>") << modifier;
}

TEST_F(WaybackTest, WhatNoFrameShowsIsOpenedAlone) {
  maker.response("http://example.org/a.pdf", "20260102030405", http_ok("application/pdf", "%PDF-1.4"));
  maker.response("http://example.org/b", "20260102030405",
                 http_ok("text/html", "x", "Content-Disposition: attachment; filename=b.html\r\n"));
  maker.response("http://example.org/untyped", "20260102030405",
                 "HTTP/1.1 200 OK\r\n\r\n" + std::string("bytes\0\1", 7));
  maker.response("http://example.org/picture", "20260102030405",
                 "HTTP/1.1 200 OK\r\n\r\n\x89PNG" + std::string(4, '\0'));
  maker.response("http://example.org/c", "20260102030405",
                 http_ok("text/html", "x", "Content-Disposition: attachment=1\r\n"));
  open();
  const auto pdf = get_for("document", "/c/20260102030405/http://example.org/a.pdf");
  EXPECT_EQ(pdf.body, "%PDF-1.4");
  EXPECT_EQ(header(pdf, "content-type"), "application/pdf");
  EXPECT_THAT(header(pdf, "content-security-policy"), Not(HasSubstr("allow-scripts")));
  EXPECT_EQ(header(pdf, "content-disposition"), "");
  // No attachment to a browser, which would show it.
  EXPECT_EQ(header(get_for("document", "/c/20260102030405/http://example.org/c"), "content-disposition"), "attachment");
  EXPECT_THAT(get_for("document", "/c/20260102030405/http://example.org/picture").body, HasSubstr("<iframe"));
  for (const char* url : {"a.pdf", "b", "untyped", "never"}) {
    const auto framed =
        get_for("iframe", "/c/20260102030405mp_/http://example.org/" + std::string(url), std::string(kCaptures));
    EXPECT_THAT(framed.body, HasSubstr(" data-alone")) << url;
    EXPECT_EQ(framed.status, url == std::string_view("never") ? 404 : 200);
  }
}

// Browsers act upon signed exchanges by themselves, whatever policies say.
TEST_F(WaybackTest, SignedExchangesAreBytes) {
  maker.response("http://example.org/", "20260101000000", http_ok("Application/Signed-Exchange;v=b3", "sxg1-b3"));
  open();
  for (const char* modifier : {"", "mp_", "id_", "oe_"}) {
    const auto bytes = get("/c/20260101000000" + std::string(modifier) + "/http://example.org/");
    EXPECT_EQ(header(bytes, "content-type"), "application/octet-stream") << modifier;
    EXPECT_EQ(header(bytes, "x-archive-orig-content-type"), "Application/Signed-Exchange;v=b3") << modifier;
  }
}

TEST_F(WaybackTest, HeadersThatLeadNowhereAreLeftOut) {
  maker.response("http://example.org/1", "20260101000000",
                 "HTTP/1.1 302 Found\r\nLocation: \x01http://evil.test/a\r\n\r\n");
  maker.response("http://example.org/2", "20260101000000",
                 "HTTP/1.1 302 Found\r\nLocation: see http://evil.test/a\r\n\r\n");
  maker.response("http://example.org/3", "20260101000000",
                 http_ok("text/html", "x", "Refresh: 0; \x02 url=\x03http://evil.test/\r\n"));
  maker.response(
      "http://example.org/4", "20260101000000",
      http_ok("text/html", "x", "Link: <http://evil.test/>; rel=preconnect, <ht\ttp://evil.test/s>; rel=prefetch\r\n"));
  open();
  EXPECT_EQ(header(get("/c/20260101000000mp_/http://example.org/1"), "location"),
            "/c/20260101000000mp_/http://evil.test/a");
  EXPECT_THAT(header(get("/c/20260101000000mp_/http://example.org/2"), "location"),
              StartsWith("/c/20260101000000mp_/http://example.org/"));
  EXPECT_THAT(header(get("/c/20260101000000mp_/http://example.org/3"), "refresh"), Not(HasSubstr("\x03http")));
  const auto hints = get("/c/20260101000000mp_/http://example.org/4");
  EXPECT_THAT(header(hints, "link"), Not(HasSubstr("preconnect")));
  EXPECT_THAT(header(hints, "link"), Not(HasSubstr("<ht\ttp")));
}

TEST_F(WaybackTest, PagesWithoutOriginReadTheirOwnCollection) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "<a href=/x>"));
  maker.response("http://example.org/data", "20260101000000", http_ok("application/json", "[]"));
  open();
  const std::string key = "/~" + Origins::create({}, {"c"}, "secret")->key_of("c");
  const auto ask = [&](std::string target) {
    return get(std::move(target), {{"Host", "192.0.2.1:8080"}, {"Origin", "null"}, {"Sec-Fetch-Dest", "empty"}});
  };
  const std::string data = "/c/20260101000000oe_/http://example.org/data";
  const auto read = ask(key + data);
  EXPECT_EQ(read.body, "[]");
  EXPECT_EQ(header(read, "access-control-allow-origin"), "null");
  // Nobody else knows the key.
  EXPECT_EQ(header(ask(data), "access-control-allow-origin"), "");
  EXPECT_EQ(ask("/~0123456789abcdef" + data).status, 404);
  EXPECT_EQ(ask("/~/" + data).status, 404);
  EXPECT_EQ(ask("/~").status, 404);
  EXPECT_EQ(ask(key + "/c/cdx?url=example.org").status, 404);
  EXPECT_EQ(ask(key + "/d/20260101000000oe_/http://example.org/data").status, 404);
  const auto page = get_for("iframe", key + "/c/20260101000000mp_/http://example.org/", "192.0.2.1:8080");
  EXPECT_THAT(page.body, HasSubstr(" href=\"/." + key + "/c/20260101000000mp_/http://example.org/x\""));
  EXPECT_THAT(header(page, "content-security-policy"), HasSubstr("default-src http://192.0.2.1:8080" + key + "/c/ "));
  EXPECT_THAT(header(page, "content-security-policy"), Not(HasSubstr("allow-same-origin")));
  // In a window it is the plain address again.
  EXPECT_EQ(header(get_for("document", key + "/c/2026mp_/http://example.org/", "192.0.2.1:8080"), "location"),
            "/c/2026mp_/http://example.org/");
}

TEST_F(WaybackTest, IdentityIsTheBodyAsCaptured) {
  const std::string html = "<a href='/x'>";
  const std::string coded = io::gzip_member(html, io::GzipEffort::small);
  char size[16];
  std::snprintf(size, sizeof size, "%zx", coded.size());
  maker.response(
      "http://example.org/", "20260102030405",
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" +
          std::string(size) + "\r\n" + coded + "\r\n0\r\n\r\n");
  open();
  const auto raw = get("/c/2026id_/http://example.org/");
  EXPECT_EQ(raw.status, 200);
  EXPECT_EQ(raw.body, coded);
  EXPECT_EQ(header(raw, "content-encoding"), "gzip");
  EXPECT_EQ(header(raw, "transfer-encoding"), "");
  EXPECT_EQ(header(raw, "content-location"), "/c/20260102030405id_/http://example.org/");
  const auto page = get("/c/20260102030405mp_/http://example.org/");
  EXPECT_THAT(page.body, HasSubstr(" href='/./c/20260102030405mp_/http://example.org/x'>"));
  EXPECT_EQ(header(page, "content-encoding"), "");
}

TEST_F(WaybackTest, NearestCaptureByRedirectForPagesDirectlyForEmbeds) {
  maker.response("http://www.example.org/", "20250101000000", http_ok("text/html", "old"));
  maker.response("http://www.example.org/", "20260101000000", http_ok("text/html", "new"));
  maker.response("http://www.example.org/i.png", "20250101000001", http_ok("image/png", "png"));
  open();
  auto moved = get("/c/20250301/http://www.example.org/");
  EXPECT_EQ(moved.status, 302);
  EXPECT_EQ(header(moved, "location"), "/c/20250101000000/http://www.example.org/");
  EXPECT_EQ(header(get("/c/2027mp_/http://www.example.org/"), "location"),
            "/c/20260101000000mp_/http://www.example.org/");
  // The URL as it was captured, whatever was asked for.
  EXPECT_EQ(header(get("/c/20250101000000/https://example.org"), "location"),
            "/c/20250101000000/http://www.example.org/");
  EXPECT_EQ(get("/c/20250101000000/http://www.example.org/").status, 200);
  const auto image = get("/c/20250101000000im_/http://www.example.org/i.png");
  EXPECT_EQ(image.status, 200);
  EXPECT_EQ(image.body, "png");
  EXPECT_EQ(header(image, "content-location"), "/c/20250101000001im_/http://www.example.org/i.png");
}

TEST_F(WaybackTest, RedirectsStayInTheArchiveAndDoNotLoop) {
  maker.response("http://example.org/", "20260101000000",
                 "HTTP/1.1 301 Moved\r\nLocation: https://www.example.org/\r\n\r\n");
  maker.response("https://www.example.org/", "20260101000001", http_ok("text/html", "here"));
  maker.response("http://example.org/old", "20260101000002", "HTTP/1.1 302 Found\r\nLocation: /new?x=1\r\n\r\n");
  maker.response("http://example.org/loop", "20260101000003",
                 "HTTP/1.1 302 Found\r\nLocation: http://example.org/loop\r\n\r\n");
  open();
  const auto home = get("/c/20260101000000/http://example.org/");
  EXPECT_EQ(header(home, "location"), "/c/20260101000001/https://www.example.org/");
  EXPECT_EQ(get("/c/20260101000001/https://www.example.org/").status, 200);
  const auto old = get("/c/20260101000002/http://example.org/old");
  EXPECT_EQ(old.status, 302);
  EXPECT_EQ(header(old, "location"), "/c/20260101000002/http://example.org/new?x=1");
  EXPECT_EQ(get("/c/20260101000003/http://example.org/loop").status, 404);
  // As captured, a redirect leads to what was captured as well; in a circle it would be an error.
  EXPECT_EQ(get("/c/20260101000003id_/http://example.org/loop").status, 200);
  const auto raw = get("/c/20260101000002id_/http://example.org/old");
  EXPECT_EQ(raw.status, 302);
  EXPECT_EQ(header(raw, "location"), "/c/20260101000002id_/http://example.org/new?x=1");
  EXPECT_NE(header(raw, "x-archive-orig-location"), "");
}

TEST_F(WaybackTest, WallsLeadToThePageBehindThem) {
  const auto moved = [](const std::string& to) { return "HTTP/1.1 302 Found\r\nLocation: " + to + "\r\n\r\n"; };
  maker.response("http://a.org/", "20260101000000", moved("/ok"));
  maker.response("http://a.org/ok", "20260101000003", moved("/"));
  maker.response("http://a.org/", "20260101000006", http_ok("text/html", "slow"));
  for (const char* const url : {"http://b.org/", "http://b.org/1", "http://b.org/2"})
    maker.response(url, "20260101000000",
                   moved(std::string(url) == "http://b.org/" ? "/1"
                         : url[13] == '1'                    ? "/2"
                                                             : "/"));
  maker.response("http://b.org/", "20260101000000", http_ok("text/html", "at once"));
  maker.response("http://c.org/", "20260101000000", moved("/ok"));
  maker.response("http://c.org/ok", "20260101000001", moved("/"));
  maker.response("http://c.org/", "20270101000000", http_ok("text/html", "later"));
  open();
  const auto follow = [&](std::string address) {
    for (int hops = 0; hops < 8; ++hops) {
      const auto answer = get(address);
      if (answer.status != 302) return std::to_string(answer.status) + ' ' + answer.body;
      address = header(answer, "location");
    }
    return std::string("a loop");
  };
  for (const char* const modifier : {"mp_", "id_"}) {
    for (const char* const time : {"2026", "20260101000000", "20260101000003", "20260101000006", ""}) {
      const std::string at = "/c/" + std::string(time) + modifier + "/http://";
      EXPECT_THAT(follow(at + "a.org/"), HasSubstr("slow")) << at;
      EXPECT_THAT(follow(at + "a.org/ok"), HasSubstr("slow")) << at;
      EXPECT_THAT(follow(at + "b.org/"), HasSubstr("at once")) << at;
    }
  }
  EXPECT_EQ(header(get("/c/20260101000000id_/http://a.org/"), "location"), "/c/20260101000000id_/http://a.org/ok");
  // The page of another day is another page.
  EXPECT_EQ(follow("/c/20260101000000mp_/http://c.org/"), "a loop");
}

TEST_F(WaybackTest, ScriptsAreRewrittenWhereTheyRun) {
  maker.response("http://example.org/a.js", "20260102030405", http_ok("text/javascript", "location"));
  open();
  const auto body = [&](std::string_view modifier, std::string_view destination) {
    return get_for(std::string(destination), "/c/20260102030405" + std::string(modifier) + "/http://example.org/a.js",
                   std::string(kCaptures))
        .body;
  };
  EXPECT_EQ(body("js_", "script"), "_caddis.l(location)");
  EXPECT_EQ(body("oe_", "script"), "_caddis.l(location)");
  EXPECT_EQ(body("wkr_", "worker"), "importScripts(\"/-/client.js\");_caddis.l(location)");
  EXPECT_EQ(body("wm_", "worker"), "import \"/-/client.js\";_caddis.l(location)");
  EXPECT_EQ(body("oe_", "empty"), "location");
  EXPECT_EQ(body("id_", "script"), "location");
  EXPECT_EQ(body("js_", "audioworklet"), "location");
  EXPECT_EQ(body("if_", "iframe"), "location");
}

TEST_F(WaybackTest, RevisitsShowWhatTheyReferTo) {
  const std::string first = http_ok("text/html", "the same");
  maker.response("http://a.org/x", "20250101000000", first);
  const std::string digest = "sha1:ZZZ";
  maker.record("response", "http://a.org/y", "20250101000000",
               "Content-Type: application/http;msgtype=response\r\nWARC-Payload-Digest: " + digest + "\r\n", first);
  maker.revisit("http://b.org/x", "20260101000000", "sha1:OTHER", "", "",
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
  maker.revisit("http://a.org/y", "20260101000000", digest, "", "",
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
  maker.revisit("http://b.org/y", "20260101000000", digest, "http://a.org/y", "20250101000000", "");
  open();
  const auto by_digest = get("/c/20260101000000id_/http://a.org/y");
  EXPECT_EQ(by_digest.body, "the same");
  EXPECT_EQ(header(by_digest, "content-type"), "text/plain");
  EXPECT_EQ(header(by_digest, "memento-datetime"), "Thu, 01 Jan 2026 00:00:00 GMT");
  const auto by_reference = get("/c/20260101000000id_/http://b.org/y");
  EXPECT_EQ(by_reference.body, "the same");
  EXPECT_EQ(header(by_reference, "content-type"), "text/html");
  const auto lost = get("/c/20260101000000id_/http://b.org/x");
  EXPECT_EQ(lost.status, 404);
  EXPECT_THAT(lost.body, HasSubstr("which is not in this collection"));
}

TEST_F(WaybackTest, MissingSaysWhy) {
  maker.response("http://example.org/a/one", "20260101000000", http_ok("text/html", "x"));
  open();
  put("c/crawls/site-20260101000000/logs/crawl.log",
      "2026-01-01T00:00:00.000Z -9998         - http://example.org/a/private L http://example.org/ unknown #001 - - - "
      "-\n"
      "2026-01-01T00:00:01.000Z    -1         - http://gone.org/ L http://example.org/ unknown #001 - - - -\n");
  const auto forbidden = get("/c/2026/http://example.org/a/private");
  EXPECT_EQ(forbidden.status, 404);
  EXPECT_THAT(forbidden.body, HasSubstr("The robots.txt of its site forbids it (-9998)"));
  EXPECT_THAT(forbidden.body, HasSubstr("site-20260101000000"));
  EXPECT_THAT(forbidden.body, HasSubstr("/c/20260101000000/http://example.org/a/one"));
  EXPECT_THAT(get("/c/2026/http://gone.org/").body, HasSubstr("could not be resolved"));
  EXPECT_THAT(get("/c/2026/http://never.org/<script>").body, HasSubstr("it was never found"));
  EXPECT_THAT(get("/c/2026/http://never.org/<script>").body, Not(HasSubstr("<script>")));
}

// An archived page may lack a hundred images: their 404 must not read gigabytes of logs.
TEST_F(WaybackTest, MissingLogsAreReadForPagesOnly) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  open();
  put("c/crawls/site-20260101000000/logs/crawl.log", "");
  int reads = 0;
  files.set_gate([&reads](io::MemoryFiles::Operation operation, const std::string& path) -> Result<void> {
    if (operation == io::MemoryFiles::Operation::open && path.ends_with("crawl.log")) ++reads;
    return {};
  });
  EXPECT_EQ(get("/c/2026im_/http://example.org/none.png").status, 404);
  EXPECT_EQ(get("/c/2026/http://example.org/none.png", {{"Sec-Fetch-Dest", "image"}}).status, 404);
  EXPECT_EQ(get("/c/timegate/http://example.org/none", {{"Sec-Fetch-Dest", "empty"}}).status, 404);
  EXPECT_EQ(reads, 0);
  EXPECT_EQ(get("/c/2026/http://example.org/none").status, 404);
  EXPECT_EQ(get("/c/2026if_/http://example.org/none", {{"Host", std::string(kCaptures)}, {"Sec-Fetch-Dest", "iframe"}})
                .status,
            404);
  EXPECT_EQ(reads, 2) << "for the URL, and for other spellings of it";
}

TEST_F(WaybackTest, OfALargePageListTheBeginningIsReadOnce) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  open();
  const std::string page = "{\"url\":\"http://example.org/\",\"title\":\"" + std::string(1'000'000, 'x') + "\"}\n";
  std::string list = "{\"format\":\"json-pages-1.0\"}\n";
  list += "{\"url\":\"http://example.org/\"}\n";
  put("c/pages/pages.jsonl", list);
  EXPECT_THAT(get("/").body, HasSubstr(", 1 page<"));
  for (int i = 0; i < 70; ++i) list += page;
  put("c/pages/pages.jsonl", list.substr(list.find(page)));
  EXPECT_THAT(get("/").body, ::testing::ContainsRegex("about (6[0-9]|[78][0-9]|9[0-5]) pages"));
  const auto before = wayback->collections().front()->pages();
  EXPECT_EQ(wayback->collections().front()->pages(), before);  // not even copied
  put("c/pages/pages.jsonl", "{\"url\":\"http://example.org/last\"}");
  EXPECT_NE(wayback->collections().front()->pages(), before);
}

TEST_F(WaybackTest, ValuesOfQueriesAreTakenAsTheyAreWritten) {
  for (int i = 0; i < 20; ++i)
    maker.response("http://h.org/watch?v=aBc", std::to_string(20'260'101'000'000 + i), http_ok("text/html", "small"));
  maker.response("http://h.org/watch?v=AbC", "20200101000000", http_ok("text/html", "large"));
  maker.response("http://h.org/Default.asp", "20200101000000", http_ok("text/html", "first"));
  maker.response("http://h.org/default.asp", "20260101000000", http_ok("text/html", "second"));
  open();
  EXPECT_EQ(get("/c/20260101000000id_/http://h.org/watch?v=AbC").body, "large");
  EXPECT_EQ(get("/c/20200101000000id_/http://h.org/watch?v=aBc").body, "small");
  EXPECT_EQ(get("/c/2026id_/http://h.org/Default.asp").body, "second") << "servers take both";
}

TEST_F(WaybackTest, RedirectsToTheSameKeyLeadOn) {
  const auto redirect = [](std::string_view to) {
    return "HTTP/1.1 301 Moved Permanently\r\nLocation: " + std::string(to) + "\r\nContent-Length: 0\r\n\r\n";
  };
  maker.response("http://example.org/a", "20260101000000", redirect("https://www.example.org/a"));
  maker.response("https://www.example.org/a", "20260101000001", http_ok("text/html", "x"));
  maker.response("http://only.example/", "20260101000000", redirect("https://only.example/"));
  open();
  const auto as_captured = get("/c/20260101000000id_/http://example.org/a");
  EXPECT_EQ(as_captured.status, 301);
  EXPECT_EQ(header(as_captured, "location"), "/c/20260101000001id_/https://www.example.org/a");
  EXPECT_EQ(get("/c/20260101000001id_/https://www.example.org/a").body, "x");
  EXPECT_EQ(get("/c/20260101000000id_/http://only.example/").status, 200) << "there is nothing behind it";
  const auto missing = get("/c/20260101000000mp_/http://only.example/");
  EXPECT_EQ(missing.status, 404);
  EXPECT_THAT(missing.body, HasSubstr("it leads to https://only.example/, of which there is no capture"));
}

TEST_F(WaybackTest, OtherMethodsAreRefused) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  open();
  http::ServerRequest request;
  request.method = "DELETE";
  request.path = request.target = "/";
  const auto refused = wayback->handle(request);
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(header(refused, "allow"), "GET, HEAD, POST, PUT, PATCH, OPTIONS");
  EXPECT_EQ(refused.body, "an archive is read with GET, HEAD, POST, PUT and PATCH\n");
}

TEST_F(WaybackTest, MissingArchiveFileIsNamed) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  put("c/indexes/i.cdxj",
      "org,example)/ 20260101000000 {\"url\": \"http://example.org/\", \"mime\": \"text/html\", \"status\": "
      "\"200\", \"digest\": \"X\", \"length\": \"1\", \"offset\": \"0\", \"filename\": \"b.warc.gz\"}\n"
      "org,example)/x 20260101000000 {\"url\": \"http://example.org/x\", \"offset\": \"0\", \"filename\": "
      "\"../../etc/passwd\"}\n");
  open();
  EXPECT_THAT(get("/c/20260101000000/http://example.org/").body, HasSubstr("b.warc.gz"));
  EXPECT_THAT(get("/c/20260101000000/http://example.org/x").body, HasSubstr("outside the collection"));
}

TEST_F(WaybackTest, TimeGateAndTimeMap) {
  for (const char* timestamp : {"20240101000000", "20250101000000", "20260101000000"})
    maker.response("http://example.org/", timestamp, http_ok("text/html", timestamp));
  open();
  const auto gate = get("/c/timegate/http://example.org/", {{"Accept-Datetime", "Wed, 01 Jan 2025 12:00:00 GMT"}});
  EXPECT_EQ(gate.status, 302);
  EXPECT_EQ(header(gate, "location"), "/c/20250101000000/http://example.org/");
  EXPECT_EQ(header(gate, "vary"), "accept-datetime");
  EXPECT_EQ(header(gate, "memento-datetime"), "");
  EXPECT_THAT(header(gate, "link"), HasSubstr("rel=\"first prev memento\""));
  EXPECT_THAT(header(gate, "link"), HasSubstr("rel=\"next last memento\""));
  EXPECT_EQ(header(get("/c/http://example.org/"), "location"), "/c/20260101000000/http://example.org/");
  EXPECT_EQ(header(get("/c/timegate/http://example.org/", {{"Accept-Datetime", "Mon, 01 Jan 1990 12:00:00 GMT"}}),
                   "location"),
            "/c/20240101000000/http://example.org/");
  EXPECT_EQ(get("/c/timegate/http://example.org/", {{"Accept-Datetime", "yesterday"}}).status, 400);
  for (const char* const zone : {" +0100", " CET", ""}) {
    const auto refused =
        get("/c/timegate/http://example.org/", {{"Accept-Datetime", "Wed, 01 Jan 2025 12:00:00" + std::string(zone)}});
    EXPECT_EQ(refused.status, 400) << zone;
    EXPECT_THAT(refused.body, HasSubstr("not in GMT")) << zone;
  }

  const auto map = get("/c/timemap/link/http://example.org/");
  EXPECT_EQ(header(map, "content-type"), "application/link-format");
  EXPECT_EQ(
      map.body,
      "<http://localhost:8080/c/timemap/link/http://example.org/>; rel=\"self\"; type=\"application/link-format\"; "
      "from=\"Mon, 01 Jan 2024 00:00:00 GMT\"; until=\"Thu, 01 Jan 2026 00:00:00 GMT\",\n"
      "<http://localhost:8080/c/timegate/http://example.org/>; rel=\"timegate\",\n"
      "<http://example.org/>; rel=\"original\",\n"
      "<http://localhost:8080/c/20240101000000mp_/http://example.org/>; rel=\"first memento\"; datetime=\"Mon, 01 Jan "
      "2024 "
      "00:00:00 GMT\"; collection=\"c\",\n"
      "<http://localhost:8080/c/20250101000000mp_/http://example.org/>; rel=\"memento\"; datetime=\"Wed, 01 Jan 2025 "
      "00:00:00 "
      "GMT\"; collection=\"c\",\n"
      "<http://localhost:8080/c/20260101000000mp_/http://example.org/>; rel=\"last memento\"; datetime=\"Thu, 01 Jan "
      "2026 "
      "00:00:00 GMT\"; collection=\"c\"\n");
  EXPECT_EQ(get("/c/timemap/link/http://none.org/").status, 404);
  EXPECT_THAT(get("/c/timemap/cdxj/http://example.org/").body, StartsWith("org,example)/ 20240101000000 {"));
}

TEST_F(WaybackTest, CdxAnswersEveryOrigin) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  open();
  const auto cdx = get("/c/cdx?url=example.org&fl=timestamp&output=text");
  EXPECT_EQ(cdx.body, "20260101000000\n");
  EXPECT_EQ(header(cdx, "access-control-allow-origin"), "*");
  EXPECT_EQ(get("/c/cdx").status, 400);
}

TEST_F(WaybackTest, PagesOfOtherOriginsFollowRedirectsToMementos) {
  maker.response("http://example.org/style.css", "20260101000000", http_ok("text/css", "a{}"));
  open();
  const auto moved = get("/c/2026/http://example.org/style.css", {{"Origin", "http://a.example"}});
  EXPECT_EQ(moved.status, 302);
  EXPECT_EQ(header(moved, "access-control-allow-origin"), "*");
  EXPECT_EQ(header(get(header(moved, "location"), {{"Origin", "http://a.example"}}), "access-control-allow-origin"),
            "*");
  // A window is led on as before; captured pages stay apart from each other.
  EXPECT_EQ(header(get_for("document", "/c/2026/http://example.org/style.css"), "access-control-allow-origin"), "");
  EXPECT_EQ(header(get("/c/2026/http://example.org/style.css", {{"Origin", "null"}}), "access-control-allow-origin"),
            "");
}

TEST_F(WaybackTest, OwnPages) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  open();
  put("c/pages/pages.jsonl",
      "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"All\"}\n"
      "{\"id\":\"1\",\"url\":\"http://example.org/\",\"title\":\"<T>\",\"ts\":\"2026-01-01T00:00:00Z\"}\n");
  EXPECT_THAT(get("/").body, HasSubstr("<a href=\"/c/\">c</a> <span>1 capture, 1 page</span>"));
  EXPECT_THAT(get("/c/").body, HasSubstr("<a href=\"/c/20260101000000/http://example.org/\">&lt;T&gt;</a>"));
  EXPECT_EQ(header(get("/-/go?collection=c&url=example.org%2Fa"), "location"), "/c/*/http://example.org/a");
  EXPECT_THAT(
      get("/c/*/http://example.org/").body,
      HasSubstr("<a href=\"/c/20260101000000/http://example.org/\" class=\"d1\" title=\"1 January 2026: 1 capture\""));
  EXPECT_EQ(get("/c/2025*/http://example.org/").status, 200);
  EXPECT_EQ(get("/c/2025*/http://example.org/none").status, 404);
  EXPECT_THAT(get("/c/*/http://example.org/*").body,
              HasSubstr("<td class=\"url\"><a href=\"/c/20260101000000/http://example.org/\">http://example.org/</a>"));
  EXPECT_EQ(header(get("/c"), "location"), "/c/");
  EXPECT_THAT(get("/-/client.js").body, HasSubstr("use strict"));
  EXPECT_EQ(get("/-/none").status, 404);
  EXPECT_EQ(get("/nothing/here").status, 404);
}

TEST_F(WaybackTest, StrayRequestsAreLedBack) {
  maker.response("http://example.org/dir/", "20260101000000", http_ok("text/html", "x"));
  open();
  const auto stray = get(
      "/app/data.json?q=1",
      {{"Referer", "http://localhost:8080/c/20260101000000/http://example.org/dir/"}, {"Sec-Fetch-Dest", "script"}});
  EXPECT_EQ(stray.status, 307);
  EXPECT_EQ(header(stray, "location"), "/c/20260101000000js_/http://example.org/app/data.json?q=1");
  EXPECT_EQ(get("/app/data.json", {{"Referer", "http://elsewhere/c/20260101000000/http://example.org/dir/"}}).status,
            404);
  EXPECT_EQ(get("/c/20260101000000/http://example.org/sw.js", {{"Service-Worker", "script"}}).status, 403);
}

TEST_F(WaybackTest, RangesOfMedia) {
  maker.response("http://example.org/v", "20260101000000", http_ok("video/mp4", "0123456789"));
  open();
  const auto part = get("/c/20260101000000oe_/http://example.org/v", {{"Range", "bytes=2-4"}});
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.body, "234");
  EXPECT_EQ(header(part, "content-range"), "bytes 2-4/10");
  EXPECT_EQ(get("/c/20260101000000oe_/http://example.org/v", {{"Range", "bytes=-3"}}).body, "789");
  EXPECT_EQ(get("/c/20260101000000oe_/http://example.org/v", {{"Range", "bytes=20-"}}).status, 416);
  EXPECT_EQ(get("/c/20260101000000oe_/http://example.org/v").body, "0123456789");
  EXPECT_EQ(get("/c/20260101000000id_/http://example.org/v", {{"Range", "bytes=2-4"}}).body, "234");
}

TEST_F(WaybackTest, DeclaredCharsetMovesToTheHeader) {
  maker.response("http://example.org/1", "20260101000000",
                 http_ok("text/html", "<meta charset=windows-1251><a href='/\xEF'>"));
  maker.response("http://example.org/2", "20260101000000",
                 http_ok("text/html; charset=utf-16le", std::string("<\0a\0 \0h\0r\0e\0f\0=\0x\0>\0", 20)));
  open();
  const auto one = get("/c/20260101000000mp_/http://example.org/1");
  EXPECT_EQ(header(one, "content-type"), "text/html; charset=windows-1251");
  EXPECT_THAT(one.body, HasSubstr("http://example.org/%D0%BF"));
  const auto two = get("/c/20260101000000mp_/http://example.org/2");
  EXPECT_EQ(header(two, "content-type"), "text/html; charset=UTF-8");
  EXPECT_THAT(two.body, HasSubstr(" href=\"/././c/20260101000000mp_/http://example.org/x\">"));
}

TEST_F(WaybackTest, RunningCrawlIsReadable) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  put("c/archive/b.warc.gz.open", maker.bytes());
  put("c/crawls/l-20260101000000/state/cdx-journal",
      "org,example)/ 20260101000000 {\"url\": \"http://example.org/\", \"offset\": \"0\", \"filename\": "
      "\"b.warc.gz\"}\n");
  open();
  EXPECT_EQ(get("/c/20260101000000mp_/http://example.org/").status, 200);
}

// pywb's largest sample: each capture of the index can be shown.
TEST(WaybackSamples, EveryCaptureOfIana) {
  CADDIS_TESTDATA_OR_SKIP(path, "07-warc/files/pywb__iana.warc.gz");
  ManualClock clock;
  auto collections = open_collections(io::real_files(), clock, path);
  ASSERT_TRUE(collections) << collections.error().message;
  auto origins = Origins::create({}, {"pywb__iana"}, "secret");
  ASSERT_TRUE(origins);
  Wayback wayback(io::real_files(), *std::move(collections), *std::move(origins));
  cdx::CaptureIndex& index = wayback.collections().front()->index();
  std::vector<cdx::Capture> captures;
  ASSERT_TRUE(index.scan("", "\xFF", [&](std::string_view, cdx::Capture& capture) {
    captures.push_back(capture);
    return true;
  }));
  size_t shown = 0;
  for (const cdx::Capture& capture : captures) {
    http::ServerRequest request;
    request.method = "GET";
    request.target = "/pywb__iana/" + capture.timestamp + "oe_/" + capture.url;
    request.path = request.target.substr(0, request.target.find('?'));
    const auto response = wayback.handle(request);
    EXPECT_LT(response.status, 500);
    EXPECT_NE(find_header(response.headers, "memento-datetime"), "") << request.target << " " << response.status;
    shown += response.status != 404;
  }
  EXPECT_EQ(shown, captures.size());
  EXPECT_GT(shown, 100u);
}

TEST(ParseRange, Forms) {
  ByteRange range;
  EXPECT_EQ(parse_range("bytes=0-0", 10, range), RangeKind::satisfiable);
  EXPECT_EQ(range.last, 0u);
  EXPECT_EQ(parse_range("bytes=5-", 10, range), RangeKind::satisfiable);
  EXPECT_EQ(range.last, 9u);
  EXPECT_EQ(parse_range("bytes=-20", 10, range), RangeKind::satisfiable);
  EXPECT_EQ(range.first, 0u);
  for (const char* none : {"", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-3", "bytes=0-1,3-4", "lines=1-2",
                           "bytes=x-5", "bytes=99999999999999999999-5"})
    EXPECT_EQ(parse_range(none, 10, range), RangeKind::none) << none;
  EXPECT_EQ(parse_range("bytes=-0", 10, range), RangeKind::unsatisfiable);
  EXPECT_EQ(parse_range("bytes=0-", 0, range), RangeKind::unsatisfiable);
}

}  // namespace
}  // namespace caddis::replay
