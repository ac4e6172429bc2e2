#include "caddis/control/api_json.h"

#include <gtest/gtest.h>

namespace caddis::control::api {
namespace {

TEST(ApiJson, WritesFieldsInTheirOrderUnderTheirNames) {
  EXPECT_EQ(to_json(Failure{"no \"host\""}), R"({"error":"no \"host\""})");
  EXPECT_EQ(to_json(WokenHosts{.hosts = 3, .marker = "a"}), R"({"hosts":3,"marker":"a"})");
  EXPECT_EQ(to_json(WaitingPage{}), R"({"urls":[],"marker":""})") << "an optional field without a value is missing";
  const StoppedCrawl died{.state = "interrupted", .launch = "x-1"};
  EXPECT_EQ(to_json(died), R"({"state":"interrupted","launch":"x-1","why":null,"report":null,"checkpoints":[]})");
}

TEST(ApiJson, ReadsWhatItWrites) {
  Host host;
  host.host = "a.test";
  host.known = true;
  host.addresses = {"192.0.2.1", "2001:db8::1"};
  host.delay_seconds = 1.5;
  host.budget = 7;
  host.given_up = -5001;
  host.usage.bytes = uint64_t{1} << 40;
  Queue& queue = host.queues.emplace_back();
  queue.origin = "http://a.test";
  queue.state = "politeness";
  queue.crawl_delay_seconds = 10;
  const auto read = from_json<Host>(to_json(host));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json(host));
  EXPECT_EQ(read->queues[0].crawl_delay_seconds, 10);
  EXPECT_FALSE(read->group.has_value());

  StoppedCrawl stopped{.state = "ended", .launch = "x-1", .why = ""};
  stopped.report.emplace()["Crawl Name"] = "x";
  EXPECT_EQ(to_json(*from_json<StoppedCrawl>(to_json(stopped))), to_json(stopped));
  EXPECT_EQ(from_json<std::vector<Queue>>(to_json(host.queues))->size(), 1u);
}

TEST(ApiJson, RefusesWhatItDoesNotUnderstandAndSaysWhere) {
  struct Case {
    const char *json, *says;
  };
  static constexpr Case kCases[] = {{"", "no JSON"},
                                    {"[]", "an object was expected"},
                                    {R"({"marker": ""})", "'deleted' is missing"},
                                    {R"({"deleted": -1, "marker": ""})", "deleted: a number from 0"},
                                    {R"({"deleted": "1", "marker": ""})", "deleted: a number from 0"},
                                    {R"({"deleted": null, "marker": ""})", "deleted: a number from 0"},
                                    {R"({"deleted": 1, "marker": 2})", "marker: a text was expected"}};
  for (const Case& one : kCases) {
    const auto read = from_json<DeletedUrls>(one.json);
    ASSERT_FALSE(read) << one.json;
    EXPECT_EQ(read.error().code, ErrorCode::parse);
    EXPECT_TRUE(read.error().message.contains(one.says)) << read.error().message;
  }
  EXPECT_TRUE(from_json<DeletedUrls>(R"({"deleted": 1, "marker": "", "more": {}})")) << "a newer crawl may say more";
}

}  // namespace
}  // namespace caddis::control::api
