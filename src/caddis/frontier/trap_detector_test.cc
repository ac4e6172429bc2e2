#include "caddis/frontier/trap_detector.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

TEST(PathPattern, NumbersIdsAndValuesAreAlike) {
  const std::pair<const char*, const char*> cases[] = {
      {"http://example.org/blog/2024/05?year=1&month=2", "example.org/blog/#/#?month&year"},
      {"https://example.org/", "example.org/"},
      {"https://example.org", "example.org"},
      {"https://e:8080/a?x", "e:8080/a?x"},
      {"http://e/page-12-of-300.html#top", "e/page-#-of-#.html"},
      {"http://e/s/0123456789abcdef0123/x", "e/s/*/x"},
      {"http://e/a-long-title-without-any-number", "e/a-long-title-without-any-number"},
      {"http://e/?b=1&a=2&b=3&c7=1", "e/?a&b&c#"},
      {"http://e/?", "e/?"},
  };
  for (const auto& [url, pattern] : cases) EXPECT_EQ(path_pattern(url), pattern) << url;
}

// Words that no other page has.
text::Sketch page_of_its_own(int number) {
  std::string words;
  for (int i = 0; i < 30; ++i) {
    std::string word = "own";
    for (int rest = number * 30 + i; rest > 0; rest /= 26) word += static_cast<char>('a' + rest % 26);
    words += word + " ";
  }
  return text::sketch_of(words);
}

// Visits so many pages of a pattern; `page` gives what each says. The changes of state, with the visit of each.
std::string visit(TrapDetector& traps, int from, int to, const std::function<text::Sketch(int)>& page) {
  std::string changes;
  for (int i = from; i < to; ++i) {
    const std::string url = fmt::format("http://e/calendar?day={}", i);
    if (!traps.wants_page(url)) continue;
    if (const auto state = traps.observe(url, page(i))) changes += fmt::format("{}@{} ", static_cast<int>(*state), i);
  }
  return changes;
}

TEST(TrapDetector, PagesThatSayTheSameMakeAPatternStaleAndThenDry) {
  TrapDetector traps;
  const auto same = [](int) { return text::sketch_of("nothing happens on this day"); };
  EXPECT_EQ(visit(traps, 0, 300, same), "1@88 2@208 ");
  EXPECT_EQ(traps.state_of("http://e/calendar?day=9999"), TrapDetector::State::trap);
  EXPECT_EQ(traps.state_of("http://e/other?day=9999"), TrapDetector::State::novel);
  EXPECT_EQ(visit(traps, 300, 305, page_of_its_own), "0@300 ");
  EXPECT_TRUE(traps.all_novel());
}

TEST(TrapDetector, APatternOfRealPagesStaysFresh) {
  TrapDetector traps;
  EXPECT_EQ(visit(traps, 0, 2000, page_of_its_own), "");
  EXPECT_TRUE(traps.all_novel());
}

TEST(TrapDetector, PatternsBeyondTheMostAreForgottenFreshOnesFirst) {
  TrapDetector traps;
  visit(traps, 0, 100, [](int) { return text::sketch_of("nothing happens on this day"); });
  ASSERT_FALSE(traps.all_novel());
  for (int pattern = 0; pattern < 5000; ++pattern) {
    std::string name;
    for (int rest = pattern; rest > 0; rest /= 26) name += static_cast<char>('a' + rest % 26);
    for (int i = 0; i < 50; ++i) traps.wants_page(fmt::format("http://e/{}/{}", name, i));
  }
  EXPECT_EQ(traps.state_of("http://e/calendar?day=1"), TrapDetector::State::repeating);
}

class PathYieldTest : public FrontierTest {
 protected:
  // A calendar in which each day links to the next; ends when nothing is left or after so many visits.
  uint64_t crawl_calendar(StalePatterns choice, uint64_t most) {
    options_.order.stale_patterns = choice;
    options_.politeness.delay = Duration(0);
    options_.resolve_names = options_.obey_robots = false;
    reopen();
    add({scheduled("http://e/day?d=0", "L")});
    uint64_t visits = 0;
    while (visits < most) {
      const auto lease = next_whenever();
      if (!lease) break;
      ++visits;
      Disposition done;
      done.lease = *lease;
      done.status = 200;
      if (lease->wants_sketch) done.sketch = text::sketch_of("nothing happens on this day");
      frontier_->finish(done);
      add({scheduled(fmt::format("http://e/day?d={}", visits), "L")});
    }
    return visits;
  }
};

TEST_F(PathYieldTest, ATrapEndsWhereItIsStopped) {
  EXPECT_EQ(crawl_calendar(StalePatterns::stop, 1000), 209u);
  EXPECT_EQ(frontier_->stats().over_patterns, 1u);
  ASSERT_EQ(frontier_->admin().take_notices().size(), 2u);
}

TEST_F(PathYieldTest, OtherwiseItComesLast) {
  EXPECT_EQ(crawl_calendar(StalePatterns::last, 120), 120u);
  add({scheduled("http://e/page", "L", "http://e/")});
  EXPECT_EQ(next_whenever()->candidate.url, "http://e/page");
}

}  // namespace
}  // namespace caddis::frontier
