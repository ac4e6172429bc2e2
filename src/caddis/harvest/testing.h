// An archive in a database, for tests: on both databases (caddis/sql/testing.h).
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "caddis/harvest/definitions.h"
#include "caddis/harvest/domains.h"
#include "caddis/harvest/generator.h"
#include "caddis/harvest/jobs.h"
#include "caddis/harvest/plans.h"
#include "caddis/harvest/schema.h"
#include "caddis/sql/testing.h"

namespace caddis::harvest {

class ArchiveTest : public sql::DatabaseTest {
 protected:
  void SetUp() override {
    sql::DatabaseTest::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(sql::migrate(database(), schema_steps(), clock).value(), static_cast<int>(schema_steps().size()));
    done([&](sql::Connection& c) { return put_in_first_plans(c, edit()); });
  }

  Edit edit() const { return {"alice", now()}; }
  int64_t now() const {
    return std::chrono::duration_cast<std::chrono::seconds>(clock.wall().time_since_epoch()).count();
  }
  // Does work that has to go well.
  template <class Work>
  void done(const Work& work) {
    const auto result = database().transact(work);
    EXPECT_TRUE(result) << result.error().message;
  }
  template <class Work>
  auto got(const Work& work) {
    auto result = database().write(work);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return *std::move(result);
  }
  // The message of work that has to fail.
  template <class Work>
  std::string why(const Work& work) {
    const auto result = database().transact([&](sql::Connection& c) -> Result<void> {
      TRY_VOID(work(c));
      return {};
    });
    return result ? "it did not fail" : result.error().message;
  }

  void create(const std::vector<std::string>& names) {
    EXPECT_EQ(got([&](sql::Connection& c) { return create_domains(c, names, {}, edit()); }), names.size());
  }
  Domain domain(const std::string& name) {
    return got([&](sql::Connection& c) { return find_domain(c, name); });
  }
  void save(const Domain& saved) {
    done([&](sql::Connection& c) { return save_domain(c, saved, edit()); });
  }
  void define(Definition definition) {
    done([&](sql::Connection& c) { return save_definition(c, definition, edit()); });
  }
  Definition definition(const std::string& name) {
    return got([&](sql::Connection& c) { return find_definition(c, name); });
  }
  void activate_now(const std::string& name) {
    done([&](sql::Connection& c) { return activate(c, name, edit()); });
  }
  // All domains are in it; its jobs are not made yet.
  void snapshot(const std::string& name, const Limits& limits, const std::string& based_on = "") {
    Definition one;
    one.name = name;
    one.kind = "snapshot";
    one.limits = limits;
    one.based_on = based_on;
    define(one);
    activate_now(name);
  }
  std::vector<Job> jobs(const std::string& name) {
    JobQuery query;
    query.definition = name;
    auto found = got([&](sql::Connection& c) { return list_jobs(c, query); });
    return {found.rbegin(), found.rend()};
  }
  Result<std::optional<Generated>> generate(const std::string& name, GeneratorSettings settings = {}) {
    settings.waits_for_harvesters = false;
    return Generator(database(), clock, settings).generate(definition(name).id);
  }
  // The next job of any channel ends, with a result for each domain.
  int64_t run_next(const std::vector<DomainResult>& results, bool is_done = true) {
    const auto job = got([&](sql::Connection& c) { return take_job(c, "h1", {"FOCUSED", "SNAPSHOT"}, now()); });
    if (!job) return 0;
    done([&](sql::Connection& c) -> Result<void> {
      TRY_VOID(hear_of_job(c, job->id, "h1", true, "{}", now()));
      JobEnd end;
      end.is_done = is_done;
      end.results = results;
      return end_job(c, job->id, end, StopReason::completed, now());
    });
    return job->id;
  }
  std::string file(int64_t job, const std::string& name) {
    return got([&](sql::Connection& c) { return job_file(c, job, name); });
  }

  ManualClock clock;
};

}  // namespace caddis::harvest
