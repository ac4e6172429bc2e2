// Access rules over every route of the server. The proof that nothing is told of what is excluded: the server answers
// each request, byte for byte, as one whose archive never had it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "caddis/base/clock.h"
#include "caddis/base/time_format.h"
#include "caddis/io/digest.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/served_rules.h"
#include "caddis/replay/wayback.h"

namespace caddis::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kCapturesHost = "c.localhost:8080";
constexpr std::string_view kOwnHost = "127.0.0.1:8080";

std::string record(std::string_view url, std::string_view timestamp, std::string_view type, std::string_view body,
                   int status = 200, std::string_view more = "") {
  const std::string http = "HTTP/1.1 " + std::to_string(status) + " OK\r\nContent-Type: " + std::string(type) + "\r\n" +
                           std::string(more) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                           std::string(body);
  return io::gzip_member("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: " +
                             std::string(url) + "\r\nWARC-Date: " + rfc3339(*parse_timestamp(timestamp)) +
                             "\r\nContent-Type: application/http;msgtype=response\r\nWARC-Payload-Digest: " +
                             io::digest_label(io::sha1(body)) + "\r\nContent-Length: " + std::to_string(http.size()) +
                             "\r\n\r\n" + http + "\r\n\r\n",
                         io::GzipEffort::small);
}

struct Server {
  io::MemoryFiles files;
  ManualClock clock{*parse_timestamp("20260601000000")};
  std::shared_ptr<ServedRules> rules;
  std::unique_ptr<Wayback> wayback;

  void put(const std::string& path, std::string_view bytes) {
    ASSERT_TRUE(files.make_dirs(io::parent_path(path)));
    ASSERT_TRUE(files.write_atomically(path, bytes));
  }
  void open(ServeNames names = {}) {
    auto collections = open_collections(files, clock, "c");
    ASSERT_TRUE(collections) << collections.error().message;
    auto origins = Origins::create(std::move(names), {"c"}, "secret");
    ASSERT_TRUE(origins);
    auto opened = ServedRules::open(files, clock, "", *collections);
    ASSERT_TRUE(opened) << opened.error().message;
    rules = *opened;
    wayback = std::make_unique<Wayback>(files, *std::move(collections), *std::move(origins), nullptr, rules);
  }
  http::ServerResponse ask(http::ServerRequest request, viewing::Viewer viewer = {}) const {
    http::ServerResponse response = wayback->handle(request, std::move(viewer));
    auto body = http::whole_body(response);
    EXPECT_TRUE(body) << request.target << ": " << body.error().message;
    if (body) response.body = *std::move(body);
    return response;
  }
};

http::ServerRequest request_for(std::string target, http::ServerHeaders headers = {}, std::string method = "GET") {
  http::ServerRequest request;
  request.method = std::move(method);
  request.path = target.substr(0, target.find('?'));
  if (request.path.size() < target.size()) request.query = target.substr(request.path.size() + 1);
  request.target = std::move(target);
  request.headers = std::move(headers);
  if (find_header(request.headers, "host").empty()) request.headers.emplace_back("Host", std::string(kOwnHost));
  request.remote = {"192.0.2.1", 1000};
  return request;
}

std::string text_of(const http::ServerResponse& response) {
  std::string text = std::to_string(response.status) + '\n';
  for (const auto& [name, value] : response.headers) text += name + ": " + value + '\n';
  return text + '\n' + response.body;
}

constexpr std::string_view kPublic = "http://example.org/";
constexpr std::string_view kSecret = "http://secret.org/page";
// Of example.org there are captures of 2020, 2021 and 2022; that of 2021 is taken down.
constexpr std::string_view kTimes[] = {"20200101000000", "20210101000000", "20220101000000"};

std::vector<std::string> urls() {
  return {std::string(kPublic),          "http://www.example.org",  "https://example.org/",    "http://example.org/*",
          std::string(kSecret),          "http://secret.org/",      "http://secret.org/*",     "*.secret.org",
          "http://secret.org/pic.png",   "http://secret.org/moved", "http://example.org/none", "http://org/*",
          "http://example.org/to-secret"};
}

