#include "caddis/crawl/request_line.h"

#include <gtest/gtest.h>

namespace caddis::crawl {
namespace {

TEST(RequestLine, IsAUrlAndWhatIsSentToIt) {
  const auto line = parse_request_line(
      R"({"url":"https://example.org/s?a=1","method":"POST","body":"q=h\u00e9ron","headers":["X-Lang: en","X-B: 2"]})");
  ASSERT_TRUE(line) << line.error().message;
  EXPECT_EQ(line->url, "https://example.org/s?a=1");
  EXPECT_EQ(line->request.method, "POST");
  EXPECT_EQ(line->request.body, "q=h\xc3\xa9ron");
  EXPECT_EQ(line->request.content_type, "application/x-www-form-urlencoded");
  EXPECT_EQ(line->request.headers, (std::vector<std::string>{"X-Lang: en", "X-B: 2"}));
  const auto get = parse_request_line(R"({"url":"example.org","headers":["X-Lang: en"]})");
  ASSERT_TRUE(get);
  EXPECT_EQ(get->request.method, "GET");
}

TEST(RequestLine, WhatIsWrongIsRefused) {
  for (const char* text :
       {"https://example.org/", "{}", R"({"url":1})", R"({"url":"x","method":"PUT"})", R"({"url":"x","body":"b"})",
        R"({"url":"x","headers":"a: b"})", R"({"url":"x","headers":["a"]})", R"({"url":"x","headers":["Host: a"]})",
        R"({"url":"x","headers":["Authorization: a"]})", R"({"url":"x","verb":"POST"})",
        R"({"url":"x","method":"POST","content_type":"a\nb"})"})
    EXPECT_FALSE(parse_request_line(text)) << text;
}

TEST(RequestLine, IsWrittenAsItIsRead) {
  for (
      const char* text :
      {R"({"url":"https://example.org/s","method":"POST","content_type":"text/plain","body":"a\n\"b","headers":["X: y"]})",
       R"({"url":"https://example.org/s","method":"GET","headers":["X: y","A: \u00e9"]})",
       R"({"url":"https://example.org/s","method":"POST","content_type":"application/x-www-form-urlencoded","body":""})"}) {
    const auto line = parse_request_line(text);
    ASSERT_TRUE(line) << text;
    const std::string written = write_request_line(line->url, line->request);
    const auto again = parse_request_line(written);
    ASSERT_TRUE(again) << written;
    EXPECT_EQ(again->request.body, line->request.body);
    EXPECT_EQ(again->request.headers, line->request.headers);
    EXPECT_EQ(write_request_line(again->url, again->request), written);
  }
}

TEST(UrlRequest, TravelsWithItsCandidate) {
  visit::UrlRequest request{.method = "POST", .content_type = "text/plain", .body = "a\nb", .headers = {"X: y"}};
  frontier::Candidate candidate;
  EXPECT_FALSE(visit::UrlRequest::of(candidate));
  request.put_into(candidate);
  const auto back = visit::UrlRequest::of(candidate);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->body, "a\nb");
  EXPECT_EQ(back->headers, request.headers);
}

TEST(UrlRequest, HasAKeyOfItsOwn) {
  const auto url = *url::Url::parse("https://example.org/s?a=1");
  visit::UrlRequest request{
      .method = "POST", .content_type = "application/x-www-form-urlencoded", .body = "q=x", .headers = {}};
  EXPECT_EQ(request.key_url(url)->href(), "https://example.org/s?a=1&__wb_method=POST&q=x");
  request.content_type = "text/plain";
  request.body = "hello";
  EXPECT_EQ(request.key_url(*url::Url::parse("https://example.org/s"))->href(),
            "https://example.org/s?__wb_method=POST&__wb_post_data=aGVsbG8=");
  request.method = "GET";
  EXPECT_EQ(request.key_url(url)->href(), url.href());
}

}  // namespace
}  // namespace caddis::crawl
