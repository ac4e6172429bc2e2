#include "caddis/harvest/generator.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "caddis/base/strings.h"
#include "caddis/harvest/job_members.h"
#include "caddis/harvest/templates.h"
#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class Generation : public ArchiveTest {
 protected:
  void selective(const std::string& name, const std::string& schedule, const std::vector<std::string>& domains) {
    Definition one;
    one.name = name;
    one.kind = "selective";
    one.schedule = schedule;
    define(one);
    std::vector<ConfigurationName> names;
    for (const std::string& domain : domains) names.push_back({domain, ""});
    done([&](Connection& c) -> Result<void> {
      TRY_VOID(add_configurations(c, name, names, {}, edit()));
      return {};
    });
  }
  std::set<std::string> seeds_of(const std::string& name) {
    std::set<std::string> all;
    for (const Job& job : jobs(name)) {
      const std::string seeds = file(job.id, "seeds.txt");
      for (const std::string_view line : split(seeds, '\n'))
        if (!line.empty()) all.emplace(line);
    }
    return all;
  }
  std::string latest_change(const std::string& harvest) {
    return got([&](Connection& c) { return changes_of(c, "harvest", harvest, 1, 0); }).at(0).what;
  }
  StopReason reason_of(const std::string& harvest, const std::string& domain) {
    ResultQuery query;
    query.definition = harvest;
    query.domain = domain;
    return got([&](Connection& c) { return list_results(c, query); }).back().reason;
  }
};
CADDIS_ON_BOTH_DATABASES(Generation);

