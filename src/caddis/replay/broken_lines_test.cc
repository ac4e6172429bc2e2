// Answers from an index in which a line cannot be read.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "caddis/replay/rules_api.h"
#include "caddis/replay/wayback_fixture.h"

namespace caddis::replay {
namespace {

class BrokenLinesTest : public WaybackTest {
 protected:
  static std::string line(std::string_view path, std::string_view timestamp) {
    return "org,example)/" + std::string(path) + ' ' + std::string(timestamp) + R"( {"url": "http://example.org/)" +
           std::string(path) +
           R"(", "mime": "text/html", "status": "200", "digest": "sha1:A", "offset": "1", "filename": "a.warc.gz"})" +
           '\n';
  }
  void SetUp() override {
    put("c/indexes/a.cdxj",
        line("a", "20200101000000") + "org,example)/a 20200102000000 {\"url\n" + line("b", "20200101000000"));
    open_at("c");
  }
  std::string told(const std::string& path) {
    const auto response = get(path);
    EXPECT_EQ(response.status, 200) << path;
    return header(response, "Caddis-Incomplete");
  }
};

TEST_F(BrokenLinesTest, AnswersThatLackThemSaySo) {
  for (const std::string url : {"http://example.org/a", "http://example.org/b"}) {
    const std::string expected = url.ends_with('a') ? "broken-lines" : "";
    EXPECT_EQ(told("/c/cdx?url=" + url), expected);
    EXPECT_EQ(told("/c/cdx?output=link&url=" + url), expected);
    EXPECT_EQ(told("/c/cdx?showNumPages=true&url=" + url), expected);
    EXPECT_EQ(told("/c?url=" + url), expected);
    EXPECT_EQ(told("/cdx/search/cdx?url=" + url), expected);
    EXPECT_EQ(told("/c?q=type:urlquery+url:" + url), expected);
    EXPECT_EQ(told("/c/timemap/link/" + url), expected);
    EXPECT_EQ(told("/c/timemap/json/" + url), expected);
  }
}

TEST_F(BrokenLinesTest, AccessRulesHideThemNot) {
  put("c/access.yaml", "rules: [{verdict: block, domain: secret.org}]");
  const auto collections = open_collections(files, clock, "c");
  ASSERT_TRUE(collections);
  const auto rules = ServedRules::open(files, clock, "", *collections);
  ASSERT_TRUE(rules) << rules.error().message;
  WaybackOptions options;
  options.rules = *rules;
  open_at("c", options);
  EXPECT_EQ(told("/c/cdx?url=http://example.org/a"), "broken-lines");
  EXPECT_EQ(told("/c/cdx?url=http://example.org/b"), "");
}

TEST_F(BrokenLinesTest, AServerCountsThemWhateverCollectionsCome) {
  const auto broken = std::make_shared<cdx::BrokenLines>();
  for (int i = 0; i < 2; ++i) {
    auto collections = open_collections(files, clock, "c", "");
    ASSERT_TRUE(collections);
    collections->front()->index().tell_broken_lines_to(broken);
    ASSERT_TRUE(
        collections->front()->index().captures_of("http://example.org/a")->each([](cdx::Capture&) { return true; }));
    EXPECT_EQ(broken->count(), 1U);
  }
  const auto rules = ServedRules::open(files, clock, "", {});
  ASSERT_TRUE(rules) << rules.error().message;
  EXPECT_NE(served_metrics(**rules, {0, broken->count()}).find("\ncaddis_serve_broken_index_lines_total 1\n"),
            std::string::npos);
}

}  // namespace
}  // namespace caddis::replay
