// Access rules over every route of the server. The proof that nothing is told of what is excluded: the server answers
// each request, byte for byte, as one whose archive never had it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/time_format.h"
#include "caddis/io/digest.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/replay/aggregate.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/request_log.h"
#include "caddis/replay/served_rules.h"
#include "caddis/replay/viewer_keys.h"
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
  WaybackOptions options;
  std::unique_ptr<Wayback> wayback;

  void put(const std::string& path, std::string_view bytes) {
    ASSERT_TRUE(files.make_dirs(io::parent_path(path)));
    ASSERT_TRUE(files.write_atomically(path, bytes));
  }
  void open(ServeNames names = {}, const std::string& path = "c", const std::vector<std::string>& aggregates = {}) {
    auto collections = open_collections(files, clock, path);
    ASSERT_TRUE(collections) << collections.error().message;
    ASSERT_TRUE(add_aggregates(*collections, aggregates));
    std::vector<std::string> all;
    for (const auto& collection : *collections) all.push_back(collection->name());
    auto origins = Origins::create(std::move(names), all, "secret");
    ASSERT_TRUE(origins);
    auto opened = ServedRules::open(files, clock, "", *collections);
    ASSERT_TRUE(opened) << opened.error().message;
    rules = *opened;
    options.rules = rules;
    wayback = std::make_unique<Wayback>(files, *std::move(collections), *std::move(origins), nullptr, options);
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

std::string text_of(const http::ServerResponse& response, bool with_caching = true) {
  std::string text = std::to_string(response.status) + '\n';
  for (const auto& [name, value] : response.headers)
    if (with_caching || name != "Cache-Control") text += name + ": " + value + '\n';
  return text + '\n' + response.body;
}

constexpr std::string_view kPublic = "http://example.org/";
constexpr std::string_view kSecret = "http://secret.org/page";
// Captures of example.org are there of 2020, 2021 and 2022; that of 2021 is taken down.
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
  static void fill(Server& server, bool with_secrets, const std::string& folder = "c") {
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
    server.put(folder + "/archive/a.warc.gz", shown);
    if (with_secrets) server.put(folder + "/archive/b.warc.gz", hidden);
    std::string pages = "{\"format\": \"json-pages-1.0\", \"id\": \"pages\", \"title\": \"Pages\"}\n";
    pages += "{\"url\": \"http://example.org/\", \"ts\": \"2020-01-01T00:00:00Z\", \"title\": \"of 2020\"}\n";
    if (with_secrets) {
      pages += "{\"url\": \"http://secret.org/page\", \"ts\": \"2021-01-01T00:00:00Z\", \"title\": \"MARKER\"}\n";
      pages += "{\"url\": \"http://secret.org/page\", \"title\": \"MARKER\"}\n";
      pages += "{\"url\": \"http://example.org/\", \"ts\": \"2021-01-01T00:00:00Z\", \"title\": \"MARKER\"}\n";
    }
    server.put(folder + "/pages/pages.jsonl", pages);
    std::string log = log_line("http://example.org/none", 404, "http://example.org/");
    if (with_secrets) {
      log += log_line(kSecret, 200, "http://example.org/");
      log += log_line("http://secret.org/", 404, "http://secret.org/MARKER");
    }
    server.put(folder + "/crawls/crawl-20200101000000/crawl.yaml", "");
    server.put(folder + "/crawls/crawl-20200101000000/logs/crawl.log", log);
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
        // Where there are rules, no cache keeps an answer.
        if (unruled.status != 404) ASSERT_EQ(text_of(hiding.ask(request), false), text_of(unruled, false)) << target;
        ++asked;
      }
  EXPECT_GT(asked, 3'000U);
  EXPECT_GT(hiding.rules->counts().excluded, 500U);
}

TEST_F(HiddenCapturesTest, AnAggregateHidesWhatItsMembersHide) {
  Server hiding, without;
  for (Server* const server : {&hiding, &without}) {
    fill(*server, server == &hiding, "all/m");
    server->put("all/m/access.yaml", rules("exclude"));
    server->put("all/n/archive/n.warc.gz", record(kPublic, "20220601000000", "text/html", "<title>of n</title>"));
    server->open({}, "all", {"c=n,m"});
  }
  size_t asked = 0, number = 0, told = 0;
  for (const std::string& target : targets())
    for (const http::ServerHeaders& headers : ways_to_ask(number++)) {
      if (++told % 3 != 0) continue;  // the paths are those of any collection
      const auto request = request_for(target, headers);
      const std::string is = text_of(hiding.ask(request)), was = text_of(without.ask(request));
      ASSERT_EQ(is, was) << target << ' ' << (headers.empty() ? "" : headers.front().second);
      ASSERT_THAT(is, Not(HasSubstr("MARKER"))) << target;
      ++asked;
    }
  EXPECT_GT(asked, 1'000U);
  EXPECT_GT(hiding.rules->counts().excluded, 150U);
  EXPECT_THAT(hiding.ask(request_for("/c/cdx?url=http://secret.org/page"), {"alice", "viewer"}).body,
              HasSubstr("20210101000000"));
}

TEST_F(HiddenCapturesTest, AnAggregateTellsWhatAMemberBlocks) {
  Server server;
  fill(server, true, "all/m");
  server.put("all/m/access.yaml", rules("block"));
  const std::string own = "<title>of n at that time</title>";
  server.put("all/n/archive/n.warc.gz", record("http://secret.org/of-n", kTimes[1], "text/html", own));
  server.put("all/n/access.yaml", "rules: [{verdict: exclude, url: 'http://example.org/', captured: 2022}]");
  server.open({}, "all", {"c=n,m"});
  const auto blocked = server.ask(request_for("/c/20210101000000mp_/http://example.org/"));
  EXPECT_EQ(blocked.status, 451);
  EXPECT_THAT(blocked.body, HasSubstr("MESSAGE"));
  EXPECT_EQ(server.rules->counts().refusals, 1U);
  // Rules of one member hold for its captures alone.
  EXPECT_THAT(server.ask(request_for("/c/20210101000000id_/http://secret.org/of-n")).body, HasSubstr(own));
  EXPECT_THAT(server.ask(request_for("/c/cdx?url=http://example.org/")).body, HasSubstr("20220101000000"));
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
      const bool is_named = target.find("20210101000000") != std::string::npos ||
                            !find_header(headers, "referer").empty() ||
                            !find_header(headers, "accept-datetime").empty();
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

// Where a page of one who is logged in finds its captures: "/~<key>/…".
std::string frame_source(const http::ServerResponse& page) {
  const size_t begin = page.body.find("src=\"/~");
  if (begin == std::string::npos) return {};
  return page.body.substr(begin + 5, page.body.find('"', begin + 5) - begin - 5);
}

TEST_F(HiddenCapturesTest, KeysEndWithTheLogIn) {
  Server server;
  fill(server, true);
  server.put("c/access.yaml", rules("exclude"));
  std::string standing = "password";
  server.options.standing = [&](const viewing::Viewer& viewer) { return viewer.user == "alice" ? standing : ""; };
  ServeNames names;
  names.are_keyed = true;
  server.open(names);
  const viewing::Viewer alice{"alice", "viewer"};
  const auto new_source = [&] {
    return frame_source(
        server.ask(request_for("/c/20210101000000/http://secret.org/page", {{"Sec-Fetch-Dest", "document"}}), alice));
  };
  const auto status = [&](const std::string& source) {
    return server.ask(request_for(source, {{"Sec-Fetch-Dest", "iframe"}})).status;
  };
  const std::string first = new_source();
  ASSERT_NE(first, "");
  EXPECT_EQ(status(first), 200);
  EXPECT_EQ(new_source(), first);
  // In use, it lasts.
  for (int i = 0; i < 5; ++i) {
    server.clock.advance(std::chrono::minutes(90));
    EXPECT_EQ(status(first), 200);
  }
  server.clock.advance(std::chrono::minutes(121));
  EXPECT_EQ(status(first), 404);
  const std::string second = new_source();
  EXPECT_NE(second, first);
  EXPECT_EQ(status(second), 200);
  EXPECT_EQ(status(first), 404);
  // Another password.
  standing = "another";
  EXPECT_EQ(status(second), 404);
  const std::string third = new_source();
  EXPECT_NE(third, second);
  EXPECT_EQ(status(third), 200);
  EXPECT_EQ(status(second), 404);
  // Removed, or of a lower role.
  standing = "";
  EXPECT_EQ(status(third), 404);
  standing = "another";
  EXPECT_EQ(status(third), 404);
  EXPECT_EQ(server.ask(request_for(new_source(), {{"Sec-Fetch-Dest", "iframe"}})).status, 200);
}

TEST_F(HiddenCapturesTest, KeysAndMissedResourcesStayWhenCollectionsCome) {
  Server server;
  fill(server, true);
  ServeNames names;
  names.are_keyed = true;
  server.options.memory =
      std::make_shared<WaybackMemory>("secret", server.clock, [](const viewing::Viewer&) { return "here"; });
  server.open(names);
  const viewing::Viewer alice{"alice", "viewer"};
  const std::string source = frame_source(
      server.ask(request_for("/c/20210101000000/http://secret.org/page", {{"Sec-Fetch-Dest", "document"}}), alice));
  ASSERT_NE(source, "");
  server.options.memory->missed.add("c", {"http://secret.org/gone", "http://secret.org/page", "20210101000000", "", 1});
  server.open(names);
  EXPECT_EQ(server.ask(request_for(source, {{"Sec-Fetch-Dest", "iframe"}})).status, 200);
  EXPECT_TRUE(server.ask(request_for("/c/qa?as=csv"), alice).body.contains("http://secret.org/gone"));
  server.options.memory = nullptr;
  server.open(names);
  EXPECT_EQ(server.ask(request_for(source, {{"Sec-Fetch-Dest", "iframe"}})).status, 404);
}

TEST_F(HiddenCapturesTest, AKeyNeverOutlivesALogOut) {
  Server server;
  fill(server, true);
  server.put("c/access.yaml", rules("exclude"));
  std::string standing = "password 0";
  // Looked at by each look-up: the log-out may come at any of them.
  int looks_left = 100;
  server.options.standing = [&](const viewing::Viewer&) {
    if (--looks_left == 0) standing = "password 1";
    return standing;
  };
  ServeNames names;
  names.are_keyed = true;
  server.open(names);
  viewing::Viewer alice{"alice", "viewer"};
  const auto page = [&] {
    return server.ask(request_for("/c/20210101000000/http://secret.org/page", {{"Sec-Fetch-Dest", "document"}}), alice);
  };
  const auto frame = [&](const std::string& source) {
    return server.ask(request_for(source, {{"Sec-Fetch-Dest", "iframe"}}));
  };
  for (int look = 1; look <= 8; ++look) {
    SCOPED_TRACE(look);
    standing = "password 0";
    alice.standing = standing;
    looks_left = 100;
    const std::string first = frame_source(page());
    ASSERT_EQ(frame(first).status, 200);
    looks_left = look;
    const std::string late = frame_source(page());
    const std::string body = frame(first).body;
    standing = "password 1";
    EXPECT_EQ(frame(late).status, 404);
    EXPECT_EQ(frame(first).status, 404);
    for (size_t at = 0; (at = body.find("/~", at)) != std::string::npos; ++at)
      EXPECT_EQ(
          frame(body.substr(at, body.find('/', at + 2) - at) + "/c/20210101000000mp_/http://secret.org/page").status,
          404);
  }
  // Whoever logs in again is shown the page.
  alice.standing = "password 1";
  EXPECT_EQ(frame(frame_source(page())).status, 200);
}

TEST_F(HiddenCapturesTest, OtherCollectionsAreNamedAsTheyAreSeen) {
  Server server;
  server.put("all/c/archive/a.warc.gz", record(kPublic, kTimes[0], "text/html", "x"));
  server.put("all/d/archive/a.warc.gz", record(kSecret, kTimes[1], "text/html", "x"));
  server.put("all/e/archive/a.warc.gz", record(kSecret, kTimes[2], "text/html", "x"));
  server.put("all/d/access.yaml", "rules: [{verdict: exclude, domain: secret.org}]");
  server.open({}, "all");
  const auto missing = server.ask(request_for("/c/2021/http://secret.org/page", {{"Sec-Fetch-Dest", "document"}}));
  EXPECT_EQ(missing.status, 404);
  EXPECT_THAT(missing.body, HasSubstr("/e/*/http://secret.org/page"));
  EXPECT_THAT(missing.body, Not(HasSubstr("/d/")));
  EXPECT_THAT(missing.body, Not(HasSubstr("20210101000000")));
}

TEST_F(HiddenCapturesTest, CollectionsOfOneNameAreRefused) {
  Server server;
  server.put("all/news/archive/a.warc.gz", record(kPublic, kTimes[0], "text/html", "x"));
  server.put("all/news.wacz", "PK");
  const auto opened = open_collections(server.files, server.clock, "all");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::config);
  EXPECT_THAT(opened.error().message, HasSubstr("would both be the collection 'news'"));
  EXPECT_THAT(opened.error().message, HasSubstr("all/news.wacz"));
}

TEST_F(HiddenCapturesTest, WhatIsMissedIsListedForThoseWhoMayKnow) {
  Server server;
  fill(server, true);
  server.put("c/access.yaml", rules("exclude"));
  server.open();
  const auto miss = [&](const std::string& url, const std::string& page) {
    const auto response = server.ask(
        request_for("/c/2020im_/" + url, {{"Host", std::string(kCapturesHost)},
                                          {"Sec-Fetch-Dest", "image"},
                                          {"Referer", "http://c.localhost:8080/c/20200101000000mp_/" + page}}));
    EXPECT_EQ(response.status, 404);
  };
  miss("http://other.org/shown.png", "http://other.org/");
  miss("http://secret.org/pic.png", "http://other.org/");
  miss("http://other.org/of-secret.png", "http://secret.org/page");
  for (const char* target : {"/c/qa", "/c/qa?as=seeds", "/c/qa?as=csv"}) {
    const auto seen = server.ask(request_for(target));
    EXPECT_THAT(seen.body, HasSubstr("shown.png")) << target;
    EXPECT_THAT(seen.body, Not(HasSubstr("secret"))) << target;
    EXPECT_THAT(server.ask(request_for(target), {"alice", "viewer"}).body, HasSubstr("of-secret.png")) << target;
  }
  const auto clear = [&](http::ServerHeaders headers, viewing::Viewer viewer) {
    return server.ask(request_for("/c/qa?do=clear", std::move(headers), "POST"), std::move(viewer)).status;
  };
  const http::ServerHeaders own = {{"Origin", "http://" + std::string(kOwnHost)}};
  EXPECT_EQ(clear(own, {"bob", "viewer"}), 403);
  EXPECT_EQ(clear(own, {"", "none"}), 403);
  EXPECT_EQ(clear({}, {"carol", "operator"}), 403);
  EXPECT_EQ(clear({{"Origin", "null"}}, {"carol", "operator"}), 403);
  EXPECT_EQ(clear({{"Origin", "https://evil.example"}}, {"carol", "operator"}), 403);
  EXPECT_THAT(server.ask(request_for("/c/qa?as=seeds")).body, HasSubstr("shown.png"));
  EXPECT_EQ(clear(own, {"carol", "operator"}), 303);
  EXPECT_THAT(server.ask(request_for("/c/qa?as=seeds")).body, Not(HasSubstr("shown.png")));
  EXPECT_EQ(clear(own, {}), 303);  // without a log-in
}

TEST_F(HiddenCapturesTest, NoCacheKeepsWhatOthersMayNotSee) {
  Server ruled, open;
  fill(ruled, true);
  fill(open, true);
  ruled.put("c/access.yaml", rules("block"));
  ruled.open();
  open.open();
  for (const char* target :
       {"/", "/c/", "/c/cdx?url=http://example.org/", "/c/cdx?url=http://secret.org/page&output=json",
        "/c/timemap/link/http://example.org/", "/c/timegate/http://example.org/", "/c/*/http://example.org/",
        "/c/20200101000000id_/http://example.org/", "/c/20210101000000id_/http://example.org/",
        "/c/20200101000000/http://example.org/", "/c/2020/http://nowhere.org/", "/-/search?url=http://secret.org/"}) {
    const auto cached = [&](const Server& server, viewing::Viewer viewer) {
      return std::string(find_header(server.ask(request_for(target), std::move(viewer)).headers, "cache-control"));
    };
    EXPECT_EQ(cached(ruled, {}), "private, no-cache") << target;
    EXPECT_EQ(cached(open, {"bob", "viewer"}), "private, no-cache") << target;
    EXPECT_EQ(cached(open, {}), "") << target;
  }
  EXPECT_EQ(find_header(ruled.ask(request_for("/-/style.css")).headers, "cache-control"), "max-age=300");
  const auto keyed = [&](const Server& server) {
    const auto page = server.ask(request_for("/c/20200101000000/http://example.org/",
                                             {{"Host", "192.0.2.1:8080"}, {"Sec-Fetch-Dest", "document"}}));
    http::ServerHeaders headers = {{"Host", "192.0.2.1:8080"}, {"Sec-Fetch-Dest", "iframe"}};
    return server.ask(request_for(frame_source(page), std::move(headers)));
  };
  EXPECT_EQ(keyed(ruled).status, 200);
  EXPECT_EQ(find_header(keyed(ruled).headers, "cache-control"), "private, no-cache");
}

TEST_F(HiddenCapturesTest, OnlyFilesOfPagesNeedNoLogIn) {
  for (const char* path : {"/-/style.css", "/-/client.js", "/-/frame.js", "/-/theme.css", "/-/logo", "/-/language"})
    EXPECT_TRUE(is_page_file(path)) << path;
  for (const char* path : {"/-/search", "/-/go", "/-/", "/-", "/", "/-/none", "/-/search/style.css", "/c/-/style.css"})
    EXPECT_FALSE(is_page_file(path)) << path;
}

TEST_F(HiddenCapturesTest, TextsThatNameHiddenCapturesAreNotTold) {
  Server server;
  fill(server, true);
  server.put("c/access.yaml",
             "rules: [{verdict: exclude, url: 'http://secret.org/a)'}, {verdict: exclude, url: "
             "\"http://secret.org/b'\"}, {verdict: exclude, url: 'http://secret.org/page'}]");
  server.open();
  const SeenCollection seen = see(*server.wayback->collections().front(), server.rules.get(), {});
  for (const char* text : {"from http://secret.org/a) it was led", "(http://secret.org/a))", "http://secret.org/b'.",
                           "see 'http://secret.org/b'", "http://secret.org/page).", "<http://secret.org/page>"})
    EXPECT_FALSE(seen.collection->may_speak_of(text)) << text;
  for (const char* text : {"from http://secret.org/a it was led", "(http://secret.org/b)", "nothing: here"})
    EXPECT_TRUE(seen.collection->may_speak_of(text)) << text;
}

// With what a crawler tells of a capture.
std::string told_record(std::string_view type, std::string_view url, std::string_view fields, std::string_view block) {
  return io::gzip_member("WARC/1.1\r\nWARC-Type: " + std::string(type) + "\r\nWARC-Target-URI: " + std::string(url) +
                             "\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n" + std::string(fields) + "Content-Length: " +
                             std::to_string(block.size()) + "\r\n\r\n" + std::string(block) + "\r\n\r\n",
                         io::GzipEffort::small);
}

TEST_F(HiddenCapturesTest, ThePageOfACaptureNamesNoHiddenOnes) {
  Server server;
  const std::string url = "http://shown.org/";
  std::string archive = told_record("revisit", url,
                                    "WARC-Record-ID: <urn:uuid:11>\r\n"
                                    "Content-Type: application/http;msgtype=response\r\n"
                                    "WARC-Payload-Digest: sha1:AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH\r\n"
                                    "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
                                    "WARC-Refers-To: <urn:uuid:77>\r\n"
                                    "WARC-Refers-To-Target-URI: http://secret.org/page\r\n"
                                    "WARC-Refers-To-Date: 2019-07-08T09:10:11Z\r\n",
                                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n");
  archive += told_record("request", url,
                         "WARC-Record-ID: <urn:uuid:12>\r\nWARC-Concurrent-To: <urn:uuid:11>\r\n"
                         "Content-Type: application/http;msgtype=request\r\n",
                         "GET / HTTP/1.1\r\nHost: shown.org\r\nReferer: http://secret.org/page\r\n\r\n");
  archive += told_record("metadata", url,
                         "WARC-Record-ID: <urn:uuid:13>\r\nWARC-Concurrent-To: <urn:uuid:11>\r\n"
                         "Content-Type: application/warc-fields\r\n",
                         "via: http://secret.org/page\r\nhopsFromSeed: L\r\nsourceTag: http://secret.org/page\r\n");
  server.put("c/archive/a.warc.gz", archive);
  server.open();
  const auto about = request_for("/c/info?time=20200101000000&url=http://shown.org/");
  const std::string all = server.ask(about).body;
  EXPECT_THAT(all, HasSubstr("secret.org/page"));
  EXPECT_THAT(all, HasSubstr("Referer"));
  EXPECT_THAT(all, HasSubstr("20190708091011"));
  server.put("c/access.yaml", "rules: [{verdict: exclude, domain: secret.org}]");
  server.clock.advance(std::chrono::seconds(2));
  const auto seen = server.ask(about);
  EXPECT_EQ(seen.status, 200);
  EXPECT_THAT(seen.body, HasSubstr("WARC-Target-URI: http://shown.org/"));
  EXPECT_THAT(seen.body, HasSubstr("Host: shown.org"));
  EXPECT_THAT(seen.body, Not(HasSubstr("secret")));
  EXPECT_THAT(seen.body, Not(HasSubstr("20190708091011")));
  EXPECT_THAT(seen.body, Not(HasSubstr("2019-07-08")));
  EXPECT_THAT(seen.body, Not(HasSubstr("urn:uuid:77")));
}

TEST_F(HiddenCapturesTest, TheAccessLogHasNoKeys) {
  auto request = request_for("/~0123abc/c/2021mp_/http://example.org/?x=1",
                             {{"Referer", "http://127.0.0.1:8080/~4567def/c/2021mp_/http://example.org/"}});
  const std::string line = request_log_line(request, "192.0.2.1", "", WallTime(), {200, 1});
  EXPECT_THAT(line, HasSubstr("\"GET /~*/c/2021mp_/http://example.org/?x=1 HTTP/1.1\""));
  EXPECT_THAT(line, HasSubstr("http://127.0.0.1:8080/~*/c/2021mp_/http://example.org/"));
  EXPECT_EQ(hide_key("http://a.test/~0123/x"), "http://a.test/~*/x");
  EXPECT_EQ(hide_key("/~0123?x"), "/~*?x");
  EXPECT_EQ(hide_key("/~0123"), "/~*");
  EXPECT_EQ(hide_key("/c/2021/http://a.test/~home/"), "/c/2021/http://a.test/~home/");
  EXPECT_EQ(hide_key("http://a.test"), "http://a.test");
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

// Files that lie loose in a folder of collections are a collection of their own, without what lies in the others.
TEST(LooseFiles, BringNothingOfCollectionsBesideThem) {
  Server server;
  const std::string secret = record("http://secret.org/", "20260101000000", "text/html", "SECRET");
  server.put("all/one/archive/a.warc.gz", secret);
  server.put("all/deep/two/indexes/two.cdxj", "");
  server.put("all/deep/two/b.warc.gz", secret);
  server.put("all/loose.warc.gz", record("http://open.org/", "20260101000000", "text/html", "open"));
  server.put("all/more/other.warc.gz", record("http://open.org/more", "20260101000000", "text/html", "open"));
  server.put("all/one/access.yaml", "version: 1\nrules:\n  - {verdict: exclude, domain: secret.org}\n");
  server.open({}, "all");
  for (const char* const url : {"secret.org", "*.secret.org"})
    for (const char* const place : {"/all/cdx?url=", "/one/cdx?url=", "/cdx/search/cdx?url="})
      EXPECT_EQ(server.ask(request_for(std::string(place) + url)).body, "") << place << url;
  EXPECT_EQ(server.ask(request_for("/all/2026id_/http://secret.org/")).status, 404);
  EXPECT_EQ(server.ask(request_for("/all/20260101000000id_/http://open.org/")).body, "open");
  EXPECT_EQ(server.ask(request_for("/all/20260101000000id_/http://open.org/more")).body, "open");
}

}  // namespace
}  // namespace caddis::replay
