// Files of a store on the web, whole and from somewhere in them; the server is one on this machine.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "caddis/aio/loop_thread.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/strings.h"
#include "caddis/harvestserver/replica.h"
#include "caddis/http/server.h"
#include "caddis/io/memory_files.h"

namespace caddis::harvestserver {
namespace {

using ::testing::ElementsAre;

constexpr std::string_view kWhole = "the whole file";

class WebReplicaTest : public testing::Test {
 protected:
  WebReplicaTest() {
    const auto answers = [this](const http::ServerRequest& request) -> aio::Task<http::ServerResponse> {
      co_return answer(request);
    };
    const aio::Endpoint at("127.0.0.1", 0);
    server_ = http::Server::start(thread_.loop(), *network_, at, answers, http::ServerSettings()).value();
    const ReplicaSettings settings{"dav", "put", fmt::format("http://127.0.0.1:{}/kept", server_->local().port)};
    replica_ = open_replica({files_, system_clock()}, settings, {}).value();
    thread_.start();
  }
  ~WebReplicaTest() override {
    thread_.stop();
    aio::run_to_end(thread_.loop(), server_->stop());
  }
  http::ServerResponse answer(const http::ServerRequest& request) {
    const std::string range(request.header("range"));
    ranges_.push_back(range);
    if (request.path != "/kept/indexes/1-1.digests") return http::text_response(404, "no");
    http::ServerResponse response(200);
    response.body = kWhole;
    if (!knows_ranges_ || range.empty()) return response;
    const auto from = parse_int(std::string_view(range).substr(6, range.size() - 7));
    if (!from || *from >= static_cast<int64_t>(kWhole.size())) return http::text_response(416, "it is not that long");
    response.status = 206;
    response.body = kWhole.substr(static_cast<size_t>(*from));
    return response;
  }
  std::string read(uint64_t from, const std::string& name = "1-1.digests") {
    std::string bytes;
    const auto read = replica_->read({name, "digests", "", kWhole.size()}, from, [&](std::string_view piece) {
      bytes += piece;
      return Result<void>();
    });
    return read ? bytes : read.error().message;
  }

  io::MemoryFiles files_;
  bool knows_ranges_ = true;
  std::vector<std::string> ranges_;  // as they were asked for
  aio::LoopThread thread_{system_clock()};
  std::unique_ptr<aio::Network> network_ = aio::make_network(thread_.loop());
  std::unique_ptr<http::Server> server_;
  std::unique_ptr<Replica> replica_;
};

TEST_F(WebReplicaTest, APartIsAskedForAlone) {
  EXPECT_EQ(read(0), kWhole);
  EXPECT_EQ(read(10), "file");
  EXPECT_EQ(read(14), "") << "the file is not that long";
  EXPECT_EQ(read(4, "2-1.digests"), "2-1.digests is not there");
  EXPECT_THAT(ranges_, ElementsAre("", "bytes=10-", "bytes=14-", "bytes=4-"));
}

TEST_F(WebReplicaTest, WhatStandsBeforeAPartIsPassedOver) {
  knows_ranges_ = false;
  EXPECT_EQ(read(10), "file");
  EXPECT_EQ(read(14), "");
  EXPECT_THAT(ranges_, ElementsAre("bytes=10-", "bytes=14-"));
}

}  // namespace
}  // namespace caddis::harvestserver
