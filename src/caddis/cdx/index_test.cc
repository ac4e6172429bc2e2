// Sorting, halving search and the index of a collection.
#include <gtest/gtest.h>

#include <algorithm>

#include "caddis/base/clock.h"
#include "caddis/base/random.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/indexer.h"
#include "caddis/cdx/journal.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/sorted_file.h"
#include "caddis/io/memory_files.h"

namespace caddis::cdx {
namespace {

void put(io::Files& files, const std::string& path, std::string_view bytes) {
  ASSERT_TRUE(files.make_dirs(io::parent_path(path)));
  if (files.exists(path)) {
    ASSERT_TRUE(files.remove(path));
  }
  auto file = files.open_append(path);
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->append(bytes));
}

std::string line(std::string_view key, std::string_view timestamp, std::string_view filename = "a.warc.gz",
                 int offset = 0) {
  Capture capture;
  capture.urlkey = key;
  capture.timestamp = timestamp;
  capture.url = "http://example.com/";
  capture.filename = filename;
  capture.offset = std::to_string(offset);
  return cdxj_line(capture);
}

TEST(SortedFile, FindsWhatBinarySearchFinds) {
  io::MemoryFiles files;
  SeededRandom random(7);
  std::vector<std::string> lines;
  for (int i = 0; i < 3000; ++i)
    lines.push_back("k" + std::to_string(random.below(1000)) +
                    std::string(random.below(30) == 0 ? 20'000 : random.below(200), 'x'));
  std::ranges::sort(lines);
  std::string text;
  std::vector<uint64_t> offsets;
  for (const std::string& one : lines) {
    offsets.push_back(text.size());
    text += one + '\n';
  }
  offsets.push_back(text.size());
  put(files, "f", text);
  auto file = SortedFile::open(files, "f");
  ASSERT_TRUE(file);
  for (int i = 0; i < 1100; ++i) {
    const std::string key = "k" + std::to_string(i);
    const auto want = std::ranges::lower_bound(lines, key) - lines.begin();
    const auto found = (*file)->lower_bound(key);
    ASSERT_TRUE(found);
    ASSERT_EQ(*found, offsets[static_cast<size_t>(want)]) << key;
  }
  for (size_t i = 1; i < offsets.size(); ++i) {
    const auto before = (*file)->line_before(offsets[i]);
    ASSERT_TRUE(before);
    ASSERT_EQ(*before, offsets[i - 1]);
  }
  EXPECT_FALSE((*file)->line_before(0));
}

TEST(SortedFile, EmptyAndWithoutLastLineEnd) {
  io::MemoryFiles files;
  put(files, "empty", "");
  EXPECT_EQ((*SortedFile::open(files, "empty"))->lower_bound("a").value(), 0u);
  put(files, "f", " CDX N b\na 1\nb 2");
  auto file = *SortedFile::open(files, "f");
  EXPECT_EQ(file->header(), " CDX N b");
  EXPECT_EQ(file->lower_bound("b").value(), 13u);
  EXPECT_EQ(file->lower_bound("").value(), 9u);
  EXPECT_EQ(file->lower_bound("c").value(), 16u);
}

TEST(SortJournal, SortsOnceAtomicallyInAnyMemory) {
  SeededRandom random(3);
  std::string journal;
  std::vector<std::string> lines;
  for (int i = 0; i < 2000; ++i) {
    lines.push_back(
        line("com,example)/" + std::to_string(random.below(500)), "2026010203040" + std::to_string(i % 10)));
    journal += lines.back() + '\n';
  }
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  std::string want;
  for (const std::string& one : lines) want += one + '\n';
  for (const size_t memory : {size_t{1} << 30, size_t{20'000}, size_t{1000}}) {
    io::MemoryFiles files;
    put(files, "c/state/cdx-journal", journal + "com,example)/cut 2026");
    ASSERT_TRUE(files.make_dirs("c/indexes"));
    const auto parts = journal_parts(files, "c/state/cdx-journal");
    const auto sorted = sort_journal(files, *parts, "c/indexes/x.cdxj", {memory});
    ASSERT_TRUE(sorted) << sorted.error().message;
    EXPECT_EQ(*sorted, lines.size());
    EXPECT_EQ(files.read_all("c/indexes/x.cdxj").value(), want);
    EXPECT_EQ(files.list("c/indexes")->size(), 1u) << "runs are left behind";
    files.crash(random);
    EXPECT_EQ(files.read_all("c/indexes/x.cdxj").value(), want);
  }
}

TEST(SortFiles, TakesALastLineWithoutLineEnd) {
  io::MemoryFiles files;
  put(files, "a.cdxj", line("b", "2026"));
  put(files, "b.cdxj", line("c", "2026") + "\n" + line("a", "2026"));
  put(files, "empty.cdxj", "");
  const auto sorted = sort_files(files, {"a.cdxj", "b.cdxj", "empty.cdxj"}, "i.cdxj");
  ASSERT_TRUE(sorted) << sorted.error().message;
  EXPECT_EQ(*sorted, 3u);
  EXPECT_EQ(files.read_all("i.cdxj").value(),
            line("a", "2026") + "\n" + line("b", "2026") + "\n" + line("c", "2026") + "\n");
}

TEST(SortJournal, FailureLeavesTheFormerIndex) {
  io::MemoryFiles files;
  put(files, "i/x.cdxj", "old\n");
  put(files, "journal", line("a", "2026") + "\n");
  files.inject_failure(io::MemoryFiles::Operation::sync, 1, "x.cdxj");
  EXPECT_FALSE(sort_files(files, {"journal"}, "i/x.cdxj"));
  EXPECT_EQ(files.read_all("i/x.cdxj").value(), "old\n");
}

class Index : public ::testing::Test {
 protected:
  std::vector<std::string> all(CaptureIndex& index) {
    std::vector<std::string> found;
    EXPECT_TRUE(index.scan("", "\xFF", [&](std::string_view text, Capture&) {
      found.emplace_back(text);
      return true;
    }));
    return found;
  }
  io::MemoryFiles files;
  ManualClock clock;
};

TEST_F(Index, MergesFilesAndJournalsOnce) {
  const std::string a = line("com,a)/", "20260101000000"), b = line("com,b)/", "20260101000000"),
                    c = line("com,c)/", "20260101000000");
  put(files, "c/indexes/1.cdxj", a + '\n' + c + '\n');
  put(files, "c/indexes/1.cdxj.meta", R"({"key_policy":"ia-surt/1"})");
  put(files, "c/indexes/2.cdx",
      " CDX N b a m s k r M S V g\ncom,b)/ 20260101000000 http://b/ - - - - - - 0 b.warc.gz\n");
  put(files, "c/indexes/other.txt", "zzz\n");
  put(files, "c/indexes/foreign.cdxj", b + "\n");
  put(files, "c/indexes/foreign.cdxj.meta", R"({"key_policy":"ssurt/1: y"})");
  put(files, "c/crawls/x-2026/state/cdx-journal", c + '\n' + line("com,aa)/", "2026") + "\ncom,d)/ 2026010");
  CaptureIndex index(files, clock, "c");
  const auto found = all(index);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_TRUE(found[0].starts_with("com,a)/"));
  EXPECT_TRUE(found[1].starts_with("com,aa)/"));
  EXPECT_TRUE(found[2].starts_with("com,b)/"));
  EXPECT_TRUE(found[3].starts_with("com,c)/"));
}

TEST_F(Index, NoticesChangesAfterASecond) {
  put(files, "c/indexes/1.cdxj", line("a", "2026") + '\n');
  const std::string journal = "c/crawls/l/state/cdx-journal";
  put(files, journal, "");
  CaptureIndex index(files, clock, "c");
  EXPECT_EQ(all(index).size(), 1u);
  put(files, "c/indexes/2.cdxj", line("b", "2026") + '\n');
  put(files, journal, line("c", "2026") + "\nd 20");
  EXPECT_EQ(all(index).size(), 1u);
  clock.advance(std::chrono::seconds(1));
  EXPECT_EQ(all(index).size(), 3u);
  // A recovery cut the journal, another line took the place.
  put(files, journal, "");
  clock.advance(std::chrono::seconds(1));
  EXPECT_EQ(all(index).size(), 2u);
  ASSERT_TRUE(files.remove("c/indexes/1.cdxj"));
  clock.advance(std::chrono::seconds(1));
  EXPECT_EQ(all(index).size(), 1u);
  EXPECT_EQ(index.size()->captures, 1u);
}

// After a failed sync the journal goes on in another file; both are followed, and cut by a recovery.
TEST_F(Index, FollowsAllFilesOfAJournal) {
  const std::string journal = "c/crawls/l/state/cdx-journal";
  put(files, journal, line("a", "2026") + "\nb 20");
  CaptureIndex index(files, clock, "c");
  EXPECT_EQ(all(index).size(), 1u);
  put(files, journal, line("a", "2026") + '\n');
  put(files, journal + ".2", line("b", "2026") + '\n');
  put(files, journal + ".10", line("c", "2026") + '\n');
  put(files, journal + ".x", line("d", "2026") + '\n');
  clock.advance(std::chrono::seconds(1));
  EXPECT_EQ(all(index).size(), 3u);
  put(files, journal + ".10", line("c", "2026") + '\n' + line("e", "2026") + '\n');
  clock.advance(std::chrono::seconds(1));
  EXPECT_EQ(all(index).size(), 4u);
  put(files, journal + ".10", "");
  clock.advance(std::chrono::seconds(1));
  EXPECT_EQ(all(index).size(), 2u);
  ASSERT_TRUE(files.remove(journal));  // the first held nothing that was committed
  clock.advance(std::chrono::seconds(1));
  EXPECT_EQ(all(index).size(), 1u);
}

TEST_F(Index, HoldsOfAJournalOnlyWhatIsInNoIndex) {
  const std::string journal = "c/crawls/l/state/cdx-journal", made = "c/indexes/l.cdxj";
  const std::string a = line("a", "2026") + '\n', b = line("b", "2026") + '\n', c = line("c", "2026") + '\n';
  put(files, journal, a);
  put(files, journal + ".2", b);
  JournalReader reader(files, journal);
  ASSERT_TRUE(reader.refresh());
  EXPECT_EQ(reader.lines()->size(), 2u);
  put(files, made, a + b);
  ASSERT_TRUE(write_index_meta(files, made, url::KeyPolicy::ia_surt(), {journal, journal + ".2"}));
  EXPECT_NE(files.read_all(made + ".meta")
                ->find("\"journal\":\"" + std::to_string(a.size()) + ' ' + std::to_string(b.size()) + "\""),
            std::string::npos);
  ASSERT_TRUE(reader.refresh({a.size(), b.size()}));
  EXPECT_EQ(reader.lines()->size(), 0u);
  put(files, journal + ".2", b + c);  // resumed
  ASSERT_TRUE(reader.refresh({a.size(), b.size()}));
  EXPECT_EQ(reader.lines()->size(), 1u);
  put(files, journal + ".2", "");  // not the journal that was indexed
  ASSERT_TRUE(reader.refresh({a.size(), b.size()}));
  EXPECT_EQ(reader.lines()->size(), 1u);

  put(files, journal + ".2", b + c);
  CaptureIndex index(files, clock, "c");
  EXPECT_EQ(all(index).size(), 3u);
  EXPECT_EQ(index.size()->captures, 3u) << "none is counted twice";
  ASSERT_TRUE(files.remove(made));
  clock.advance(std::chrono::seconds(1));
  EXPECT_EQ(all(index).size(), 3u);
}

TEST_F(Index, ClosestLooksBothWays) {
  std::string one, two;
  for (int year = 2000; year < 2020; ++year) {
    (year % 2 == 0 ? one : two) += line("com,a)/", std::to_string(year) + "0101000000") + '\n';
    two += year == 2000 ? line("com,a)/", "20000101000000") + '\n' : "";
  }
  put(files, "c/indexes/1.cdxj", line("com,a", "2010") + '\n' + one);
  put(files, "c/indexes/2.cdxj", two + line("com,a)/b", "2010") + '\n');
  CaptureIndex index(files, clock, "c");
  const auto found = index.captures_of("http://a.com/")->closest("20100301000000", 4);
  ASSERT_TRUE(found);
  std::vector<std::string> years;
  for (const Capture& capture : *found) years.push_back(capture.timestamp.substr(0, 4));
  EXPECT_EQ(years, (std::vector<std::string>{"2010", "2011", "2009", "2012"}));
  EXPECT_EQ(index.captures_of("http://a.com/")->closest("1990", 100)->size(), 20u);
  EXPECT_EQ(index.captures_of("http://a.com/")->closest("20991231235959", 1)->front().timestamp, "20190101000000");
  EXPECT_TRUE(index.captures_of("http://zz.com/")->closest("2010", 5)->empty());

  const auto around = index.captures_of("http://a.com/")->neighbours("20100101000000");
  ASSERT_TRUE(around);
  EXPECT_EQ(around->first->timestamp, "20000101000000");
  EXPECT_EQ(around->previous->timestamp, "20090101000000");
  EXPECT_EQ(around->next->timestamp, "20110101000000");
  EXPECT_EQ(around->last->timestamp, "20190101000000");
  EXPECT_FALSE(index.captures_of("http://a.com/")->neighbours("20000101000000")->previous);
  EXPECT_FALSE(index.captures_of("http://a.com/")->neighbours("20190101000000")->next);
}

}  // namespace
}  // namespace caddis::cdx
