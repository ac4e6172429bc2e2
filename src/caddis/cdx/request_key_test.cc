#include "caddis/cdx/request_key.h"

#include <gtest/gtest.h>

#include <string>

#include "caddis/cdx/line.h"

namespace caddis::cdx {
namespace {

TEST(KeyBody, AsTheFieldWritesIt) {
  EXPECT_EQ(key_body("application/x-www-form-urlencoded", "a=b&c=d"), "a=b&c=d");
  EXPECT_EQ(key_body("application/json", R"({"a": {"b": 1, "c": [true, "x y"]}, "b": null})"),
            "b=1&c=true&c.2_=x%20y&b.2_=null");
  EXPECT_EQ(key_body("multipart/form-data; boundary=\"XX\"",
                     "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb c\r\n--XX\r\n"
                     "Content-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\n1\r\n--XX--\r\n"),
            "a=b%20c&f=1");
  EXPECT_EQ(key_body("application/octet-stream", "hello"), "__wb_post_data=aGVsbG8=");
  EXPECT_EQ(key_body("application/json", "{broken"), "__wb_post_data=e2Jyb2tlbg==");
  EXPECT_LE(key_body("application/json", "[" + std::string(100'000, '[')).size(), 4096U);
}

TEST(KeyBody, OfLargeJsonIsQuick) {
  std::string body = "{";
  for (int i = 0; body.size() < kMostKeyInput; ++i) body += "\"n" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  EXPECT_TRUE(key_body("application/json", body).starts_with("n0=0&n1=1&n2=2&")) << "its end is not there";
}

TEST(IndexedUrl, HasWhatWasSent) {
  const auto of = [](std::string_view line) { return indexed_url(*parse_line(line)); };
  EXPECT_EQ(of(R"(org,h)/q?a=__wb_method=1 20200101000000 {"url": "http://h.org/q?a=__wb_method=1"})"),
            "http://h.org/q?a=__wb_method=1");
  EXPECT_EQ(
      of(R"(org,h)/q?__wb_method=post&b=X 20200101000000 {"url": "http://h.org/q", "method": "POST", "requestBody": "b=X"})"),
      "http://h.org/q?__wb_method=POST&b=X");
  EXPECT_EQ(of(R"(org,h)/a&__wb_method=x 20200101000000 {"url": "http://h.org/a&__wb_method=x"})"),
            "http://h.org/a&__wb_method=x");
  EXPECT_EQ(of(R"(org,h)/q?__wb_method=post&b=x 20200101000000 {"url": "http://h.org/q"})"),
            "http://h.org/q?__wb_method=post&b=x");
}

}  // namespace
}  // namespace caddis::cdx
