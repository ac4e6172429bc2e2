// Checkpoints in the simulated world: a crawl that goes back to one ends with exactly what it would have captured
// undisturbed; what was newer is still there. The power that goes meanwhile is the subject of tests/faults/.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "caddis/crawl/checkpoint.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using testing::SimCrawl;

constexpr uint64_t kEvents = 800;

collection::Launch launch_of(SimCrawl& crawl) {
  return **collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
}

std::vector<Checkpoint> checkpoints_of(SimCrawl& crawl) {
  auto found = list_checkpoints(crawl.disk.files, launch_of(crawl));
  EXPECT_TRUE(found && found->damaged.empty()) << (found ? found->damaged.front() : found.error().message);
  return found ? std::move(found->complete) : std::vector<Checkpoint>();
}

void take_often(SimCrawl& crawl) {
  crawl.settings.checkpoint.interval = std::chrono::seconds(1);
  crawl.settings.checkpoint.kept = 1 + static_cast<int64_t>(crawl.disk.random.below(4));
}

TEST(SimulatedCheckpoints, AreTakenWhileTheCrawlGoesOn) {
  SimCrawl crawl(1);
  take_often(crawl);
  crawl.settings.checkpoint.kept = 2;
  ASSERT_TRUE(crawl.live({}));
  crawl.verify();
  const auto found = checkpoints_of(crawl);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_GT(found.back().number, 4u);
  EXPECT_EQ(found.back().queued, 0u);  // that of the end
  EXPECT_GT(found.back().documents, found.front().documents);
}

// Starts that find nothing to do leave those that are worth something.
TEST(SimulatedCheckpoints, AreNotTakenOfWhatTheLastOneHas) {
  SimCrawl crawl(1);
  crawl.settings.checkpoint.kept = 2;
  crawl.settings.limits.max_documents = 10;
  const auto has_limit = [&](int64_t documents) {
    crawl.overlay = [documents](config::Settings& settings) -> Result<void> {
      settings.limits.max_documents = documents;
      return {};
    };
  };
  ASSERT_FALSE(crawl.live({}));
  has_limit(20);
  ASSERT_FALSE(crawl.live({}));
  const auto before = checkpoints_of(crawl);
  ASSERT_EQ(before.size(), 2u);
  EXPECT_EQ(before.front().documents, 10u);
  EXPECT_EQ(before.back().documents, 20u);
  for (int starts = 0; starts < 3; ++starts) ASSERT_FALSE(crawl.live({}));
  EXPECT_EQ(checkpoints_of(crawl), before);
  // What an operator does is worth one, though nothing is captured.
  has_limit(0);
  crawl.on_pulse = [](aio::SimLoop&, Operator& running) {
    if (running.status().state != RunState::running) return;
    frontier::HostOverrides orders;
    orders.retired = true;
    EXPECT_TRUE(running.order("b.test", orders));
    running.stop("stopped by the operator");
  };
  ASSERT_FALSE(crawl.live({}));
  EXPECT_EQ(checkpoints_of(crawl).back().number, before.back().number + 1);
  crawl.on_pulse = nullptr;
  // What was committed before a death is new, though the next process does nothing.
  ASSERT_FALSE(crawl.live({600, {}}));
  const auto since = checkpoints_of(crawl);
  has_limit(1);
  ASSERT_FALSE(crawl.live({}));
  EXPECT_EQ(checkpoints_of(crawl).back().number, since.back().number + 1);
  EXPECT_GT(checkpoints_of(crawl).back().documents, 20u);
}

// The known URLs of checkpoints in a folder, by their names.
std::map<std::string, std::string> seen_rows(SimCrawl& crawl, const std::string& folder,
                                             const std::vector<Checkpoint>& checkpoints) {
  std::map<std::string, std::string> rows;
  for (const Checkpoint& one : checkpoints)
    for (const Checkpoint::Log& part : one.seen_parts)
      if (const auto bytes = crawl.disk.files.read_all(folder + "/" + one.name + "/seen/" + part.file); bytes)
        rows[one.name] += bytes->substr(0, static_cast<size_t>(part.length));
  return rows;
}

