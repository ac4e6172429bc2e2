#include "caddis/replay/address.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "caddis/url/url.h"
#include "support/testdata.h"

namespace caddis::replay {
namespace {

std::string text_of(const nlohmann::json& test, const char* name) {
  return test.contains(name) && test[name].is_string() ? test[name].get<std::string>() : "";
}

std::string shown(std::string_view text) {
  const auto address = parse_address(text);
  if (!address) return "none";
  const char* const kinds[] = {"replay", "captures", "urls", "domain"};
  return std::string(kinds[static_cast<int>(address->kind)]) + '|' + address->timestamp + '|' + address->from + '-' +
         address->to + '|' + std::string(to_string(address->modifier)) + '|' + address->url;
}

TEST(Address, UrlsThatAreEscapedAsAWhole) {
  const auto url = [](std::string_view text) { return parse_address(text)->url; };
  EXPECT_EQ(url("2026id_/http%3A%2F%2Fexample.org%2Fa%3Fb%3Dc"), "http://example.org/a?b=c");
  EXPECT_EQ(url("2026id_/https%3A%2F%2Fexample.org/a%3Fb"), "https://example.org/a%3Fb");
  EXPECT_EQ(url("2026id_/http%3a//example.org/a%2Fb"), "http://example.org/a%2Fb");
  EXPECT_EQ(url("2026id_/http%3A//example.org%3A8080/a%3Fb%3D%2520c"), "http://example.org:8080/a?b=%20c");
}

TEST(ParseAddress, Forms) {
  EXPECT_EQ(shown("20260102030405/http://example.org/a?b=c//d"),
            "replay|20260102030405|-||http://example.org/a?b=c//d");
  EXPECT_EQ(shown("2026im_/https://example.org/"), "replay|2026|-|im_|https://example.org/");
  EXPECT_EQ(shown("2026fr_/https://example.org/"), "replay|2026|-|if_|https://example.org/");
  EXPECT_EQ(shown("id_/example.org"), "replay||-|id_|http://example.org");
  EXPECT_EQ(shown("2026bn_/example.org"), "replay|2026|-|mp_|http://example.org");
  EXPECT_EQ(shown("http://example.org/20260101/x"), "replay||-||http://example.org/20260101/x");
  EXPECT_EQ(shown("20130102.example.org/x"), "replay||-||http://20130102.example.org/x");
  EXPECT_EQ(shown("*/http://example.org/"), "captures||-||http://example.org/");
  EXPECT_EQ(shown("2025-2026/http://example.org/"), "captures||2025-2026||http://example.org/");
  EXPECT_EQ(shown("2014-2015*/http://example.org/"), "captures||2014-2015||http://example.org/");
  EXPECT_EQ(shown("20260000000000*/http://example.org/"), "captures||2026-||http://example.org/");
  EXPECT_EQ(shown("20260102030405*/http://example.org/"), "captures||2026-||http://example.org/");
  EXPECT_EQ(shown("20260102030405-20270102030405*/http://a/"), "captures||20260102030405-20270102030405||http://a/");
  EXPECT_EQ(shown("20260102*/http://example.org/"), "captures||20260102-||http://example.org/");
  EXPECT_EQ(shown("2026*/example.org/a*"), "urls||2026-||http://example.org/a");
  EXPECT_EQ(shown("*/*.example.org"), "domain||-||http://example.org");
  EXPECT_EQ(shown("2026*/*.example.org/*"), "domain||2026-||http://example.org/");
  EXPECT_EQ(shown("*exact/http://example.org/"), "captures||-||http://example.org/");
  EXPECT_EQ(shown("2025-2026exact/http://example.org/"), "captures||2025-2026||http://example.org/");
  EXPECT_TRUE(parse_address("2026*exact/http://example.org/")->is_exact);
  EXPECT_FALSE(parse_address("2026*/http://exact/")->is_exact);
  for (const char* text : {"", "2026/", "*/", "2026im_/", "/"}) EXPECT_EQ(shown(text), "none") << text;
}

TEST(CaptureAddress, IsNoApiAndNoList) {
  for (const char* text : {"cdx?url=x", "timemap/link/http://x/", "timegate/http://x/", "2026*/http://x/"})
    EXPECT_FALSE(capture_address(text)) << text;
  for (const char* text : {"http://x/", "2026im_/https%3A%2F%2Fx/", "HTTP:/x"})
    EXPECT_TRUE(capture_address(text)->has_scheme) << text;
  for (const char* text : {"favicon.ico", "httpd/x", "x/http://y/"})
    EXPECT_FALSE(capture_address(text)->has_scheme) << text;
}

TEST(RepairUrl, WhatHappensToUrlsInUrls) {
  EXPECT_EQ(repair_url("https:/example.org/x"), "https://example.org/x");
  EXPECT_EQ(repair_url("https%3A%2F%2Fexample.org%2Fx"), "https://example.org/x");
  // As libxml writes addresses in addresses.
  EXPECT_EQ(repair_url("http%3A/example.org%3A8080/x%3Ay"), "http://example.org:8080/x%3Ay");
  EXPECT_EQ(repair_url("https%3A/example.org/x%3A80"), "https://example.org/x%3A80");
  EXPECT_EQ(repair_url("http%3A/example.org%3Ax/y"), "http://example.org%3Ax/y");
  EXPECT_EQ(repair_url("localhost:8080/x"), "http://localhost:8080/x");
  EXPECT_EQ(repair_url("//example.org"), "http://example.org");
  EXPECT_EQ(repair_url("dns:example.org"), "dns:example.org");
  EXPECT_EQ(repair_url("file:/srv/x"), "file:///srv/x");
  EXPECT_EQ(repair_url("file:///srv/x"), "file:///srv/x");
  EXPECT_EQ(repair_url("file://host/x"), "file://host/x");
  EXPECT_EQ(repair_url("urn:x:y"), "urn:x:y");
  EXPECT_EQ(header_url("http://x/a b\r\n\xC3\xA9"), "http://x/a%20b%0D%0A%C3%A9");
}

// pywb's WbUrl: the cases written as repr(WbUrl('…')), whose result is (type, timestamp, modifier, url, …).
// Not comparable: to_uri and to_uri_pencode (functions of pywb), a "type/" in front of '*' (its old query API).
TEST(ParseAddress, PywbDoctests) {
  CADDIS_TESTDATA_OR_SKIP(cases, "08-rewrite/pywb_doctests.jsonl");
  size_t compared = 0;
  for (const std::string& line : testing::read_lines(cases)) {
    const auto test = nlohmann::json::parse(line);
    if (text_of(test, "kind") != "wburl" || text_of(test, "fn") != "repr" || !test["out"].is_string()) continue;
    std::string text = test["args"][0];
    const size_t open = text.find('\'');
    const size_t close = text.rfind('\'');
    if (text.find("quote_plus") != std::string::npos || open == std::string::npos) continue;
    text = text.substr(open + 1, close - open - 1);
    if (text.starts_with("json/") || text.starts_with("timemap-link/")) continue;
    std::vector<std::string> want;
    const std::string out = test["out"];
    for (size_t at = 0; (at = out.find('\'', at)) != std::string::npos;) {
      const size_t end = out.find('\'', at + 1);
      want.push_back(out.substr(at + 1, end - at - 1));
      at = end + 1;
    }
    ASSERT_EQ(want.size(), 5u) << out;
    const auto address = parse_address(text);
    ASSERT_TRUE(address) << text;
    const bool replay = want[0] == "replay" || want[0] == "latest_replay";
    EXPECT_EQ(address->kind == Address::Kind::replay, replay) << text;
    EXPECT_EQ(replay ? address->timestamp : address->from, want[1]) << text;
    // Modifiers beginning with '$' are for plug-ins of pywb: a page without banner here.
    if (!want[2].starts_with('$')) EXPECT_EQ(to_string(address->modifier), want[2]) << text;
    const auto mine = url::Url::parse(address->url), theirs = url::Url::parse(want[3]);
    ASSERT_TRUE(mine && theirs) << text;
    EXPECT_EQ(mine->href(), theirs->href()) << text;
    ++compared;
  }
  EXPECT_GE(compared, 35u);
}

}  // namespace
}  // namespace caddis::replay