// Every route, with every URL, time and modifier.
std::set<std::string> targets() {
  std::set<std::string> all = {"/",
                               "/c",
                               "/c/",
                               "/c/?x",
                               "/-/go?collection=c&url=http://secret.org/page",
                               "/-/style.css",
                               "/c/cdx",
                               "/metrics",
                               "/api/access/rules",
                               "/api/access/check?url=http://secret.org/page",
                               "/c/archive/b.warc.gz",
                               "/archive/b.warc.gz",
                               "/c/indexes/b.cdxj",
                               "/other/"};
  for (const std::string& url : urls()) {
    for (const char* more : {"",
                             "&matchType=prefix",
                             "&matchType=host",
                             "&matchType=domain",
                             "&closest=20210601",
                             "&sort=reverse",
                             "&collapse=urlkey",
                             "&resolveRevisits=true",
                             "&output=json",
                             "&output=text",
                             "&output=link",
                             "&limit=1",
                             "&page=0&pageSize=1",
                             "&page=1&pageSize=1",
                             "&exact=1",
                             "&filter=~url:.*secret.*",
                             "&filter=status:200",
                             "&from=2021&to=2021",
                             "&matchType=prefix&closest=2021",
                             "&fl=digest,length,filename"})
      all.insert("/c/cdx?url=" + url + more);
    for (const char* form : {"link", "json", "cdxj", "none", "link/20201231000000"})
      all.insert("/c/timemap/" + std::string(form) + "/" + url);
    all.insert("/c/timegate/" + url);
    for (const char* period : {"*", "2021*", "2020-2021", "*exact", "2021*exact"})
      for (const char* star : {"", "*"}) all.insert("/c/" + std::string(period) + "/" + url + star);
    for (const char* time : {"", "2021", "20210101000000", "20210101000001", "20200101000000", "2030"})
      for (const char* modifier : {"", "mp_", "if_", "id_", "js_", "cs_", "im_", "oe_"})
        all.insert("/c/" + std::string(time) + modifier + "/" + url);
  }
  return all;
}

// Each target in four of them, and in the course of three targets in all.
std::vector<http::ServerHeaders> ways_to_ask(size_t target) {
  const std::vector<http::ServerHeaders> all = {
      {},
      {{"Sec-Fetch-Dest", "document"}},
      {{"Sec-Fetch-Dest", "iframe"}},
      {{"Sec-Fetch-Dest", "image"}},
      {{"Sec-Fetch-Dest", "empty"}, {"Origin", "https://elsewhere.test"}},
      {{"Accept", "text/html"}},
      {{"Accept-Datetime", "Fri, 01 Jan 2021 00:00:00 GMT"}},
      {{"Prefer", "raw"}},
      {{"Range", "bytes=0-3"}},
      {{"Host", std::string(kCapturesHost)}, {"Sec-Fetch-Dest", "iframe"}},
      {{"Host", std::string(kCapturesHost)},
       {"Sec-Fetch-Dest", "image"},
       {"Referer", "http://c.localhost:8080/c/20210101000000mp_/http://secret.org/page"}}};
  std::vector<http::ServerHeaders> some;
  for (size_t way = target % 3; way < all.size(); way += 3) some.push_back(all[way]);
  return some;
}

