#include "caddis/harvest/totals.h"

#include <gmock/gmock.h>

#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using ::testing::HasSubstr;

class Totals : public ArchiveTest {
 protected:
  void SetUp() override {
    ArchiveTest::SetUp();
    if (IsSkipped()) return;
    Definition one;
    one.name = "news";
    one.kind = "selective";
    one.schedule = "daily";
    define(one);
    done([&](Connection& c) -> Result<void> {
      TRY_VOID(add_configurations(c, "news", {{"a.example", ""}, {"b.example", ""}}, {}, edit()));
      return {};
    });
    activate_now("news");
  }
  std::vector<RunTotals> runs(std::optional<int64_t> before = {}) {
    return got([&](Connection& c) { return runs_of(c, "news", before, 100); });
  }
  std::vector<ReasonTotals> reasons(std::optional<int64_t> run) {
    return got([&](Connection& c) { return reasons_of(c, "news", run); });
  }
};
CADDIS_ON_BOTH_DATABASES(Totals);

TEST_P(Totals, AreThoseOfRunsAndOfReasons) {
  EXPECT_TRUE(runs().empty());
  ASSERT_TRUE(generate("news").value());
  const int64_t made = now();
  ASSERT_EQ(runs().size(), 1u);
  EXPECT_EQ(runs()[0].open, 1);
  EXPECT_EQ(runs()[0].started, std::nullopt);
  clock.advance(std::chrono::seconds(5));
  run_next({{"a.example", 3, 300, StopReason::completed}, {"b.example", 20, 9000, StopReason::size_limit}});
  clock.advance(std::chrono::hours(24));
  ASSERT_TRUE(generate("news").value());
  run_next({{"a.example", 4, 400, StopReason::completed}, {"b.example", 1, 100, StopReason::completed}}, false);
  ASSERT_EQ(runs().size(), 2u);
  const RunTotals first = runs()[1], second = runs()[0];
  EXPECT_EQ(first.run, 0);
  EXPECT_EQ(first.jobs, 1);
  EXPECT_EQ(first.open, 0);
  EXPECT_EQ(first.objects, 23);
  EXPECT_EQ(first.bytes, 9300);
  EXPECT_EQ(first.created, made);
  EXPECT_EQ(first.started, made + 5);
  EXPECT_EQ(first.ended, made + 5);
  EXPECT_EQ(second.failed, 1);
  EXPECT_EQ(runs(1).size(), 1u);
  const auto all = reasons({});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].reason, StopReason::completed);
  EXPECT_EQ(all[0].results, 3);
  EXPECT_EQ(all[0].objects, 8);
  EXPECT_EQ(all[0].bytes, 800);
  EXPECT_EQ(reasons(1).size(), 1u);
  EXPECT_THAT(why([&](Connection& c) { return runs_of(c, "none", {}, 1); }), HasSubstr("there is no harvest 'none'"));
}

}  // namespace
}  // namespace caddis::harvest
