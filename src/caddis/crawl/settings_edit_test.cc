// Settings that somebody changes: what is wanted is what a file of settings could say, too.
#include "caddis/crawl/settings_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/config/explain_setting.h"
#include "caddis/config/settings_resolver.h"

namespace caddis::crawl {
namespace {

using ::testing::HasSubstr;

std::string written(const config::Settings& settings) { return settings_yaml(settings); }

TEST(SettingsEdit, SheetsOfSitesHaveNamesThatCanBeRead) {
  for (const std::vector<std::string>& sites :
       std::vector<std::vector<std::string>>{{"a.test"},
                                             {"(org,example,)/big/"},
                                             {"a.test", "b.test"},
                                             {"https://a.test/x y"},
                                             {std::string(300, 'a') + ".test"}}) {
    const std::string name = sheet_name_of(sites);
    EXPECT_TRUE(settings::check_sheet_name(name)) << name;
  }
  EXPECT_EQ(sheet_name_of({"(org,example,)/big/"}), "org-example-big");
  const auto wanted =
      edited({}, {.settings = {{"fetch.accept", "a/b"}}, .sheet = "org-example-big", .sites = {"(org,example,)/big/"}});
  ASSERT_TRUE(wanted) << wanted.error().message;
  ASSERT_TRUE(validate(*wanted));
  config::Settings read;
  const auto loaded = config::load_settings(written(*wanted), "stored", read);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(read.sheets, wanted->sheets);
}

TEST(SettingsEdit, SheetsThatNoFileCouldHaveAreRefused) {
  const auto wanted = edited({}, {.settings = {{"fetch.accept", "a/b"}}, .sheet = "odd,name", .sites = {"a.test"}});
  ASSERT_TRUE(wanted);
  const auto sound = validate(*wanted);
  ASSERT_FALSE(sound);
  EXPECT_THAT(sound.error().message, HasSubstr("a sheet's name is a word"));
}

TEST(SettingsEdit, ASheetThatIsGivenAgainOutranksTheOthers) {
  config::Settings settings;
  for (const char* sheet : {"one", "two", "one"}) {
    const auto wanted = edited(settings, {.settings = {{"fetch.accept", sheet}}, .sheet = sheet, .sites = {"a.test"}});
    ASSERT_TRUE(wanted) << wanted.error().message;
    settings = *wanted;
  }
  const url::Url url = *url::Url::parse("http://a.test/");
  const auto found = config::explain_settings(settings, "fetch.accept", &url, WallTime());
  EXPECT_EQ(found->front().origins.back().value, "one");
  EXPECT_EQ(settings.sheets.size(), 2u);
}

// Sheets are sound alone, and what they compose to is made without another look at anything.
TEST(SettingsEdit, RulesAndSettingsOfTwoSheetsCompose) {
  config::Settings settings;
  const auto loaded = config::load_settings(R"(
sheets:
  rules: {sites: [a.test], settings: {scope: {rules: [reject all, accept host a.test]}}}
  other: {sites: [a.test], settings: {scope: {exclude: [foo]}, pipeline: {guard: ["extract: mime html"]}}}
)",
                                            "crawl.yaml", settings);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto resolver =
      config::SettingsResolver::create(settings, *scope::SiteRules::create(settings.scope), WallTime());
  ASSERT_TRUE(resolver);
  const url::Url url = *url::Url::parse("http://a.test/");
  EXPECT_EQ((*resolver)->of((*resolver)->sheets()->of(url)).scope->list->rules().size(), 2u);
}

TEST(SettingsEdit, ListsAreGivenItemByItem) {
  const auto wanted = edited({}, {.settings = {{"scope.exclude", "a"}, {"fetch.accept", "x"}, {"scope.exclude", "b"}}});
  ASSERT_TRUE(wanted);
  EXPECT_EQ(wanted->scope.exclude, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(edited(*wanted, {.settings = {{"scope.exclude", ""}}})->scope.exclude.empty());
  EXPECT_FALSE(edited({}, {.settings = {{"scope.exclud", "a"}}}));
  EXPECT_FALSE(edited({}, {.settings = {{"scop.exclude", "a"}}}));
  EXPECT_FALSE(edited({}, {.settings = {{"exclude", "a"}}}));
}

}  // namespace
}  // namespace caddis::crawl
