#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <set>

#include "caddis/aio/test_certificate.h"
#include "caddis/base/fetch_status.h"
#include "caddis/fetch/decoded_body.h"
#include "caddis/fetch/http_fetcher.h"
#include "caddis/fetch/settings.h"
#include "caddis/http/test_server.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/settings/sections.h"

namespace caddis::fetch {
namespace {

using http::request;
using http::Script;
using http::send;
using http::wait_for_end;

url::Url parse(std::string_view text) { return *url::Url::parse(text); }

TEST(SettingsTest, HasASoundTable) {
  EXPECT_EQ(settings::schema_of<FetchSettings>().name(), "fetch");
  FetchSettings changed;
  ASSERT_TRUE(settings::apply(changed, "http-version", "1.0", "--x"));
  ASSERT_TRUE(settings::apply(changed, "max-length", "4MB", "--x"));
  ASSERT_TRUE(settings::apply(changed, "trust", "strict", "--x"));
  EXPECT_EQ(changed.http_version, HttpVersion::http10);
  EXPECT_EQ(limits(changed).max_body, 4'000'000u);
  EXPECT_FALSE(settings::apply(changed, "silence-timeout", "1ms", "--x"));
}

TEST(SettingsTest, MakesTheUserAgent) {
  FetchSettings settings;
  EXPECT_EQ(user_agent(settings, "https://example.org/bot"),
            "Mozilla/5.0 (compatible; caddis/0.1.0 +https://example.org/bot)");
  EXPECT_EQ(user_agent(settings, ""), "Mozilla/5.0 (compatible; caddis/0.1.0)");
  EXPECT_EQ(product_token(settings), "caddis");
  settings.user_agent = "mybot/2.0 (CONTACT)";
  EXPECT_EQ(user_agent(settings, "a@b.example"), "mybot/2.0 (a@b.example)");
  EXPECT_EQ(product_token(settings), "mybot");
}

TEST(SettingsTest, TellsHeadersAsTheyAreSent) {
  FetchSettings settings;
  EXPECT_EQ(header_as_sent(settings, "From", "a@b.example"), "a@b.example");
  settings.headers = {"X-A: b", "from: c@d.example"};
  EXPECT_EQ(header_as_sent(settings, "From", "a@b.example"), "c@d.example");
}

TEST(SettingsTest, ChecksAllowedAddresses) {
  FetchSettings settings;
  for (const char* entry : {"all", "10.0.0.0/8", "::1"})
    EXPECT_TRUE(settings::apply(settings, "allow-addresses", entry, "--x")) << entry;
  const auto applied = settings::apply(settings, "allow-addresses", "10.0.0.1/8", "--x");
  ASSERT_FALSE(applied);
  EXPECT_TRUE(applied.error().message.ends_with("'10.0.0.1/8' is no block: its address has bits behind the first 8"))
      << applied.error().message;
}

TEST(SettingsTest, ChecksHeadersAndProxy) {
  EXPECT_EQ(parse_header("X-A:  b c ")->value, "b c");
  EXPECT_EQ(parse_header("X-A sesame").error().message,
            "one of them is no header; write it as \"Name: value\", on one line");
  const auto own = parse_header("Host: sesame");
  ASSERT_FALSE(own);
  EXPECT_EQ(own.error().code, ErrorCode::denied);
  EXPECT_TRUE(own.error().message.starts_with("the header Host is not taken: Host, Content-Length, "))
      << own.error().message;
  EXPECT_FALSE(own.error().message.contains("sesame"));
  EXPECT_FALSE(parse_header("Proxy-Authorization: Basic x"));
  EXPECT_FALSE(parse_header("A: b\r\nC: d"));
  FetchSettings settings;
  EXPECT_FALSE(proxy_host(settings.proxy)->has_value());
  settings.proxy = "http://us%40er:pw@[::1]:3128";
  const auto proxy = *proxy_host(settings.proxy);
  EXPECT_EQ(proxy->host, "::1");
  EXPECT_EQ(proxy->port, 3128);
  EXPECT_EQ(proxy->proxy.authorization, "Basic dXNAZXI6cHc=");
  EXPECT_TRUE(validate(settings));
  settings.proxy = "socks5://me:a%3Ab@proxy.example";
  const auto socks = *proxy_host(settings.proxy);
  EXPECT_EQ(socks->host, "proxy.example");
  EXPECT_EQ(socks->port, 1080);
  EXPECT_EQ(socks->proxy.kind, http::Proxy::Kind::socks5);
  EXPECT_EQ(socks->proxy.user, "me");
  EXPECT_EQ(socks->proxy.password, "a:b");
  for (const char* none : {"socks4://x:1", "https://x:1", "x:1", "socks5://"}) {
    settings.proxy = none;
    EXPECT_FALSE(validate(settings)) << none;
  }
  EXPECT_TRUE(check_bind_address("192.0.2.1"));
  EXPECT_TRUE(check_bind_address("2001:db8::1"));
  EXPECT_FALSE(check_bind_address("example.org"));
}

class FetcherTest : public ::testing::Test {
 protected:
  // Fetches `path` of a server that plays `script`; `{}` in `via` stands for nothing.
  FetchOutcome fetch(Script script, std::string_view path = "/", std::optional<std::string> via = {},
                     std::vector<http::Header> headers = {}) {
    http::TestServer server(*network_, {std::move(script)}, tls_ ? &*tls_ : nullptr);
    const std::string base =
        (tls_ ? "https://" : "http://") + userinfo_ + "caddis.test:" + std::to_string(server.endpoint().port);
    FetchRequest request{
        .url = parse(base + std::string(path)), .via = {}, .address = "127.0.0.1", .headers = std::move(headers)};
    if (via) request.via = parse(*via);
    proxy_.address = {"127.0.0.1", server.endpoint().port};
    if (is_proxied_) request.proxy = &proxy_;
    std::optional<FetchOutcome> outcome;
    aio::run_to_end(*loop_, drive(server, std::move(request), outcome));
    sent_ = server.requests().empty() ? "" : server.requests().front();
    return *std::move(outcome);
  }

