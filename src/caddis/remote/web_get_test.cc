#include "caddis/remote/web_get.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "caddis/aio/nursery.h"
#include "caddis/base/clock.h"
#include "caddis/io/memory_files.h"

namespace caddis::remote {
namespace {

// A name server on a UDP port of loopback that never answers.
class SilentNames {
 public:
  SilentNames() : socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    socklen_t size = sizeof(address);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  SilentNames(const SilentNames&) = delete;
  SilentNames& operator=(const SilentNames&) = delete;
  ~SilentNames() { ::close(socket_); }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  const int socket_;
  uint16_t port_ = 0;
};

TEST(WebGet, EndsInTimeIfNameServersAreSilent) {
  const auto loop = aio::make_loop(system_clock());
  io::MemoryFiles files;
  io::SpoolFolder spools(files, "spool", 1 << 20);
  const SilentNames silent;
  dns::Settings names;
  names.servers = {silent.address()};
  names.timeout = std::chrono::seconds(1);
  names.tries = 1;
  WebGet web(*loop, spools, names);
  Result<WebAnswer> answer;
  const auto ask = [&]() -> aio::Task<void> {
    WebRequest request;
    request.address = "http://nobody.example/";
    request.timeout = std::chrono::milliseconds(50);
    answer = co_await web.get(std::move(request));
    co_await web.end();
  };
  aio::run_to_end(*loop, ask());
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::timeout) << answer.error().message;
  // The request's own deadline, not that of the name servers.
  EXPECT_THAT(answer.error().message, ::testing::HasSubstr("the name servers do not answer in time"));
}

}  // namespace
}  // namespace caddis::remote
