#include "simweb/serve/request_head.h"

#include <gtest/gtest.h>

#include <string>

namespace simweb {
namespace {

RequestHead parsed(std::string_view bytes) {
  RequestHead head;
  const ParsedRequest result = parse_request(bytes, 0, head);
  EXPECT_EQ(result.state, ParsedRequest::State::complete) << bytes;
  EXPECT_EQ(result.head_size, bytes.size());
  return head;
}

TEST(RequestHead, WhatAnswersDependOn) {
  const RequestHead head = parsed(
      "GET /a?b=c HTTP/1.1\r\nHost: h1.s0.test:18080\r\nUser-Agent: x (y)\r\nAccept-Encoding: br, gzip\r\n"
      "If-None-Match:\"t\" \r\nIf-Modified-Since: never\r\n\r\n");
  EXPECT_EQ(head.method, "GET");
  EXPECT_EQ(head.target, "/a?b=c");
  EXPECT_EQ(head.host, "h1.s0.test");
  EXPECT_EQ(head.user_agent, "x (y)");
  EXPECT_EQ(head.if_none_match, "\"t\"");
  EXPECT_EQ(head.if_modified_since, "never");
  EXPECT_TRUE(head.accepts_gzip && head.keep_alive && !head.http_1_0);
  EXPECT_EQ(head.body_size, 0u);
}

TEST(RequestHead, KeepAlive) {
  EXPECT_FALSE(parsed("GET / HTTP/1.1\r\nHost: a\r\nConnection: TE, Close\r\n\r\n").keep_alive);
  EXPECT_FALSE(parsed("GET / HTTP/1.0\r\n\r\n").keep_alive);
  EXPECT_TRUE(parsed("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").keep_alive);
}

TEST(RequestHead, AbsoluteTargetWinsOverHost) {
  const RequestHead head = parsed("GET http://a.test:81/x HTTP/1.1\r\nHost: b.test\r\n\r\n");
  EXPECT_EQ(head.host, "a.test");
  EXPECT_EQ(path_of(head.target), "/x");
  EXPECT_EQ(path_of("http://a.test"), "/");
  EXPECT_EQ(path_of("/y?http://z/"), "/y?http://z/");
}

TEST(RequestHead, PipelinedRequestsAreTakenOneByOne) {
  const std::string one = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n", two = "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n";
  RequestHead head;
  const std::string both = one + two;
  const ParsedRequest result = parse_request(both, 0, head);
  EXPECT_EQ(result.head_size, one.size());
  EXPECT_EQ(head.target, "/1");
}

TEST(RequestHead, Refused) {
  const std::string many = [] {
    std::string fields;
    for (int i = 0; i < 101; ++i) fields += "A: b\r\n";
    return fields;
  }();
  const std::pair<std::string, int> cases[] = {
      {"\r\n\r\n", 400},
      {"GET\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 400},
      {"GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", 413},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 501},
      {"GET / HTTP/1.1\r\nHost: a\r\n" + many + "\r\n", 431},
      {"GET /" + std::string(max_request_head, 'a'), 431},
      {"GET /" + std::string(max_request_head, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", 431},
  };
  for (const auto& [bytes, status] : cases) {
    RequestHead head;
    const ParsedRequest result = parse_request(bytes, 0, head);
    EXPECT_EQ(result.state, ParsedRequest::State::bad) << bytes.substr(0, 100);
    EXPECT_EQ(result.status, status) << bytes.substr(0, 100);
  }
}

}  // namespace
}  // namespace simweb
