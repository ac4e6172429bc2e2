#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/strings.h"
#include "caddis/crawl/recover.h"
#include "caddis/crawl/recovery_line.h"
#include "caddis/crawl/recovery_reader.h"
#include "caddis/io/memory_files.h"
#include "caddis/scope/hops.h"

namespace caddis::crawl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Event = RecoveryLine::Event;

TEST(RecoveryLine, IsReadAsHeritrixWritesIt) {
  const auto line = parse_recovery_line("F+ http://a.example/x LLE http://a.example/");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->event, Event::queued);
  EXPECT_EQ(line->url, "http://a.example/x");
  EXPECT_EQ(line->hops, "LLE");
  EXPECT_EQ(line->via, "http://a.example/");
}

TEST(RecoveryLine, MayLackHopsAndVia) {
  for (const char* text : {"F+ http://a.example/  ", "F+ http://a.example/ - -", "F+ http://a.example/",
                           "F+ http://a.example/ ", "F+ http://a.example/  \r"}) {
    const auto line = parse_recovery_line(text);
    ASSERT_TRUE(line) << text;
    EXPECT_EQ(line->url, "http://a.example/") << text;
    EXPECT_EQ(line->hops, "") << text;
    EXPECT_EQ(line->via, "") << text;
  }
  EXPECT_EQ(parse_recovery_line("Fd http://a.example/p")->event, Event::disregarded);
  EXPECT_EQ(parse_recovery_line("F+ http://a.example/ 12+LLE -")->hops, "12+LLE");
}

TEST(RecoveryLine, MaySayNothing) {
  for (const char* text : {"", "  ", "\r", "T 2026-01-02T03:04:05Z", "E something went wrong", "# a comment", "#"})
    EXPECT_EQ(parse_recovery_line(text)->event, Event::other) << text;
}

