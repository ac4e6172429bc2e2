// URLs that stand for the same: rules, look-up, what was posted; and revisits that lead from one to the next.
#include "caddis/replay/fuzzy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "caddis/cdx/line.h"
#include "caddis/replay/posted.h"
#include "caddis/replay/wayback_fixture.h"

namespace caddis::replay {
namespace {

using ::testing::HasSubstr;

std::string remainder(std::string_view url, const FuzzyRules& rules = FuzzyRules::standard()) {
  return rules.remainder(*url::Url::parse(url));
}

TEST(FuzzyRules, NoiseIsNotCounted) {
  EXPECT_EQ(remainder("http://h/a?b=1&_=1767323045123&A=2&utm_source=x"), "a=2&b=1");
  EXPECT_EQ(remainder("http://h/a?callback=jQuery111_222&q=x"), "q=x");
  EXPECT_EQ(remainder("http://h/a?callback=show&q=x"), "q=x");
  EXPECT_EQ(remainder("http://h/a?callback=https://h/b&q=x"), "callback=https://h/b&q=x") << "no function";
  EXPECT_EQ(remainder("http://h/a?t=1767323045"), "");
  EXPECT_EQ(remainder("http://h/a?t=intro"), "t=intro");
  EXPECT_EQ(remainder("http://h/a"), "");
  EXPECT_TRUE(FuzzyRules::standard().is_query_free(*url::Url::parse("http://h/x/Code.JS?v=1")));
  EXPECT_FALSE(FuzzyRules::standard().is_query_free(*url::Url::parse("http://h/x/page.html?v=1")));
}

TEST(FuzzyRules, OfASite) {
  const auto rules = FuzzyRules::parse(R"({"rules": [
    {"host": "video.example", "path": "/play", "keep": ["id"]},
    {"host": "shop.example", "ignore": ["visitor", "track_*"]}]})");
  ASSERT_TRUE(rules) << rules.error().message;
  EXPECT_EQ(remainder("http://www.video.example/play?id=7&token=x", *rules), "id=7");
  EXPECT_EQ(remainder("http://www.video.example/list?id=7&token=x", *rules), "id=7&token=x");
  EXPECT_EQ(remainder("http://shop.example/?visitor=1&track_a=2&b=3&_=4", *rules), "b=3");
  EXPECT_EQ(remainder("http://myshop.example/?visitor=1", *rules), "visitor=1");
}

