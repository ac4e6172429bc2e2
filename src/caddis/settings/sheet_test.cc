#include "caddis/settings/sheet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/settings/render.h"
#include "caddis/settings/yaml.h"

namespace caddis::settings {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

struct Manners {
  Duration delay = seconds(3);
  int64_t visits = 1;
  int64_t total = 9;
};
struct Reach {
  int64_t hops = 20;
  std::vector<std::string> exclude = {"a"};
  bool fixed = false;
  std::vector<std::string> keys;
  std::vector<std::string> headers = {"A: 1", "B: 2", "b: 3"};
};

}  // namespace

template <>
const Schema& schema_of<Manners>() {
  static const Schema schema(
      "manners", "How gently.",
      {
          field<&Manners::delay>("delay", "A pause.", {.flags = kHostSheet | kLive}),
          field<&Manners::visits>("visits", "At once.", {.flags = kHostSheet | kLive, .min = "1", .max = "9"}),
          field<&Manners::total>("total", "In all.", {.flags = kLive}),
      });
  return schema;
}
template <>
const Schema& schema_of<Reach>() {
  static const Schema schema("reach", "How far.",
                             {
                                 field<&Reach::hops>("hops", "Hops.", {.flags = kSheet | kLive, .min = "0"}),
                                 field<&Reach::exclude>("exclude", "Not these.", {.flags = kSheet | kLive}),
                                 field<&Reach::fixed>("fixed", "For ever.", {.flags = kSheet}),
                                 field<&Reach::keys>("keys", "By which.", {.flags = kSheet | kLive | kSecret}),
                                 field<&Reach::headers>("headers", "Pairs.", {.flags = kSheet | kLive | kKeyed}),
                             });
  return schema;
}

namespace {

constexpr std::string_view kTwo =
    "manners: {delay: 1s}\n"
    "sheets:\n"
    "  gentle:\n"
    "    sites: [example.org, '(net,example,)/big']\n"
    "    settings:\n"
    "      manners: {delay: 10s, visits: 2}\n"
    "      reach: {exclude: [x, 'y z']}\n"
    "  pdf:\n"
    "    urls: '\\.pdf$'\n"
    "    settings:\n"
    "      manners: {delay: 2m}\n";

struct Read {
  Manners manners;
  Reach reach;
  Sheets sheets;
  std::string error;

