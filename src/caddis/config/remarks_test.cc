// Remarks on settings: infos, and warnings that keep a crawl from starting.
#include "caddis/config/remarks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/config/explain_setting.h"
#include "caddis/config/profiles.h"
#include "caddis/config/settings_file.h"
#include "caddis/io/files.h"
#include "caddis/io/memory_files.h"
#include "caddis/modules/registry.h"
#include "support/testdata.h"

namespace caddis::config {
namespace {

using settings::Severity;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "info politeness.delay", each once.
std::vector<std::string> said(std::string_view yaml) {
  Settings settings;
  const auto loaded = load_settings(yaml, "crawl.yaml", settings);
  EXPECT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(validate(settings)) << "a file may say it: " << yaml;
  std::vector<std::string> words;
  for (const Remark& remark : remarks_on(settings)) {
    EXPECT_THAT(remark.text, HasSubstr(remark.setting == "crawl.contact" ? "contact" : remark.setting));
    words.push_back(fmt::format("{} {}{}", to_string(remark.severity), remark.sheet.empty() ? "" : remark.sheet + ": ",
                                remark.setting));
  }
  return words;
}

std::string others(std::string_view more) {
  return fmt::format("crawl: {{contact: me@a.test, seeds: [https://a.test/]}}\n{}", more);
}

TEST(Remarks, ThereAreNoneAboutWhatIsUsual) { EXPECT_THAT(said(others("")), IsEmpty()); }

TEST(Remarks, AContactIsNeededWhereOthersAreVisited) {
  EXPECT_THAT(said("crawl: {seeds: [https://a.test/]}\n"), ElementsAre("warning crawl.contact"));
  EXPECT_THAT(said("crawl: {seeds: [https://a.test/, http://127.0.0.1/]}\n"), ElementsAre("warning crawl.contact"));
  EXPECT_THAT(said("crawl: {seeds: [http://127.0.0.1/]}\n"), IsEmpty());
  EXPECT_THAT(said("crawl: {seeds: [https://a.test/], contact: nobody}\n"), ElementsAre("warning crawl.contact"));
  for (const char* contact : {"me@a.test", "mailto:me@a.test", "https://a.test/why"})
    EXPECT_THAT(said(fmt::format("crawl: {{seeds: [https://a.test/], contact: '{}'}}\n", contact)), IsEmpty());
}

TEST(Remarks, AFileThatMayNotBeFetchedIsSaid) {
  const std::string seed = "crawl: {seeds: ['file:///srv/my%20site/a.html']}\n";
  EXPECT_THAT(said(seed), ElementsAre("info fetch.files"));
  EXPECT_THAT(said(seed + "fetch: {files: [/srv/other]}\n"), ElementsAre("info fetch.files"));
  EXPECT_THAT(said(seed + "fetch: {files: [/srv/my site]}\n"), IsEmpty());
  EXPECT_THAT(said(seed + "sheets: {own: {sites: ['file:'], settings: {fetch: {files: [/srv]}}}}\n"), IsEmpty());
}

TEST(Remarks, WhatIsImpoliteToOthersIsSaid) {
  const std::string hasty = "politeness: {delay: 200ms, min-delay: 0s, visits-per-host: 2}\nrobots: {policy: ignore}\n";
  EXPECT_THAT(said(others(hasty)), ElementsAre("info robots.policy", "info politeness.delay",
                                               "info politeness.min-delay", "info politeness.visits-per-host"));
  EXPECT_THAT(said("crawl: {seeds: [http://127.0.0.1/]}\n" + hasty), IsEmpty());
  EXPECT_THAT(said(others("politeness: {delay: 1s}\nfetch: {user-agent: me}\nlimits: {min-free-space: 0}\n")),
              ElementsAre("info limits.min-free-space", "info fetch.user-agent"));
  EXPECT_THAT(said(others("sheets: {own: {sites: [b.test], settings: {politeness: {delay: 0s}}}}\n")),
              ElementsAre("info own: politeness.delay"));
}

TEST(Remarks, AScopeWithoutAnEndIsSaid) {
  EXPECT_THAT(said(others("scope: {kind: any}\n")), ElementsAre("info scope.kind", "info politeness.host-budget"));
  EXPECT_THAT(said("crawl: {seeds: [http://127.0.0.1/]}\nscope: {kind: any}\n"), IsEmpty());
  for (const char* bounded : {"scope: {kind: any, max-hops: 1}", "scope: {kind: any, restrict-to: [a]}",
                              "scope: {kind: any}\nlimits: {max-time: 1h}\npoliteness: {host-budget: 5}"})
    EXPECT_THAT(said(others(fmt::format("{}\n", bounded))), IsEmpty()) << bounded;
}

TEST(Remarks, AStepThatNobodyAsksForIsSaid) {
  const testing::TempDir folder;
  const std::string path = folder / "unasked.lua";
  ASSERT_TRUE(io::real_files().write_atomically(path, "function step(page) end"));
  const std::vector<std::string> paths = {path};
  ASSERT_TRUE(modules::load_modules(paths, {}));
  const std::string load = fmt::format("modules: {{load: ['{}']}}\n", path);
  EXPECT_THAT(said(others(load)), ElementsAre("info pipeline.url"));
  EXPECT_THAT(said(others(load + "pipeline: {url: [precondition, fetch, unasked, records]}\n")), IsEmpty());
}

TEST(Remarks, WarningsAreRefusedAndInfosAreNot) {
  EXPECT_TRUE(check_warnings({{.severity = Severity::info, .setting = "a", .sheet = "", .text = "b"}}));
  const auto refused = check_warnings({{.severity = Severity::info, .setting = "", .sheet = "", .text = "a"},
                                       {.severity = Severity::warning, .setting = "", .sheet = "", .text = "b"},
                                       {.severity = Severity::warning, .setting = "", .sheet = "", .text = "c"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "b\nc");
}

TEST(Remarks, ProfilesThatShipHaveNone) {
  for (const Profile& profile : profiles()) {
    io::MemoryFiles files;
    Settings settings;
    ASSERT_TRUE(load_settings_file(files, profile.name, "", settings));
    settings.crawl = {.contact = "me@a.test", .seeds = {"https://a.test/"}};
    for (const Remark& remark : remarks_on(settings)) ADD_FAILURE() << profile.name << ": " << remark.text;
  }
}

TEST(Remarks, AreExplainedWithTheValueThatCounts) {
  Settings settings;
  ASSERT_TRUE(load_settings(others("politeness: {delay: 5ms}\n"
                                   "sheets: {gentle: {sites: [a.test], settings: {politeness: {delay: 9s}}}}\n"),
                            "crawl.yaml", settings));
  const auto a = *url::Url::parse("http://a.test/"), b = *url::Url::parse("http://b.test/");
  EXPECT_THAT(explain_settings(settings, "politeness.delay", &a, WallTime())->front().remarks, IsEmpty());
  const auto at_b = explain_settings(settings, "politeness.delay", &b, WallTime());
  ASSERT_EQ(at_b->front().remarks.size(), 1u);
  EXPECT_EQ(at_b->front().remarks[0].text, "politeness.delay = 5ms is impolite to sites that are not your own");
}

// Severe: refused in any file.
TEST(Remarks, MailAddressesAreOnes) {
  Settings settings;
  const auto loaded = load_settings("fetch:\n  from: me\n", "crawl.yaml", settings);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message, "crawl.yaml:2: from: 'me' is no mail address, such as crawler@example.org");
  EXPECT_TRUE(load_settings("fetch: {from: ''}\n", "crawl.yaml", settings));
  settings.fetch.from = "me";
  EXPECT_FALSE(validate(settings));
}

}  // namespace
}  // namespace caddis::config