class HiddenCapturesTest : public ::testing::Test {
 protected:
  static void fill(Server& server, bool with_secrets) {
    std::string shown, hidden;
    shown += record(kPublic, kTimes[0], "text/html", "<title>of 2020</title><img src='http://secret.org/pic.png'>");
    shown += record(kPublic, kTimes[2], "text/html", "<title>of 2022</title>");
    shown +=
        record("http://example.org/to-secret", kTimes[0], "text/html", "", 302, "Location: http://secret.org/page\r\n");
    hidden += record(kPublic, kTimes[1], "text/html", "<title>MARKER of 2021</title>");
    hidden += record(kSecret, kTimes[1], "text/html", "<title>MARKER page</title>");
    hidden += record("http://secret.org/pic.png", kTimes[0], "image/png", "\x89PNG MARKER");
    hidden +=
        record("http://secret.org/moved", kTimes[2], "text/html", "", 301, "Location: http://example.org/MARKER\r\n");
    server.put("c/archive/a.warc.gz", shown);
    if (with_secrets) server.put("c/archive/b.warc.gz", hidden);
    std::string pages = "{\"format\": \"json-pages-1.0\", \"id\": \"pages\", \"title\": \"Pages\"}\n";
    pages += "{\"url\": \"http://example.org/\", \"ts\": \"2020-01-01T00:00:00Z\", \"title\": \"of 2020\"}\n";
    if (with_secrets) {
      pages += "{\"url\": \"http://secret.org/page\", \"ts\": \"2021-01-01T00:00:00Z\", \"title\": \"MARKER\"}\n";
      pages += "{\"url\": \"http://secret.org/page\", \"title\": \"MARKER\"}\n";
      pages += "{\"url\": \"http://example.org/\", \"ts\": \"2021-01-01T00:00:00Z\", \"title\": \"MARKER\"}\n";
    }
    server.put("c/pages/pages.jsonl", pages);
    std::string log = log_line("http://example.org/none", 404, "http://example.org/");
    if (with_secrets) {
      log += log_line(kSecret, 200, "http://example.org/");
      log += log_line("http://secret.org/", 404, "http://secret.org/MARKER");
    }
    server.put("c/crawls/crawl-20200101000000/crawl.yaml", "");
    server.put("c/crawls/crawl-20200101000000/logs/crawl.log", log);
  }
  static std::string log_line(std::string_view url, int status, std::string_view via) {
    return "2021-01-01T00:00:00.000Z   " + std::to_string(status) + "        100 " + std::string(url) + " L " +
           std::string(via) + " text/html #001 20210101000000000+100 sha1:AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH - -\n";
  }
  static std::string rules(std::string_view verdict) {
    return "rules:\n  - {id: a, verdict: " + std::string(verdict) +
           ", domain: secret.org}\n  - {id: b, verdict: " + std::string(verdict) +
           ", url: 'http://example.org/', captured: 2021, message: MESSAGE}\n" +
           "  - {id: c, verdict: allow, domain: secret.org, users: alice}\n" +
           "  - {id: d, verdict: allow, url: 'http://example.org/', captured: 2021, networks: 10.0.0.0/8}\n";
  }
};

