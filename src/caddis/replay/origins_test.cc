#include "caddis/replay/origins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caddis::replay {
namespace {

using ::testing::HasSubstr;

http::ServerRequest to(std::string host, bool tls = false) {
  http::ServerRequest request;
  request.headers.emplace_back("Host", std::move(host));
  request.tls = tls;
  return request;
}

Origins local(const std::vector<std::string>& collections = {"my-archive", "Zwei Punkte.de"}) {
  return *Origins::create({}, collections, "secret");
}

Origins published() {
  ServeNames names;
  names.own = {"archive.example.org"};
  names.captures = "{collection}.replay.example.org";
  return *Origins::create(names, {"my-archive"}, "secret");
}

TEST(HostLabel, IsANameOfItsOwn) {
  EXPECT_EQ(host_label("my-archive"), "my-archive");
  EXPECT_EQ(host_label("2026"), "2026");
  for (const char* odd : {"My-Archive", "a b", "-x", "x-", "", "ä", "a.warc.gz"}) {
    const std::string label = host_label(odd);
    EXPECT_THAT(label, ::testing::MatchesRegex("c-[a-z0-9-]*-[0-9a-f]+")) << odd;
  }
  EXPECT_NE(host_label("a.b"), host_label("a b"));
  EXPECT_LE(host_label(std::string(200, 'x')).size(), 63u);
}

TEST(Origins, CapturesHaveAHostBelowLocalhost) {
  const Origins origins = local();
  for (const char* own : {"127.0.0.1:8080", "localhost:8080"}) {
    EXPECT_EQ(origins.place_of(to(own)).kind, Place::Kind::own) << own;
    EXPECT_EQ(origins.captures_host(to(own), "my-archive"), "my-archive.localhost:8080") << own;
  }
  EXPECT_EQ(origins.place_of(to("127.0.0.1:8080")).own_origin, "http://127.0.0.1:8080");
  const Place captures = origins.place_of(to("My-Archive.localhost:8080"));
  EXPECT_EQ(captures.kind, Place::Kind::captures);
  EXPECT_EQ(captures.collection, "my-archive");
  EXPECT_EQ(captures.own_origin, "http://127.0.0.1:8080");
  EXPECT_NE(origins.captures_host(to("localhost"), "Zwei Punkte.de"),
            origins.captures_host(to("localhost"), "my-archive"));
}

TEST(Origins, OtherAddressesHaveNone) {
  const Origins origins = local();
  for (const char* address : {"192.168.1.5:8080", "[::1]:8080", "127.0.0.2"}) {
    EXPECT_EQ(origins.place_of(to(address)).kind, Place::Kind::own);
    EXPECT_EQ(origins.captures_host(to(address), "my-archive"), "");
  }
}

TEST(Origins, KeysAreOfACollectionAndAProcess) {
  const Origins one = local({"a", "b"});
  EXPECT_EQ(one.key_of("a"), local({"a"}).key_of("a"));
  EXPECT_NE(one.key_of("a"), one.key_of("b"));
  EXPECT_NE(one.key_of("a"), Origins::create({}, {"a"}, "another")->key_of("a"));
}

TEST(Origins, OnlyOwnPagesMayFrameCaptures) {
  const Origins origins = local();
  EXPECT_EQ(origins.ancestors(origins.place_of(to("my-archive.localhost:8080"))),
            "'self' http://localhost:8080 http://127.0.0.1:8080");
  EXPECT_EQ(published().ancestors(published().place_of(to("my-archive.replay.example.org"))),
            "'self' http://archive.example.org");
}

TEST(Origins, ForeignNamesAreTold) {
  for (const char* foreign :
       {"evil.test", "archive.example.org", "other.localhost", "my-archive.localhost.evil.test", "a b"})
    EXPECT_EQ(local().place_of(to(foreign)).kind, Place::Kind::foreign) << foreign;
  EXPECT_EQ(local().place_of(http::ServerRequest()).kind, Place::Kind::own);
}

TEST(Origins, PublicNames) {
  const Origins origins = published();
  EXPECT_EQ(origins.captures_host(to("archive.example.org"), "my-archive"), "my-archive.replay.example.org");
  const Place captures = origins.place_of(to("my-archive.replay.example.org", true));
  EXPECT_EQ(captures.kind, Place::Kind::captures);
  EXPECT_EQ(captures.own_origin, "https://archive.example.org");
  // Behind a proxy that ends TLS.
  http::ServerRequest proxied = to("archive.example.org");
  proxied.headers.emplace_back("X-Forwarded-Proto", "https");
  EXPECT_EQ(origins.place_of(proxied).own_origin, "https://archive.example.org");
}

TEST(Origins, HostsWithoutThePlaceOfTheNameAreRefused) {
  ServeNames names;
  names.own = {"a.org"};
  names.captures = "replay.example.org";
  const auto refused = Origins::create(names, {"c"}, "secret");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::config);
  EXPECT_THAT(refused.error().message, HasSubstr("{collection}.replay.example.org"));
  names = {};
  names.captures = "{collection}.replay.example.org";
  EXPECT_THAT(Origins::create(names, {"c"}, "secret").error().message, HasSubstr("--public-name"));
  names.own = {"archive.example.org"};
  names.captures = "{collection}.example.org";
  EXPECT_THAT(Origins::create(names, {"archive"}, "secret").error().message, HasSubstr("choose another"));
  EXPECT_TRUE(Origins::create(names, {"other"}, "secret"));
  for (const char* bad : {"archive.example.org:8443", "https://archive.example.org", "", "a b"}) {
    names.own = {bad};
    EXPECT_FALSE(Origins::create(names, {"c"}, "secret")) << bad;
  }
}

}  // namespace
}  // namespace caddis::replay
