// What people give as settings of a crawl, and what Caddis makes of it before anything is written.
#include "caddis/crawl/settings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "caddis/io/memory_files.h"

namespace caddis::crawl {
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
TEST(CrawlSettings, NonsenseIsRefusedWithItsLine) {
  const std::vector<std::pair<const char*, const char*>> bad = {
      {"crawl:", R"(contact: "https://a.test/\r\nX-Evil: 1")"},
      {"crawl:", R"(name: ../elsewhere)"},
      {"crawl:", R"(name: ..)"},
      {"crawl:", R"(name: "a\nb")"},
      {"crawl:", R"(name-servers: [dns.example])"},
      {"crawl:", R"(name-servers: ["192.0.2.53:99999"])"},
      {"crawl:", R"(name-servers: ["192.0.2.53,192.0.2.54"])"},
      {"crawl:", R"(hosts: [nonsense])"},
      {"crawl:", R"(hosts: ["a.test=b.test"])"},
      {"crawl:", R"(hosts: ["a b=192.0.2.1"])"},
      {"crawl:", R"(robots-agents: ["no name"])"},
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

TEST(CrawlSettings, WhatPeopleWriteIsTaken) {
  EXPECT_EQ(refusal("crawl:\n"
                    "  name: My crawl (2)\n"
                    "  contact: https://a.test/\n"
                    "  name-servers: [192.0.2.53, '[2001:db8::53]:5353', '2001:db8::53']\n"
                    "  hosts: ['a.test=192.0.2.1,2001:db8::1']\n"
                    "  robots-custom: [\"User-agent: *\\nDisallow: /x\"]\n"
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
TEST(CrawlSettings, TextsAreOneLineSaveForSome) {
  std::set<std::string> free;
  for (const settings::Schema* schema : settings_schemas())
    for (const settings::Field& field : schema->fields()) {
      const bool is_text = field.kind == settings::Kind::text || field.kind == settings::Kind::list;
      for (const char* bad : {"a\nb", "a\r\nb: c", "\x1b[2J", "\x7f"})
        if (is_text && field.check(bad)) free.insert(fmt::format("{}.{}", schema->name(), field.name));
    }
  EXPECT_THAT(free, ::testing::ElementsAre("archive.description", "crawl.robots-custom", "crawl.seeds"));
}

// Not all ways in are files.
TEST(CrawlSettings, StructsAreHeldToTheTablesToo) {
  Settings settings;
  settings.crawl.contact = "a\r\nb";
  auto sound = validate(settings);
  ASSERT_FALSE(sound);
  EXPECT_THAT(sound.error().message, StartsWith("crawl.contact: "));
}

TEST(CrawlSettings, SeedsFitIntoTheFileThatTheyAreWrittenInto) {
  Settings settings;
  settings.crawl.seeds.assign(1'000'001, "http://a.test/");
  auto sound = validate(settings);
  ASSERT_FALSE(sound);
  EXPECT_THAT(sound.error().message, HasSubstr("1000001 seeds"));
  EXPECT_THAT(sound.error().message, HasSubstr(".seeds file"));
  settings.crawl.seeds.assign(40, std::string(1'000'000, 'a'));
  EXPECT_FALSE(validate(settings));
  settings.crawl.seeds.assign(200'000, "http://a.test/?" + std::string(100, 'x'));
  ASSERT_TRUE(validate(settings));
  Settings again;
  EXPECT_TRUE(load_settings(settings_yaml(settings), "crawl.yaml", again));
  EXPECT_EQ(again.crawl.seeds, settings.crawl.seeds);
}

TEST(CrawlSettings, AFileIsNotLargerThanSettingsAre) {
  io::MemoryFiles files;
  ASSERT_TRUE(files.write_atomically("/large.yaml", std::string(64'000'001, '#')));
  Settings settings;
  const auto loaded = load_settings_file(files, "/large.yaml", settings);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::config);
  EXPECT_THAT(loaded.error().message, HasSubstr("/large.yaml: larger than 64 MB"));
}

}  // namespace
}  // namespace caddis::crawl
