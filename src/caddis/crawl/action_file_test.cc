#include "caddis/crawl/action_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "caddis/io/memory_files.h"

namespace caddis::crawl {
namespace {

std::string described(std::string_view name) {
  static constexpr const char* kKinds[] = {"seeds",   "schedule", "force",   "requests",
                                           "include", "recover",  "reports", "script"};
  const auto action = parse_action_name(name);
  if (!action) return action.error().message;
  return fmt::format("{}{}{}", kKinds[static_cast<int>(action->kind)], action->asks_scope ? " in scope" : "",
                     action->is_gzip ? " gzip" : "");
}

TEST(ActionName, SaysWhatIsToBeDone) {
  EXPECT_EQ(described("late.seeds"), "seeds");
  EXPECT_EQ(described("a.b.schedule"), "schedule");
  EXPECT_EQ(described("x.s.schedule.gz"), "schedule in scope gzip");
  EXPECT_EQ(described("x.force"), "force");
  EXPECT_EQ(described("x.s.include"), "include in scope");
  EXPECT_EQ(described("frontier.recover.gz"), "recover gzip");
  EXPECT_EQ(described(".seeds"), "seeds");
  EXPECT_EQ(described("x.s.lua.gz"), "script gzip");
}

TEST(ActionName, OfScriptsAndOthersIsRefused) {
  for (const char* script : {"x.bsh", "x.groovy", "x.js", "x.sh", "x.py.gz"})
    EXPECT_EQ(described(script), "it is a script in another language: Caddis runs Lua, from files in .lua") << script;
  EXPECT_TRUE(described("x.s.seeds").contains("cannot be asked"));
  for (const char* other : {"x", "x.txt", "seeds", "x.seeds.tmp", "x.gz", ""})
    EXPECT_TRUE(described(other).contains("has to end in")) << other;
}

std::string parsed(std::string_view line, ActionKind kind) {
  const auto action = parse_action_line(line, kind);
  if (!action) return "bad: " + action.error().message;
  if (!*action) return "";
  const RecoveryLine& read = **action;
  return fmt::format("F{} {}|{}|{}", static_cast<char>(read.event), read.url, read.hops, read.via);
}

TEST(ActionLine, OfSeedsIsAUrlAndPerhapsAComment) {
  EXPECT_EQ(parsed("http://a.test/", ActionKind::seeds), "F+ http://a.test/||");
  EXPECT_EQ(parsed("  a.test \t# the first\r", ActionKind::seeds), "F+ a.test||");
  EXPECT_EQ(parsed("", ActionKind::seeds), "");
  EXPECT_EQ(parsed("# nothing", ActionKind::seeds), "");
  EXPECT_TRUE(parsed("- http://a.test/", ActionKind::seeds).starts_with("bad: is - a bullet? Write the URL alone"));
  EXPECT_TRUE(parsed("+", ActionKind::seeds).starts_with("bad: a line with + or - names a SURT prefix"));
  EXPECT_TRUE(parsed("a.test b.test", ActionKind::seeds).starts_with("bad: there is more"));
}

TEST(ActionLine, IsOneOfARecoveryLogOrAUrl) {
  EXPECT_EQ(parsed("F+ http://a.test/x LLE http://a.test/", ActionKind::schedule),
            "F+ http://a.test/x|LLE|http://a.test/");
  EXPECT_EQ(parsed("Fs http://a.test/x", ActionKind::force), "Fs http://a.test/x||");
  EXPECT_EQ(parsed("F+ http://a.test/x - http://a.test/", ActionKind::force), "F+ http://a.test/x||http://a.test/");
  EXPECT_EQ(parsed("F+ http://a.test/x  http://a.test/", ActionKind::recover), "F+ http://a.test/x||http://a.test/");
  EXPECT_EQ(parsed(" http://a.test/x \t 25+LE\r", ActionKind::schedule), "F+ http://a.test/x|25+LE|");
  EXPECT_EQ(parsed("http://a.test/x - http://a.test/", ActionKind::include), "F+ http://a.test/x||http://a.test/");
  EXPECT_EQ(parsed("Fs.test/x", ActionKind::schedule), "F+ Fs.test/x||");
}

// Look-ups, times and errors stand in recovery logs, too.
TEST(ActionLine, OfARecoveryLogMaySayNothing) {
  for (const char* text : {"F+ dns:a.test P http://a.test/", "T 2026-01-02T03:04:05Z", "E something went wrong", " "})
    EXPECT_EQ(parsed(text, ActionKind::recover), "") << text;
}

TEST(ActionLine, IsBadWhereItIsNone) {
  const auto expect_bad = [](std::string_view line, ActionKind kind, std::string_view why) {
    EXPECT_TRUE(parsed(line, kind).starts_with("bad: " + std::string(why))) << parsed(line, kind);
  };
  expect_bad("http://a.test/x", ActionKind::recover, "it does not begin with F+");
  expect_bad("Fx http://a.test/x", ActionKind::schedule, "it does not begin with F+");
  expect_bad("F+ ", ActionKind::schedule, "it does not begin with F+");
  expect_bad("- LL", ActionKind::schedule, "it names no URL");
  expect_bad("http://a.test/ and more", ActionKind::schedule, "'and' behind the URL are no hops");
  expect_bad("http://a.test/ " + std::string(1001, 'L'), ActionKind::schedule, "'LLLL");
  expect_bad("http://a.test/ L - x", ActionKind::schedule, "there is more");
  expect_bad(std::string(kLongestRecoveryLine + 1, 'a'), ActionKind::schedule, "the line is longer");
}

class ActionReaderTest : public ::testing::Test {
 protected:
  std::vector<std::string> read(std::string_view bytes, bool is_gzip) {
    EXPECT_TRUE(files_.write_atomically("/x", bytes));
    auto reader = ActionReader::open(files_, "/x", is_gzip);
    EXPECT_TRUE(reader);
    std::vector<std::string> lines;
    for (auto line = reader->next(); line && *line; line = reader->next()) lines.emplace_back(**line);
    damage_ = reader->damage();
    return lines;
  }
  io::MemoryFiles files_;
  std::string damage_;
};

TEST_F(ActionReaderTest, GivesLines) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(read("a\nb\r\n\nc", false), (Lines{"a", "b\r", "", "c"}));
  EXPECT_EQ(read("", false), Lines());
  EXPECT_EQ(read("\n", false), Lines{""});
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(read(mark + "a\n" + mark + "b", false), (Lines{"a", mark + "b"}));
  const std::string two =
      io::gzip_member("a\nb", io::GzipEffort::small) + io::gzip_member("c\nd\n", io::GzipEffort::small);
  EXPECT_EQ(read(two, true), (Lines{"a", "bc", "d"}));
  EXPECT_EQ(damage_, "");
}

TEST_F(ActionReaderTest, GivesManyLinesInOrder) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += fmt::format("http://a.test/{}\n", i);
  for (const bool is_gzip : {false, true}) {
    const auto lines = read(is_gzip ? io::gzip_member(text, io::GzipEffort::small) : text, is_gzip);
    ASSERT_EQ(lines.size(), 200'000u);
    EXPECT_EQ(lines[123'456], "http://a.test/123456");
  }
}

TEST_F(ActionReaderTest, CutsLongLines) {
  const auto lines = read("short\n" + std::string(1'000'000, 'x') + "\nshort again", false);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].size(), ActionReader::kLongest);
  EXPECT_EQ(lines[2], "short again");
}

TEST_F(ActionReaderTest, SaysWhereAGzipFileIsCutOrDamaged) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += fmt::format("http://a.test/{}\n", i * 7919 % 10'007);
  const std::string whole = io::gzip_member(text, io::GzipEffort::small);
  const auto lines = read(std::string_view(whole).substr(0, whole.size() / 2), true);
  EXPECT_GT(lines.size(), 1000u);
  EXPECT_LT(lines.size(), 10'000u);
  EXPECT_EQ(damage_, "the gzip file is cut");
  read("no gzip at all", true);
  EXPECT_NE(damage_, "");
}

}  // namespace
}  // namespace caddis::crawl
