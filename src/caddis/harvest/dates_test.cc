#include "caddis/harvest/dates.h"

#include <gmock/gmock.h>

#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using ::testing::HasSubstr;

constexpr int64_t kDay = 86'400;

class Dates : public ArchiveTest {
 protected:
  // An active harvest that has run once, just now.
  void run_once(const std::string& schedule) {
    define_news(schedule);
    activate_now("news");
    ASSERT_TRUE(generate("news").value());
  }
  void define_news(const std::string& schedule) {
    Definition one;
    one.name = "news";
    one.kind = "selective";
    one.schedule = schedule;
    define(one);
    done([&](Connection& c) -> Result<void> {
      TRY_VOID(add_configurations(c, "news", {{"a.example", ""}}, {}, edit()));
      return {};
    });
  }
  void deactivate_now() {
    done([&](Connection& c) { return deactivate(c, "news", "", edit()); });
  }
  void ask() {
    done([&](Connection& c) { return ask_for_run(c, "news", edit()); });
  }
  void change_schedule(const std::string& name, const std::function<void(Schedule&)>& change) {
    done([&](Connection& c) -> Result<void> {
      TRY(NamedSchedule one, find_schedule(c, name));
      change(one.schedule);
      return save_schedule(c, one, edit());
    });
  }
  void save_with(const std::string& schedule) {
    Definition one = definition("news");
    one.schedule = schedule;
    define(one);
  }
};
CADDIS_ON_BOTH_DATABASES(Dates);

TEST_P(Dates, DateThatLiesAheadStaysWhenAHarvestIsActivatedAgain) {
  run_once("weekly");
  const int64_t next = now() + 7 * kDay;
  EXPECT_EQ(definition("news").next_run, next);
  deactivate_now();
  clock.advance(std::chrono::seconds(4));
  activate_now("news");
  EXPECT_EQ(definition("news").next_run, next);
  EXPECT_FALSE(generate("news").value());
  EXPECT_EQ(definition("news").runs, 1);
  // One that has passed meanwhile is made up for.
  deactivate_now();
  clock.advance(std::chrono::hours(24 * 8));
  activate_now("news");
  EXPECT_TRUE(generate("news").value());
}

TEST_P(Dates, RunThatIsAskedForLeavesTheDatesAsTheyAre) {
  run_once("weekly");
  const int64_t next = *definition("news").next_run;
  clock.advance(std::chrono::hours(24));
  ask();
  EXPECT_EQ(Generator(database(), clock, {}).due().value().size(), 1u);
  EXPECT_TRUE(generate("news").value());
  EXPECT_EQ(definition("news").next_run, next);
  EXPECT_EQ(definition("news").runs, 2);
  EXPECT_EQ(definition("news").missed, 0);
  EXPECT_FALSE(generate("news").value());  // once
  deactivate_now();
  EXPECT_THAT(why([&](Connection& c) { return ask_for_run(c, "news", edit()); }), HasSubstr("activate it first"));
}

TEST_P(Dates, RunThatIsAskedForIsNoneOfSoMany) {
  change_schedule("weekly", [](Schedule& one) { one.times = 2; });
  run_once("weekly");
  const int64_t second = now() + 7 * kDay;
  ask();
  EXPECT_TRUE(generate("news").value());
  EXPECT_EQ(definition("news").runs, 2);
  EXPECT_TRUE(definition("news").is_active);
  EXPECT_EQ(definition("news").next_run, second);
  // Nor when it is activated again, or when its schedule is changed.
  deactivate_now();
  activate_now("news");
  EXPECT_EQ(definition("news").next_run, second);
  change_schedule("weekly", [](Schedule& one) { one.frequency.minute = 0, one.frequency.hour = 9; });
  EXPECT_TRUE(definition("news").is_active);
  clock.advance(std::chrono::hours(24 * 8));
  EXPECT_TRUE(generate("news").value());
  EXPECT_FALSE(definition("news").is_active);
}

TEST_P(Dates, RunThatIsAskedForBeforeTheOnlyDateLeavesIt) {
  const int64_t tomorrow = now() + kDay;
  change_schedule("weekly", [&](Schedule& one) {
    one.times = 1;
    one.starts = Moment(std::chrono::seconds(tomorrow));
  });
  define_news("weekly");
  activate_now("news");
  EXPECT_EQ(definition("news").next_run, tomorrow);
  ask();
  EXPECT_TRUE(generate("news").value());
  EXPECT_EQ(definition("news").next_run, tomorrow);
  EXPECT_TRUE(definition("news").is_active);
  clock.advance(std::chrono::hours(24));
  EXPECT_TRUE(generate("news").value());
  EXPECT_FALSE(definition("news").is_active);
  EXPECT_EQ(jobs("news").size(), 2u);
}

TEST_P(Dates, AnotherScheduleGivesAHarvestAnotherDate) {
  run_once("monthly");
  const int64_t ran = now();
  clock.advance(std::chrono::hours(48));
  save_with("daily");
  EXPECT_EQ(definition("news").next_run, now());  // a day after the last run, which has passed
  save_with("weekly");
  EXPECT_EQ(definition("news").next_run, ran + 7 * kDay);
  // With the same schedule it keeps its date.
  clock.advance(std::chrono::hours(24 * 6));
  Definition one = definition("news");
  one.comments = "changed";
  define(one);
  EXPECT_EQ(definition("news").next_run, ran + 7 * kDay);
}

TEST_P(Dates, ScheduleThatIsChangedMovesTheDatesOfItsHarvests) {
  run_once("weekly");
  const int64_t ran = now();
  clock.advance(std::chrono::seconds(10));
  change_schedule("daily", [](Schedule& one) { one.frequency.every = 2; });
  EXPECT_EQ(definition("news").next_run, ran + 7 * kDay);  // it has another
  change_schedule("weekly", [](Schedule& one) { one.frequency = {.unit = Unit::minute, .every = 5}; });
  EXPECT_EQ(definition("news").next_run, ran + 300);
  change_schedule("weekly", [](Schedule& one) { one.frequency = {.unit = Unit::day, .minute = 0, .hour = 9}; });
  EXPECT_EQ((*definition("news").next_run) % kDay, 9 * 3600);
  EXPECT_LE(*definition("news").next_run, now() + kDay);
  deactivate_now();
  change_schedule("weekly", [](Schedule& one) { one.frequency = {.unit = Unit::week}; });
  activate_now("news");
  EXPECT_EQ(definition("news").next_run, ran + 7 * kDay);
}

TEST_P(Dates, HarvestWhoseScheduleHasNoDateAnyMoreIsDeactivated) {
  run_once("weekly");
  change_schedule("weekly", [](Schedule& one) { one.times = 1; });
  EXPECT_FALSE(definition("news").is_active);
  EXPECT_EQ(definition("news").next_run, std::nullopt);
  EXPECT_THAT(definition("news").problem, HasSubstr("no date"));
}

}  // namespace
}  // namespace caddis::harvest
