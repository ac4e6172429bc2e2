#include "caddis/cdx/query_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>

#include "caddis/base/random.h"
#include "caddis/io/memory_files.h"

namespace caddis::cdx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string line(std::string_view key, std::string_view timestamp, std::string_view status, std::string_view digest) {
  return std::string(key) + ' ' + std::string(timestamp) + " {\"url\": \"http://x/\", \"mime\": \"" +
         (status.empty() ? "warc/revisit" : "text/html") + "\", \"status\": \"" + std::string(status) +
         "\", \"digest\": \"" + std::string(digest) + "\", \"offset\": \"1\", \"filename\": \"" +
         std::string(timestamp) + "\"}";
}

// The second so many seconds after the year 2000 began; within its first day.
std::string second(int number) {
  char text[32];
  std::snprintf(text, sizeof text, "20000101%02d%02d%02d", number / 3600, number / 60 % 60, number % 60);
  return text;
}

struct Indexed {
  explicit Indexed(const std::vector<std::set<std::string>>& sources) {
    EXPECT_TRUE(files.make_dirs("c/indexes"));
    for (size_t i = 0; i < sources.size(); ++i) {
      std::string text;
      for (const std::string& one : sources[i]) text += one + '\n';
      EXPECT_TRUE(files.write_atomically("c/indexes/" + std::to_string(i) + ".cdxj", text));
    }
  }
  io::MemoryFiles files;
  ManualClock clock;
  CaptureIndex index{files, clock, "c"};
};

// All of a result, read in slices of `slice` bytes; `slices` counts them.
Result<std::vector<std::string>> run(CaptureIndex& index, const Query& query, uint64_t held, uint64_t slice,
                                     size_t& slices) {
  TRY(auto started, QueryRun::start(index, query, held));
  std::vector<std::string> got;
  for (slices = 1;; ++slices) {
    uint64_t budget = slice;
    Capture capture;
    for (;;) {
      TRY(const auto found, started.next(capture, budget));
      if (found == QueryRun::Found::end) return got;
      if (found == QueryRun::Found::nothing_yet) break;
      got.push_back(capture.urlkey + ' ' + capture.timestamp + ' ' + capture.status);
    }
  }
}

// What a query means, in the plainest words: all lines are there, and are gone through one after another.
std::vector<std::string> meant(CaptureIndex& index, const Query& query) {
  const KeyRange range = *key_range(query.url, query.match);
  std::vector<Capture> kept;
  std::map<std::string, std::string> originals;
  EXPECT_TRUE(index.scan(range.from, range.to, [&](std::string_view text, Capture& capture) {
    if (query.resolve_revisits) {
      if (!capture.is_revisit())
        originals.try_emplace(capture.digest, capture.status);
      else if (originals.contains(capture.digest))
        capture.status = originals[capture.digest];
    }
    for (const Filter& filter : query.filters)
      if (!filter.accepts(text, capture)) return true;
    if (capture.timestamp.substr(0, query.from.size()) < query.from) return true;
    if (!query.to.empty() && capture.timestamp.substr(0, query.to.size()) > query.to) return true;
    const auto same = [&](const Collapse& by) {
      return field(kept.back(), by.field).substr(0, by.length) == field(capture, by.field).substr(0, by.length);
    };
    if (!query.collapse.empty() && !kept.empty() && std::ranges::all_of(query.collapse, same)) return true;
    kept.push_back(capture);
    return true;
  }));
  std::vector<std::pair<long long, size_t>> order;
  for (size_t i = 0; i < kept.size(); ++i)
    order.emplace_back(query.closest.empty() ? 0 : timestamp_distance(kept[i].timestamp, query.closest), i);
  if (!query.closest.empty())
    std::ranges::sort(order);
  else if (query.reverse)
    std::ranges::reverse(order);
  std::vector<std::string> got;
  for (size_t i = query.skip; i < order.size() && got.size() < query.limit; ++i) {
    const Capture& one = kept[order[i].second];
    got.push_back(one.urlkey + ' ' + one.timestamp + ' ' + one.status);
  }
  return got;
}

