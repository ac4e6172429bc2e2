// Files of settings that extend others, and secrets that stand elsewhere.
#include "caddis/config/settings_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "caddis/io/memory_files.h"

namespace caddis::config {
namespace {

using ::testing::HasSubstr;
using Texts = std::vector<std::string>;

class SettingsFile : public ::testing::Test {
 protected:
  void write(const std::string& path, std::string_view text) {
    ASSERT_TRUE(files_.make_dirs(path.substr(0, path.rfind('/'))));
    ASSERT_TRUE(files_.write_atomically(path, text));
  }
  std::string load(const std::string& path = "/h/crawl.yaml", std::string_view profile = "") {
    const auto loaded = load_settings_file(files_, profile, path, settings_);
    return loaded ? "" : loaded.error().message;
  }

  io::MemoryFiles files_;
  Settings settings_;
};

TEST_F(SettingsFile, TheOneThatExtendsCounts) {
  write("/h/base/house.yaml", "limits: {max-documents: 5, max-time: 1h}\nscope: {exclude: [a, b]}\n");
  write("/h/base/more.yaml", "extends: house.yaml\nlimits: {max-bytes: 1MB, max-time: 2h}\n");
  // Wherever in the file it stands; one in the same section leaves the others.
  write("/h/crawl.yaml", "scope: {exclude: [c]}\nextends: base/more.yaml\nlimits: {max-documents: 7}\n");
  ASSERT_EQ(load(), "");
  EXPECT_EQ(settings_.limits.max_documents, 7);
  EXPECT_EQ(settings_.limits.max_bytes, 1'000'000);
  EXPECT_EQ(settings_.limits.max_time, std::chrono::hours(2));
  EXPECT_EQ(settings_.scope.exclude, Texts{"c"});
}

TEST_F(SettingsFile, AListIsLaidInItsOrder) {
  write("/h/a.yaml", "limits: {max-documents: 1, max-bytes: 1}\n");
  write("/h/b.yaml", "limits: {max-documents: 2}\n");
  write("/h/crawl.yaml", "extends: [./a.yaml, /h/b.yaml, broad]\n");
  ASSERT_EQ(load(), "");
  EXPECT_EQ(settings_.limits.max_documents, 2);
  EXPECT_EQ(settings_.limits.max_bytes, 1);
  EXPECT_EQ(settings_.scope.kind, scope::ScopeKind::any);
}

TEST_F(SettingsFile, AProfileComesBeforeTheFile) {
  write("/h/crawl.yaml", "scope: {max-hops: 3}\n");
  ASSERT_EQ(load("/h/crawl.yaml", "domain"), "");
  EXPECT_EQ(settings_.scope.kind, scope::ScopeKind::domain);
  EXPECT_EQ(settings_.scope.max_hops, 3);
  EXPECT_THAT(load("", "nonsense"), HasSubstr("there is no profile 'nonsense'"));
}

TEST_F(SettingsFile, MistakesNameTheirFileAndLine) {
  write("/h/base.yaml", "limits:\n  max-dokuments: 5\n");
  write("/h/crawl.yaml", "extends: base.yaml\nlimits:\n  max-hops: x\n");
  const std::string told = load();
  EXPECT_THAT(told, HasSubstr("/h/base.yaml:2: unknown setting 'max-dokuments'"));
  EXPECT_THAT(told, HasSubstr("/h/crawl.yaml:3: unknown setting 'max-hops'"));
  write("/h/crawl.yaml", "limits: {}\nextends:\n  - base.yml\n");
  EXPECT_EQ(load(), "/h/crawl.yaml:3: extends: there is no file /h/base.yml");
  write("/h/crawl.yaml", "\nextends: brod\n");
  EXPECT_THAT(load(), HasSubstr("/h/crawl.yaml:2: extends: there is no profile 'brod'; did you mean 'broad'?"));
  write("/h/crawl.yaml", "extends: {a: b}\n");
  EXPECT_EQ(load(), "/h/crawl.yaml:1: 'extends' takes a list of texts");
  write("/h/crawl.yaml", "extend: broad\n");
  EXPECT_THAT(load(), HasSubstr("did you mean 'extends'?"));
}

TEST_F(SettingsFile, CirclesAreRefused) {
  write("/h/crawl.yaml", "extends: sub/a.yaml\n");
  write("/h/sub/a.yaml", "extends: ../sub/../b.yaml\n");
  write("/h/b.yaml", "crawl: {}\nextends: ./crawl.yaml\n");
  EXPECT_EQ(load(),
            "/h/b.yaml:2: extends: './crawl.yaml' extends itself: /h/crawl.yaml > /h/sub/a.yaml > /h/b.yaml > "
            "/h/crawl.yaml");
  // Twice is no circle.
  write("/h/b.yaml", "limits: {max-documents: 3}\n");
  write("/h/crawl.yaml", "extends: [b.yaml, sub/a.yaml]\n");
  EXPECT_EQ(load(), "");
}

TEST_F(SettingsFile, ChainsAndTreesHaveAnEnd) {
  for (int i = 0; i < 20; ++i) write(fmt::format("/h/{}.yaml", i), fmt::format("extends: {}.yaml\n", i + 1));
  EXPECT_THAT(load("/h/0.yaml"), HasSubstr("more than 16 files one behind the other"));
  for (int i = 0; i < 14; ++i)
    write(fmt::format("/h/{}.yaml", i), fmt::format("extends: [{0}.yaml, {0}.yaml]\n", i + 1));
  write("/h/14.yaml", "");
  EXPECT_THAT(load("/h/0.yaml"), HasSubstr("more than 200 files in all"));
}

TEST_F(SettingsFile, SheetsAreJoinedByTheirNames) {
  write("/h/base.yaml", R"(
sheets:
  gentle: {sites: [a.test], settings: {politeness: {delay: 10s, url-retries: 1}}}
  gone: {sites: [b.test], settings: {politeness: {delay: 1s}}}
  other: {sites: [c.test], settings: {scope: {max-hops: 1}}}
)");
  write("/h/crawl.yaml", R"(
extends: base.yaml
sheets:
  gentle: {settings: {politeness: {delay: 20s}}}
  gone: null
  new: {sites: [d.test], settings: {scope: {max-hops: 2}}}
  other: {sites: [e.test]}
)");
  settings_.sheets = {{.name = "before", .sites = {"x.test"}, .urls = {}, .values = {}}};
  ASSERT_EQ(load(), "");
  ASSERT_EQ(settings_.sheets.size(), 3u);
  EXPECT_EQ(settings_.sheets[0].name, "gentle");
  EXPECT_EQ(settings_.sheets[0].sites, Texts{"a.test"});
  ASSERT_EQ(settings_.sheets[0].values.entries().size(), 2u);
  Settings laid;
  settings_.sheets[0].values.lay_over(sections_of(laid));
  EXPECT_EQ(laid.politeness.delay, std::chrono::seconds(20));
  EXPECT_EQ(laid.politeness.url_retries, 1);
  EXPECT_EQ(settings_.sheets[1].sites, Texts{"e.test"});
  EXPECT_EQ(settings_.sheets[2].name, "new");
  write("/h/crawl.yaml", "sheets:\n  gone:\n");
  EXPECT_THAT(load(), HasSubstr("/h/crawl.yaml:2: sheet 'gone': it is to be taken away"));
}

TEST_F(SettingsFile, SheetsOfFilesReplaceThoseOfBefore) {
  settings_.sheets = {{.name = "before", .sites = {"x.test"}, .urls = {}, .values = {}}};
  settings_.sheets[0].values.set(settings::schema_of<frontier::PolitenessSettings>(),
                                 *settings::schema_of<frontier::PolitenessSettings>().find("url-retries"), int64_t{1});
  write("/h/crawl.yaml", "limits: {}\n");
  ASSERT_EQ(load(), "");
  EXPECT_EQ(settings_.sheets.size(), 1u);
  write("/h/crawl.yaml", "sheets: {}\n");
  ASSERT_EQ(load(), "");
  EXPECT_TRUE(settings_.sheets.empty());
}

// A crawl keeps what has nothing to extend any more.
TEST_F(SettingsFile, OnlyFilesOfPeopleExtendOthers) {
  Settings settings;
  const auto loaded = load_settings("extends: broad\n", "stored", settings);
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr("stored:1: 'extends' counts in files that people give"));
}

TEST_F(SettingsFile, SecretsStandElsewhere) {
  ASSERT_EQ(setenv("CADDIS_TEST_SECRET", "s3cret", 1), 0);
  write("/h/keys/token", "t0ken\n");
  write("/h/crawl.yaml", R"(
fetch:
  proxy: "http://me:${CADDIS_TEST_SECRET}@proxy.test:3128"
  headers: ["X-Token: a ${file:keys/token} $${b}"]
scope: {exclude: ["${x}"]}
sheets: {s: {sites: [a.test], settings: {fetch: {headers: ["Cookie: ${CADDIS_TEST_SECRET}"]}}}}
)");
  ASSERT_EQ(load(), "");
  EXPECT_EQ(settings_.fetch.proxy, "http://me:s3cret@proxy.test:3128");
  EXPECT_EQ(settings_.fetch.headers, Texts{"X-Token: a t0ken ${b}"});
  EXPECT_EQ(settings_.scope.exclude, Texts{"${x}"});
  Settings laid;
  settings_.sheets[0].values.lay_over(sections_of(laid));
  EXPECT_EQ(laid.fetch.headers, Texts{"Cookie: s3cret"});
  // The kept one is not looked into once more.
  Settings kept = settings_, again;
  kept.fetch.headers = {"X-A: ${CADDIS_TEST_SECRET}"};
  ASSERT_TRUE(load_settings(settings_yaml(kept, settings::Secrets::show), "stored", again));
  EXPECT_EQ(again.fetch.headers, kept.fetch.headers);
  unsetenv("CADDIS_TEST_SECRET");
  EXPECT_THAT(load(), HasSubstr("/h/crawl.yaml:3: proxy: its secret is to stand in the environment as "
                                "CADDIS_TEST_SECRET, which is not set there"));
  write("/h/crawl.yaml", "fetch: {headers: [\"A: ${file:none}\"]}\n");
  EXPECT_THAT(load(), HasSubstr("/h/crawl.yaml:1: headers: its secret cannot be read: "));
  write("/h/crawl.yaml", "fetch: {proxy: \"http://${x\"}\n");
  EXPECT_THAT(load(), HasSubstr("lacks its '}'"));
}

}  // namespace
}  // namespace caddis::config
