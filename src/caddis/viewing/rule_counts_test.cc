// Counts of rules, over changes of their file.
#include "caddis/viewing/rule_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/io/memory_files.h"
#include "caddis/viewing/rule_file.h"
#include "caddis/viewing/rule_json.h"
#include "caddis/viewing/rule_store.h"
#include "caddis/viewing/viewer_rules.h"

namespace caddis::viewing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RuleCountsTest : public ::testing::Test {
 protected:
  void write(std::string_view text) {
    ASSERT_TRUE(files.write_atomically("access.yaml", text));
    const auto read = store.refresh();
    ASSERT_TRUE(read) << read.error().message;
  }
  void ask(std::string_view url) {
    const ViewerRules rules({store.rules()}, {}, clock.wall(), std::make_shared<DecisionCounts>());
    (void)rules.ask()->shows(url, "20200101000000");
  }
  std::vector<uint64_t> counts() {
    std::vector<uint64_t> counts;
    for (const auto& count : store.rules()->list().counts) counts.push_back(*count);
    return counts;
  }

  io::MemoryFiles files;
  ManualClock clock;
  RuleStore store{files, clock, "access.yaml"};
};

TEST_F(RuleCountsTest, ARuleKeepsItsCountWhenOthersCome) {
  write("rules:\n  - {id: a, verdict: block, host: a.org}\n  - {verdict: block, host: b.org}\n");
  ask("http://a.org/");
  ask("http://a.org/x");
  ask("http://b.org/");
  ask("http://c.org/");
  EXPECT_THAT(counts(), ElementsAre(2, 1));
  ASSERT_TRUE(store.change({"ann", "", "api", "x"}, [](const std::string& text) {
    return with_rules(text, "access.yaml", {*parse_rule("{id: c, verdict: block, host: c.net}", "a test")});
  }));
  EXPECT_THAT(counts(), ElementsAre(2, 1, 0));
  // By hand: the one without an id stands in another line, and the one with an id says something else.
  write(
      "# ours\nrules:\n  - {verdict: exclude, host: d.org}\n  - {verdict: block, host: b.org}\n"
      "  - {id: a, verdict: exclude, host: a.org}\n");
  EXPECT_THAT(counts(), ElementsAre(0, 1, 2));
  ask("http://b.org/");
  EXPECT_THAT(counts(), ElementsAre(0, 2, 2));
  EXPECT_THAT(rules_json(store.rules()->list()), HasSubstr(R"("decided":{"line-3":0,"line-4":2,"a":2})"));
}

TEST_F(RuleCountsTest, ARuleThatComesBackGoesOn) {
  write("rules:\n  - {id: a, verdict: block, host: a.org}\n  - {id: b, verdict: block, host: b.org}\n");
  ask("http://a.org/");
  write("rules: []\n");
  write("rules:\n  - {id: a, verdict: exclude, host: a.org}\n");
  EXPECT_THAT(counts(), ElementsAre(1));
}

TEST_F(RuleCountsTest, AnotherIdOfTheSameRuleAndTwoThatSayTheSame) {
  write("rules:\n  - {id: a, verdict: block, host: a.org}\n");
  ask("http://a.org/");
  write("rules:\n  - {id: new, verdict: block, host: a.org}\n  - {verdict: block, host: a.org}\n");
  EXPECT_THAT(counts(), ElementsAre(1, 0));
  ask("http://a.org/");
  EXPECT_THAT(counts(), ElementsAre(1, 1)) << "the one that stands last decides";
}

}  // namespace
}  // namespace caddis::viewing