Query random_query(Random& random) {
  static const char* const urls[] = {"http://a.com/", "http://a.com/x", "http://b.com/", "http://none.com/"};
  Query query;
  query.url = urls[random.below(4)];
  query.match = static_cast<MatchType>(random.below(4));
  const auto year = [&] { return std::to_string(2000 + random.below(30)); };
  if (random.below(3) == 0) query.from = year();
  if (random.below(3) == 0) query.to = year() + "06";
  if (random.below(3) == 0) query.closest = year() + "0101";
  query.reverse = random.below(3) == 0;
  query.resolve_revisits = random.below(3) == 0;
  if (random.below(2) == 0) query.limit = random.below(12);
  if (random.below(4) == 0) query.skip = random.below(5);
  if (random.below(3) == 0) query.filters.push_back(*Filter::parse("=status:200"));
  if (random.below(4) == 0) query.collapse.push_back({"urlkey", SIZE_MAX});
  if (random.below(4) == 0) query.collapse.push_back({"timestamp", 5});
  return query;
}

TEST(QueryRun, GivesWhatIsMeantInSlicesOfAnySize) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SeededRandom random(seed);
    std::vector<std::set<std::string>> sources(1 + random.below(4));
    std::set<std::string> times;
    for (int i = 0; i < 150; ++i) {
      static const char* const keys[] = {"com,a)/", "com,a)/x", "com,a)/x/y", "com,a,sub)/", "com,b)/", "com,c)/"};
      const std::string time = std::to_string(2000 + random.below(30)) + "0" + std::to_string(1 + random.below(9)) +
                               "1" + std::to_string(random.below(10)) + "0000" + std::to_string(10 + random.below(50));
      if (!times.insert(time).second) continue;
      static const char* const statuses[] = {"200", "404", ""};
      const std::string made = line(keys[random.below(6)], time, statuses[random.below(3)],
                                    std::string(1, static_cast<char>('A' + random.below(4))));
      for (size_t copies = 1 + random.below(2); copies > 0; --copies)
        sources[random.below(sources.size())].insert(made);
    }
    Indexed indexed(sources);
    for (int i = 0; i < 60; ++i) {
      const Query query = random_query(random);
      size_t slices = 0;
      const auto got = run(indexed.index, query, UINT64_MAX, 1 + random.below(3000), slices);
      ASSERT_TRUE(got) << got.error().message;
      ASSERT_EQ(*got, meant(indexed.index, query)) << "seed " << seed << ", query " << i;
    }
  }
}

class LargeIndex : public ::testing::Test {
 protected:
  LargeIndex() {
    std::set<std::string> lines;
    for (int i = 0; i < 50'000; ++i) lines.insert(line("com,a)/", second(i), "200", "A"));
    lines.insert(line("com,a)/z", "2020", "200", "A"));
    indexed_.emplace(std::vector<std::set<std::string>>{lines});
  }
  size_t slices_of(const std::string& text) {
    size_t slices = 0;
    const auto got = run(indexed_->index, *parse_query(text), kServedHeld, 64 * 1024, slices);
    EXPECT_TRUE(got) << got.error().message;
    if (got) got_ = *got;
    return slices;
  }
  std::optional<Indexed> indexed_;
  std::vector<std::string> got_;
};

TEST_F(LargeIndex, LooksOnlyWhereTheAnswerLies) {
  EXPECT_EQ(slices_of("url=a.com&closest=20000101030000&limit=2"), 1u);
  EXPECT_THAT(got_, ElementsAre("com,a)/ 20000101030000 200", "com,a)/ 20000101025959 200"));
  EXPECT_EQ(slices_of("url=a.com&sort=reverse&limit=1"), 1u);
  EXPECT_THAT(got_, ElementsAre("com,a)/ 20000101135319 200"));
  EXPECT_EQ(slices_of("url=a.com&from=20000101040000&limit=1"), 1u);
  EXPECT_THAT(got_, ElementsAre("com,a)/ 20000101040000 200"));
  EXPECT_EQ(slices_of("url=a.com/*&collapse=urlkey"), 1u);
  EXPECT_THAT(got_, ElementsAre("com,a)/ 20000101000000 200", "com,a)/z 2020 200"));
  EXPECT_EQ(slices_of("url=a.com/*&from=2019"), 1u);
  EXPECT_THAT(got_, ElementsAre("com,a)/z 2020 200"));
  EXPECT_EQ(slices_of("url=a.com&to=2001&from=2002"), 1u);
  EXPECT_THAT(got_, ElementsAre());
}

TEST_F(LargeIndex, WhatMatchesNothingIsLeftToTurnsAllTheSame) {
  EXPECT_GT(slices_of("url=a.com&filter=status:404"), 50u);
  EXPECT_GT(slices_of("url=a.com&filter=status:404&closest=20000101030000&limit=1"), 50u);
  EXPECT_GT(slices_of("url=a.com&filter=status:404&sort=reverse&limit=1"), 50u);
}

TEST_F(LargeIndex, HoldsNoMoreThanItMay) {
  EXPECT_GT(slices_of("url=a.com/*&closest=2001"), 50u);
  EXPECT_EQ(got_.size(), kServedHeld);
  const auto refused =
      QueryRun::start(indexed_->index, *parse_query("url=a.com/*&closest=2001&limit=50000"), kServedHeld);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::limit);
  EXPECT_THAT(refused.error().message, HasSubstr("limit=2000"));
}

