#include "caddis/url/surt.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/testdata.h"

namespace caddis::url {
namespace {

using nlohmann::json;

TEST(Surt, IsTheIndexKey) { EXPECT_EQ(surt("https://WWW.example.com/A/?b&a").value(), "com,example)/a?a&b"); }

TEST(Surt, Host) {
  EXPECT_EQ(surt_host("www.example.com"), "com,example,www");
  EXPECT_EQ(surt_host("localhost"), "localhost");
  EXPECT_EQ(surt_host("example.com."), ",com,example");
  EXPECT_EQ(surt_host(""), "");
  EXPECT_EQ(surt_host("127.0.0.1"), "1,0,0,127");
  EXPECT_EQ(surt_host("[::1]"), "[::1]");
}

TEST(Surt, HeritrixDialect) {
  const auto of = [](std::string_view text) { return heritrix_surt(Url::parse(text).value()); };
  EXPECT_EQ(of("https://User@WWW.Example.com:81/A?B#c"), "http://(com,example,www,:81@user)/a?b");
  EXPECT_EQ(of("http://127.0.0.1:8080/"), "http://(127.0.0.1:8080)/");
  EXPECT_EQ(of("mailto:A@b#c"), "mailto:A@b");
}

// The data's column comes from URLs cleaned by Java's rules: compared where those agree with the URL Standard's.
TEST(Surt, HeritrixDialectOfTheOracle) {
  CADDIS_TESTDATA_OR_SKIP(path, "06-canon/oracle_multi.jsonl");
  int count = 0;
  for (const std::string& line : testing::read_lines(path)) {
    const json test = json::parse(line);
    const auto url = Url::parse(test.at("in").get<std::string>());
    if (!url || test.value("uuri", "") != url->without_fragment()) continue;
    std::string expected = test.at("heritrix_surt");
    if (expected.starts_with("https:")) expected.erase(4, 1);
    EXPECT_EQ(heritrix_surt(*url), expected) << line;
    ++count;
  }
  EXPECT_GT(count, 280);
}

TEST(Surt, PrefixFromText) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"http://example.com", "http://(com,example,"},
      {"http://example.com/", "http://(com,example,)/"},
      {"https://www.example.com/dir/page.html?q", "http://(com,example,www,)/dir/"},
      {"https://www.example.com/dir/", "http://(com,example,www,)/dir/"},
      {"https://www.example.com/dir", "http://(com,example,www,)/"},
      {"example.com", "http://(com,example,"},
      {"example.com/a/b", "http://(com,example,)/a/"},
      {"http://example.com:8080", "http://(com,example,:8080"},
      {"http://127.0.0.1", "http://(127.0.0.1"},
  };
  for (const auto& [text, prefix] : cases) EXPECT_EQ(surt_prefix_from_text(text).value(), prefix) << text;
  EXPECT_FALSE(surt_prefix_from_text("http://"));
  EXPECT_EQ(surt_prefix_of_url(Url::parse("http://example.com").value()), "http://(com,example,)/");
  EXPECT_EQ(surt_prefix_of_domain("example.com"), "http://(com,example,");
  EXPECT_EQ(surt_prefix_of_host("example.com"), "http://(com,example,)");
}

TEST(SurtPrefixSet, FindsThePrefix) {
  SurtPrefixSet set;
  EXPECT_FALSE(set.matches("http://(com,"));
  set.add("http://(com,example,www,)/");
  set.add("http://(com,example,");  // covers the first
  set.add("http://(com,example,)/a/");
  set.add("http://(org,");
  EXPECT_EQ(set.size(), 2u);
  EXPECT_EQ(set.find("http://(com,example,sub,)/x"), "http://(com,example,");
  EXPECT_TRUE(set.matches(Url::parse("https://example.com/").value()));
  EXPECT_FALSE(set.matches("http://(com,examples,)/"));
  EXPECT_FALSE(set.matches("http://(co"));
  EXPECT_TRUE(set.matches("http://(org,a,)/"));
}

TEST(SurtPrefixSet, Lines) {
  SurtPrefixSet set;
  for (const std::string_view line :
       {"# comment", "", "+https://(NET,a,", "http://b.example/dir/x  # why", "+c.example"}) {
    ASSERT_TRUE(set.add_line(line));
  }
  EXPECT_EQ(std::vector<std::string>(set.begin(), set.end()),
            (std::vector<std::string>{"http://(example,b,)/dir/", "http://(example,c,", "http://(net,a,"}));
  EXPECT_FALSE(set.add_line("http://[/"));
}

}  // namespace
}  // namespace caddis::url
