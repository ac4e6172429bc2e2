// The words that are sent, shown and logged of an exchange: the pure functions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "caddis/base/time_format.h"
#include "caddis/logs/log_line.h"
#include "caddis/recording/answer_head.h"
#include "caddis/recording/log_line.h"
#include "caddis/recording/outgoing_request.h"
#include "caddis/recording/own_pages.h"

namespace caddis::recording {
namespace {

using testing::HasSubstr;
using testing::Not;

http::ServerRequest request_of(std::string method, http::ServerHeaders headers) {
  http::ServerRequest request;
  request.method = std::move(method);
  request.headers = std::move(headers);
  return request;
}

url::Url url_of(std::string_view text) { return *url::Url::parse(text); }

TEST(OutgoingRequest, SendsWhatTheBrowserSentButForTheConnection) {
  const auto asked = request_of("GET", {{"Host", "h.example"},
                                        {"Proxy-Connection", "keep-alive"},
                                        {"Proxy-Authorization", "Basic eDp5"},
                                        {"Connection", "close, X-Hop"},
                                        {"X-Hop", "1"},
                                        {"TE", "trailers"},
                                        {"Accept-Encoding", "gzip, br"},
                                        {"If-None-Match", "\"1\""},
                                        {"Range", "bytes=0-9"},
                                        {"If-Range", "\"1\""},
                                        {"Upgrade", "h2c"}});
  const auto made = outgoing_request(asked, url_of("http://h.example/a?b#c"), OutgoingForm());
  EXPECT_EQ(made.head,
            "GET /a?b HTTP/1.1\r\nHost: h.example\r\nAccept-Encoding: gzip, br\r\nRange: bytes=0-9\r\nIf-Range: "
            "\"1\"\r\n\r\n");
  EXPECT_EQ(made.recorded, made.head);
  EXPECT_EQ(made.withheld, "");
  EXPECT_FALSE(made.is_websocket);
}

TEST(OutgoingRequest, NamesTheHostOfTheUrl) {
  const auto asked = request_of("GET", {{"A", "b"}, {"Host", "other.example"}});
  const auto made = outgoing_request(asked, url_of("http://h.example:8080/"), OutgoingForm());
  EXPECT_EQ(made.head, "GET / HTTP/1.1\r\nHost: h.example:8080\r\nA: b\r\n\r\n");
  EXPECT_EQ(made.recorded, made.head);
}

TEST(OutgoingRequest, KeepsSecretsOutOfTheRecord) {
  const auto asked =
      request_of("POST", {{"Host", "h.example"}, {"Cookie", "sid=1"}, {"Authorization", "Basic x"}, {"A", "b"}});
  const auto url = url_of("https://h.example/login");
  const auto made = outgoing_request(asked, url, {.body_size = 12});
  EXPECT_THAT(made.head, HasSubstr("Cookie: sid=1\r\nAuthorization: Basic x\r\nA: b\r\nContent-Length: 12\r\n\r\n"));
  EXPECT_EQ(made.recorded, "POST /login HTTP/1.1\r\nHost: h.example\r\nA: b\r\nContent-Length: 12\r\n\r\n");
  EXPECT_EQ(made.withheld, "Cookie, Authorization");
  const auto open = outgoing_request(asked, url, {.body_size = 12, .records_credentials = true});
  EXPECT_EQ(open.recorded, open.head);
}

TEST(OutgoingRequest, LetsAWebSocketThrough) {
  const auto asked =
      request_of("GET", {{"Host", "h"}, {"Connection", "keep-alive, Upgrade"}, {"Upgrade", "websocket"}});
  const auto made = outgoing_request(asked, url_of("http://h/ws"), OutgoingForm());
  EXPECT_TRUE(made.is_websocket);
  EXPECT_THAT(made.head, HasSubstr("Connection: Upgrade\r\nUpgrade: websocket\r\n"));
}

TEST(OutgoingRequest, AddsAHostWhereThereIsNone) {
  const auto made =
      outgoing_request(request_of("GET", {}), url_of("http://h:8080/"), {.body_size = {}, .is_http_1_0 = true});
  EXPECT_EQ(made.head, "GET / HTTP/1.0\r\nHost: h:8080\r\n\r\n");
}

std::string answer_for(std::string_view raw, http::Framing framing, bool keep_alive) {
  return answer_head(*http::parse_response_head(raw, http::Mode::lenient), framing, keep_alive);
}

TEST(AnswerHead, HasTheFramingOfTheServer) {
  using Kind = http::Framing::Kind;
  http::Framing framing;
  framing.kind = Kind::length;
  framing.length = 3;
  EXPECT_EQ(answer_for("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\nAlt-Svc: h3\r\nA: b\r\n\r\n",
                       framing, true),
            "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 3\r\n\r\n");
  framing.kind = Kind::chunked;
  EXPECT_EQ(answer_for("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n", framing, false),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
  framing.kind = Kind::none;
  EXPECT_EQ(answer_for("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", framing, true),
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n");
  framing.kind = Kind::until_close;
  EXPECT_EQ(answer_for("HTTP/1.1 200 \r\na: b\r\n\r\n", framing, true),
            "HTTP/1.1 200 \r\na: b\r\nTransfer-Encoding: chunked\r\n\r\n");
  EXPECT_EQ(answer_for("HTTP/1.1 200 \r\na: b\r\n\r\n", framing, false),
            "HTTP/1.1 200 \r\na: b\r\nConnection: close\r\n\r\n");
}

TEST(LogLine, IsALineOfCrawlLog) {
  const dedup::Match match{{.url = "http://h/b",
                            .date = *parse_timestamp("20260101000000"),
                            .record_id = {},
                            .etag = {},
                            .last_modified = {}},
                           dedup::Likeness::digest};
  LoggedRequest request{.url = "http://h/a b", .via = "http://h/", .mime = "text/html", .digest = "sha1:A"};
  request.status = 200;
  request.body_size = 5;
  request.size = 50;
  request.started = *parse_timestamp("20260102030405");
  request.finished = request.started + std::chrono::milliseconds(7);
  request.truncated = http::Truncated::disconnect;
  request.revisit = &match;
  const std::string text = log_line(request, {"REC-1.warc.gz", 12});
  logs::LogLine line;
  ASSERT_TRUE(line.parse(std::string_view(text).substr(0, text.size() - 1))) << text;
  using enum logs::LogLine::Field;
  EXPECT_EQ(line.status(), 200);
  EXPECT_EQ(line.field(url), "http://h/a%20b");
  EXPECT_EQ(line.field(via), "http://h/");
  EXPECT_EQ(line.field(fetch), "20260102030405000+7");
  EXPECT_EQ(line.bytes(), 50);
  EXPECT_TRUE(line.has_annotation("disconnectTrunc")) << text;
  const auto original = logs::repeated_capture(line);
  ASSERT_TRUE(original.has_value());
  EXPECT_EQ(original->url, "http://h/b");
  EXPECT_EQ(line.json(), R"({"contentSize":50,"warcFilename":"REC-1.warc.gz","warcFileOffset":12})");
}

TEST(LogLine, TellsWhatWasNotRecorded) {
  LoggedRequest request{.url = "https://h/ws", .via = {}, .mime = {}, .digest = {}};
  request.status = 101;
  request.is_websocket = true;
  logs::LogLine line;
  const std::string text = log_line(request, LoggedPlace());
  ASSERT_TRUE(line.parse(std::string_view(text).substr(0, text.size() - 1))) << text;
  EXPECT_TRUE(line.has_annotation("notRecorded:websocket"));
  EXPECT_EQ(line.json(), "");
}

TEST(OwnPages, SayWhatIsTheMatter) {
  const auto tls =
      failure_page("https://h/<b>", {.status = status::kTlsFailed, .error = "self-signed", .is_tls = true});
  EXPECT_EQ(tls.status, 502);
  EXPECT_THAT(tls.body, HasSubstr("https://h/&lt;b&gt;"));
  EXPECT_THAT(tls.body, HasSubstr("self-signed"));
  EXPECT_THAT(tls.body, HasSubstr("fetch.trust=open"));
  EXPECT_EQ(failure_page("http://h/", {.status = status::kAddressRefused, .error = "private"}).status, 403);
  EXPECT_EQ(failure_page("http://h/", {.status = status::kTimeout, .error = "", .is_timeout = true}).status, 504);
  const ProxyCertificate certificate{"PEM", "DER", "AB:CD"};
  const RecordingTotals totals{.captures = 3};
  const OwnPagesFacts facts{certificate, totals, "/c", "recording-1", ""};
  EXPECT_EQ(own_page("/ca.pem", facts).body, "PEM");
  EXPECT_THAT(own_page("/", facts).body, HasSubstr("AB:CD"));
  EXPECT_THAT(own_page("/status", facts).body, HasSubstr("\"captures\":3"));
  EXPECT_EQ(own_page("/x", facts).status, 404);
}

}  // namespace
}  // namespace caddis::recording
