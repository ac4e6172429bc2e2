// The archive as a proxy, over several collections.
#include "caddis/replay/proxy_replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "caddis/replay/wayback_fixture.h"

namespace caddis::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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

  std::string page() {
    http::ServerRequest request;
    request.method = "GET";
    request.target = request.path = "/";
    return proxy_.handle(*wayback, request).body;
  }
  void choose(std::string form) {
    http::ServerRequest request;
    request.method = "POST";
    request.target = request.path = "/date";
    request.body = std::move(form);
    EXPECT_EQ(proxy_.handle(*wayback, request).status, 303);
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

TEST_F(ProxyReplayTest, AllCollectionsAreChosenUnlessOneIs) {
  const std::string all = R"(<option value="">All collections</option><option>first</option>)";
  EXPECT_THAT(page(), HasSubstr(all));
  EXPECT_THAT(page(), HasSubstr("You see the latest captures."));
  // A reader who only types a date sends the first choice.
  choose("time=2020&collection=");
  EXPECT_THAT(page(), HasSubstr("You see pages nearest to"));
  EXPECT_EQ(ask(""), "of first");
  choose("time=2022&collection=first");
  EXPECT_THAT(page(), HasSubstr("<option selected>first</option>"));
  EXPECT_THAT(page(), HasSubstr("You see pages of the collection first nearest to"));
  EXPECT_EQ(ask(""), "of first");
  choose("time=&collection=second");
  EXPECT_THAT(page(), HasSubstr("You see the latest captures of the collection second."));
}

TEST_F(ProxyReplayTest, WhatIsBlockedIsToldWhicheverCollectionIsChosen) {
  add("fourth", "20210101000000", "http://blocked.org/");
  put("all/fourth/access.yaml", "rules: [{verdict: block, domain: blocked.org, message: MESSAGE <b>}]");
  add("fifth", "20230101000000", "http://example.org/five");
  auto collections = open_collections(files, clock, "all");
  ASSERT_TRUE(collections);
  auto rules = ServedRules::open(files, clock, "", *collections);
  ASSERT_TRUE(rules) << rules.error().message;
  WaybackOptions options;
  options.rules = *rules;
  open_at("all", options);
  http::ServerRequest request;
  request.method = "GET";
  request.target = "http://blocked.org/";
  for (const std::string_view destination : {"document", "iframe", "image"})
    for (const char* const collection : {"", "fourth"}) {
      choose(std::string("collection=") + collection);
      request.headers = {{"Sec-Fetch-Dest", std::string(destination)}};
      const auto refused = proxy_.handle(*wayback, request);
      EXPECT_EQ(refused.status, 451) << destination << collection;
      EXPECT_THAT(refused.body, HasSubstr("MESSAGE <b>"));
      EXPECT_EQ(find_header(refused.headers, "content-type"), "text/plain; charset=utf-8");
      EXPECT_THAT(refused.body, Not(HasSubstr("/-/")));
    }
  choose("collection=first");
  EXPECT_EQ(proxy_.handle(*wayback, request).status, 404);
  // Where another collection may show it, it does.
  add("sixth", "20210101000000", "http://blocked.org/");
  collections = open_collections(files, clock, "all");
  options.rules = *ServedRules::open(files, clock, "", *collections);
  open_at("all", options);
  choose("collection=");
  EXPECT_EQ(ask("", "http://blocked.org/"), "of sixth");
}

}  // namespace
}  // namespace caddis::replay
