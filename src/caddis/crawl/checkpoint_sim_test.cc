// Checkpoints in the simulated world: power cuts while they are taken and while a crawl goes back to one. Whatever
// happens, the crawl ends with exactly what it would have captured undisturbed; what was newer is still there.
//
// CADDIS_CHECKPOINT_CAMPAIGNS: how many crawls (40 by default); CADDIS_CRASH_SEED: where to begin.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "caddis/crawl/checkpoint.h"
#include "caddis/crawl/going_back.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using testing::SimCrawl;

constexpr uint64_t kEvents = 800;
constexpr uint64_t kChanges = 160;

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

Launch launch_of(SimCrawl& crawl) { return **latest_launch(crawl.disk.files, SimCrawl::kCollection); }

bool has_launch(SimCrawl& crawl) {
  const auto launch = latest_launch(crawl.disk.files, SimCrawl::kCollection);
  return launch && *launch;
}

std::vector<Checkpoint> checkpoints_of(SimCrawl& crawl) {
  if (!has_launch(crawl)) return {};
  auto found = list_checkpoints(crawl.disk.files, launch_of(crawl));
  EXPECT_TRUE(found && found->damaged.empty()) << (found ? found->damaged.front() : found.error().message);
  return found ? std::move(found->complete) : std::vector<Checkpoint>();
}

void take_often(SimCrawl& crawl) {
  crawl.settings.crawl.checkpoint_interval = std::chrono::seconds(1);
  crawl.settings.crawl.checkpoints_kept = 1 + static_cast<int64_t>(crawl.disk.random.below(4));
}

SimCrawl::Death random_death(SimCrawl& crawl) {
  Random& random = crawl.disk.random;
  SimCrawl::Death death;
  if (random.below(2) == 0)
    death.events = 1 + random.below(1 + random.below(kEvents));
  else
    death.changes = random.below(1 + random.below(2 * kChanges));
  return death;
}

TEST(SimulatedCheckpoints, AreTakenWhileTheCrawlGoesOn) {
  SimCrawl crawl(1);
  take_often(crawl);
  crawl.settings.crawl.checkpoints_kept = 2;
  ASSERT_TRUE(crawl.live({}));
  crawl.verify();
  const auto found = checkpoints_of(crawl);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_GT(found.back().number, 4u);
  EXPECT_EQ(found.back().queued, 0u);  // that of the end
  EXPECT_GT(found.back().documents, found.front().documents);
}

// Back to one of them after any death, and any death on the way back.
TEST(SimulatedCheckpoints, SurvivePowerCuts) {
  const uint64_t campaigns = number_from("CADDIS_CHECKPOINT_CAMPAIGNS", 40);
  const uint64_t first = number_from("CADDIS_CRASH_SEED", 1);
  size_t went_back = 0, interrupted = 0;
  for (uint64_t seed = first; seed < first + campaigns; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    take_often(crawl);
    const uint64_t deaths = 3 + crawl.disk.random.below(8);
    bool ended = false;
    while (!ended && crawl.disk.crashes() < deaths) {
      const auto found = checkpoints_of(crawl);
      const bool is_underway = has_launch(crawl) && GoingBack::is_underway(crawl.disk.files, launch_of(crawl));
      interrupted += is_underway;
      crawl.checkpoint.clear();
      if (!found.empty() && !is_underway && crawl.disk.random.below(3) == 0) {
        crawl.checkpoint = found[crawl.disk.random.below(found.size())].name;
        ++went_back;
      }
      ended = crawl.live(random_death(crawl));
      if (HasFailure()) return;
    }
    crawl.checkpoint.clear();
    while (!ended && !HasFailure()) ended = crawl.live({});
    crawl.verify();
    if (HasFailure()) return;
  }
  EXPECT_TRUE(campaigns < 20 || (went_back > campaigns / 4 && interrupted > 0)) << went_back << " " << interrupted;
}

// From an ended crawl back to each of its checkpoints: what it fetches again is what was newer.
TEST(SimulatedCheckpoints, AnEndedCrawlGoesBackToThem) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    take_often(crawl);
    crawl.settings.crawl.checkpoints_kept = 100;
    ASSERT_TRUE(crawl.live({}));
    const auto found = checkpoints_of(crawl);
    ASSERT_GT(found.size(), 4u);
    crawl.checkpoint = found[found.size() / 2].name;
    ASSERT_TRUE(crawl.live({})) << crawl.end().text;
    crawl.verify();
    if (HasFailure()) return;
    const Launch launch = launch_of(crawl);
    const std::string aside = "after-" + crawl.checkpoint;
    EXPECT_TRUE(crawl.disk.files.exists(launch.state() + "/" + aside + "/checkpoints/" + found.back().name));
    EXPECT_TRUE(crawl.disk.files.is_directory(launch.archive() + "/" + aside));
    const auto after = checkpoints_of(crawl);
    EXPECT_NE(std::ranges::find(after, crawl.checkpoint, &Checkpoint::name), after.end());
    EXPECT_EQ(std::ranges::find(after, found.back().name, &Checkpoint::name), after.end());
  }
}

// A store that cannot be read any more is what checkpoints are for: the WARC files tell themselves whose they are.
TEST(SimulatedCheckpoints, HelpWhereTheStateIsLost) {
  SimCrawl crawl(3);
  take_often(crawl);
  crawl.settings.crawl.checkpoints_kept = 100;
  ASSERT_FALSE(crawl.live({kEvents / 2, {}}));
  const auto found = checkpoints_of(crawl);
  ASSERT_GT(found.size(), 1u);
  const Launch launch = launch_of(crawl);
  crawl.disk.lose_store(launch.state() + "/db");
  crawl.checkpoint = found.front().name;
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  crawl.verify();
}

TEST(SimulatedCheckpoints, UnknownOnesAreRefused) {
  SimCrawl crawl(1);
  take_often(crawl);
  ASSERT_FALSE(crawl.live({kEvents / 2, {}}));
  const auto found = find_checkpoint(crawl.disk.files, launch_of(crawl), "other");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::not_found);
  EXPECT_NE(found.error().message.find("cp0000"), std::string::npos) << found.error().message;
}

}  // namespace
}  // namespace caddis::crawl
