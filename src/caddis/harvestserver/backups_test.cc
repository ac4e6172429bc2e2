#include "caddis/harvestserver/backups.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "support/testdata.h"

namespace caddis::harvestserver {
namespace {

class BackupsOfAServer : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = sql::Database::open("sqlite:" + (folder_ / "harvest.db"));
    ASSERT_TRUE(opened) << opened.error().message;
    database_ = *std::move(opened);
    settings_.backups_kept = 3;
    start();
  }
  void start() {
    backups_ = std::make_unique<Backups>(*database_, io::real_files(), clock_, settings_, folder_ / "backups");
    look();
  }
  void look() {
    const auto done = backups_->look();
    ASSERT_TRUE(done) << done.error().message;
  }
  std::vector<std::string> copies() const {
    std::vector<std::string> names;
    const auto entries = io::real_files().list(folder_ / "backups").value();
    for (const io::DirectoryEntry& entry : entries) names.push_back(entry.name);
    return names;
  }

  caddis::testing::TempDir folder_;
  ManualClock clock_;
  HarvestSettings settings_;
  std::unique_ptr<sql::Database> database_;
  std::unique_ptr<Backups> backups_;
};

TEST_F(BackupsOfAServer, AreMadeOnceInAnIntervalAndTheOldestGo) {
  EXPECT_EQ(copies().size(), 1u);
  const std::string first = copies()[0];
  look();
  EXPECT_EQ(copies().size(), 1u);
  for (int day = 0; day < 3; ++day) {
    clock_.advance(std::chrono::hours(24));
    look();
  }
  EXPECT_EQ(copies().size(), 3u);
  EXPECT_GT(copies()[0], first);
}

TEST_F(BackupsOfAServer, NobodyElseMayReadThem) {
  ASSERT_EQ(copies().size(), 1u);
  struct stat status{};
  ASSERT_EQ(::stat((folder_ / "backups/" + copies()[0]).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_TRUE(sql::Database::open("sqlite:" + (folder_ / "backups/" + copies()[0])));
}

TEST_F(BackupsOfAServer, RestartsPushOutNoneOfThem) {
  for (int day = 0; day < 2; ++day) {
    clock_.advance(std::chrono::hours(24));
    look();
  }
  const auto dailies = copies();
  ASSERT_EQ(dailies.size(), 3u);
  for (int restart = 0; restart < 3; ++restart) {
    clock_.advance(std::chrono::seconds(8));
    start();
    EXPECT_EQ(copies(), dailies);
  }
  // Two intervals behind the last: at once, and then a day later.
  clock_.advance(std::chrono::hours(48));
  start();
  EXPECT_EQ(copies()[1], dailies[2]);
  look();
  EXPECT_EQ(copies()[1], dailies[2]);
}

TEST_F(BackupsOfAServer, ClockThatWasPutBackDelaysNone) {
  settings_.backups_kept = 2;
  clock_.advance(std::chrono::hours(24));
  look();
  const std::string future = copies().back();
  clock_.jump_wall(clock_.wall() - std::chrono::hours(24 * 365));
  start();
  ASSERT_EQ(copies().size(), 2u);
  EXPECT_EQ(copies().back(), future);
  // Restarts are told by the copy that was made since, and that pushes out those from before.
  const std::string made = copies().front();
  clock_.advance(std::chrono::hours(8));
  start();
  EXPECT_EQ(copies(), (std::vector{made, future}));
  clock_.advance(std::chrono::hours(16));
  start();
  ASSERT_EQ(copies().size(), 2u);
  EXPECT_EQ(copies().front(), made);
  EXPECT_LT(copies().back(), future);
}

}  // namespace
}  // namespace caddis::harvestserver