TEST_P(Generation, SelectiveHarvestRunsByItsScheduleWhateverBecomesOfItsJobs) {
  selective("news", "daily", {"a.example", "b.example"});
  const auto due = [&] { return Generator(database(), clock, {}).due().value().size(); };
  EXPECT_EQ(due(), 0u);
  activate_now("news");
  EXPECT_EQ(due(), 1u);
  const int64_t first = now();
  const auto generated = generate("news").value();
  ASSERT_TRUE(generated);
  EXPECT_EQ(generated->jobs, 1);
  EXPECT_EQ(generated->configurations, 2);
  EXPECT_EQ(definition("news").next_run, first + 86'400);
  EXPECT_EQ(definition("news").runs, 1);
  EXPECT_FALSE(generate("news").value());  // not twice
  clock.advance(std::chrono::hours(24));
  EXPECT_TRUE(generate("news").value());
  EXPECT_EQ(definition("news").next_run, first + 2 * 86'400);
  EXPECT_EQ(jobs("news").size(), 2u);
  EXPECT_EQ(jobs("news")[1].run, 1);
}

TEST_P(Generation, DatesThatWereMissedAreLeftOutAndTold) {
  selective("news", "daily", {"a.example"});
  activate_now("news");
  const int64_t first = now();
  clock.advance(std::chrono::hours(24 * 5 + 1));
  EXPECT_EQ(generate("news").value()->missed, 5);
  EXPECT_EQ(definition("news").missed, 5);
  EXPECT_EQ(definition("news").next_run, first + 6 * 86'400);
  EXPECT_EQ(jobs("news").size(), 1u);
}

TEST_P(Generation, HarvestThatCannotBeGeneratedIsDeactivatedAndSaysWhy) {
  selective("news", "daily", {"a.example"});
  activate_now("news");
  done([&](Connection& c) -> Result<void> {
    TRY(Template one, find_template(c, "default"));
    one.is_active = false;
    return save_template(c, one, edit());
  });
  EXPECT_FALSE(generate("news"));
  EXPECT_FALSE(definition("news").is_active);
  EXPECT_THAT(definition("news").problem, HasSubstr("switched off"));
}

TEST_P(Generation, WaitsForAHarvesterOfItsChannel) {
  selective("news", "daily", {"a.example"});
  activate_now("news");
  const Generator generator(database(), clock, {});
  EXPECT_FALSE(generator.generate(definition("news").id).value());
  EXPECT_EQ(definition("news").waits, "a harvester on the channel FOCUSED");
  HarvesterState harvester;
  harvester.name = "h1";
  harvester.channels = {"SNAPSHOT"};
  done([&](Connection& c) { return hear_of_harvester(c, harvester, now()); });
  EXPECT_FALSE(generator.generate(definition("news").id).value());
  harvester.channels = {"FOCUSED"};
  done([&](Connection& c) { return hear_of_harvester(c, harvester, now()); });
  EXPECT_TRUE(generator.generate(definition("news").id).value());
  EXPECT_EQ(definition("news").waits, "");
}

TEST_P(Generation, JobHasALoginForEachRealmOfADomain) {
  create({"a.example"});
  Domain one = domain("a.example");
  one.credentials = {{"form", "http://www.a.example/in", "", "me", "p${w", ""},
                     {"press", "", "Press", "bert", "b", ""},
                     {"staff", "", "Staff area", "anna", "a:${a", ""}};
  one.configurations[0].credentials = {"form", "press", "staff"};
  save(one);
  selective("news", "daily", {"a.example"});
  activate_now("news");
  ASSERT_TRUE(generate("news").value());
  const std::string yaml = file(jobs("news")[0].id, "crawl.yaml");
  EXPECT_THAT(yaml, HasSubstr("  harvest-login-1:\n    sites: [\"a.example\"]\n"));
  EXPECT_THAT(yaml, Not(HasSubstr("harvest-login-2")));
  EXPECT_THAT(yaml, HasSubstr("        user: \"me\"\n        password: \"p$${w\"\n"
                              "        form: \"http://www.a.example/in\"\n"
                              "        realms:\n          - \"Press = bert:b\"\n"
                              "          - \"Staff area = anna:a:$${a\"\n"));
}

TEST_P(Generation, CredentialsThatNoCrawlCouldTellApartAreRefused) {
  create({"a.example"});
  Domain one = domain("a.example");
  one.credentials = {{"one", "", "Staff", "me", "p", ""}, {"two", "", "Staff", "you", "q", ""}};
  save(one);  // for two configurations, perhaps
  const auto refusal = [&] { return why([&](Connection& c) { return save_domain(c, one, edit()); }); };
  one = domain("a.example");
  one.configurations[0].credentials = {"one", "two"};
  EXPECT_THAT(refusal(), HasSubstr("its credentials 'one' and 'two' are for the same realm"));
  one.credentials[1].realm = "A = B";
  EXPECT_THAT(refusal(), HasSubstr("credential 'two'"));
  one.credentials[1].realm = "Press";
  one.credentials[1].username = "";
  EXPECT_THAT(refusal(), HasSubstr("credential 'two'"));
}

TEST_P(Generation, OldCredentialsHoldNothingUp) {
  create({"a.example"});
  Domain one = domain("a.example");
  one.credentials = {{"one", "", "Staff", "me", "p", ""}, {"two", "", "Press", "you", "q", ""}};
  one.configurations[0].credentials = {"one", "two"};
  save(one);
  done([&](Connection& c) { return c.execute("UPDATE credentials SET username = 'a:b', realm = 'Staff'", {}); });
  one = domain("a.example");
  one.comments = "a newspaper";
  save(one);
  EXPECT_EQ(domain("a.example").comments, "a newspaper");
  selective("news", "daily", {"a.example"});
  activate_now("news");
  ASSERT_TRUE(generate("news").value());
  EXPECT_THAT(file(jobs("news")[0].id, "crawl.yaml"), Not(HasSubstr("realms:")));
}

TEST_P(Generation, JobHasSettingsLimitsTrapsAndSeeds) {
  create({"a.example", "b.example", "c.example"});
  Domain one = domain("b.example");
  one.configurations[0].limits = {70, 1'000'000'000};
  one.traps = ".*endless.*";
  one.seed_lists[0].seeds = "# only this\nhttp://b.example/start\n";
  save(one);
  Domain alias = domain("c.example");
  alias.alias_of = "a.example";
  save(alias);
  done([&](Connection& c) { return save_trap_list(c, {.name = "all", .traps = ".*logout.*"}, edit()); });
  selective("news", "daily", {"a.example", "b.example"});
  activate_now("news");
  ASSERT_TRUE(generate("news").value());
  const Job job = jobs("news").at(0);
  const std::string yaml = file(job.id, "crawl.yaml");
  EXPECT_THAT(yaml, HasSubstr("seed-domain-bytes: 1000000000"));
  EXPECT_THAT(yaml, HasSubstr("  harvest-limits-70-1000000000:\n    sites:\n      - \"b.example\"\n"));
  EXPECT_THAT(yaml, HasSubstr("scope:\n  exclude:\n    - \"logout\"\nlimits:"));
  EXPECT_THAT(yaml, HasSubstr("  harvest-traps-1:\n    sites:\n      - \"b.example\"\n    settings:\n      scope:\n"
                              "        rules:\n          - \"shorthand\"\n          - \"reject url endless\"\n"));
  EXPECT_EQ(file(job.id, "seeds.txt"), "http://www.a.example/\nhttp://b.example/start\n");
  EXPECT_EQ(file(job.id, "aliases.txt"), "c.example a.example\n");
  EXPECT_EQ(job.shape.configurations, 2);
  EXPECT_EQ(job.shape.seeds, 2);
}

TEST_P(Generation, SeedsElsewhereAreOfTheDomainThatHasThem) {
  create({"a.example", "b.example"});
  Domain one = domain("a.example");
  one.configurations[0].limits = {70, 1'000'000'000};
  one.traps = ".*endless.*";
  one.seed_lists[0].seeds = "http://elsewhere.example/\nhttp://www.b.example/x\n";
  save(one);
  selective("news", "daily", {"a.example", "b.example"});
  activate_now("news");
  ASSERT_TRUE(generate("news").value());
  const Job job = jobs("news").at(0);
  const std::string yaml = file(job.id, "crawl.yaml");
  const std::string sites = "    sites:\n      - \"a.example\"\n      - \"elsewhere.example\"\n    settings:";
  EXPECT_THAT(yaml, HasSubstr("  harvest-limits-70-1000000000:\n" + sites));
  EXPECT_THAT(yaml, HasSubstr("  harvest-traps-1:\n" + sites));
  EXPECT_EQ(file(job.id, "seed-domains.txt"), "elsewhere.example a.example\n");
  EXPECT_EQ(run_next({{"elsewhere.example", 70, 500, StopReason::object_limit},
                      {"b.example", 2, 200, StopReason::completed}}),
            job.id);
  std::map<std::string, std::pair<int64_t, StopReason>> brought;
  for (const ResultLine& line : got([&](Connection& c) { return list_results(c, {.job = job.id}); }))
    brought[line.domain] = {line.objects, line.reason};
  EXPECT_EQ(brought["a.example"], std::make_pair(int64_t{70}, StopReason::config_object_limit));
  EXPECT_EQ(brought["b.example"], std::make_pair(int64_t{2}, StopReason::completed));
}

TEST_P(Generation, ConfigurationWithoutLiveSeedsIsLeftOut) {
  create({"a.example", "b.example"});
  Domain one = domain("b.example");
  one.seed_lists[0].seeds = "# nothing any more\n";
  save(one);
  selective("news", "daily", {"a.example", "b.example"});
  activate_now("news");
  EXPECT_EQ(generate("news").value()->left_out, 1);
  EXPECT_EQ(jobs("news")[0].shape.configurations, 1);
  EXPECT_EQ(
      latest_change("news"),
      "run 0 was generated: 1 job; 1 configuration was left out, without live seeds or with a limit of 0: b.example");
}

TEST_P(Generation, ConfigurationWithALimitOfZeroIsLeftOutAndTold) {
  std::vector<std::string> names;
  for (char letter = 'a'; letter < 'm'; ++letter) names.push_back(std::string(1, letter) + ".example");
  create(names);
  for (const std::string& name : names) {
    Domain one = domain(name);
    one.configurations[0].limits.objects = 0;
    save(one);
  }
  selective("news", "daily", names);
  activate_now("news");
  const auto generated = generate("news", {.piece = 5}).value();
  EXPECT_EQ(generated->left_out, 12);
  EXPECT_EQ(generated->jobs, 0);
  EXPECT_THAT(latest_change("news"), HasSubstr("0 jobs; 12 configurations were left out"));
  EXPECT_THAT(latest_change("news"), HasSubstr(": a.example, b.example, "));
  EXPECT_THAT(latest_change("news"), EndsWith("j.example and 2 more"));
}

TEST_P(Generation, DomainsOfAJobAreToldBeforeItHasBegun) {
  create({"a.example", "b.example", "c.example"});
  Domain one = domain("b.example");
  one.configurations[0].limits = {70, 5000};
  one.traps = ".*calendar.*";
  save(one);
  snapshot("all", {kNoLimit, kNoLimit});
  ASSERT_TRUE(generate("all").value());
  std::vector<JobMember> all;
  for (const Job& job : jobs("all")) {
    std::string after;
    for (;;) {
      const auto page = got([&](Connection& c) { return members_of_job(c, job.id, after, 1); });
      if (page.empty()) break;
      all.push_back(page[0]);
      after = page[0].domain + "/" + page[0].configuration;
    }
  }
  ASSERT_EQ(all.size(), 3u);
  std::ranges::sort(all, {}, &JobMember::domain);
  EXPECT_EQ(all[0].domain, "a.example");
  EXPECT_EQ(all[0].configuration, "defaultconfig");
  EXPECT_EQ(all[0].traps, "");
  EXPECT_EQ(all[1].limits, (Limits{70, 5000}));
  EXPECT_EQ(all[1].traps, ".*calendar.*");
  EXPECT_GT(all[2].expected, 0);
  EXPECT_THAT(why([&](Connection& c) { return members_of_job(c, 99, "", 1); }), HasSubstr("99"));
}

TEST_P(Generation, SnapshotAsksTheChainOfTheSnapshotBefore) {
  create({"a.example"});
  const auto run = [&](const std::string& name, const std::string& based_on) {
    snapshot(name, {kNoLimit, 1000}, based_on);
    EXPECT_TRUE(generate(name).value());
    const int64_t job = run_next({{"a.example", 20, 1000, StopReason::size_limit}});
    done([&](Connection& c) { return record_file(c, {job, std::to_string(job), "digests", 1, ""}, now()); });
    return job;
  };
  selective("news", "daily", {"a.example"});
  activate_now("news");
  ASSERT_TRUE(generate("news").value());
  const int64_t other = run_next({});
  done([&](Connection& c) { return record_file(c, {other, "other", "digests", 1, ""}, now()); });
  const int64_t old = run("2024", "");
  const int64_t first = run("2025", "");
  const int64_t second = run("2025 step 2", "2025");
  const auto asks = [&](int64_t job) {
    const auto names = got([&](Connection& c) { return job_file_names(c, job); });
    return std::ranges::count(names, "duplicatereductionjobs.txt") > 0 ? file(job, "duplicatereductionjobs.txt") : "";
  };
  EXPECT_EQ(asks(old), "");
  EXPECT_EQ(asks(first), fmt::format("{}\n", old));
  EXPECT_EQ(asks(second), fmt::format("{},{}\n", first, old));
  const int64_t third = run("2026", "");
  EXPECT_EQ(asks(third), fmt::format("{},{}\n", second, first));
  // A step asks its own chain, and that before it, whatever began meanwhile.
  const int64_t late = run("2025 step 3", "2025 step 2");
  EXPECT_EQ(asks(late), fmt::format("{},{},{}\n", second, first, old));
  EXPECT_EQ(asks(run("2026 step 2", "2026")), fmt::format("{},{},{}\n", third, second, first));
}

TEST_P(Generation, SnapshotTakesEveryDomainOnceButAliases) {
  create({"a.example", "b.example", "c.example"});
  Domain alias = domain("c.example");
  alias.alias_of = "a.example";
  save(alias);
  snapshot("first", {kNoLimit, 1000});
  ASSERT_TRUE(generate("first").value());
  EXPECT_EQ(seeds_of("first"), (std::set<std::string>{"http://www.a.example/", "http://www.b.example/"}));
  EXPECT_FALSE(definition("first").is_active);
  EXPECT_THAT(why([&](Connection& c) { return activate(c, "first", edit()); }), HasSubstr("runs once"));
  // After a year nobody has confirmed it.
  clock.advance(std::chrono::hours(24 * 366));
  snapshot("second", {kNoLimit, 1000});
  ASSERT_TRUE(generate("second").value());
  EXPECT_EQ(seeds_of("second").size(), 3u);
}

TEST_P(Generation, SnapshotGoesOnWithWhatTheOneBeforeHasLeft) {
  create({"done.example", "large.example", "own.example", "raised.example", "broken.example"});
  for (const char* name : {"own.example", "raised.example"}) {
    Domain one = domain(name);
    one.configurations[0].limits.bytes = 500;
    save(one);
  }
  snapshot("step1", {kNoLimit, 1000});
  ASSERT_TRUE(generate("step1").value());
  snapshot("step2", {kNoLimit, 100'000}, "step1");
  EXPECT_FALSE(generate("step2").value());  // the jobs of the first one still run
  EXPECT_EQ(definition("step2").waits, "2 jobs of step1 to end");
  const std::vector<DomainResult> results = {{"done.example", 10, 400, StopReason::completed},
                                             {"large.example", 20, 1000, StopReason::size_limit},
                                             {"own.example", 5, 500, StopReason::size_limit},
                                             {"raised.example", 5, 500, StopReason::size_limit},
                                             {"broken.example", 1, 1, StopReason::unfinished}};
  while (run_next(results) != 0) continue;
  EXPECT_EQ(reason_of("step1", "large.example"), StopReason::size_limit);
  EXPECT_EQ(reason_of("step1", "own.example"), StopReason::config_size_limit);
  Domain raised = domain("raised.example");
  raised.configurations[0].limits.bytes = 5000;
  save(raised);
  ASSERT_TRUE(generate("step2").value());
  EXPECT_EQ(seeds_of("step2"), (std::set<std::string>{"http://www.large.example/", "http://www.raised.example/"}));
}

TEST_P(Generation, PiecesMakeTheSameDomainsOnce) {
  std::vector<std::string> names;
  for (int i = 0; i < 57; ++i) names.push_back("d" + std::to_string(i) + ".example");
  create(names);
  snapshot("all", {kNoLimit, 1000});
  GeneratorSettings settings;
  settings.piece = 10;
  ASSERT_TRUE(generate("all", settings).value());
  EXPECT_EQ(seeds_of("all").size(), 57u);
  EXPECT_EQ(jobs("all").size(), 6u);
  int64_t sum = 0;
  for (const Job& job : jobs("all")) sum += job.shape.configurations;
  EXPECT_EQ(sum, 57);
}

TEST_P(Generation, EventMakesConfigurationsOfItsSeeds) {
  Definition one;
  one.name = "election";
  one.kind = "event";
  one.schedule = "hourly";
  define(one);
  EventSeeds event;
  event.seeds =
      "http://a.example/vote\nhttps://www.a.example/x\nb.example\nnonsense://\nhttp://c.example/ http://d.example/\n";
  event.template_name = "default";
  event.limits = {100, kNoLimit};
  const Added added = got([&](Connection& c) { return add_event_seeds(c, "election", event, {}, edit()); });
  EXPECT_EQ(added.added, 2);
  EXPECT_EQ(added.created_domains, 2);
  EXPECT_THAT(added.problems, ElementsAre(HasSubstr("line 4"), HasSubstr("line 5: a blank")));
  EXPECT_EQ(domain("a.example").configurations[1].name, "election-default-100-any");
  EXPECT_EQ(domain("a.example").seed_lists[1].seeds, "http://a.example/vote\nhttps://www.a.example/x\n");
  activate_now("election");
  ASSERT_TRUE(generate("election").value());
  EXPECT_EQ(jobs("election")[0].shape.seeds, 3);
}

}  // namespace
}  // namespace caddis::harvest
