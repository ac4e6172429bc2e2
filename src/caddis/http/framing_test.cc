#include "caddis/http/framing.h"

#include <gtest/gtest.h>

namespace caddis::http {
namespace {

using Kind = Framing::Kind;

struct Case {
  const char* what;
  const char* head;
  Kind kind;
  uint64_t length;
  bool keep_alive;
  bool problem;
  const char* method = "GET";
};

const Case kCases[] = {
    {"a length", "HTTP/1.1 200 OK\nContent-Length: 42\n\n", Kind::length, 42, true, false},
    {"length 0", "HTTP/1.1 200 OK\nContent-Length: 0\n\n", Kind::length, 0, true, false},
    {"asked to close", "HTTP/1.1 200 OK\nConnection: foo, Close\nContent-Length: 1\n\n", Kind::length, 1, false, false},
    {"HTTP/1.0 closes", "HTTP/1.0 200 OK\nContent-Length: 1\n\n", Kind::length, 1, false, false},
    {"HTTP/1.0 kept", "HTTP/1.0 200 OK\nConnection: Keep-Alive\nContent-Length: 1\n\n", Kind::length, 1, true, false},
    {"no framing field", "HTTP/1.1 200 OK\nConnection: keep-alive\n\n", Kind::until_close, 0, false, false},
    {"chunked", "HTTP/1.1 200 OK\nTransfer-Encoding: Chunked\n\n", Kind::chunked, 0, true, false},
    {"chunked with parameter", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked;x=y\n\n", Kind::chunked, 0, true, false},
    {"identity", "HTTP/1.1 200 OK\nTransfer-Encoding: identity\nContent-Length: 3\n\n", Kind::length, 3, true, false},
    {"chunked beats length", "HTTP/1.1 200 OK\nContent-Length: 3\nTransfer-Encoding: chunked\n\n", Kind::chunked, 0,
     false, true},
    {"chunked in 1.0", "HTTP/1.0 200 OK\nConnection: keep-alive\nTransfer-Encoding: chunked\n\n", Kind::chunked, 0,
     false, true},
    {"gzip under chunked", "HTTP/1.1 200 OK\nTransfer-Encoding: gzip\nTransfer-Encoding: chunked\n\n", Kind::chunked, 0,
     false, true},
    {"gzip at the end", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked, gzip\nContent-Length: 3\n\n", Kind::until_close,
     0, false, true},
    {"the same length twice", "HTTP/1.1 200 OK\nContent-Length: 5, 5\nContent-Length: 5\n\n", Kind::length, 5, true,
     false},
    {"different lengths", "HTTP/1.1 200 OK\nContent-Length: 5\nContent-Length: 6\n\n", Kind::until_close, 0, false,
     true},
    {"different lengths in a list", "HTTP/1.1 200 OK\nContent-Length: 5,6\n\n", Kind::until_close, 0, false, true},
    {"a negative length", "HTTP/1.1 200 OK\nContent-Length: -5\n\n", Kind::until_close, 0, false, true},
    {"a signed length", "HTTP/1.1 200 OK\nContent-Length: +5\n\n", Kind::until_close, 0, false, true},
    {"a length in words", "HTTP/1.1 200 OK\nContent-Length: 5 bytes\n\n", Kind::until_close, 0, false, true},
    {"a long length", "HTTP/1.1 200 OK\nContent-Length: 00000000000000000000000042\n\n", Kind::length, 42, true, false},
    {"a length that no body has", "HTTP/1.1 200 OK\nContent-Length: 9223372036854775807\n\n", Kind::until_close, 0,
     false, true},
    {"a length beyond 63 bits", "HTTP/1.1 200 OK\nContent-Length: 99999999999999999999\n\n", Kind::until_close, 0,
     false, true},
    {"an empty length", "HTTP/1.1 200 OK\nContent-Length:\n\n", Kind::until_close, 0, false, false},
    {"HEAD", "HTTP/1.1 200 OK\nContent-Length: 42\n\n", Kind::none, 0, true, false, "HEAD"},
    {"204", "HTTP/1.1 204 No Content\nContent-Length: 42\n\n", Kind::none, 0, true, false},
    {"304", "HTTP/1.1 304 Not Modified\nTransfer-Encoding: chunked\n\n", Kind::none, 0, true, false},
    {"205 has a body", "HTTP/1.1 205 Reset Content\nContent-Length: 2\n\n", Kind::length, 2, true, false},
    {"101", "HTTP/1.1 101 Switching Protocols\n\n", Kind::none, 0, false, false},
    {"a tunnel", "HTTP/1.1 200 OK\nContent-Length: 42\n\n", Kind::none, 0, true, false, "CONNECT"},
    {"a tunnel refused", "HTTP/1.1 403 No\nContent-Length: 42\n\n", Kind::length, 42, true, false, "CONNECT"},
};

TEST(FramingTest, Decides) {
  for (const Case& c : kCases) {
    const Framing framing = response_framing(*parse_response_head(c.head, Mode::lenient), c.method);
    EXPECT_EQ(static_cast<int>(framing.kind), static_cast<int>(c.kind)) << c.what;
    EXPECT_EQ(framing.length, c.length) << c.what;
    EXPECT_EQ(framing.keep_alive, c.keep_alive) << c.what;
    EXPECT_EQ(!framing.problem.empty(), c.problem) << c.what << ": " << framing.problem;
  }
}

TEST(FramingTest, ToleratesNulInALength) {
  const std::string bytes("HTTP/1.1 200 OK\nContent-Length: 42\0\n\n", 38);
  EXPECT_EQ(response_framing(*parse_response_head(bytes, Mode::lenient), "GET").length, 42u);
}

}  // namespace
}  // namespace caddis::http
