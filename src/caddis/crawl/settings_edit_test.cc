// Settings that somebody changes: what is wanted is what a file of settings could say, too.
#include "caddis/crawl/settings_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/config/explain_setting.h"
#include "caddis/config/settings_resolver.h"
#include "caddis/crawl/live_changes.h"

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
  // The two of the sheet, and what lines with - in lists of seeds leave out.
  EXPECT_EQ((*resolver)->of((*resolver)->sheets()->of(url)).scope->list->rules().size(), 3u);
}

config::Settings with_sheets() {
  config::Settings settings;
  const auto loaded = config::load_settings(R"(
politeness: {delay: 5s, url-retries: 9}
scope: {max-hops: 3}
crawl: {name: X}
sheets:
  one: {sites: [a.test], settings: {politeness: {delay: 1s, url-retries: 1}, fetch: {accept: a/b}}}
  two: {sites: [b.test], settings: {politeness: {delay: 2s}}}
)",
                                            "crawl.yaml", settings);
  EXPECT_TRUE(loaded) << loaded.error().message;
  return settings;
}

std::vector<std::string> names_of(const std::vector<settings::Change>& changes) {
  std::vector<std::string> names;
  for (const settings::Change& change : changes) names.push_back(change.section + "." + change.name);
  return names;
}

TEST(SettingsEdit, WhatIsUnsetHasItsDefault) {
  const config::Settings settings = with_sheets();
  const auto one = edited(settings, {.settings = {}, .sheet = "", .sites = {}, .unset = {"politeness.delay"}});
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->politeness.delay, std::nullopt);
  EXPECT_EQ(one->politeness.url_retries, 9);
  EXPECT_EQ(names_of(changes_between(settings, *one)), std::vector<std::string>{"politeness.delay"});
  // A section gives what a crawl can change.
  const auto all =
      edited(settings, {.settings = {}, .sheet = "", .sites = {}, .unset = {"politeness", "crawl", "scope.max-hops"}});
  EXPECT_EQ(names_of(changes_between(settings, *all)),
            (std::vector<std::string>{"scope.max-hops", "politeness.delay", "politeness.url-retries"}));
  const auto fixed = edited(settings, {.settings = {}, .sheet = "", .sites = {}, .unset = {"crawl.name"}});
  ASSERT_TRUE(fixed);
  EXPECT_FALSE(check_live_changes(changes_between(settings, *fixed)));
  EXPECT_THAT(
      edited(settings, {.settings = {}, .sheet = "", .sites = {}, .unset = {"politeness.delai"}}).error().message,
      HasSubstr("did you mean 'delay'"));
}

TEST(SettingsEdit, SheetsAreTakenAwayInPartsAndWhole) {
  const config::Settings settings = with_sheets();
  const auto part = edited(settings, {.settings = {}, .sheet = "one", .sites = {}, .unset = {"politeness"}});
  ASSERT_TRUE(part) << part.error().message;
  ASSERT_EQ(part->sheets.size(), 2u);
  ASSERT_EQ(part->sheets[0].values.entries().size(), 1u);
  EXPECT_EQ(part->sheets[0].values.entries()[0].field->name, "accept");
  EXPECT_EQ(names_of(changes_between(settings, *part)),
            (std::vector<std::string>{"sheets: politeness.delay", "sheets: politeness.url-retries"}));
  // With its last value it goes: no file could have one that says nothing.
  const auto last = edited(settings, {.settings = {}, .sheet = "two", .sites = {}, .unset = {"politeness.delay"}});
  ASSERT_EQ(last->sheets.size(), 1u);
  config::Settings read;
  EXPECT_TRUE(config::load_settings(written(*last), "stored", read));
  const auto whole =
      edited(settings, {.settings = {}, .sheet = "one", .sites = {}, .unset = {}, .removes_sheet = true});
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->sheets.size(), 1u);
  EXPECT_EQ(changes_between(settings, *whole).size(), 3u);

  const auto refusal = [&](const SettingsEdit& edit) {
    const auto wanted = edited(settings, edit);
    return wanted ? "" : wanted.error().message;
  };
  EXPECT_EQ(refusal({.settings = {}, .sheet = "two", .sites = {}, .unset = {"fetch.accept"}}),
            "the sheet 'two' says nothing about fetch.accept");
  EXPECT_EQ(refusal({.settings = {}, .sheet = "three", .sites = {}, .unset = {"fetch.accept"}}),
            "there is no sheet 'three'; there are one, two");
  EXPECT_NE(refusal({.settings = {}, .sheet = "", .sites = {}, .unset = {}, .removes_sheet = true}), "");
}

TEST(SettingsEdit, AllThatIsRefusedIsTold) {
  const config::Settings settings = with_sheets();
  const auto wanted =
      edited(settings, {.settings = {{"crawl.lanes", "3"}, {"crawl.name", "n"}, {"scope.max-hops", "1"}}});
  ASSERT_TRUE(wanted);
  const auto sound = check_live_changes(changes_between(settings, *wanted));
  ASSERT_FALSE(sound);
  EXPECT_THAT(sound.error().message, HasSubstr("crawl.lanes cannot change while the crawl runs"));
  EXPECT_THAT(sound.error().message, HasSubstr("crawl.name holds"));
  EXPECT_THAT(sound.error().message, ::testing::Not(HasSubstr("max-hops")));
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
