#include "caddis/base/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace caddis {
namespace {

TEST(TakesText, AsLongAsThereIsRoom) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_GE(::fcntl(ends[1], F_SETPIPE_SZ, 2 * kTakenAtOnce), 2 * kTakenAtOnce);
  const auto size = static_cast<size_t>(::fcntl(ends[1], F_GETPIPE_SZ));
  std::string text(kTakenAtOnce, 'x');
  for (size_t written = 0; written < size; written += text.size()) {
    EXPECT_TRUE(takes_text(ends[1])) << written;
    ASSERT_EQ(::write(ends[1], text.data(), text.size()), kTakenAtOnce);
  }
  EXPECT_FALSE(takes_text(ends[1]));
  EXPECT_FALSE(takes_text(ends[1]));
  ASSERT_EQ(::read(ends[0], text.data(), text.size()), kTakenAtOnce);
  EXPECT_TRUE(takes_text(ends[1]));
  ::close(ends[0]);
  EXPECT_TRUE(takes_text(ends[1])) << "the write fails, which is no wait";
  ::close(ends[1]);
}

}  // namespace
}  // namespace caddis
