#include "caddis/settings/checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/settings/yaml.h"

namespace caddis::settings {
namespace {

struct Sent {
  std::string from, note, text, secret;
  std::vector<std::string> names;
};

}  // namespace

template <>
const Schema& schema_of<Sent>() {
  static const Schema schema(
      "sent", "What is sent.",
      {field<&Sent::from>("from", "A header.", {.flags = kSheet, .check = header_value}),
       field<&Sent::note>("note", "A line."), field<&Sent::text>("text", "Anything.", {.check = free_text}),
       field<&Sent::secret>("secret", "A word.", {.flags = kSecret, .check = header_value}),
       field<&Sent::names>("names", "Names.", {.flags = kSheet, .check = file_name_part})});
  return schema;
}

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string error_of(const Result<void>& result) { return result ? "" : result.error().message; }

TEST(Checks, ALineHasNoControlCharacters) {
  EXPECT_EQ(error_of(single_line("a b\tü")), "");
  EXPECT_EQ(error_of(single_line("a\nb")), "'a\\nb' holds a line break; write it on one line");
  EXPECT_THAT(error_of(single_line("\x1b[2J")), HasSubstr("'\\x1b[2J' holds a control character"));
  EXPECT_EQ(error_of(free_text("a\nb")), "");
}

TEST(Checks, AHeaderHasNeitherLineBreaksNorEndlessValues) {
  EXPECT_EQ(error_of(header_value("Mozilla/5.0 (compatible; ü)")), "");
  for (const std::string& bad : {std::string("a\r\nX: y"), std::string("a\nb"), std::string("a\rb"),
                                 std::string("a\tb"), std::string("\x7f"), std::string("a\0b", 3)})
    EXPECT_THAT(error_of(header_value(bad)), HasSubstr("which no header may have")) << bad;
  EXPECT_THAT(error_of(header_value(std::string(8001, 'a'))), HasSubstr("longer than 8000 bytes"));
}

TEST(Checks, APartOfAFileNameStaysInItsFolder) {
  EXPECT_EQ(error_of(file_name_part("My crawl (2)")), "");
  for (const char* bad : {"..", "a/b", "/", "../x", "a..b", ".hidden", "a\nb", "\x1b"})
    EXPECT_NE(error_of(file_name_part(bad)), "") << bad;
  EXPECT_THAT(error_of(file_name_part(std::string(101, 'a'))), HasSubstr("longer than 100 bytes"));
}

TEST(Checks, CountAtEveryDoor) {
  Sent sent;
  const auto yaml = [&](std::string_view text, Sheets* sheets = nullptr) {
    return error_of(load_yaml(text, "crawl.yaml", {section(sent)}, sheets));
  };
  EXPECT_THAT(yaml("sent:\n  from: \"a\\r\\nX: y\"\n"), HasSubstr("crawl.yaml:2: from: 'a\\r\\nX: y' holds"));
  EXPECT_THAT(yaml("sent:\n  note: |\n    a\n    b\n"), HasSubstr("crawl.yaml:2: note: "));
  EXPECT_THAT(yaml("sent:\n  names:\n  - fine\n  - a/b\n"), HasSubstr("crawl.yaml:4: names: 'a/b' holds '/'"));
  EXPECT_TRUE(sent.names.empty());
  EXPECT_EQ(yaml("sent:\n  text: \"a\\nb\"\n"), "");
  Sheets sheets;
  EXPECT_THAT(yaml("sheets:\n  near:\n    sites: [a.test]\n    settings:\n      sent: {from: \"a\\nb\"}\n", &sheets),
              HasSubstr("crawl.yaml:5: sheet 'near': from: "));
  EXPECT_THAT(error_of(apply(sent, "from", "a\nb", "--from")), HasSubstr("--from: from: 'a\\nb' holds a line break"));
  EXPECT_THAT(error_of(apply(section(sent), "names", std::vector<std::string>{"a", ".."}, "--name")),
              HasSubstr("--name: names: '..' holds"));
  EXPECT_THAT(error_of(apply(sent, "names", "a/b", "--name")), HasSubstr("'a/b'"));
  EXPECT_EQ(error_of(apply(sent, "from", "", "--from")), "") << "what is not set";
}

TEST(Checks, SecretsAreNotShown) {
  Sent sent;
  EXPECT_THAT(error_of(apply(sent, "secret", "pass\nword", "--secret")),
              ::testing::AllOf(HasSubstr("a secret and not shown"), Not(HasSubstr("pass"))));
}

TEST(Checks, MessagesDoNothingToATerminal) {
  Sent sent;
  Sheets sheets;
  for (const char* text : {"sent:\n  \"\\e[2J\": 1\n", "\"\\e[2J\": 1\n", "sheets: {\"\\e[2J\": {sites: [a]}}\n"}) {
    const std::string error = error_of(load_yaml(text, "crawl.yaml", {section(sent)}, &sheets));
    EXPECT_THAT(error, ::testing::AllOf(HasSubstr("\\x1b[2J"), Not(HasSubstr("\x1b")))) << text;
  }
  EXPECT_THAT(error_of(apply(sent, "\x1b[2J", "1", "--set")), Not(HasSubstr("\x1b")));
}

TEST(ChecksDeathTest, ATableIsHeldToThem) {
  static const std::string bad = "a\nb";
  struct Wrong {
    std::string text = bad;
    int number = 1;
  };
  EXPECT_DEATH(Schema("s", "Doc.", {field<&Wrong::text>("x", "A default that its own check refuses.")}), "");
  EXPECT_DEATH(Schema("s", "Doc.", {field<&Wrong::number>("x", "No text.", {.check = free_text})}), "");
}

}  // namespace
}  // namespace caddis::settings
