#include "caddis/base/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string>

namespace caddis {
namespace {

constexpr size_t kMuch = 4 << 20;  // more than any of them holds

std::string read_some(int fd) {
  std::string text(1 << 20, '\0');
  const ssize_t got = ::read(fd, text.data(), text.size());
  text.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

// Nobody reads: the test ends all the same. Who reads again, gets what is written from then on.
void expect_no_wait(int reader, int writer) {
  LossyOutput output(writer);
  output.write("first");
  for (size_t written = 0; written < kMuch; written += 512) output.write(std::string(512, 'x'));
  EXPECT_TRUE(read_some(reader).starts_with("first"));
  ASSERT_EQ(::fcntl(reader, F_SETFL, O_NONBLOCK), 0);
  while (!read_some(reader).empty()) continue;
  output.write("last");
  EXPECT_EQ(read_some(reader), "last");
  ::close(reader);
  output.write("to nobody");
  ::close(writer);
}

TEST(LossyOutput, DoesNotWaitForThePipeOfAReaderWhoStandsStill) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::signal(SIGPIPE, SIG_IGN);
  expect_no_wait(ends[0], ends[1]);
}

TEST(LossyOutput, DoesNotWaitForATerminalThatNobodyReads) {
  int master = -1, slave = -1;
  ASSERT_EQ(::openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
  expect_no_wait(master, slave);
}

TEST(LossyOutput, DoesNotWaitForASocketThatNobodyReads) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  expect_no_wait(ends[0], ends[1]);
}

TEST(LossyOutput, GoesOnWhereAFileIs) {
  std::string path = ::testing::TempDir() + "caddis-output-XXXXXX";
  const int file = ::mkstemp(path.data());
  ASSERT_NE(file, -1);
  ASSERT_EQ(::write(file, "before ", 7), 7);
  {
    LossyOutput output(file);
    output.write("after");
  }
  ASSERT_EQ(::lseek(file, 0, SEEK_SET), 0);
  EXPECT_EQ(read_some(file), "before after");
  ::close(file);
  ::unlink(path.c_str());
}

}  // namespace
}  // namespace caddis
