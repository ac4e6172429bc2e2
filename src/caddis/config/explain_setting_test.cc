#include "caddis/config/explain_setting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/time_format.h"

namespace caddis::config {
namespace {

using ::testing::HasSubstr;

class ExplainSettingTest : public ::testing::Test {
 protected:
  ExplainSettingTest() {
    const auto loaded = load_settings(R"(
politeness: {delay: 1s}
fetch: {headers: ["Cookie: secret"]}
sheets:
  gentle: {sites: [a.test], settings: {politeness: {delay: 10s}, fetch: {accept: text/a}}}
  part: {sites: ["http://a.test/p/"], settings: {fetch: {accept: text/p}}}
  night: {sites: [n.test], times: ["22:00..06:00"], settings: {politeness: {delay: 5s}}}
)",
                                      "crawl.yaml", settings_);
    EXPECT_TRUE(loaded) << loaded.error().message;
  }
  // "default:|crawl:1s|gentle:10s"
  std::string origins(std::string_view name, std::string_view url = "") {
    std::optional<url::Url> asked;
    if (!url.empty()) asked = *url::Url::parse(url);
    const auto found = explain_settings(settings_, name, asked ? &*asked : nullptr, now_);
    if (!found) return found.error().message;
    if (found->size() != 1) return std::to_string(found->size());
    std::string text;
    for (const SettingOrigin& origin : found->front().origins) {
      using Where = SettingOrigin::Where;
      text += text.empty() ? "" : "|";
      text += origin.where == Where::by_default ? "default" : origin.where == Where::crawl ? "crawl" : origin.sheet;
      text += ":" + origin.value;
    }
    return text;
  }
  Settings settings_;
  WallTime now_{};
};

TEST_F(ExplainSettingTest, SaysWhereAValueComesFrom) {
  EXPECT_EQ(origins("politeness.delay"), "default:|crawl:1s");
  EXPECT_EQ(origins("politeness.delay", "http://a.test/p/x"), "default:|crawl:1s|gentle:10s");
  EXPECT_EQ(origins("politeness.delay", "http://b.test/"), "default:|crawl:1s");
  EXPECT_THAT(origins("fetch.accept", "http://a.test/p/x"), HasSubstr("|gentle:text/a|part:text/p"));
  EXPECT_THAT(origins("fetch.accept", "http://www.a.test/"), ::testing::EndsWith("|gentle:text/a"));
  EXPECT_EQ(origins("scope.max-hops"), "default:20");
}

TEST_F(ExplainSettingTest, SaysUntilWhenASheetHolds) {
  const url::Url url = *url::Url::parse("http://n.test/");
  now_ = parse_w3c_date("2026-11-23T12:00:00Z").value();
  auto found = explain_settings(settings_, "politeness.delay", &url, now_);
  EXPECT_EQ(origins("politeness.delay", "http://n.test/"), "default:|crawl:1s");
  ASSERT_EQ(found->front().not_now.size(), 1u);
  EXPECT_EQ(found->front().not_now[0].sheet, "night");
  EXPECT_EQ(rfc3339(*found->front().not_now[0].until), "2026-11-23T22:00:00Z");
  now_ += std::chrono::hours(12);
  found = explain_settings(settings_, "politeness.delay", &url, now_);
  EXPECT_EQ(origins("politeness.delay", "http://n.test/"), "default:|crawl:1s|night:5s");
  EXPECT_TRUE(found->front().not_now.empty());
  EXPECT_EQ(rfc3339(*found->front().origins.back().until), "2026-11-24T06:00:00Z");
  EXPECT_FALSE(found->front().origins.front().until);
}

TEST_F(ExplainSettingTest, ShowsNoSecrets) {
  EXPECT_THAT(origins("fetch.headers"), ::testing::Not(HasSubstr("Cookie")));
}

TEST_F(ExplainSettingTest, TakesSectionsAndRefusesWhatThereIsNot) {
  EXPECT_EQ(explain_settings(settings_, "politeness", nullptr, now_)->size(),
            settings::schema_of<frontier::PolitenessSettings>().fields().size());
  EXPECT_GT(explain_settings(settings_, "", nullptr, now_)->size(), 100u);
  EXPECT_EQ(origins("fetch.delay"), "there is no setting 'fetch.delay'; did you mean 'politeness.delay'?");
  EXPECT_EQ(origins("delay"), "there is no setting 'delay'; did you mean 'politeness.delay'?");
  EXPECT_EQ(origins("politeness.delai"), "there is no setting 'politeness.delai'; did you mean 'politeness.delay'?");
}

}  // namespace
}  // namespace caddis::config
