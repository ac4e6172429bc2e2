// Segments of a journal: made, joined, lost, cut with their journal, searched, and merged into the index.
#include "caddis/cdx/journal_segments.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/random.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/journal.h"
#include "caddis/cdx/journal_index.h"
#include "caddis/cdx/line.h"
#include "caddis/io/memory_files.h"

namespace caddis::cdx {
namespace {

const std::string kJournal = "c/crawls/l/state/cdx-journal", kIndex = "c/indexes/l.cdxj";
constexpr SegmentLimits kLimits{.size = 2000, .memory = 1500};

class SegmentsTest : public testing::Test {
 protected:
  SegmentsTest() {
    EXPECT_TRUE(files.make_dirs("c/crawls/l/state"));
    EXPECT_TRUE(files.make_dirs("c/indexes"));
  }
  // Adds lines of captures to a file of the journal.
  void grow(int captures, const std::string& part = kJournal) {
    std::string text;
    for (int i = 0; i < captures; ++i) {
      Capture capture;
      capture.url = fmt::format("http://example.com/{}", random.below(100'000));
      capture.urlkey = index_key(capture.url);
      capture.timestamp = "20260102030405";
      capture.filename = "a.warc.gz";
      capture.offset = std::to_string(next_++);
      text += cdxj_line(capture) + '\n';
    }
    append(part, text);
  }
  void append(const std::string& path, std::string_view text) {
    const auto file = files.open_append(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE((*file)->append(text));
  }
  void cut(const std::string& path, size_t length) {
    const std::string text = files.read_all(path)->substr(0, length);
    ASSERT_TRUE(files.remove(path));
    append(path, text);
  }
  // Does all there is to do. Returns how often something was done.
  int extend() {
    for (int steps = 0;; ++steps) {
      const auto more = extend_segments(files, kJournal, *journal_parts(files, kJournal), kLimits);
      EXPECT_TRUE(more) << more.error().message;
      if (!more || !*more) return steps;
    }
  }
  JournalSegments found() { return *find_segments(files, kJournal, *journal_parts(files, kJournal)); }
  size_t files_in_folder() { return files.list(segments_folder(kJournal))->size(); }
  // The index as it is made of the journal alone.
  std::string sorted_anew() {
    EXPECT_TRUE(sort_journal(files, *journal_parts(files, kJournal), "anew.cdxj"));
    return *files.read_all("anew.cdxj");
  }
  std::string merged() {
    EXPECT_TRUE(merge_segments(files, kJournal, *journal_parts(files, kJournal), kIndex, 1500));
    return *files.read_all(kIndex);
  }
  std::string all(CaptureIndex& index) {
    std::string text;
    EXPECT_TRUE(index.scan("", "\xff", [&](std::string_view line, Capture&) {
      text.append(line) += '\n';
      return true;
    }));
    return text;
  }

  io::MemoryFiles files;
  SeededRandom random{5};
  ManualClock clock;

 private:
  int next_ = 0;
};

TEST_F(SegmentsTest, AreMadeWhenEnoughHasCome) {
  grow(3);
  EXPECT_EQ(extend(), 0);
  EXPECT_FALSE(files.is_directory(segments_folder(kJournal)));
  grow(30);
  EXPECT_EQ(extend(), 1);
  EXPECT_EQ(extend(), 0);
  const JournalSegments segments = found();
  ASSERT_EQ(segments.chain.size(), 1u);
  EXPECT_EQ(segments.covered.front(), files.read_all(kJournal)->size());
  EXPECT_EQ(*files.read_all(segments.chain.front().path), sorted_anew());
}

TEST_F(SegmentsTest, ALineThatDoesNotEndWaits) {
  grow(30);
  const size_t whole = files.read_all(kJournal)->size();
  append(kJournal, "com,example)/z 2026");
  EXPECT_EQ(extend(), 1);
  EXPECT_EQ(found().covered.front(), whole);
}

TEST_F(SegmentsTest, EightOfThemAreJoined) {
  for (int i = 0; i < 100; ++i) {
    grow(20);
    EXPECT_GE(extend(), 1);
    EXPECT_LT(files_in_folder(), 22u);
    EXPECT_EQ(found().others.size(), 0u);
  }
  EXPECT_EQ(found().covered.front(), files.read_all(kJournal)->size());
  EXPECT_EQ(merged(), sorted_anew());
}

TEST_F(SegmentsTest, GiveTheSameIndexInSeveralFilesOfTheJournal) {
  grow(40);
  extend();
  grow(5);
  grow(100, kJournal + ".2");
  grow(40, kJournal + ".3");
  extend();
  grow(3, kJournal + ".3");
  const JournalSegments segments = found();
  EXPECT_GT(segments.covered[1], 0u);
  EXPECT_GT(segments.covered[2], 0u);
  EXPECT_LT(segments.covered[0], files.read_all(kJournal)->size());
  EXPECT_EQ(merged(), sorted_anew());
}

TEST_F(SegmentsTest, OneThatIsLostOrTornIsMadeAnew) {
  for (int i = 0; i < 5; ++i) {
    grow(20);
    extend();
  }
  const JournalSegments before = found();
  ASSERT_EQ(before.chain.size(), 5u);
  const std::string torn = before.chain[2].path;
  cut(torn, 100);
  EXPECT_EQ(found().chain.size(), 2u);
  EXPECT_EQ(merged(), sorted_anew());
  ASSERT_TRUE(drop_segments(files, kJournal, *journal_parts(files, kJournal)));
  EXPECT_EQ(files_in_folder(), 2u);
  EXPECT_GE(extend(), 1);
  EXPECT_EQ(found().covered, before.covered);
  EXPECT_EQ(merged(), sorted_anew());
}

TEST_F(SegmentsTest, AreDroppedWhereTheJournalWasCut) {
  for (int i = 0; i < 5; ++i) {
    grow(20);
    extend();
  }
  const uint64_t length = found().chain[2].to - 1;
  cut(kJournal, files.read_all(kJournal)->rfind('\n', length - 1) + 1);
  ASSERT_TRUE(drop_segments(files, kJournal, *journal_parts(files, kJournal)));
  EXPECT_EQ(files_in_folder(), 2u);
  grow(90);  // longer than it was, and with other lines
  EXPECT_EQ(merged(), sorted_anew());
  extend();
  EXPECT_EQ(merged(), sorted_anew());
}

TEST_F(SegmentsTest, WhatADeathLeftIsRemoved) {
  grow(30);
  extend();
  const std::string folder = segments_folder(kJournal);
  append(folder + "/next.tmp", "half");
  append(folder + "/next.run0", "half");
  append(folder + "/cdx-journal@0-10-5.cdxj", "short");   // joined into the one that is there
  append(folder + "/cdx-journal@00-10-5.cdxj", "short");  // no name of ours
  EXPECT_EQ(found().others.size(), 4u);
  extend();
  EXPECT_EQ(files_in_folder(), 1u);
  ASSERT_TRUE(remove_segments(files, kJournal));
  EXPECT_EQ(files_in_folder(), 0u);
}

// Whoever searches sees each line once at any time, and holds the rest only.
TEST_F(SegmentsTest, AreSearchedWhileTheCrawlRuns) {
  CaptureIndex index(files, clock, "c");
  for (int i = 0; i < 30; ++i) {
    grow(7);
    clock.advance(std::chrono::seconds(1));
    ASSERT_EQ(all(index), sorted_anew());
    const auto sources = index.sources();
    ASSERT_TRUE(sources);
    size_t held = 0;
    for (const auto& source : *sources)
      if (const auto* memory = dynamic_cast<const MemoryLines*>(source.get())) held += memory->size();
    ASSERT_LT(held, 30u);
    extend();
  }
  EXPECT_GT(index.sources()->size(), 2u);
  // The crawl ends.
  merged();
  ASSERT_TRUE(write_index_meta(files, kIndex, url::KeyPolicy::ia_surt(), {kJournal}));
  ASSERT_TRUE(remove_segments(files, kJournal));
  clock.advance(std::chrono::seconds(1));
  EXPECT_EQ(all(index), sorted_anew());
  EXPECT_EQ(index.sources()->size(), 1u);
}

// The index appears, and segments vanish, between two looks of a reader: it has opened them before.
TEST_F(SegmentsTest, AReaderKeepsThoseThatVanish) {
  grow(100);
  extend();
  JournalIndex reader(files, kJournal, url::KeyPolicy::ia_surt());
  ASSERT_TRUE(reader.open_segments());
  ASSERT_TRUE(remove_segments(files, kJournal));
  ASSERT_TRUE(reader.refresh({}));
  std::vector<std::shared_ptr<LineSource>> sources;
  reader.append_sources(sources);
  EXPECT_EQ(sources.size(), 1u);
  // With the index it needs neither.
  ASSERT_TRUE(reader.refresh({files.read_all(kJournal)->size()}));
  sources.clear();
  reader.append_sources(sources);
  EXPECT_EQ(sources.size(), 0u);
}

}  // namespace
}  // namespace caddis::cdx
