#include "caddis/harvest/dates.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using ::testing::HasSubstr;

constexpr int64_t kDay = 86'400;

// Whoever reads it a second time finds that hours have passed.
class HastyClock final : public Clock {
 public:
  explicit HastyClock(WallTime start) : wall_(start) {}
  WallTime wall() const override { return std::exchange(wall_, wall_ + std::chrono::hours(2)); }
  SteadyTime steady() const override { return {}; }

 private:
  mutable WallTime wall_;
};

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
  void add_domain(const std::string& name) {
    done([&](Connection& c) -> Result<void> {
      TRY_VOID(add_configurations(c, "news", {{name, ""}}, {}, edit()));
      return {};
    });
  }
  auto make_in_pieces() { return generate("news", {.piece = 1}).value(); }
  // Somebody does that to the harvest while its jobs are made: when one is written.
  void meanwhile(const std::string& change) {
    done([&](Connection& c) -> Result<void> {
      const std::string update = "UPDATE definitions SET " + change;
      if (c.dialect() == sql::Dialect::sqlite)
        return c.execute(fmt::format("CREATE TRIGGER meanwhile AFTER INSERT ON jobs BEGIN {}; END", update));
      TRY_VOID(c.execute(fmt::format(
          "CREATE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN {}; RETURN NULL; END'", update)));
      return c.execute("CREATE TRIGGER meanwhile AFTER INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION meanwhile()");
    });
  }
  void undisturbed() {
    done([&](Connection& c) {
      return c.execute(c.dialect() == sql::Dialect::sqlite ? "DROP TRIGGER meanwhile"
                                                           : "DROP TRIGGER meanwhile ON jobs");
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

TEST_P(Dates, HarvestThatIsDeactivatedWhileItsJobsAreMadeStops) {
  define_news("weekly");
  add_domain("b.example");
  activate_now("news");
  const int64_t first = now();
  meanwhile("is_active = 0");
  EXPECT_FALSE(make_in_pieces());
  undisturbed();
  EXPECT_FALSE(definition("news").is_active);
  EXPECT_EQ(definition("news").runs, 0);
  EXPECT_EQ(jobs("news").size(), 1u);
  // It goes on in the place of the same date, and the one that has passed since is counted.
  clock.advance(std::chrono::hours(24 * 8));
  activate_now("news");
  EXPECT_EQ(make_in_pieces()->missed, 1);
  EXPECT_EQ(definition("news").next_run, first + 14 * kDay);
  EXPECT_EQ(definition("news").runs, 1);
  EXPECT_EQ(jobs("news").size(), 2u);
}

TEST_P(Dates, RunThatWasAskedForAndBrokeOffLeavesTheDatesAsTheyAre) {
  run_once("weekly");
  const int64_t next = *definition("news").next_run;
  add_domain("b.example");
  clock.advance(std::chrono::hours(24));
  ask();
  meanwhile("is_active = 0, asked = 0");
  EXPECT_FALSE(make_in_pieces());
  undisturbed();
  clock.advance(std::chrono::hours(1));
  activate_now("news");
  EXPECT_EQ(definition("news").next_run, next);
  EXPECT_TRUE(make_in_pieces());
  EXPECT_EQ(definition("news").next_run, next);
  EXPECT_EQ(definition("news").runs, 2);
  EXPECT_EQ(jobs("news").size(), 3u);
  EXPECT_FALSE(make_in_pieces());
}

TEST_P(Dates, RunThatIsAskedForWhileAnotherIsMadeFollowsIt) {
  define_news("weekly");
  activate_now("news");
  const int64_t next = now() + 7 * kDay;
  meanwhile(fmt::format("asked = {}", now() + 1));
  EXPECT_TRUE(generate("news").value());
  undisturbed();
  EXPECT_EQ(definition("news").next_run, next);
  EXPECT_TRUE(generate("news").value());
  EXPECT_EQ(definition("news").next_run, next);
  EXPECT_EQ(definition("news").runs, 2);
  EXPECT_FALSE(generate("news").value());
}

TEST_P(Dates, RunThatIsAskedForAndTakesUntilTheNextDateLeavesIt) {
  run_once("weekly");
  const int64_t next = *definition("news").next_run;
  clock.advance(std::chrono::hours(24 * 7 - 1));
  ask();
  const HastyClock hasty(clock.wall());
  GeneratorSettings settings;
  settings.waits_for_harvesters = false;
  EXPECT_TRUE(Generator(database(), hasty, settings).generate(definition("news").id).value());
  EXPECT_EQ(definition("news").next_run, next);
  clock.advance(std::chrono::hours(2));
  EXPECT_TRUE(generate("news").value());
  EXPECT_EQ(definition("news").next_run, next + 7 * kDay);
  EXPECT_EQ(definition("news").runs, 3);
}

TEST_P(Dates, RunThatIsAskedForMovesNoDateOfAnotherSchedule) {
  run_once("monthly");
  const int64_t ran = now();
  clock.advance(std::chrono::hours(48));
  ask();
  EXPECT_TRUE(generate("news").value());
  save_with("weekly");
  EXPECT_EQ(definition("news").next_run, ran + 7 * kDay);
  deactivate_now();
  clock.advance(std::chrono::hours(24 * 5 + 1));
  activate_now("news");
  EXPECT_EQ(definition("news").next_run, now()) << "a week after the run, which has passed";
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