// Each file that cannot be used is left out and told, once, and the others are still served.
TEST(CaptureIndexProblems, TellOfFilesThatAreLeftOut) {
  io::MemoryFiles files;
  ManualClock clock;
  ASSERT_TRUE(files.make_dirs("c/indexes"));
  const std::string a = line("com,a)/", "2001", "200", "A"), b = line("com,b)/", "2001", "200", "A");
  ASSERT_TRUE(files.write_atomically("c/indexes/good.cdxj", a + '\n' + b + '\n'));
  ASSERT_TRUE(files.write_atomically("c/indexes/unsorted.cdxj", b + '\n' + a + '\n'));
  ASSERT_TRUE(files.write_atomically("c/indexes/unreadable.cdxj", a + '\n'));
  files.set_gate([](io::MemoryFiles::Operation operation, const std::string& path) -> Result<void> {
    if (operation == io::MemoryFiles::Operation::open && path.ends_with("unreadable.cdxj"))
      return fail(ErrorCode::not_found, path + ": it leads nowhere");
    return {};
  });
  CaptureIndex index(files, clock, "c");
  size_t slices = 0;
  const auto got = run(index, *parse_query("url=*.com"), kServedHeld, 1 << 20, slices);
  ASSERT_TRUE(got) << got.error().message;
  const auto told = index.problems();
  ASSERT_EQ(told.size(), 2u);
  EXPECT_THAT(told[0], HasSubstr("unreadable.cdxj: it leads nowhere"));
  EXPECT_THAT(told[1], HasSubstr("unsorted.cdxj is not sorted (at byte "));
  EXPECT_THAT(told[1], HasSubstr("LC_ALL=C sort"));
  EXPECT_THAT(told[1], ::testing::Not(HasSubstr("c/indexes")));
  EXPECT_TRUE(run(index, *parse_query("url=b.com"), kServedHeld, 1 << 20, slices)->size() == 1);
  files.set_gate({});
  clock.advance(std::chrono::seconds(2));
  EXPECT_TRUE(index.has_sources());
  EXPECT_EQ(index.problems().size(), 1u) << "it was looked for again";
}

// One line out of place, deep in a large file, is found when the search comes by.
TEST(CaptureIndexProblems, DisorderIsNoticedWhileItIsRead) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += line("com,a)/", second(i), "200", "A") + '\n';
  text.insert(text.find("com,a)/ " + second(15'001)), line("com,a)/", "1999", "200", "A") + '\n');
  io::MemoryFiles files;
  ManualClock clock;
  ASSERT_TRUE(files.make_dirs("c/indexes"));
  ASSERT_TRUE(files.write_atomically("c/indexes/x.cdxj", text));
  CaptureIndex index(files, clock, "c");
  size_t slices = 0;
  ASSERT_TRUE(run(index, *parse_query("url=a.com"), kServedHeld, 1 << 20, slices));
  clock.advance(std::chrono::seconds(2));
  EXPECT_FALSE(index.has_sources());
  ASSERT_EQ(index.problems().size(), 1u);
  EXPECT_THAT(index.problems().front(), HasSubstr("x.cdxj is not sorted"));
}

}  // namespace
}  // namespace caddis::cdx
