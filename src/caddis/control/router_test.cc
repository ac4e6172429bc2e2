#include "caddis/control/router.h"

#include <gtest/gtest.h>

namespace caddis::control {
namespace {

const std::vector<RoutePattern> kRoutes = {
    {"GET", "/", ""}, {"GET", "/urls", "host limit"}, {"POST", "/urls", "force"}, {"GET", "/hosts/{host}", ""}};

http::ServerResponse refused(std::string method, std::string path) {
  http::ServerRequest request;
  request.method = std::move(method);
  request.path = std::move(path);
  return refuse_unrouted(kRoutes, request);
}

std::string allowed(const http::ServerResponse& response) {
  for (const auto& [name, value] : response.headers)
    if (name == "Allow") return value;
  return {};
}

TEST(Router, MatchesPathsWhole) {
  EXPECT_TRUE(matches(kRoutes[0], "/"));
  EXPECT_FALSE(matches(kRoutes[0], "/urls"));
  EXPECT_TRUE(matches(kRoutes[1], "/urls"));
  EXPECT_FALSE(matches(kRoutes[1], "/urls/"));
  EXPECT_TRUE(matches(kRoutes[3], "/hosts/a.test"));
  EXPECT_FALSE(matches(kRoutes[3], "/hosts/")) << "the segment may not be empty";
  EXPECT_FALSE(matches(kRoutes[3], "/hosts"));
}

TEST(Router, ReadsSegmentAndParameters) {
  const auto call = make_call(kRoutes[3], "/hosts/A%2etest", "");
  EXPECT_EQ(call->segment, "A.test");
  EXPECT_EQ(make_call(kRoutes[1], "/urls", "host=a%20b&limit=5")->parameters.text("host"), "a b");
  EXPECT_EQ(make_call(kRoutes[3], "/hosts/a", "x").error().code, ErrorCode::parse);
}

TEST(Router, SaysWhatThereIs) {
  const auto unknown = refused("GET", "/nothing");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_TRUE(unknown.body.contains("there are /, /urls, /hosts/{host}\"")) << unknown.body;
  EXPECT_EQ(refused("PUT", "/urls").status, 405);
  EXPECT_EQ(allowed(refused("PUT", "/urls")), "GET, HEAD, POST");
  EXPECT_EQ(allowed(refused("POST", "/hosts/a")), "GET, HEAD");
}

TEST(Router, TellsErrorsApart) {
  EXPECT_EQ(error_response(Error{ErrorCode::parse, "x"}).status, 400);
  EXPECT_EQ(error_response(Error{ErrorCode::config, "x"}).status, 400);
  EXPECT_EQ(error_response(Error{ErrorCode::not_found, "x"}).status, 404);
  EXPECT_EQ(error_response(Error{ErrorCode::not_found, "the marker no longer holds"}).status, 410);
  EXPECT_EQ(error_response(Error{ErrorCode::conflict, "x"}).status, 409);
  EXPECT_EQ(error_response(Error{ErrorCode::io, "x"}).status, 500);
}

TEST(Parameters, AreReadAsTheyAreMeant) {
  const auto given = Parameters::parse("a&b=no&c=1+1&&c=2%2b2", "a b c d");
  ASSERT_TRUE(given) << given.error().message;
  EXPECT_EQ(*given->flag("a", false), true);
  EXPECT_EQ(*given->flag("b", true), false);
  EXPECT_EQ(*given->flag("d", true), true) << "not given";
  EXPECT_EQ(given->text("c"), "2+2") << "the later counts";
  EXPECT_EQ(given->flag("c", true).error().message, "c is 1 or 0, not '2+2'");
  EXPECT_EQ(*given->limit(), 100u);
  EXPECT_FALSE(given->find("d"));
  EXPECT_EQ(Parameters::parse("e=1", "a b").error().message, "there is no parameter 'e' here: there are a, b");
  EXPECT_EQ(Parameters::parse("e=1", "").error().message, "there is no parameter 'e' here, nor any other");
  for (const char* wrong : {"limit=0", "limit=10001", "limit=x", "limit="})
    EXPECT_FALSE(Parameters::parse(wrong, "limit")->limit()) << wrong;
}

}  // namespace
}  // namespace caddis::control