// In lines that others take for comments.
TEST(RecoveryLine, HasRequestsToo) {
  const std::string text = R"(#Fs {"url":"http://a.example/","method":"POST","body":"a b"})";
  const auto line = parse_recovery_line(text);
  ASSERT_TRUE(line);
  EXPECT_TRUE(line->is_request && line->event == Event::success);
  EXPECT_EQ(line->url, R"({"url":"http://a.example/","method":"POST","body":"a b"})");
  std::string out;
  append_recovery_line(out, *line);
  EXPECT_EQ(out, text + "\n");
  append_recovery_line(out, {Event::queued, std::string(kLongestRecoveryLine, '{'), {}, {}, true});
  EXPECT_EQ(out.size(), text.size() + 1);
  for (const char* comment : {"#F+", "#F+ ", "#F+ x", "#Fx {}", "#F+{}"})
    EXPECT_EQ(parse_recovery_line(comment)->event, Event::other) << comment;
}

TEST(RecoveryLine, IsBadWhereItIsNone) {
  for (const char* text : {"F", "F+", "F+ ", "Fx http://a.example/", "F+http://a.example/", "http://a.example/",
                           "F+  LL http://a.example/", "F+ http://a.example/ http://b.example/",
                           "F+ http://a.example/ +L x", "F+ http://a.example/ L x y"})
    EXPECT_FALSE(parse_recovery_line(text)) << text;
}

TEST(RecoveryLine, IsWrittenAsItIsRead) {
  std::string out;
  append_recovery_line(out, {Event::success, "http://a.example/a b", "LR", "http://a.example/"});
  append_recovery_line(out, {Event::queued, "http://a.example/", "", ""});
  EXPECT_EQ(out, "Fs http://a.example/a%20b LR http://a.example/\nF+ http://a.example/  \n");
}

// Whatever is written is read: as it was, or with the first of very many hops only counted.
TEST(RecoveryLine, WhatIsWrittenCanBeRead) {
  const std::string url = "http://a.example/", long_url = url + std::string(65'000, 'u');
  for (const std::string& hops : {std::string("LL"), std::string(1000, 'L'), std::string(1001, 'L') + "E",
                                  std::string(70'000, 'L') + "R", "5+" + std::string(3000, 'E') + "L"}) {
    for (const std::string& via : {url, long_url}) {
      std::string out;
      append_recovery_line(out, {Event::queued, long_url, hops, via});
      const auto read = parse_recovery_line(std::string_view(out).substr(0, out.size() - 1));
      ASSERT_TRUE(read) << read.error().message;
      EXPECT_EQ(read->url, long_url);
      EXPECT_EQ(scope::count_hops(read->hops), scope::count_hops(hops));
      EXPECT_EQ(read->hops.back(), hops.back());
      EXPECT_EQ(read->via, via);
    }
  }
  std::string out;
  append_recovery_line(out, {Event::queued, long_url + long_url, "L", url + long_url});
  const auto read = parse_recovery_line(std::string_view(out).substr(0, out.size() - 1));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->via, "");
}

TEST(RecoveryLine, FinishedIsWhatNeedsNoVisit) {
  for (const char done : std::string("si")) EXPECT_TRUE(RecoveryLine{Event(done)}.is_finished(true)) << done;
  for (const char maybe : std::string("fd")) {
    EXPECT_TRUE(RecoveryLine{Event(maybe)}.is_finished(false)) << maybe;
    EXPECT_FALSE(RecoveryLine{Event(maybe)}.is_finished(true)) << maybe;
  }
  for (const char open : std::string("+er-")) EXPECT_FALSE(RecoveryLine{Event(open)}.is_finished(false)) << open;
}

struct Read {
  std::vector<std::string> lines, flaws;
};

Read read(const std::string& bytes) {
  io::MemoryFiles files;
  EXPECT_TRUE(files.write_atomically("/log", bytes));
  const auto reader = RecoveryReader::open(files, "/log");
  EXPECT_TRUE(reader);
  Read result;
  for (;;) {
    const auto text = (*reader)->next();
    EXPECT_TRUE(text);
    if (!text || text->empty()) break;
    EXPECT_TRUE(text->ends_with('\n'));
    for (const std::string_view line : split(text->substr(0, text->size() - 1), '\n')) result.lines.emplace_back(line);
  }
  result.flaws = (*reader)->flaws();
  return result;
}

std::string gzip(std::string_view text) { return io::gzip_member(text, io::GzipEffort::fast); }

TEST(RecoveryReader, ReadsPlainAndGzip) {
  for (const std::string& bytes : {std::string("one\ntwo\n"), gzip("one\ntwo\n"), gzip("one\n") + gzip("two\n"),
                                   gzip("on") + gzip("e\ntwo\n"), gzip("one\n") + gzip("") + gzip("two\n")}) {
    const Read got = read(bytes);
    EXPECT_THAT(got.lines, ElementsAre("one", "two"));
    EXPECT_THAT(got.flaws, IsEmpty());
  }
  EXPECT_THAT(read("").lines, IsEmpty());
  EXPECT_THAT(read("one\ntwo").lines, ElementsAre("one", "two"));
  EXPECT_THAT(read("\xEF\xBB\xBFone\ntwo").lines, ElementsAre("one", "two"));
}

TEST(RecoveryReader, ReadsWhatIsLarge) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "F+ http://a.example/" + std::to_string(i) + " L http://a.example/\n";
  EXPECT_EQ(read(text).lines.size(), 200'000u);
  const Read got = read(gzip(text));
  EXPECT_EQ(got.lines.size(), 200'000u);
  EXPECT_EQ(got.lines.back(), "F+ http://a.example/199999 L http://a.example/");
  // One line without end does not fill the memory: it becomes many bad ones.
  EXPECT_GT(read(std::string(3'000'000, 'x')).lines.size(), 5u);
}

// Cut at any byte, as by a death: all whole lines before are there, half ones are not, and it is told.
TEST(RecoveryReader, ToleratesACutMember) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "line " + std::to_string(i * 7919 % 1000) + "\n";
  const std::string first = gzip("first\n"), bytes = first + gzip(text);
  for (size_t length = first.size(); length < bytes.size(); ++length) {
    const Read got = read(bytes.substr(0, length));
    ASSERT_FALSE(got.lines.empty()) << length;
    EXPECT_EQ(got.lines.front(), "first");
    EXPECT_EQ(got.flaws.size(), length > first.size() ? 1u : 0u) << length;
    std::string read_back;
    for (size_t i = 1; i < got.lines.size(); ++i) read_back += got.lines[i] + "\n";
    EXPECT_TRUE(text.starts_with(read_back)) << length;
  }
}

// A writer that died and one that went on behind it.
TEST(RecoveryReader, GoesOnBehindACutMember) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "line " + std::to_string(i * 7919 % 1000) + "\n";
  const std::string half = gzip(text);
  for (const size_t cut : {half.size() / 2, half.size() - 4, size_t{12}}) {
    const Read got = read(gzip("first\n") + half.substr(0, cut) + gzip("last\n") + gzip("very last\n"));
    ASSERT_GE(got.lines.size(), 3u) << cut;
    EXPECT_EQ(got.lines.front(), "first");
    EXPECT_EQ(got.lines[got.lines.size() - 2], "last") << cut;
    EXPECT_EQ(got.lines.back(), "very last");
    EXPECT_FALSE(got.flaws.empty());
  }
}

TEST(Recover, NoteGoesRoundAndReportTells) {
  for (const RecoverOptions& options :
       {RecoverOptions{"/a b/x.gz"}, RecoverOptions{"y", true, false, true}, RecoverOptions{"z", false, true, false}}) {
    const auto back = read_recover_note(write_recover_note(options));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, options);
  }
  EXPECT_FALSE(read_recover_note("x"));
  RecoverCounts counts;
  counts.lines = 100;
  for (uint64_t line = 1; line <= 30; ++line) counts.count_bad(line, "why");
  const std::string report = recover_report({"log"}, counts);
  EXPECT_THAT(report, HasSubstr("100 lines"));
  EXPECT_THAT(report, HasSubstr("30 lines are bad"));
  EXPECT_THAT(report, HasSubstr("line 20: why"));
  EXPECT_EQ(report.find("line 21"), std::string::npos);
}

}  // namespace
}  // namespace caddis::crawl
