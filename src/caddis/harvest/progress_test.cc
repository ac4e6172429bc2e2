#include "caddis/harvest/progress.h"

#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Values;

class Progress : public ArchiveTest {
 protected:
  int64_t make_job() {
    create({"a.example"});
    Definition one;
    one.name = "all";
    one.kind = "snapshot";
    define(one);
    activate_now("all");
    EXPECT_TRUE(generate("all").value());
    return jobs("all")[0].id;
  }
  void add(int64_t job, int64_t first, int64_t count) {
    done([&](Connection& c) -> Result<void> {
      std::vector<Values> rows;
      for (int64_t i = 0; i < count; ++i) rows.emplace_back(job, first + i * 60, "{}");
      return c.insert_all("INSERT INTO progress (job_id, time, sample) VALUES", rows);
    });
  }
  std::vector<Sample> read(int64_t job, int64_t most) {
    return got([&](Connection& c) { return progress_of(c, job, most); });
  }
};
CADDIS_ON_BOTH_DATABASES(Progress);

TEST_P(Progress, IsThatOfAllOfALongJob) {
  const int64_t job = make_job();
  EXPECT_EQ(read(job, 2000).size(), 0u);
  const int64_t first = 1'800'000'000;
  add(job, first, 5000);
  const auto samples = read(job, 2000);
  EXPECT_LE(samples.size(), 2001u);
  EXPECT_GE(samples.size(), 1600u);
  EXPECT_EQ(samples.front().time, first + 4999 * 60);
  EXPECT_LT(samples.back().time, first + 5 * 60);
}

TEST_P(Progress, IsEverySampleOfAShortOne) {
  const int64_t job = make_job();
  add(job, 1'800'000'000, 1500);
  EXPECT_EQ(read(job, 2000).size(), 1500u);
}

}  // namespace
}  // namespace caddis::harvest