// From an ended crawl back to each of its checkpoints: what it fetches again is what was newer.
TEST(SimulatedCheckpoints, AnEndedCrawlGoesBackToThem) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    take_often(crawl);
    crawl.settings.checkpoint.kept = 100;
    ASSERT_TRUE(crawl.live({}));
    const auto found = checkpoints_of(crawl);
    ASSERT_GT(found.size(), 4u);
    crawl.checkpoint = found[found.size() / 2].name;
    const collection::Launch launch = launch_of(crawl);
    const std::string aside = "after-" + crawl.checkpoint;
    const std::vector<Checkpoint> newer(found.begin() + static_cast<ptrdiff_t>(found.size() / 2) + 1, found.end());
    const auto rows = seen_rows(crawl, launch.state() + "/checkpoints", newer);
    EXPECT_EQ(rows.size(), newer.size());
    ASSERT_TRUE(crawl.live({})) << crawl.end().text;
    crawl.verify();
    if (HasFailure()) return;
    EXPECT_EQ(seen_rows(crawl, launch.state() + "/" + aside + "/checkpoints", newer), rows)
        << "a new crawl may begin with what was left";
    EXPECT_TRUE(crawl.disk.files.exists(launch.state() + "/" + aside + "/checkpoints/" + found.back().name));
    EXPECT_TRUE(crawl.disk.files.is_directory(launch.archive() + "/" + aside));
    const auto after = checkpoints_of(crawl);
    EXPECT_NE(std::ranges::find(after, crawl.checkpoint, &Checkpoint::name), after.end());
    EXPECT_EQ(std::ranges::find(after, found.back().name, &Checkpoint::name), after.end());
  }
}

// What operators asked for since is undone: their files do not stand among those that count.
TEST(SimulatedCheckpoints, GoingBackPutsLaterActionsAside) {
  SimCrawl crawl(2);
  take_often(crawl);
  crawl.settings.checkpoint.kept = 100;
  crawl.settings.crawl.action_interval = std::chrono::seconds(1);
  crawl.settings.politeness.delay = std::chrono::seconds(2);
  bool put = false;
  std::string before;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    const auto& taken = running.status().checkpoints;
    if (put || taken.empty() || running.status().queued < 5) return;
    before = taken.back().name;
    put = crawl.disk.files.write_atomically(running.state().launch.actions() + "/late.seeds", "http://a.test/p1\n")
              .has_value();
  };
  ASSERT_TRUE(crawl.live({}));
  crawl.on_pulse = nullptr;
  ASSERT_TRUE(put);
  const collection::Launch launch = launch_of(crawl);
  const auto done = *crawl.disk.files.list(launch.actions() + "/done");
  ASSERT_EQ(done.size(), 2u);
  crawl.checkpoint = before;
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  crawl.verify();
  EXPECT_TRUE(crawl.disk.files.list(launch.actions() + "/done")->empty());
  EXPECT_EQ(crawl.disk.files.list(launch.state() + "/after-" + before + "/action")->size(), 2u);
  const auto& notices = crawl.notices;
  EXPECT_TRUE(std::ranges::any_of(notices, [](const std::string& one) {
    return one.contains("what 1 action file had asked for since is undone");
  }));
}

// A store that cannot be read any more is what checkpoints are for: the WARC files tell themselves whose they are.
TEST(SimulatedCheckpoints, HelpWhereTheStateIsLost) {
  SimCrawl crawl(3);
  take_often(crawl);
  crawl.settings.checkpoint.kept = 100;
  ASSERT_FALSE(crawl.live({kEvents * 9 / 10, {}}));
  const auto found = checkpoints_of(crawl);
  ASSERT_GT(found.size(), 1u);
  const collection::Launch launch = launch_of(crawl);
  crawl.disk.lose_store(launch.store());
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
