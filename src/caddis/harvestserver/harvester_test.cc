#include "caddis/harvestserver/harvester.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/testdata.h"

namespace caddis::harvestserver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A harvester without a job, and a server that has none.
class HarvesterTest : public ::testing::Test {
 protected:
  HarvesterTest() {
    options_.data = folder_ / "north";
    options_.name = "north";
    options_.least_free = 0;
    options_.least_memory = 400'000'000;
    options_.memory_available = [this] { return memory_; };
  }
  // The questions of one look.
  std::vector<LinkQuestion> look() {
    asked_.clear();
    const ServerLink link = [this](const LinkQuestion& question) -> Result<LinkAnswer> {
      asked_.push_back(question);
      return LinkAnswer{200, question.target.ends_with("/take") ? "{}" : R"({"channels":["FOCUSED"]})"};
    };
    const auto harvester = Harvester::open(world_, link, options_);
    EXPECT_TRUE(harvester) << harvester.error().message;
    EXPECT_TRUE((*harvester)->step());
    return asked_;
  }
  std::vector<std::string> targets() {
    std::vector<std::string> found;
    for (const LinkQuestion& question : look()) found.push_back(question.target);
    return found;
  }

  testing::TempDir folder_;
  ManualClock clock_;
  const engine::JobWorld world_{
      .files = io::real_files(),
      .clock = clock_,
      .start = [](const engine::ProcessRequest&) -> Result<void> { return {}; },
      .lives = [](const std::string&) { return false; },
      .end = [](const std::string&, bool) {},
      .ask = [](const std::string&, const control::Question&, Duration) -> Result<control::SocketAnswer> {
        return fail(ErrorCode::not_found, "nobody");
      },
  };
  HarvesterOptions options_;
  uint64_t memory_ = 0;
  std::vector<LinkQuestion> asked_;
};

constexpr const char* kHello = "/api/harvesters/north";
constexpr const char* kTake = "/api/harvesters/north/take";

TEST_F(HarvesterTest, TakesNoJobWithoutMemory) {
  memory_ = 399'999'999;
  EXPECT_THAT(targets(), ElementsAre(kHello));
  EXPECT_THAT(asked_[0].body, HasSubstr("\"state\":\"399 MB of memory are available, 400 are needed\""));
  memory_ = 400'000'000;
  EXPECT_THAT(targets(), ElementsAre(kHello, kTake));
  EXPECT_THAT(asked_[0].body, HasSubstr("\"state\":\"ready\""));
}

TEST_F(HarvesterTest, DoesNotLookAtMemoryThatIsNotTold) {
  memory_ = 0;
  EXPECT_THAT(targets(), ElementsAre(kHello, kTake)) << "the system does not tell";
  memory_ = 1;
  options_.least_memory = 0;
  EXPECT_THAT(targets(), ElementsAre(kHello, kTake)) << "it was told not to look";
  options_.least_memory = 2;
  options_.memory_available = {};
  EXPECT_THAT(targets(), ElementsAre(kHello, kTake));
}

TEST_F(HarvesterTest, TakesNoJobOnAFullDisk) {
  memory_ = 400'000'000;
  options_.least_free = UINT64_MAX;
  EXPECT_THAT(targets(), ElementsAre(kHello));
  EXPECT_THAT(asked_[0].body, HasSubstr("\"state\":\"the disk is full\""));
}

}  // namespace
}  // namespace caddis::harvestserver
