// What people give as settings of a crawl, and what Caddis makes of it before anything is written.
#include "caddis/config/settings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "caddis/config/settings_file.h"
#include "caddis/io/memory_files.h"
#include "caddis/settings/render.h"
#include "support/testdata.h"

namespace caddis::config {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string refusal(std::string_view yaml) {
  Settings settings;
  const auto loaded = load_settings(yaml, "crawl.yaml", settings);
  if (!loaded) return loaded.error().message;
  const auto sound = validate(settings);
  return sound ? "" : sound.error().message;
}

// Whatever ends up in a header, a file name, a table of names: at the second line.
TEST(Settings, NonsenseIsRefusedWithItsLine) {
  const std::vector<std::pair<const char*, const char*>> bad = {
      {"crawl:", R"(contact: "https://a.test/\r\nX-Evil: 1")"},
      {"crawl:", R"(name: ../elsewhere)"},
      {"crawl:", R"(name: ..)"},
      {"crawl:", R"(name: "a\nb")"},
      {"dns:", R"(servers: [dns.example])"},
      {"dns:", R"(servers: ["192.0.2.53:99999"])"},
      {"dns:", R"(servers: ["192.0.2.53,192.0.2.54"])"},
      {"dns:", R"(hosts: [nonsense])"},
      {"dns:", R"(hosts: ["a.test=b.test"])"},
      {"dns:", R"(hosts: ["a b=192.0.2.1"])"},
      {"robots:", R"(agents: ["no name"])"},
      {"fetch:", R"(from: "a@b.test\nX-Evil: 1")"},
      {"fetch:", R"(accept: "*/*\r\n\r\nGET / HTTP/1.1")"},
      {"fetch:", R"(accept-encoding: "gzip\n")"},
      {"fetch:", R"(user-agent: "x\ny")"},
      {"fetch:", R"(headers: ["X-A: 1\nX-B: 2"])"},
      {"fetch:", R"(headers: ["X-A: \0"])"},
      {"archive:", R"(operator: "Me\r\nsoftware: other")"},
      {"archive:", R"(is-part-of: "a\nb")"},
      {"archive:", R"(prefix: ../../etc/x)"},
      {"archive:", R"(prefix: a/b)"},
      {"archive:", R"(prefix: "a\nb")"},
      {"archive:", R"(name-template: "../{serialno}")"},
      {"archive:", R"(name-template: "a/{serialno}")"},
      {"archive:", R"(name-template: "{serialno}\n")"},
      {"archive:", R"(name-template: "{host}{host}{host}{host}{serialno}")"},
      {"frontier:", R"(precedences: "a\nb")"},
      {"scope:", R"(exclude: ["a\nb"])"},
      {"politeness:", R"(groups: ["a: b\nc"])"},
  };
  for (const auto& [section, line] : bad)
    EXPECT_THAT(refusal(fmt::format("{}\n  {}\n", section, line)), StartsWith("crawl.yaml:2: ")) << line;
}

TEST(Settings, WhatPeopleWriteIsTaken) {
  EXPECT_EQ(refusal("crawl:\n"
                    "  name: My crawl (2)\n"
                    "  contact: https://a.test/\n"
                    "dns:\n"
                    "  servers: [192.0.2.53, '[2001:db8::53]:5353', '2001:db8::53']\n"
                    "  hosts: ['a.test=192.0.2.1,2001:db8::1']\n"
                    "robots:\n"
                    "  custom: [\"User-agent: *\\nDisallow: /x\"]\n"
                    "fetch:\n"
                    "  from: \"J\\xfcrgen <a@b.test>\"\n"
                    "  headers: ['X-A: 1']\n"
                    "archive:\n"
                    "  prefix: WEB-2026\n"
                    "  description: |\n"
                    "    Two lines\n"
                    "    of it.\n"),
            "");
}

// A row without a check of its own takes one line; a new one that takes more has to say so, and be named here.
TEST(Settings, TextsAreOneLineSaveForSome) {
  std::set<std::string> free;
  for (const settings::Schema* schema : settings_schemas())
    for (const settings::Field& field : schema->fields()) {
      const bool is_text = field.kind == settings::Kind::text || field.kind == settings::Kind::list;
      for (const char* bad : {"a\nb", "a\r\nb: c", "\x1b[2J", "\x7f"})
        if (is_text && field.check(bad)) free.insert(fmt::format("{}.{}", schema->name(), field.name));
    }
  EXPECT_THAT(free, ::testing::ElementsAre("archive.description", "crawl.seeds", "robots.custom"));
}

// Not all ways in are files.
TEST(Settings, StructsAreHeldToTheTablesToo) {
  Settings settings;
  settings.crawl.contact = "a\r\nb";
  auto sound = validate(settings);
  ASSERT_FALSE(sound);
  EXPECT_THAT(sound.error().message, StartsWith("crawl.contact: "));
}

TEST(Settings, SeedsFitIntoTheFileThatTheyAreWrittenInto) {
  Settings settings;
  settings.crawl.seeds.assign(10'001, "http://a.test/");
  auto sound = validate(settings);
  ASSERT_FALSE(sound);
  EXPECT_THAT(sound.error().message, HasSubstr("10001 seeds"));
  EXPECT_THAT(sound.error().message, HasSubstr("--seeds FILE"));
  settings.crawl.seeds.assign(40, std::string(1'000'000, 'a'));
  EXPECT_FALSE(validate(settings));
  settings.crawl.seeds.assign(10'000, "http://a.test/?" + std::string(100, 'x'));
  ASSERT_TRUE(validate(settings));
  Settings again;
  EXPECT_TRUE(load_settings(settings_yaml(settings), "crawl.yaml", again));
  EXPECT_EQ(again.crawl.seeds, settings.crawl.seeds);
}

TEST(Settings, NameListsOfSeedsByWholePaths) {
  Settings settings;
  settings.crawl.seed_files = {"/lists/a.txt"};
  EXPECT_TRUE(validate(settings));
  settings.crawl.seed_files.emplace_back("b.txt");
  EXPECT_THAT(validate(settings).error().message, HasSubstr("'b.txt' is no whole path"));
}

TEST(Settings, AFileIsNotLargerThanSettingsAre) {
  io::MemoryFiles files;
  ASSERT_TRUE(files.write_atomically("/large.yaml", std::string(64'000'001, '#')));
  Settings settings;
  const auto loaded = load_settings_file(files, "/large.yaml", settings);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::config);
  EXPECT_THAT(loaded.error().message, HasSubstr("/large.yaml: larger than 64 MB"));
}

TEST(Settings, ReadWhatTheyWrite) {
  Settings written;
  written.limits.max_documents = 200;
  written.crawl.seeds = {"http://h.example/"};
  written.politeness.delay = Duration(0);
  written.scope.exclude = {"/calendar/"};
  Settings read;
  const std::string yaml = settings::to_yaml(sections_of(std::as_const(written)));
  const auto loaded = settings::load_yaml(yaml, "crawl.yaml", sections_of(read));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(settings::diff(sections_of(std::as_const(written)), sections_of(std::as_const(read))).empty());
}

TEST(Settings, MistakesNameLineAndNearestName) {
  Settings settings;
  const auto loaded = settings::load_yaml("limits:\n  max-dokuments: 3\n", "crawl.yaml", sections_of(settings));
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("crawl.yaml:2"), std::string::npos) << loaded.error().message;
  EXPECT_NE(loaded.error().message.find("max-documents"), std::string::npos) << loaded.error().message;
  settings.archive.name_template = "{prefix}";
  EXPECT_FALSE(validate(settings));
  settings.archive.name_template = "{prefix}-{serialno}-{nonsense}";
  EXPECT_FALSE(validate(settings));
}

// docs/settings.md is what `caddis schema --markdown` prints.
TEST(Settings, ReferencePageIsCurrent) {
  EXPECT_EQ(testing::read_file(testing::source_path("docs/settings.md")), settings::markdown(settings_schemas()))
      << "run: caddis schema --markdown > docs/settings.md";
}

TEST(Settings, SectionsThatWereMeantAreNamed) {
  const auto hint = [](std::string_view name) {
    const std::string refused = refusal(fmt::format("crawl:\n  {}: 1\n", name));
    return refused.substr(refused.find(';') + 2);
  };
  EXPECT_EQ(hint("max-documents"), "it belongs to 'limits'");
  EXPECT_EQ(hint("robots"), "'robots' is a section");
  EXPECT_EQ(hint("robots-custom"), "did you mean 'robots.custom'?");
  EXPECT_EQ(hint("checkpoint-interval"), "did you mean 'checkpoint.interval'?");
  EXPECT_EQ(hint("seen-memory"), "did you mean 'memory.seen'?");
  EXPECT_EQ(hint("max-dokuments"), "did you mean 'limits.max-documents'?");
  Settings settings;
  const auto applied = settings::apply(sections_of(settings), "crawl", "max-bytes", "1", "--set");
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().message, "--set: unknown setting 'max-bytes' in 'crawl'; it belongs to 'limits'");
}

}  // namespace
}  // namespace caddis::config
