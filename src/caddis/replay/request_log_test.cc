#include "caddis/replay/request_log.h"

#include <gtest/gtest.h>

namespace caddis::replay {
namespace {

TEST(RequestLog, TellsWhatWasSent) {
  using enum http::SentResponse::End;
  http::ServerRequest request;
  request.method = "GET";
  request.target = "/c/";
  const auto line = [&](const http::SentResponse& sent) {
    return request_log_line(request, "192.0.2.1", "alice", WallTime(), sent);
  };
  const std::string begin = "192.0.2.1 - alice [01/Jan/1970:00:00:00 +0000] \"GET /c/ HTTP/1.1\" ";
  EXPECT_EQ(line({200, 1234, whole}), begin + "200 1234 \"-\" \"-\"\n");
  EXPECT_EQ(line({200, 77, cut}), begin + "200 77 \"-\" \"-\" cut\n");
  EXPECT_EQ(line({200, 65536, left}), begin + "200 65536 \"-\" \"-\" left\n");
  EXPECT_EQ(line({0, 0, left}), begin + "499 0 \"-\" \"-\" left\n");
}

}  // namespace
}  // namespace caddis::replay
