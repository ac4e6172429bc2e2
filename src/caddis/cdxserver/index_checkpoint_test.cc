#include "caddis/cdxserver/index_checkpoint.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "caddis/base/clock.h"
#include "support/testdata.h"

namespace caddis::cdxserver {
namespace {

class IndexCheckpointTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = folder_.find_or_make("i");
    ASSERT_TRUE(made) << made.error().message;
    index_ = *std::move(made);
    ASSERT_TRUE(files_.make_dirs(temp_ / "checkpoints"));
  }
  Result<void> make() { return make_index_checkpoint(files_, *index_, path_); }

  testing::TempDir temp_;
  ManualClock clock_;
  io::Files& files_ = io::real_files();
  IndexFolder folder_{files_, clock_, temp_ / "data", cdx::CaptureStoreOptions()};
  const std::string path_ = temp_ / "checkpoints/i";
  std::shared_ptr<ServedIndex> index_;
};

TEST_F(IndexCheckpointTest, HasStoreAndRules) {
  ASSERT_TRUE(make());
  EXPECT_TRUE(files_.is_directory(path_));
  EXPECT_EQ(*files_.read_all(access_file_of(path_), 1 << 20), index_->access->text());
  const auto again = make();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::conflict);
  index_.reset();
  IndexFolder copies(files_, clock_, temp_ / "checkpoints", cdx::CaptureStoreOptions());
  EXPECT_TRUE(copies.find("i"));
}

TEST_F(IndexCheckpointTest, NothingIsLeftOfOneWithoutRules) {
  // No file can take the place of this folder.
  ASSERT_TRUE(files_.make_dirs(access_file_of(path_) + "/x"));
  EXPECT_FALSE(make());
  EXPECT_FALSE(files_.exists(path_));
  EXPECT_FALSE(files_.exists(temp_ / "checkpoints/.i.part"));
}

TEST_F(IndexCheckpointTest, OneThatWasBrokenOffIsNamed) {
  ASSERT_TRUE(files_.make_dirs(temp_ / "checkpoints/.i.part"));
  const auto made = make();
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::conflict);
  EXPECT_NE(made.error().message.find("delete " + (temp_ / "checkpoints/.i.part")), std::string::npos)
      << made.error().message;
  EXPECT_FALSE(files_.exists(path_));
}

}  // namespace
}  // namespace caddis::cdxserver