  aio::Task<void> drive(http::TestServer& server, FetchRequest request, std::optional<FetchOutcome>& outcome) {
    aio::Nursery nursery;
    nursery.spawn(server.serve(*loop_));
    http::Client client(*loop_, *network_, spools_);
    HttpFetcher fetcher(client, loop_->clock(), "bot/1");
    outcome = co_await fetcher.fetch(std::move(request), settings_);
    client.close_idle();
    server.close();
    co_await nursery.join();
  }

  bool sent_contains(std::string_view part) const { return sent_.find(part) != std::string::npos; }

  std::unique_ptr<aio::Loop> loop_ = aio::make_loop(system_clock());
  std::unique_ptr<aio::Network> network_ = aio::make_network(*loop_);
  io::MemoryFiles files_;
  io::SpoolFolder spools_{files_, "spool"};
  FetchSettings settings_;
  std::optional<http::TestCredentials> tls_;
  std::string userinfo_;
  std::string sent_;
  http::Proxy proxy_;
  bool is_proxied_ = false;
};

const std::string kHello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

TEST_F(FetcherTest, Fetches) {
  const auto outcome = fetch({request(), send(kHello), wait_for_end()}, "/a?#f");
  EXPECT_EQ(outcome.status, 200);
  ASSERT_TRUE(outcome.exchange);
  EXPECT_EQ(*outcome.exchange->response.to_string(1000), kHello);
  EXPECT_EQ(outcome.exchange->timings.started, outcome.started);
  EXPECT_GT(outcome.took, Duration::zero());
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.exchange->truncated, http::Truncated::none);
  const std::string host = sent_.substr(sent_.find("Host"), sent_.find("\r\nUser") - sent_.find("Host"));
  EXPECT_EQ(sent_,
            "GET /a? HTTP/1.1\r\n" + host +
                "\r\nUser-Agent: bot/1\r\nAccept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
                "\r\nAccept-Encoding: gzip\r\n\r\n");
  EXPECT_TRUE(host.starts_with("Host: caddis.test:"));
  EXPECT_EQ(sent_, outcome.exchange->request_bytes);
}

// A site may answer so itself; a proxy does it in the place of a site.
TEST_F(FetcherTest, ARefusalOfAProxyIsNoPage) {
  const std::string refusal = "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 2\r\n\r\nno";
  EXPECT_TRUE(fetch({request(), send(refusal)}).exchange);
  is_proxied_ = true;
  const auto refused = fetch({request(), send(refusal)});
  EXPECT_FALSE(refused.exchange);
  EXPECT_EQ(refused.status, status::kConnectFailed);
  EXPECT_THAT(refused.error, ::testing::HasSubstr("fetch.proxy"));
  EXPECT_EQ(fetch({request(), send(kHello)}).status, 200);
}

TEST_F(FetcherTest, SendsWhatSettingsSay) {
  settings_.headers = {"X-Custom: a", "accept: */*"};
  settings_.from = "me@example.org";
  settings_.http_version = HttpVersion::http10;
  settings_.accept_encoding = "";
  fetch({request(), send(kHello)}, "/", std::nullopt, {{"If-None-Match", "\"x\""}});
  EXPECT_TRUE(sent_.starts_with("GET / HTTP/1.0\r\n"));
  EXPECT_TRUE(
      sent_contains("\r\nFrom: me@example.org\r\nAccept: */*\r\nConnection: keep-alive\r\nX-Custom: a\r\n"
                    "If-None-Match: \"x\"\r\n\r\n"));
}

TEST_F(FetcherTest, TellsWhereTheLinkWasUnlessThatLeaks) {
  fetch({request(), send(kHello)}, "/", "http://user:pw@caddis.test/page?q#frag");
  EXPECT_TRUE(sent_contains("\r\nReferer: http://caddis.test/page?q\r\n"));
  fetch({request(), send(kHello)}, "/", "https://caddis.test/page");
  EXPECT_FALSE(sent_contains("Referer"));
  fetch({request(), send(kHello)}, "/", "dns:caddis.test");
  EXPECT_FALSE(sent_contains("Referer"));
  settings_.referer = false;
  fetch({request(), send(kHello)}, "/", "http://caddis.test/page");
  EXPECT_FALSE(sent_contains("Referer"));
}

TEST_F(FetcherTest, APartThatWasAskedForIsTheDocument) {
  settings_.range = true;
  EXPECT_EQ(fetch({request(), send(kHello)}).status, 200);
  EXPECT_FALSE(sent_contains("Range"));  // nothing to ask for
  settings_.max_length = 5;
  const auto part = [&](std::string_view range) {
    return fetch({request(), send(fmt::format(
                                 "HTTP/1.1 206 Part\r\nContent-Range: {}\r\nContent-Length: 5\r\n\r\nhello", range))});
  };
  const auto cut = part("bytes 0-4/900");
  EXPECT_TRUE(sent_contains("\r\nRange: bytes=0-4\r\n"));
  EXPECT_EQ(cut.status, 206);
  EXPECT_EQ(cut.exchange->truncated, http::Truncated::length);
  for (const char* whole : {"bytes 0-4/5", "bytes 0-4/*", "", "nonsense"})
    EXPECT_EQ(part(whole).exchange->truncated, http::Truncated::none) << whole;
}

TEST_F(FetcherTest, RecordsNoPassword) {
  userinfo_ = "us%40er:pw@";
  const auto outcome = fetch({request(), send(kHello)});
  EXPECT_TRUE(sent_contains("\r\nAuthorization: Basic dXNAZXI6cHc=\r\n"));
  ASSERT_TRUE(outcome.exchange);
  EXPECT_EQ(outcome.exchange->request_bytes.find("Authorization"), std::string::npos);
  EXPECT_EQ(outcome.exchange->request_bytes.find("pw"), std::string::npos);
}

TEST_F(FetcherTest, CallsFailuresByHeritrixsNumbers) {
  settings_.silence_timeout = std::chrono::milliseconds(500);
  const auto status_after = [&](Script script) { return fetch(std::move(script)).status; };
  EXPECT_EQ(status_after({request()}), status::kConnectLost);
  EXPECT_EQ(status_after({request(), wait_for_end()}), status::kTimeout);
  EXPECT_EQ(status_after({request(), send("SSH-2.0\r\n")}), status::kConnectLost);
  EXPECT_EQ(status_after({request(), send("HTTP/1.1 404 No\r\n\r\n")}), 404);
  const auto cut = fetch({request(), send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello")});
  EXPECT_EQ(cut.status, 200);
  EXPECT_EQ(cut.exchange->truncated, http::Truncated::disconnect);
}

TEST_F(FetcherTest, TrustsAsTheSettingsSay) {
  const auto certificate = aio::make_test_certificate();
  tls_ = {certificate.certificate_pem, certificate.key_pem};
  const auto open = fetch({request(), send(kHello), wait_for_end()});
  EXPECT_EQ(open.status, 200);
  ASSERT_TRUE(open.exchange && open.exchange->tls);
  EXPECT_NE(open.exchange->tls->verify_error, "");
  ASSERT_TRUE(open.exchange->tls->chain);
  ASSERT_EQ(open.exchange->tls->chain->size(), 1U);
  EXPECT_EQ(open.exchange->tls->chain->front().subject, "CN=caddis.test");
  EXPECT_EQ(open.exchange->tls->chain->front().sha256.size(), 64U);
  for (const aio::TlsTrust trust : {aio::TlsTrust::normal, aio::TlsTrust::strict}) {
    settings_.trust = trust;
    EXPECT_EQ(fetch({request(), send(kHello), wait_for_end()}).status, status::kTlsFailed);
  }
}

TEST_F(FetcherTest, RefusesWhatItCannotFetch) {
  http::Client client(*loop_, *network_, spools_);
  HttpFetcher fetcher(client, loop_->clock(), "bot/1");
  std::vector<FetchStatus> statuses;
  const auto body = [&]() -> aio::Task<void> {
    FetchRequest ftp{.url = parse("ftp://caddis.test/"), .via = {}, .address = "127.0.0.1", .headers = {}};
    FetchRequest nowhere{.url = parse("http://caddis.test/"), .via = {}, .address = "", .headers = {}};
    FetchRequest refused{.url = parse("http://caddis.test:1/"), .via = {}, .address = "127.0.0.1", .headers = {}};
    for (FetchRequest* each : {&ftp, &nowhere, &refused}) {
      const FetchOutcome outcome = co_await fetcher.fetch(std::move(*each), settings_);
      statuses.push_back(outcome.status);
    }
  };
  aio::run_to_end(*loop_, body());
  EXPECT_EQ(statuses, (std::vector<FetchStatus>{status::kUnfetchable, status::kDomainPrerequisiteFailed,
                                                status::kConnectFailed}));
}

// The last look before a connection: whatever stands in the frontier's rows, and whatever a proxy would do for us.
TEST_F(FetcherTest, RefusesAddressesThatNobodyNamed) {
  http::TestServer server(*network_, {{request(), send(kHello), wait_for_end()}}, nullptr);
  http::Client client(*loop_, *network_, spools_);
  AddressPolicy addresses;
  HttpFetcher fetcher(client, loop_->clock(), "bot/1", &addresses);
  const http::Proxy proxy{server.endpoint(), ""};
  const std::vector<std::string> allowed = {"127.0.0.0/8"};
  std::vector<FetchOutcome> outcomes;
  const auto one = [&](const http::Proxy* through, std::string url, std::string address,
                       const std::vector<std::string>* allow) -> aio::Task<void> {
    FetchRequest request{.url = parse(url), .via = {}, .address = std::move(address), .headers = {}};
    request.allowed = allow;
    request.proxy = through;
    outcomes.push_back(co_await fetcher.fetch(std::move(request), settings_));
  };
  const auto body = [&]() -> aio::Task<void> {
    aio::Nursery nursery;
    nursery.spawn(server.serve(*loop_));
    const std::string port = std::to_string(server.endpoint().port);
    co_await one(nullptr, "http://caddis.test:" + port + "/", "127.0.0.1", nullptr);
    for (const char* url : {"http://127.0.0.1/", "http://[::1]/", "http://localhost/", "http://169.254.169.254/"})
      co_await one(&proxy, url, "", nullptr);
    EXPECT_EQ(client.stats().opened, 0u);
    co_await one(nullptr, "http://caddis.test:" + port + "/", "127.0.0.1", &allowed);
    client.close_idle();
    server.close();
    co_await nursery.join();
  };
  aio::run_to_end(*loop_, body());
  ASSERT_EQ(outcomes.size(), 6u);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(outcomes[i].status, status::kAddressRefused) << i;
    EXPECT_FALSE(outcomes[i].exchange) << i;
  }
  EXPECT_EQ(outcomes[0].refused_address, "127.0.0.1");
  EXPECT_EQ(outcomes[4].refused_address, "169.254.169.254");
  EXPECT_EQ(outcomes[5].status, 200);
}

class BodyTest : public FetcherTest {
 protected:
  DecodedBody decode(const std::string& response, size_t max_output = 1 << 20) {
    outcome_ = fetch({request(), send(response)});
    return *decode_body(*outcome_.exchange, max_output);
  }
  FetchOutcome outcome_;
};

std::string chunked(std::string_view body) {
  std::string out;
  for (size_t at = 0; at < body.size(); at += 7) {
    const std::string_view piece = body.substr(at, 7);
    out += std::to_string(piece.size()) + "\r\n" + std::string(piece) + "\r\n";
  }
  return out + "0\r\n\r\n";
}

std::string gzipped(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST_F(BodyTest, BorrowsPlainBodies) {
  const auto body = decode(kHello);
  EXPECT_EQ(body.bytes(), "hello");
  EXPECT_TRUE(body.complete());
  const std::string_view memory = outcome_.exchange->response.memory_view();
  EXPECT_EQ(body.bytes().data(), memory.data() + memory.size() - 5);
}

TEST_F(BodyTest, UndoesBothCodings) {
  const std::string text(5000, 'x');
  EXPECT_EQ(decode("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked("hello world")).bytes(),
            "hello world");
  EXPECT_EQ(decode("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzipped(text)).bytes(), text);
  const auto both = decode("HTTP/1.1 200 OK\r\nContent-Encoding: x-gzip\r\nTransfer-Encoding: chunked\r\n\r\n" +
                           chunked(gzipped(text)));
  EXPECT_EQ(both.bytes(), text);
  EXPECT_TRUE(both.complete());
}

TEST_F(BodyTest, KeepsToTheLimit) {
  const std::string text(500'000, 'x');
  for (const std::string& response :
       {"HTTP/1.1 200 OK\r\n\r\n" + text, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzipped(text)}) {
    const auto body = decode(response, 1000);
    EXPECT_EQ(body.bytes(), text.substr(0, 1000));
    EXPECT_FALSE(body.complete());
    EXPECT_TRUE(body.is_cut());
    EXPECT_FALSE(body.is_undecodable());
  }
  EXPECT_FALSE(decode("HTTP/1.1 200 OK\r\n\r\n" + text, text.size()).is_cut());
  // Of chunks of a byte each, what is read for so many bytes gives fewer.
  std::string bytes_one_by_one;
  for (const char byte : text) bytes_one_by_one += std::string("1\r\n") + byte + "\r\n";
  const auto framed =
      decode("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + bytes_one_by_one + "0\r\n\r\n", 400'000);
  EXPECT_LT(framed.bytes().size(), 400'000u);
  EXPECT_TRUE(framed.is_cut());
}

TEST_F(BodyTest, ReadsSpooledBodies) {
  settings_.memory_per_fetch = 4096;
  const std::string text(500'000, 'x');
  const auto body = decode("HTTP/1.1 200 OK\r\n\r\n" + text);
  EXPECT_FALSE(outcome_.exchange->response.in_memory());
  EXPECT_EQ(body.bytes(), text);
  EXPECT_EQ(decode("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(text)).bytes(), text);
}

TEST_F(BodyTest, PutsAwayWhatItDidNotBorrow) {
  const std::string text(500'000, 'x');
  auto borrowed = decode("HTTP/1.1 200 OK\r\n\r\n" + text);
  borrowed.put_away();
  EXPECT_FALSE(borrowed.is_away());
  EXPECT_EQ(borrowed.bytes(), text);
  auto packed = decode("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzipped(text), 400'000);
  packed.put_away();
  EXPECT_TRUE(packed.is_away());
  EXPECT_EQ(packed.front(), text.substr(0, DecodedBody::kFront));
  EXPECT_EQ(packed.size(), 400'000u);
  EXPECT_TRUE(packed.is_cut());
  EXPECT_EQ(std::move(*decode_body(*outcome_.exchange, packed.max_output())).take(), text.substr(0, 400'000));
  auto small = decode("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzipped("hello"));
  small.put_away();
  EXPECT_EQ(small.bytes(), "hello");
}

TEST_F(BodyTest, LeavesInTheSpoolWhatPerhapsNobodyReads) {
  const std::string text(500'000, 'x'), plain = "HTTP/1.1 200 OK\r\n\r\n" + text;
  const std::string packed = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzipped(text);
  const auto front_of = [&](const std::string& response, size_t max_output) {
    outcome_ = fetch({request(), send(response)});
    return *decode_front(*outcome_.exchange, max_output);
  };
  EXPECT_EQ(front_of(plain, 1 << 20).bytes(), text) << "memory has it";
  settings_.memory_per_fetch = 4096;
  for (const size_t most : {400'000, 600'000}) {
    const auto left = front_of(plain, most);
    const auto whole = *decode_body(*outcome_.exchange, most);
    EXPECT_TRUE(left.is_away());
    EXPECT_EQ(left.front(), text.substr(0, DecodedBody::kFront));
    EXPECT_EQ(left.size(), whole.size());
    EXPECT_EQ(left.is_cut(), whole.is_cut());
    EXPECT_EQ(left.problem(), whole.problem());
  }
  EXPECT_EQ(front_of(packed, 1 << 20).bytes(), text) << "its size is not known otherwise";
}

TEST_F(BodyTest, SaysWhatItCouldNotDecode) {
  const auto unknown = decode("HTTP/1.1 200 OK\r\nContent-Encoding: sdch\r\n\r\nhello");
  EXPECT_EQ(unknown.bytes(), "hello");
  EXPECT_EQ(unknown.unknown_coding(), "sdch");
  const std::string packed = gzipped(std::string(5000, 'x'));
  const auto cut = decode("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + packed.substr(0, packed.size() - 4));
  EXPECT_FALSE(cut.complete());
  EXPECT_FALSE(cut.is_cut());
  EXPECT_EQ(cut.bytes(), std::string(5000, 'x'));
  EXPECT_TRUE(cut.is_undecodable());
  const auto lost = decode("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9999\r\n\r\n" +
                           packed.substr(0, packed.size() - 4));
  EXPECT_FALSE(lost.complete());
  EXPECT_FALSE(lost.is_undecodable()) << "the truncation says it";
}

}  // namespace
}  // namespace caddis::fetch