  explicit Read(std::string_view text) {
    const auto read = load_yaml(text, "crawl.yaml", sections(), &sheets);
    if (!read) error = read.error().message;
  }
  Sections sections() { return {section(manners), section(reach)}; }
};

TEST(Sheet, TimesAndConditionsAreReadBack) {
  Read read(
      "sheets: {night: {times: ['22:00..06:00 Europe/Vienna', 'sat,sun'], when: 'not file images', settings: "
      "{reach: {hops: 3}}}}\n");
  ASSERT_EQ(read.error, "");
  ASSERT_EQ(read.sheets.size(), 1u);
  EXPECT_EQ(read.sheets[0].times, (std::vector<std::string>{"22:00..06:00 Europe/Vienna", "sat,sun"}));
  EXPECT_EQ(read.sheets[0].when, "not file images");
  const Read again(to_yaml(read.sheets));
  EXPECT_EQ(again.error, "");
  EXPECT_EQ(again.sheets, read.sheets);
  // Whoever resumes is told of what has changed.
  Sheets other = read.sheets;
  other[0].times.pop_back();
  const auto changes = allowed_changes(read.sheets, other);
  ASSERT_EQ(changes->size(), 1u);
  EXPECT_EQ(changes->front().after, "3 for  times 22:00..06:00 Europe/Vienna when not file images");
  EXPECT_EQ(Read("sheets: {x: {when: [a], settings: {reach: {hops: 3}}}}\n").error,
            "crawl.yaml:1: sheet 'x': 'when' takes one condition, such as 'file images'");
}

TEST(Sheet, TheLaterCountsFieldByField) {
  Read read(kTwo);
  ASSERT_EQ(read.error, "");
  ASSERT_EQ(read.sheets.size(), 2u);
  EXPECT_EQ(read.sheets[0].name, "gentle");
  EXPECT_EQ(read.sheets[0].sites, (std::vector<std::string>{"example.org", "(net,example,)/big"}));
  EXPECT_EQ(read.sheets[1].urls, std::vector<std::string>{R"(\.pdf$)"});
  EXPECT_EQ(read.manners.delay, seconds(1)) << "a sheet changes nothing elsewhere";
  for (const Sheet& sheet : read.sheets) sheet.values.lay_over(read.sections());
  EXPECT_EQ(read.manners.delay, seconds(120));
  EXPECT_EQ(read.manners.visits, 2);
  EXPECT_EQ(read.reach.exclude, (std::vector<std::string>{"x", "y z"}));
  EXPECT_TRUE(read.sheets[0].values.touches(schema_of<Reach>()));
  EXPECT_FALSE(read.sheets[1].values.touches(schema_of<Reach>()));
}

TEST(Sheet, LinesWithKeysAreAddedAndTakeThePlaceOfOthers) {
  const auto laid = [](const std::string& headers) {
    Read read("sheets: {one: {sites: [a.example], settings: {reach: {headers: " + headers + "}}}}\n");
    EXPECT_EQ(read.error, "");
    for (const Sheet& sheet : read.sheets) sheet.values.lay_over(read.sections());
    return read.reach.headers;
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(laid("['C: 4']"), (Lines{"A: 1", "B: 2", "b: 3", "C: 4"}));
  EXPECT_EQ(laid("['B: 4', 'B: 5']"), (Lines{"A: 1", "B: 4", "B: 5"}));
  EXPECT_EQ(laid("['b:', 'X:']"), (Lines{"A: 1"}));
  EXPECT_EQ(laid("[]"), Lines{});
}

TEST(Sheet, WrittenAndReadAgain) {
  Read read(kTwo);
  const Read again(to_yaml({section(read.manners), section(read.reach)}) + to_yaml(read.sheets));
  EXPECT_EQ(again.error, "");
  EXPECT_EQ(again.sheets, read.sheets);
  EXPECT_EQ(to_yaml(Sheets()), "");
}

constexpr std::string_view kSecrets =
    "sheets:\n"
    "  members:\n"
    "    sites: [example.org]\n"
    "    settings:\n"
    "      reach: {keys: [sesame, rosebud], hops: 3}\n"
    "  guests:\n"
    "    sites: [example.net]\n"
    "    settings:\n"
    "      reach: {keys: [sesame]}\n"
    "  others:\n"
    "    sites: [example.com]\n"
    "    settings:\n"
    "      reach: {hops: 4}\n";

TEST(Sheet, SecretsAreKeptApart) {
  const Read read(kSecrets);
  ASSERT_EQ(read.error, "");
  const std::string shown = to_yaml(read.sheets), secrets = to_yaml(read.sheets, Secrets::only);
  EXPECT_EQ(shown.find("sesame"), std::string::npos) << shown;
  EXPECT_EQ(secrets.find("hops"), std::string::npos) << secrets;
  EXPECT_EQ(secrets.find("others"), std::string::npos) << secrets;
  Read again(shown);
  ASSERT_EQ(again.error, "");
  EXPECT_NE(again.sheets, read.sheets);
  const auto loaded = load_secrets(secrets, "secrets.yaml", again.sections(), again.sheets);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(again.sheets, read.sheets);
  // One that was taken away needs none.
  again.sheets.erase(again.sheets.begin());
  ASSERT_TRUE(load_secrets(secrets, "secrets.yaml", again.sections(), again.sheets));
  EXPECT_EQ(again.sheets.size(), 2u);
}

TEST(Sheet, SecretsAreNotTold) {
  const Read before(kSecrets);
  Read after(kSecrets);
  after.sheets[0].values.set(schema_of<Reach>(), *schema_of<Reach>().find("keys"), std::vector<std::string>{"open"});
  const auto changes = allowed_changes(before.sheets, after.sheets);
  ASSERT_TRUE(changes) << changes.error().message;
  ASSERT_EQ(changes->size(), 1u);
  EXPECT_EQ(changes->front().before.find("sesame"), std::string::npos) << changes->front().before;
  EXPECT_EQ(changes->front().after.find("open"), std::string::npos) << changes->front().after;
}

TEST(Sheet, AFileReplacesAllOrNone) {
  Read read(kTwo);
  ASSERT_TRUE(load_yaml("reach: {hops: 1}\n", "x", read.sections(), &read.sheets));
  EXPECT_EQ(read.sheets.size(), 2u);
  ASSERT_TRUE(load_yaml("sheets:\n", "x", read.sections(), &read.sheets));
  EXPECT_TRUE(read.sheets.empty());
}

TEST(Sheet, ProblemsNameFileSheetAndSetting) {
  const auto refused = [](std::string_view in_sheet) {
    return Read("sheets:\n  gentle: " + std::string(in_sheet) + "\n").error;
  };
  EXPECT_EQ(refused("{sites: [a.org], settings: {manners: {dely: 1s}}}"),
            "crawl.yaml:2: sheet 'gentle': unknown setting 'dely'; did you mean 'delay'?");
  EXPECT_EQ(refused("{sites: [a.org], settings: {maners: {delay: 1s}}}"),
            "crawl.yaml:2: sheet 'gentle': unknown section 'maners'; did you mean 'manners'?");
  EXPECT_EQ(refused("{sites: [a.org], settings: {manners: {total: 1}}}"),
            "crawl.yaml:2: sheet 'gentle': manners.total is one for the whole crawl; no sheet can set it");
  EXPECT_EQ(refused("{sites: [a.org], settings: {manners: {visits: 10}}}"),
            "crawl.yaml:2: sheet 'gentle': visits: 10 is outside 1 to 9");
  EXPECT_EQ(refused("{sites: [a.org], settings: {delay: 1s}}"),
            "crawl.yaml:2: sheet 'gentle': setting 'delay' stands outside its section; write it below 'manners:'");
  EXPECT_EQ(refused("{sites: [a.org], manners: {delay: 1s}}"),
            "crawl.yaml:2: sheet 'gentle': 'manners' stands outside 'settings'; write it below 'settings:'");
  EXPECT_EQ(refused("{site: [a.org], settings: {manners: {delay: 1s}}}"),
            "crawl.yaml:2: sheet 'gentle': unknown 'site'; did you mean 'sites'?");
  EXPECT_EQ(refused("{settings: {manners: {delay: 1s}}}"),
            "crawl.yaml:2: sheet 'gentle': it holds for nothing: give it sites, urls, when or times");
  EXPECT_EQ(refused("{sites: a.org}"), "crawl.yaml:2: sheet 'gentle': it sets nothing: give it settings");
  EXPECT_EQ(refused("{sites: {a: b}, settings: {manners: {delay: 1s}}}"),
            "crawl.yaml:2: sheet 'gentle': 'sites' takes a list of texts");
  EXPECT_EQ(refused("5"),
            "crawl.yaml:2: sheet 'gentle': a sheet is a mapping of sites, urls, when, times and settings");
  EXPECT_EQ(refused("{sites: a.org, settings: {manners: {delay: 1s, delay: 2s}}}"),
            "crawl.yaml:2: sheet 'gentle': 'delay' is set a second time");
  const std::string one = "{sites: a.org, settings: {manners: {delay: 1s}}}\n";
  EXPECT_EQ(Read("sheets:\n  a: " + one + "  a: " + one).error,
            "crawl.yaml:3: sheet 'a': there is another sheet of this name");
  EXPECT_THAT(Read("sheets:\n  'a b': " + one).error, HasSubstr("a word without spaces"));
  EXPECT_EQ(Read("sheet:\n  a: " + one).error, "crawl.yaml:1: unknown section 'sheet'; did you mean 'sheets'?");
  EXPECT_EQ(Read("sheets: [a]\n").error, "crawl.yaml:1: 'sheets' must be a mapping of names to sheets");
  Manners manners;
  EXPECT_FALSE(load_yaml(kTwo, "x", {section(manners)})) << "where nobody asks for sheets, there are none";
}

TEST(Sheet, WhatMayChangeOnResuming) {
  const auto with = [](std::string_view values, std::string_view site = "a.org") {
    return Read("sheets:\n  s: {sites: " + std::string(site) + ", settings: {reach: {" + std::string(values) + "}}}\n")
        .sheets;
  };
  const auto same = allowed_changes(with("hops: 1"), with("hops: 1"));
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->empty());
  const auto live = allowed_changes(with("hops: 1"), with("hops: 2"));
  ASSERT_TRUE(live);
  ASSERT_EQ(live->size(), 1u);
  EXPECT_EQ(live->front().name, "hops");
  EXPECT_EQ(live->front().before, "1 for a.org");
  EXPECT_EQ(live->front().after, "2 for a.org");
  EXPECT_TRUE(allowed_changes(Sheets(), with("hops: 1")));
  const auto fixed = allowed_changes(with("hops: 1, fixed: true"), with("hops: 2, fixed: true", "b.org"));
  ASSERT_FALSE(fixed);
  EXPECT_THAT(fixed.error().message, HasSubstr("sheets: reach.fixed was true for a.org and is now true for b.org"));
  EXPECT_FALSE(allowed_changes(with("fixed: true"), Sheets()));
}

TEST(Sheet, SchemaHasOnlyWhatASheetMaySet) {
  const std::string schema = json_schema({&schema_of<Manners>(), &schema_of<Reach>()});
  const std::string sheets = schema.substr(schema.find("\"sheets\":"));
  EXPECT_THAT(sheets, HasSubstr("\"visits\""));
  EXPECT_THAT(sheets, ::testing::Not(HasSubstr("\"total\"")));
  EXPECT_THAT(sheets, HasSubstr("\"x-sheet\":\"host\""));
  const std::string page = markdown({&schema_of<Manners>(), &schema_of<Reach>()});
  EXPECT_THAT(page, HasSubstr("per host, live"));
  EXPECT_THAT(page, HasSubstr("per site, live"));
}

}  // namespace
}  // namespace caddis::settings