TEST_F(HiddenCapturesTest, WhatIsExcludedIsAsIfItWereNotThere) {
  Server hiding, without, plain;
  fill(hiding, true);
  fill(without, false);
  fill(plain, false);
  hiding.put("c/access.yaml", rules("exclude"));
  // Rules that hide nothing that is there: of their URLs no log is asked, as in the other.
  without.put("c/access.yaml", rules("exclude"));
  hiding.open();
  without.open();
  plain.open();
  size_t asked = 0, number = 0;
  for (const std::string& target : targets())
    for (const http::ServerHeaders& headers : ways_to_ask(number++))
      for (const char* method : {"GET", "OPTIONS"}) {
        if (method == std::string_view("OPTIONS") && asked % 20 != 0 && ++asked) continue;
        const auto request = request_for(target, headers, method);
        const std::string is = text_of(hiding.ask(request)), was = text_of(without.ask(request));
        ASSERT_EQ(is, was) << method << ' ' << target << ' ' << (headers.empty() ? "" : headers.front().second);
        ASSERT_THAT(is, Not(HasSubstr("MARKER"))) << target;
        const auto unruled = plain.ask(request);
        if (unruled.status != 404) ASSERT_EQ(is, text_of(unruled)) << target;
        ++asked;
      }
  EXPECT_GT(asked, 3'000U);
  EXPECT_GT(hiding.rules->counts().excluded, 500U);
}

TEST_F(HiddenCapturesTest, WhatIsBlockedIsToldOfAndNotShown) {
  Server server;
  fill(server, true);
  server.put("c/access.yaml", rules("block"));
  server.open();
  const std::string digest = io::digest_label(io::sha1("<title>MARKER page</title>")).substr(5);
  size_t refused = 0, number = 0;
  for (const std::string& target : targets())
    for (const http::ServerHeaders& headers : ways_to_ask(number++)) {
      const auto response = server.ask(request_for(target, headers));
      const std::string text = text_of(response);
      ASSERT_THAT(text, Not(HasSubstr("MARKER"))) << target;
      ASSERT_THAT(text, Not(HasSubstr(digest))) << target;
      if (target.find("b.warc.gz") == std::string::npos) ASSERT_THAT(text, Not(HasSubstr("b.warc.gz"))) << target;
      // No list, redirect or neighbour names a blocked capture that the request did not name itself.
      const bool is_named =
          target.find("20210101000000") != std::string::npos || !find_header(headers, "referer").empty();
      if (response.status != 451 && !is_named) ASSERT_THAT(text, Not(HasSubstr("20210101000000"))) << target;
      refused += response.status == 451 ? 1 : 0;
    }
  EXPECT_GT(refused, 200U);
  EXPECT_EQ(server.rules->counts().refusals, refused);
  const auto status = [&](const std::string& target, http::ServerHeaders headers = {}) {
    return server.ask(request_for(target, std::move(headers))).status;
  };
  EXPECT_EQ(status("/c/20210101000000mp_/http://secret.org/page"), 451);
  EXPECT_EQ(status("/c/http://secret.org/page"), 451);
  EXPECT_EQ(status("/c/timegate/http://secret.org/page"), 451);
  EXPECT_EQ(status("/c/timemap/link/http://secret.org/page"), 451);
  EXPECT_EQ(status("/c/*/http://secret.org/page"), 451);
  EXPECT_EQ(status("/c/2021id_/http://secret.org/pic.png"), 451);
  EXPECT_EQ(status("/c/cdx?url=http://secret.org/page"), 200);
  // A capture that is named exactly is refused; a wish for that time is fulfilled by what may be seen.
  const auto named = server.ask(request_for("/c/20210101000000mp_/http://example.org/"));
  EXPECT_EQ(named.status, 451);
  EXPECT_THAT(named.body, HasSubstr("MESSAGE"));
  EXPECT_EQ(status("/c/2021mp_/http://example.org/"), 302);
  EXPECT_EQ(status("/c/timegate/http://example.org/", {{"Accept-Datetime", "Fri, 01 Jan 2021 00:00:00 GMT"}}), 302);
}

TEST_F(HiddenCapturesTest, ThoseWhoMaySeeItSeeIt) {
  Server server;
  fill(server, true);
  server.put("c/access.yaml", rules("exclude"));
  ServeNames names;
  names.are_keyed = true;  // as with users
  server.open(names);
  const viewing::Viewer alice{"alice", "viewer"}, bob{"bob", "viewer"};
  const std::string page = "/c/20210101000000/http://secret.org/page";
  const auto frame = server.ask(request_for(page, {{"Sec-Fetch-Dest", "document"}}), alice);
  EXPECT_EQ(frame.status, 200);
  EXPECT_EQ(server.ask(request_for(page, {{"Sec-Fetch-Dest", "document"}}), bob).status, 404);
  // The captures in her frame have no log-in: their key is her own.
  const size_t begin = frame.body.find("src=\"/~") + 5;
  const std::string source = frame.body.substr(begin, frame.body.find('"', begin) - begin);
  ASSERT_THAT(source, HasSubstr("/c/20210101000000mp_/http://secret.org/page"));
  EXPECT_THAT(server.ask(request_for(source, {{"Sec-Fetch-Dest", "iframe"}})).body, HasSubstr("MARKER page"));
  const auto of_bob =
      server.ask(request_for("/c/20200101000000/http://example.org/", {{"Sec-Fetch-Dest", "document"}}), bob);
  const size_t his = of_bob.body.find("/~");
  ASSERT_NE(his, std::string::npos);
  std::string other = source;
  other.replace(0, source.find("/c/"), of_bob.body.substr(his, of_bob.body.find("/c/", his) - his));
  EXPECT_NE(other, source);
  EXPECT_EQ(server.ask(request_for(other, {{"Sec-Fetch-Dest", "iframe"}})).status, 404);
  EXPECT_EQ(
      server.ask(request_for("/~0123" + source.substr(source.find("/c/")), {{"Sec-Fetch-Dest", "iframe"}})).status,
      404);
  // By network, from the address of the request.
  auto near = request_for("/c/20210101000000mp_/http://example.org/");
  near.remote.address = "10.1.2.3";
  EXPECT_THAT(server.ask(near).body, HasSubstr("of 2021"));
}

TEST_F(HiddenCapturesTest, ChangesWhileServing) {
  Server server;
  fill(server, true);
  server.open();
  const auto count = [&] {
    return server.ask(request_for("/c/cdx?url=http://secret.org/&matchType=domain")).body.size();
  };
  EXPECT_GT(count(), 0U);
  server.put("c/access.yaml", rules("exclude"));
  server.clock.advance(std::chrono::seconds(2));
  EXPECT_EQ(count(), 0U);
  server.put("c/access.yaml", "rules: [{verdict: nonsense}]");
  server.clock.advance(std::chrono::seconds(2));
  EXPECT_EQ(count(), 0U);  // a slip of the pen opens nothing
  EXPECT_EQ(server.rules->problems().size(), 1U);
  server.put("c/access.yaml", "rules: []");
  server.clock.advance(std::chrono::seconds(2));
  EXPECT_GT(count(), 0U);
}

}  // namespace
}  // namespace caddis::replay