TEST(FuzzyRules, FaultsAreTold) {
  const auto message = [](std::string_view json) {
    const auto rules = FuzzyRules::parse(json);
    return rules ? std::string() : rules.error().message;
  };
  EXPECT_THAT(message("[]"), HasSubstr("{\"rules\": [ … ]}"));
  EXPECT_THAT(message(R"({"rules": [{}, {"ignor": []}]})"), HasSubstr("rule 2: there is no 'ignor'"));
  EXPECT_THAT(message(R"({"rules": [{"ignore": "x"}]})"), HasSubstr("rule 1: 'ignore' is a list of names"));
  EXPECT_THAT(message(R"({"rules": [{"ignore-values": {"a": "("}}]})"), HasSubstr("missing )"));
}

class LookupTest : public WaybackTest {
 protected:
  // Puts an answer to what was sent into the archive, and gives its line of the index.
  std::string answer(std::string_view url, std::string_view method, std::string_view sent, std::string_view text) {
    ArchiveMaker one;
    one.response(url, "20260101000000", http_ok("text/plain", text));
    cdx::CaptureFields fields;
    fields.date = *parse_timestamp("20260101000000");
    fields.url = url;
    fields.status = 200;
    fields.filename = "a.warc.gz";
    fields.offset = archive_.size();
    fields.length = one.bytes().size();
    fields.method = method;
    fields.request_body = sent;
    archive_ += one.bytes();
    return cdx::cdxj_line(fields) + '\n';
  }

  std::string body(const std::string& address) {
    const auto response = get(address, {{"Sec-Fetch-Dest", "empty"}});
    return response.status == 200 ? response.body : std::to_string(response.status);
  }
  std::string archive_;
};

TEST_F(LookupTest, UrlsThatStandForTheSame) {
  maker.response("http://h.org/api?a=1&_=111", "20250101000000", http_ok("text/plain", "one"));
  maker.response("http://h.org/api?a=2&_=222", "20250101000000", http_ok("text/plain", "two"));
  maker.response("http://h.org/api?a=2&_=333", "20260101000000", http_ok("text/plain", "two again"));
  maker.response("http://h.org/api/more?a=3", "20260101000000", http_ok("text/plain", "more"));
  maker.response("http://h.org/code.js?v=1", "20250101000000", http_ok("text/javascript", "v1"));
  maker.response("http://h.org/bare", "20250101000000", http_ok("text/plain", "bare"));
  open();
  EXPECT_EQ(body("/c/2025oe_/http://h.org/api?a=1&_=999"), "one");
  EXPECT_EQ(body("/c/2025oe_/http://h.org/api?_=999&a=2"), "two");
  EXPECT_EQ(body("/c/2026oe_/http://h.org/api?a=2"), "two again");
  EXPECT_EQ(body("/c/2026oe_/http://h.org/api?a=3"), "404");
  EXPECT_EQ(body("/c/2026js_/http://h.org/code.js?v=2&x=y"), "v1");
  EXPECT_EQ(body("/c/2026oe_/http://h.org/bare?_=5&utm_source=z"), "bare");
  EXPECT_EQ(body("/c/2026oe_/http://h.org/bare?b=5"), "404");
  // A page is led to the URL that was captured.
  EXPECT_EQ(header(get_for("document", "/c/2026/http://h.org/bare?utm_source=z"), "location"),
            "/c/20250101000000/http://h.org/bare");
}

TEST_F(LookupTest, WhatWasPosted) {
  std::vector<std::string> lines = {answer("http://h.org/q", "", "", "got"),
                                    answer("http://h.org/q", "POST", "name=a", "posted a"),
                                    answer("http://h.org/q", "POST", "name=b", "posted b")};
  std::ranges::sort(lines);
  put("c/archive/a.warc.gz", archive_);
  put("c/indexes/a.cdxj", lines[0] + lines[1] + lines[2]);
  open_at("c");
  const auto post = [&](std::string_view type, std::string_view text) {
    return ask("POST", "/c/2026oe_/http://h.org/q", {{"Content-Type", std::string(type)}}, std::string(text)).body;
  };
  EXPECT_EQ(post("application/x-www-form-urlencoded", "name=b"), "posted b");
  EXPECT_EQ(post("application/json", R"({"name": "a"})"), "posted a");
  EXPECT_EQ(post("application/json", R"({"name": "c"})"), "got") << "else as a GET";
}

TEST_F(LookupTest, AnswersToPostsAreNoneOfOthers) {
  std::vector<std::string> lines = {answer("http://h.org/q", "POST", "op=one&t=1", "op=one&t=1"),
                                    answer("http://h.org/q", "POST", "op=two&t=2", "op=two&t=2"),
                                    answer("http://h.org/q", "PUT", "op=two&t=2", "op=two&t=2"),
                                    answer("http://h.org/one", "POST", "t=1", "t=1")};
  std::ranges::sort(lines);
  put("c/archive/a.warc.gz", archive_);
  put("c/indexes/a.cdxj", lines[0] + lines[1] + lines[2] + lines[3]);
  open_at("c");
  const auto send = [&](std::string_view method, std::string_view url, std::string_view json) {
    return ask(std::string(method), "/c/2026oe_/" + std::string(url), {{"Content-Type", "application/json"}},
               std::string(json));
  };
  EXPECT_EQ(send("POST", "http://h.org/q", R"({"op": "two", "t": 7})").body, "op=two&t=2");
  EXPECT_EQ(send("PUT", "http://h.org/q", R"({"op": "two", "t": 7})").body, "op=two&t=2");
  EXPECT_EQ(send("POST", "http://h.org/q", R"({"op": "three"})").status, 404)
      << "one of several, and nothing tells which";
  EXPECT_EQ(send("POST", "http://h.org/one", R"({"t": 8})").body, "t=1") << "there is only this one";
  EXPECT_EQ(get("/c/2026oe_/http://h.org/q").status, 404) << "it was never got";
}

TEST_F(LookupTest, RevisitsOfRevisitsAndOfOtherCollections) {
  ArchiveMaker originals;
  originals.record("response", "http://h.org/0", "20200101000000",
                   "Content-Type: application/http;msgtype=response\r\nWARC-Payload-Digest: sha1:AAAA\r\n",
                   http_ok("text/plain", "the body"));
  // Each says that it is the same as the one before, which has another URL.
  for (int i = 1; i <= 300; ++i)
    maker.revisit("http://h.org/" + std::to_string(i), std::to_string(20'200'101'000'000 + i / 60 * 100 + i % 60),
                  "sha1:AAAA", "http://h.org/" + std::to_string(i - 1),
                  std::to_string(20'200'101'000'000 + (i - 1) / 60 * 100 + (i - 1) % 60),
                  "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
  // And these in a circle.
  maker.revisit("http://h.org/x", "20210101000000", "sha1:BBBB", "http://h.org/y", "20210101000000", "");
  maker.revisit("http://h.org/y", "20210101000000", "sha1:BBBB", "http://h.org/x", "20210101000000", "");
  put("all/one/archive/a.warc.gz", maker.bytes());
  put("all/two/archive/b.warc.gz", originals.bytes());
  open_at("all");
  EXPECT_EQ(body("/one/2020oe_/http://h.org/1"), "the body");
  EXPECT_EQ(body("/one/2020oe_/http://h.org/300"), "the body");
  EXPECT_EQ(body("/one/2021oe_/http://h.org/x"), "404");
  EXPECT_THAT(get("/one/2021/http://h.org/x").body, HasSubstr("leads from revisit to revisit"));
}

}  // namespace
}  // namespace caddis::replay
