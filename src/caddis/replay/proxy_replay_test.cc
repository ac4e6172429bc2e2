// The archive as a proxy, over several collections.
#include "caddis/replay/proxy_replay.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "caddis/replay/wayback_fixture.h"

namespace caddis::replay {
namespace {

class ProxyReplayTest : public WaybackTest {
 protected:
  void SetUp() override {
    add("first", "20200101000000");
    add("second", "20220101000000");
    add("third", "20220101000000");
    open_at("all");
  }
  void add(const std::string& name, std::string_view timestamp, const std::string& url = "http://example.org/") {
    ArchiveMaker archive;
    archive.response(url, timestamp, http_ok("text/html", "of " + name));
    put("all/" + name + "/archive/a.warc.gz", archive.bytes());
  }
  // The body that is answered; empty if there is none.
  std::string ask(std::string accept_datetime, std::string url = "http://example.org/") {
    http::ServerRequest request;
    request.method = "GET";
    request.target = std::move(url);
    if (!accept_datetime.empty()) request.headers.emplace_back("Accept-Datetime", std::move(accept_datetime));
    http::ServerResponse response = proxy_.handle(*wayback, request);
    const auto body = http::whole_body(response);
    return response.status == 200 && body ? *body : std::string();
  }

  ProxyReplay proxy_{ProxyCertificate()};
};

TEST_F(ProxyReplayTest, ChoosesTheNearestOfAllCollections) {
  EXPECT_EQ(ask("Thu, 01 Oct 2020 00:00:00 GMT"), "of first");
  EXPECT_EQ(ask("Fri, 01 Oct 2021 00:00:00 GMT"), "of second");
  EXPECT_EQ(ask("Wed, 01 Jan 2020 00:00:00 GMT"), "of first");
  // Of those equally near, that of the first.
  EXPECT_EQ(ask("Sat, 01 Jan 2022 00:00:00 GMT"), "of second");
  EXPECT_EQ(ask(""), "of second");
  EXPECT_EQ(ask("", "http://example.org/other"), "");
}

TEST_F(ProxyReplayTest, TakesALookAlikeOnlyIfNoCollectionHasTheUrl) {
  add("exact", "20200101000000", "http://example.org/x.js?_=1");
  add("alike", "20220101000000", "http://example.org/x.js?_=2");
  open_at("all");
  EXPECT_EQ(ask("Sat, 01 Jan 2022 00:00:00 GMT", "http://example.org/x.js?_=1"), "of exact");
  EXPECT_NE(ask("Sat, 01 Jan 2022 00:00:00 GMT", "http://example.org/x.js?_=3"), "");
}

}  // namespace
}  // namespace caddis::replay
