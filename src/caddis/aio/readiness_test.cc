#include "caddis/aio/readiness.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace caddis::aio {
namespace {

TEST(Readiness, TellsAgainAndAgainAndMayGoInItsCallback) {
  const auto loop = make_loop(system_clock());
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
  int readable = 0, writable = 0;
  std::unique_ptr<Readiness> watched = watch(*loop, ends[0], [&](bool read, bool write) {
    readable += read;
    writable += write;
    if (write && writable == 2) watched->want(true, false);
    if (read && readable == 3) {  // nobody reads: it stays readable
      watched = nullptr;
      loop->stop();
    }
  });
  watched->want(true, true);
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  loop->run();
  EXPECT_EQ(readable, 3);
  EXPECT_GE(writable, 2);
  ::close(ends[0]);  // still ours
  ::close(ends[1]);
}

}  // namespace
}  // namespace caddis::aio
