#include "caddis/robots/robots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "caddis/robots/agent.h"
#include "caddis/robots/encoding.h"
#include "caddis/url/url.h"
#include "support/testdata.h"

namespace caddis::robots {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

bool allowed(std::string_view text, std::string_view agent, std::string_view path) {
  return Robots::parse(text).verdict(agent, path).allowed;
}

// Google's behaviour beyond RFC 9309 that Caddis does not share.
bool is_beyond_rfc(const json& row) {
  // "Allow: /x/index.html" is read as "Allow: /x/" too. By the RFC that path is disallowed.
  return row["test"] == "GoogleOnly_IndexHTMLisDirectory" && row["url"] == "http://foo.com/allowed-slash/";
}

TEST(RobotsData, Google) {
  CADDIS_TESTDATA_OR_SKIP(path, "03-robots/google_robotstxt.jsonl");
  int passed = 0;
  for (const std::string& line : testing::read_lines(path)) {
    const json row = json::parse(line);
    if (is_beyond_rfc(row)) continue;
    const auto robots = Robots::parse(row["robots_txt"].get<std::string>());
    const auto verdict =
        robots.verdict(row["user_agent"].get<std::string>(), path_and_query(row["url"].get<std::string>()));
    EXPECT_EQ(verdict.allowed, row["allowed"].get<bool>()) << line.substr(0, 600);
    ++passed;
  }
  EXPECT_EQ(passed, 144);
}

std::string base64(std::string_view text) {
  static constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, held = 0;
  for (char c : text) {
    const size_t value = kAlphabet.find(c);
    if (value == kAlphabet.npos) break;
    held = (held << 6) | static_cast<unsigned>(value);
    if ((bits += 6) >= 8) out += static_cast<char>((held >> (bits -= 8)) & 255);
  }
  return out;
}

json helper_result(const std::string& function, const std::string& input) {
  const Robots robots = Robots::parse(input);
  if (function == "valid_user_agent_token") return is_product_token(input);
  if (function == "valid_directives") return std::to_string(robots.counts().directives);
  if (function == "unknown_directives") return std::to_string(robots.counts().unknown);
  if (function == "last_line_seen") return std::to_string(robots.counts().lines);
  if (function == "sitemap") return robots.sitemaps().at(0);
  if (function == "path_params_query_of_url") return path_and_query(input);
  if (function == "escape_pattern") return literal_form(input);
  return "no such function: " + function;
}

TEST(RobotsData, GoogleHelpers) {
  CADDIS_TESTDATA_OR_SKIP(path, "03-robots/google_robotstxt_helpers.jsonl");
  for (const std::string& line : testing::read_lines(path)) {
    const json row = json::parse(line);
    const std::string input =
        row.contains("input") ? row["input"].get<std::string>() : base64(row["input_b64"].get<std::string>());
    EXPECT_EQ(helper_result(row["fn"], input), row["expect"]) << line;
  }
}

TEST(RobotsData, Rfc9309Examples) {
  CADDIS_TESTDATA_OR_SKIP(path, "03-robots/rfc9309_examples.jsonl");
  for (const std::string& line : testing::read_lines(path)) {
    const json row = json::parse(line);
    const auto robots = Robots::parse(row["robots_txt"].get<std::string>());
    const auto verdict =
        robots.verdict(row["user_agents"][0].get<std::string>(), path_and_query(row["url"].get<std::string>()));
    EXPECT_EQ(verdict.allowed, row["allowed"].get<bool>()) << line;
  }
}

TEST(RobotsData, RealFilesOnWhichThreeParsersAgree) {
  CADDIS_TESTDATA_OR_SKIP(path, "03-robots/real_agree.jsonl");
  std::map<std::string, Robots> files;
  for (const std::string& line : testing::read_lines(path)) {
    const json row = json::parse(line);
    const std::string file = row["robots_file"];
    CADDIS_TESTDATA_OR_SKIP(file_path, "03-robots/" + file);
    auto [robots, fresh] = files.try_emplace(file);
    if (fresh) robots->second = Robots::parse(testing::read_file(file_path));
    const std::string agent = row["user_agent"], url = row["url"];
    EXPECT_EQ(robots->second.verdict(agent, path_and_query(url)).allowed, row["allowed"].get<bool>()) << line;
    // A crawl asks with URLs as the URL Standard writes them.
    const auto parsed = url::Url::parse(url);
    ASSERT_TRUE(parsed.has_value()) << line;
    const std::string request = std::string(parsed->pathname()) + std::string(parsed->search());
    EXPECT_EQ(robots->second.verdict(agent, request).allowed, row["allowed"].get<bool>()) << line;
  }
}

TEST(Robots, SaysWhichLineDecided) {
  const Robots robots =
      Robots::parse("User-agent: caddis # us\nDisallow: /private  # not this\nAllow: /private/open\n");
  const Verdict verdict = robots.verdict("caddis", "/private/x");
  EXPECT_FALSE(verdict.allowed);
  EXPECT_EQ(verdict.rule, "Disallow: /private");
  EXPECT_EQ(verdict.line, 2);
  EXPECT_EQ(robots.verdict("caddis", "/private/open/1").rule, "Allow: /private/open");
  EXPECT_EQ(robots.verdict("caddis", "/else").line, 0);
}

// Heritrix looks only at the nearest rule in sort order and so misses the shorter one that matches.
// RFC 9309, 2.2.2.
TEST(Robots, MayAlwaysBeReadItself) {
  const Robots robots = Robots::parse("User-agent: *\nDisallow: /\n");
  EXPECT_TRUE(robots.verdict("caddis", "/robots.txt").allowed);
  EXPECT_FALSE(robots.verdict("caddis", "/robots.txt2").allowed);
  EXPECT_FALSE(robots.verdict("caddis", "/a/robots.txt").allowed);
}

TEST(Robots, FindsAShorterRuleBehindALongerNeighbour) {
  const std::string text = "User-agent: *\nDisallow: /a\nDisallow: /ab/c\n";
  EXPECT_FALSE(allowed(text, "x", "/ab/d"));
  EXPECT_FALSE(allowed(text, "x", "/ab/c"));
  EXPECT_TRUE(allowed(text, "x", "/b"));
}

TEST(Robots, TakesTheTokenFromAUserAgentHeader) {
  EXPECT_EQ(product_token("caddis"), "caddis");
  EXPECT_EQ(product_token("caddis/0.1 (+https://example.org/)"), "caddis");
  EXPECT_EQ(product_token("Mozilla/5.0 (compatible; heritrix/3.4 +https://example.org)"), "heritrix");
  EXPECT_EQ(product_token("Mozilla/5.0 (X11)"), "Mozilla");
  EXPECT_EQ(product_token("Foo Bar"), "");
  EXPECT_FALSE(allowed("User-agent: caddis\nDisallow: /\n", "Mozilla/5.0 (compatible; Caddis/1.0; +https://x/)", "/"));
  EXPECT_TRUE(allowed("User-agent: caddisfly\nDisallow: /\n", "caddis", "/"));
}

// RFC 9309, 2.2.2: escapes of unreserved characters mean the same as the characters.
TEST(Robots, ComparesEscapesByMeaning) {
  EXPECT_FALSE(allowed("User-agent: *\nDisallow: /%7Ejoe/\n", "x", "/~joe/"));
  EXPECT_FALSE(allowed("User-agent: *\nDisallow: /~joe/\n", "x", "/%7ejoe/"));
  EXPECT_FALSE(allowed("User-agent: *\nDisallow: /b\xC3\xBC\n", "x", "/b%c3%bc"));
  EXPECT_FALSE(allowed("User-agent: *\nDisallow: /b%C3%BC\n", "x", "/b\xC3\xBC"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /a/b\n", "x", "/a%2Fb"));
  EXPECT_FALSE(allowed("User-agent: *\nDisallow: /file-with-a-%2A.html\n", "x", "/file-with-a-*.html"));
}

TEST(Robots, GivesTheLargestCrawlDelay) {
  const Robots robots = Robots::parse(
      "User-agent: slow\nCrawl-delay: 2.5\nUser-agent: other\nDisallow: /x\n\nUser-agent: slow\nCrawl-delay: 1\n\n"
      "User-agent: *\nCrawl-delay: ten\nCrawl-delay: 9\nUser-agent: huge\nCrawl-delay: 1e300\n"
      "User-agent: overflowing\nCrawl-delay: 1e999\nUser-agent: tiny\nCrawl-delay: 1e-999\n"
      "User-agent: negative\nCrawl-delay: -1e999\n");
  EXPECT_EQ(robots.crawl_delay("slow"), Duration(milliseconds(2500)));
  EXPECT_EQ(robots.crawl_delay("other"), std::nullopt);
  EXPECT_EQ(robots.crawl_delay("anyone"), Duration(seconds(9)));
  EXPECT_EQ(robots.crawl_delay("huge"), Duration(seconds(86'400)));
  EXPECT_EQ(robots.crawl_delay("overflowing"), Duration(seconds(86'400)));
  EXPECT_EQ(robots.crawl_delay("tiny"), Duration(0));
  EXPECT_EQ(robots.crawl_delay("negative"), std::nullopt);
  EXPECT_FALSE(robots.verdict("slow", "/x").allowed) << "a crawl delay does not end the list of agents";
}

TEST(Robots, ReadsHalfAMegabyteAndNoHalfLine) {
  std::string text = "User-agent: *\n";
  while (text.size() < Robots::kMaxText - 10) text += "# filler\n";
  text.resize(Robots::kMaxText - 12, '#');
  text += "\nDisallow: /a/b\nDisallow: /c\n";  // the limit falls into "/a/b"
  const Robots robots = Robots::parse(text);
  EXPECT_TRUE(robots.verdict("x", "/a/b").allowed);
  EXPECT_TRUE(robots.verdict("x", "/c").allowed);
}

TEST(Robots, ManyRulesAgreeWithTryingThemAll) {
  std::string text = "User-agent: *\n";
  std::vector<std::string> patterns;
  for (const char* a : {"/", "/a", "/a/", "/ab", "/a*b", "/*b$", "/a/b/", "/*/b", "/b*a*b", "/$", "/a/b$"})
    patterns.push_back(a);
  for (size_t i = 0; i < patterns.size(); ++i) text += (i % 2 ? "Allow: " : "Disallow: ") + patterns[i] + "\n";
  const Robots all = Robots::parse(text);
  for (int n = 0; n < 4096; ++n) {
    std::string path = "/";
    for (int digits = n; digits > 0; digits /= 4) path += "ab/b"[digits % 4];
    // Each rule alone, then the longest that matched, allow before disallow.
    size_t best_length = 0;
    bool best_allow = true;
    for (size_t i = 0; i < patterns.size(); ++i) {
      if (allowed("User-agent: *\nDisallow: " + patterns[i] + "\n", "x", path)) continue;
      const bool allow = i % 2 == 1;
      if (patterns[i].size() > best_length || (patterns[i].size() == best_length && allow)) {
        best_length = patterns[i].size();
        best_allow = allow;
      }
    }
    ASSERT_EQ(all.verdict("x", path).allowed, best_allow) << path;
  }
}

}  // namespace
}  // namespace caddis::robots
