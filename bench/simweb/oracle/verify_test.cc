// A perfect collection is found perfect; every fault planted into it is found.
#include "simweb/oracle/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "caddis/base/random.h"
#include "caddis/io/digest.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/views.h"
#include "caddis/warc/writer.h"
#include "simweb/oracle/collection.h"

namespace simweb {
namespace {

using caddis::warc::RecordFields;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

WebSettings settings() {
  WebSettings s = *profile("test");
  s.hosts = 40;
  s.pages = 1000;
  s.mean_size = 2000;
  s.mean_links = 8;
  s.robots_huge = 0;
  s.bomb_size = 2'000'000;
  return s;
}

std::string joined(const std::vector<std::string_view>& pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

// A crawl without network: what a perfect crawler writes. Each capture may be changed before it is written.
class Collection {
 public:
  struct Capture {
    std::string url, head, body;
    uint64_t cut = UINT64_MAX;  // what comes through of the body
    int status = 200;           // in crawl.log
    bool record = true, log = true;
  };
  using Change = std::function<void(Capture&)>;

  explicit Collection(const World& world) : world_(world) { begin_crawl("one"); }

  // What is added from now on is of this crawl; `named`: its archive says so.
  void begin_crawl(const std::string& name, bool named = true) {
    files_.push_back({.crawl = name, .warc = {}, .log = {}});
    if (!named) return;
    auto fields = RecordFields::warcinfo(caddis::warc::record_id(random_), "2026-11-21T00:00:00Z", name + ".warc.gz");
    const std::string block = "software: a test\r\ncaddis-crawl: " + name + "\r\n";
    caddis::warc::append_record(files_.back().warc, fields, {block}, caddis::warc::Compression::fast);
  }

  // What the page gives at this attempt.
  Capture capture(const HostFacts& host, const PageRef& page, uint32_t attempt = 9) const {
    Answer answer;
    const Expectation expected = expect(world_, host, page);
    world_.respond({.host = host.id, .page = page, .attempt = attempt, .window = 5}, answer);
    Capture made{world_.url(host, page), answer.head, joined(answer.body)};
    made.status = expected.match == Match::none ? expected.status : answer.status;
    made.record = expected.match != Match::none && !answer.head.empty();
    if (answer.transfer == Transfer::endless) made.body += made.body + made.body.substr(0, 777);
    if (answer.transfer != Transfer::whole && answer.transfer != Transfer::drip) made.cut = answer.cut;
    if (answer.transfer == Transfer::endless) made.cut = UINT64_MAX;
    if (page.kind == Kind::length_short) made.cut = answer.declared;
    made.log = expected.verdict != Verdict::must_not;
    return made;
  }

  void add(const Capture& capture) {
    if (capture.log) {
      std::string& log = files_.back().log;
      log += "2026-11-21T00:00:00.000Z ";
      log += std::to_string(capture.status) + " 1 " + capture.url + " L - text/html #001 - - - -\n";
    }
    if (!capture.record) return;
    auto fields = RecordFields::response(caddis::warc::record_id(random_), "2026-11-21T00:00:00Z", capture.url);
    fields.content_type(caddis::warc::kHttpResponse);
    const std::string_view body = std::string_view(capture.body).substr(0, capture.cut);
    caddis::warc::append_record(files_.back().warc, fields, {capture.head, body}, caddis::warc::Compression::fast);
  }

  void add_all(const Change& change = {}) {
    for (HostId id = 0; id < world_.hosts(); ++id) {
      const HostFacts host = world_.host(id);
      for_each_expected(world_, host, [&](const PageRef& page, const Expectation& expected) {
        Capture made = capture(host, page);
        if (expected.verdict == Verdict::must_not) made.record = false;
        if (change) change(made);
        add(made);
      });
    }
  }

  void add_revisit(const std::string& url, std::string_view digest) {
    auto fields =
        RecordFields::revisit(caddis::warc::record_id(random_), "2026-11-21T00:00:00Z", url,
                              caddis::warc::kProfileIdenticalPayload, digest, "", url, "2026-11-20T00:00:00Z");
    fields.content_type(caddis::warc::kHttpResponse);
    caddis::warc::append_record(files_.back().warc, fields, {"HTTP/1.1 200 OK\r\n\r\n"},
                                caddis::warc::Compression::fast);
  }

  void add_not_modified(const std::string& url) {
    auto fields = RecordFields::revisit(caddis::warc::record_id(random_), "2026-11-21T00:00:00Z", url,
                                        caddis::warc::kProfileNotModified, "", "", url, "2026-11-20T00:00:00Z");
    fields.content_type(caddis::warc::kHttpResponse);
    caddis::warc::append_record(files_.back().warc, fields, {"HTTP/1.1 304 Not Modified\r\n\r\n"},
                                caddis::warc::Compression::fast);
  }

  // Verifies what was added, as files in a folder.
  VerifyCounts verify(const std::string& only = {}) {
    faults.clear();
    caddis::io::MemoryFiles files;
    EXPECT_TRUE(files.make_dirs("/c/archive"));
    for (const Files& of : files_) {
      const std::string logs = "/c/crawls/" + of.crawl + "/logs";
      EXPECT_TRUE(files.make_dirs(logs));
      EXPECT_TRUE(files.write_atomically("/c/archive/" + of.crawl + ".warc.gz", of.warc));
      EXPECT_TRUE(files.write_atomically(logs + "/crawl.log", of.log));
    }
    const auto found = find_collection_files(files, "/c", {}, only);
    EXPECT_TRUE(found);
    EXPECT_EQ(found->archives.size(), only.empty() ? files_.size() : 1U);
    EXPECT_EQ(found->logs.size(), found->archives.size());
    Verifier verifier(world_, [&](const Fault& fault) {
      faults.push_back(std::string(to_string(fault.kind)) + " " + fault.url + " " + fault.reason);
      if (files_.size() > 1) faults.back() += " in " + fault.crawl;
    });
    for (const auto& [path, crawl] : found->archives) EXPECT_TRUE(verifier.add_archive(**files.open_read(path), crawl));
    for (const auto& [path, crawl] : found->logs) EXPECT_TRUE(verifier.add_log(**files.open_read(path), crawl));
    verifier.finish();
    return verifier.counts();
  }

  std::vector<std::string> faults;

 private:
  const World& world_;
  struct Files {
    std::string crawl, warc, log;
  };
  caddis::SeededRandom random_{1};
  std::vector<Files> files_;
};

class Verify : public testing::Test {
 protected:
  // The first page of a kind.
  std::pair<HostFacts, PageRef> find(Kind kind) const {
    for (HostId id = 0; id < world.hosts(); ++id) {
      const HostFacts host = world.host(id);
      for (uint64_t number = 1; number < host.pages; ++number)
        if (const PageRef page = world.page(host, number); page.kind == kind) return {host, page};
    }
    ADD_FAILURE() << "no " << to_string(kind);
    return {world.host(0), {}};
  }

  std::string url(Kind kind) const {
    const auto [host, page] = find(kind);
    return world.url(host, page);
  }

  const World world{settings()};
  Collection collection{world};
};

TEST_F(Verify, FindsNothingWrongWithAPerfectCrawl) {
  collection.add_all();
  const VerifyCounts counts = collection.verify();
  EXPECT_THAT(collection.faults, IsEmpty());
  EXPECT_EQ(counts.expected, counts.captured + counts.on_record);
  EXPECT_GT(counts.captured, 700U);
  EXPECT_GT(counts.on_record, 0U) << "hosts without address";
}

TEST_F(Verify, FindsADroppedRecord) {
  const std::string dropped = url(Kind::html);
  collection.add_all([&](Collection::Capture& capture) {
    if (capture.url == dropped) capture.record = false;
  });
  collection.verify();
  EXPECT_THAT(collection.faults, ElementsAre("missing " + dropped + " 200 html; crawl.log has it with status 200"));
}

TEST_F(Verify, FindsALostFailure) {
  std::string failed;
  collection.add_all([&](Collection::Capture& capture) {
    if (capture.status != -1 || !failed.empty()) return;
    failed = capture.url;
    capture.log = false;
  });
  collection.verify();
  ASSERT_EQ(collection.faults.size(), 1U);
  EXPECT_THAT(collection.faults[0], HasSubstr("missing " + failed + " -1 "));
}

TEST_F(Verify, FindsAnAlteredByte) {
  for (const Kind kind : {Kind::html, Kind::image, Kind::truncated, Kind::endless, Kind::length_short, Kind::feed}) {
    Collection altered(world);
    const std::string where = url(kind);
    altered.add_all([&](Collection::Capture& capture) {
      if (capture.url == where) capture.body[700] ^= 1;
    });
    altered.verify();
    ASSERT_EQ(altered.faults.size(), 1U) << to_string(kind);
    EXPECT_THAT(altered.faults[0], HasSubstr("altered " + where + " the payload differs from byte "));
  }
}

TEST_F(Verify, FindsALostEnd) {
  const std::string where = url(Kind::image);
  for (const size_t lost : {3, 300}) {
    Collection cut(world);
    cut.add_all([&](Collection::Capture& capture) {
      if (capture.url == where) capture.cut = capture.body.size() - lost;
    });
    cut.verify();
    ASSERT_EQ(cut.faults.size(), 1U);
    EXPECT_THAT(cut.faults[0], HasSubstr("altered " + where + " the "));
  }
}

TEST_F(Verify, FindsAWrongStatus) {
  const std::string where = url(Kind::not_found);
  collection.add_all([&](Collection::Capture& capture) {
    if (capture.url == where) capture.head.replace(9, 3, "200");
  });
  collection.verify();
  EXPECT_THAT(collection.faults, ElementsAre("altered " + where + " its status is 200 instead of 404"));
}

TEST_F(Verify, FindsADuplicate) {
  collection.add_all();
  const auto [host, page] = find(Kind::html);
  collection.add(collection.capture(host, page));
  collection.verify();
  EXPECT_THAT(collection.faults, ElementsAre("duplicate " + world.url(host, page) + " kept more than once"));
}

TEST_F(Verify, LetsRetriesPass) {
  collection.add_all();
  for (const Kind kind : {Kind::too_many, Kind::unavailable}) {
    const auto [host, page] = find(kind);
    collection.add(collection.capture(host, page, 0));
  }
  const auto [host, page] = find(Kind::reset);
  collection.add(collection.capture(host, page));
  collection.verify();
  EXPECT_THAT(collection.faults, IsEmpty());
}

TEST_F(Verify, FindsADisallowedUrl) {
  collection.add_all();
  const auto [host, page] = find(Kind::hidden);
  Collection::Capture capture = collection.capture(host, page);
  capture.record = true;
  collection.add(capture);
  const auto [other, query] = find(Kind::hidden_query);
  capture = collection.capture(other, query);
  capture.log = true;
  capture.status = 200;
  collection.add(capture);
  collection.verify();
  EXPECT_THAT(collection.faults,
              ElementsAre("forbidden " + world.url(host, page) + " robots.txt: hidden",
                          "forbidden " + world.url(other, query) + " crawl.log has it with status 200"));
}

TEST_F(Verify, FindsWhatIsNotOfThisWeb) {
  collection.add_all();
  const std::string home = world.seed();
  const std::string other_scheme = home.starts_with("https") ? "http" + home.substr(5) : "https" + home.substr(4);
  for (const std::string& url : {home + "d1/p1.htm", std::string("http://example.com/"), other_scheme}) {
    Collection::Capture capture{.url = url, .head = "HTTP/1.1 404 Not Found\r\n\r\n", .body = "", .log = false};
    collection.add(capture);
  }
  collection.verify();
  ASSERT_EQ(collection.faults.size(), 3U);
  for (const std::string& fault : collection.faults) EXPECT_THAT(fault, testing::StartsWith("extra "));
}

TEST_F(Verify, ReadsRevisits) {
  const auto [host, page] = find(Kind::image);
  const std::string where = world.url(host, page);
  const auto without = [&](Collection::Capture& capture) {
    if (capture.url == where) capture.record = false;
  };
  collection.add_all(without);
  collection.add_revisit(where, payload_digest(world, host, page));
  EXPECT_EQ(collection.verify().revisits, 1U);
  EXPECT_THAT(collection.faults, IsEmpty());
  Collection wrong(world);
  wrong.add_all(without);
  wrong.add_revisit(where, caddis::io::digest_label(caddis::io::sha1("something else")));
  wrong.verify();
  ASSERT_EQ(wrong.faults.size(), 1U);
  EXPECT_THAT(wrong.faults[0], HasSubstr("altered " + where + " it says its payload is"));
}

TEST_F(Verify, HoldsEachCrawlAgainstTheOracle) {
  const auto [host, page] = find(Kind::html);
  const std::string lost = url(Kind::image), twice = world.url(host, page);
  collection.add_all();
  collection.begin_crawl("two");
  collection.add_all([&](Collection::Capture& capture) {
    if (capture.url == lost) capture.record = false;
  });
  collection.add(collection.capture(host, page));
  const VerifyCounts counts = collection.verify();
  EXPECT_EQ(counts.crawls, 2U);
  EXPECT_EQ(counts.expected, counts.captured + counts.on_record + 1);
  EXPECT_THAT(collection.faults,
              ElementsAre("duplicate " + twice + " kept more than once in two",
                          "missing " + lost + " 200 image; crawl.log has it with status 200 in two"));
  EXPECT_EQ(collection.verify("one").all_faults(), 0U);
  EXPECT_EQ(collection.verify("two").all_faults(), 2U);
}

TEST_F(Verify, TakesAPayloadThatTheServerSaysIsUnchangedFromAnotherCrawl) {
  const std::string before = url(Kind::html), never = url(Kind::image);
  const auto without = [&](auto... urls) {
    return [=](Collection::Capture& capture) { capture.record &= ((capture.url != urls) && ...); };
  };
  collection.add_all(without(never));
  collection.begin_crawl("two");
  collection.add_all(without(before, never));
  collection.add_not_modified(before);
  collection.add_not_modified(never);
  collection.verify();
  EXPECT_THAT(collection.faults,
              ElementsAre("missing " + never + " 200 image; crawl.log has it with status 200 in one",
                          "missing " + never + " 200 image; crawl.log has it with status 200 in two"));
}

TEST(CollectionFiles, WhatNamesNoCrawlIsOfTheOnlyOne) {
  caddis::io::MemoryFiles files;
  EXPECT_TRUE(files.make_dirs("/c/archive"));
  EXPECT_TRUE(files.make_dirs("/c/crawls/a/logs"));
  EXPECT_TRUE(files.write_atomically("/c/archive/x.warc", ""));
  EXPECT_TRUE(files.write_atomically("/c/crawls/a/logs/crawl.log", ""));
  auto found = find_collection_files(files, "/c", {"/elsewhere.log"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->archives[0].crawl, "a");
  EXPECT_EQ(found->logs[1].crawl, "a");

  EXPECT_TRUE(files.make_dirs("/c/crawls/b/logs"));
  EXPECT_TRUE(files.write_atomically("/c/crawls/b/logs/crawl.log", ""));
  found = find_collection_files(files, "/c");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->archives[0].crawl, "");
  found = find_collection_files(files, "/c", {}, "b");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->archives.size(), 0U);
  EXPECT_EQ(found->logs.size(), 1U);
  const auto wrong = find_collection_files(files, "/c", {}, "c");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("no crawl c in it; there are a, b"));
}

TEST_F(Verify, ReadsTraps) {
  collection.add_all();
  const uint64_t entries = collection.verify().traps;
  for (HostId id = 0; id < world.hosts(); ++id) {
    const HostFacts host = world.host(id);
    if (!host.traps || !host.open()) continue;
    collection.add(collection.capture(host, {Kind::trap_host, 77}));
    collection.add(collection.capture(host, {Kind::trap_shop, 1234}));
    break;
  }
  EXPECT_EQ(collection.verify().traps, entries + 2);
  EXPECT_THAT(collection.faults, IsEmpty());
}

TEST(Oracle, SaysWhatBecomesOfAUrl) {
  const World world(settings());
  int closed = 0;
  for (HostId id = 0; id < world.hosts(); ++id) {
    const HostFacts host = world.host(id);
    for_each_expected(world, host, [&](const PageRef& page, const Expectation& expected) {
      const std::string digest = payload_digest(world, host, page);
      EXPECT_EQ(digest.empty(), expected.match != Match::exact) << world.url(host, page);
      if (page.kind == Kind::robots) return;
      if (!host.open()) {
        ++closed;
        EXPECT_LT(expected.status, 0);
        return;
      }
      if (page.kind == Kind::redirect) EXPECT_EQ(expected.status / 100, 3);
      if (page.kind == Kind::not_found) EXPECT_EQ(expected.status, 404);
      if (page.kind == Kind::server_error) EXPECT_EQ(expected.status, 500);
      if (page.kind == Kind::too_many) EXPECT_EQ(expected.status, 200);
      EXPECT_EQ(expected.verdict == Verdict::must_not, page.kind == Kind::hidden || page.kind == Kind::hidden_query);
    });
  }
  EXPECT_GT(closed, 2);
}

// A URL more in failures.jsonl, a second file of http.jsonl, and one that stands nowhere.
TEST_F(Verify, FindsUrlsInNoneOfTheLogsByFateAndInTwoOfThem) {
  const std::string lost = url(Kind::html), repeated = url(Kind::style);
  std::string first = "{\"log\":\"http\",\"version\":1,\"fields\":[\"url\"]}\n", second = first;
  size_t lines = 0;
  for (HostId id = 0; id < world.hosts(); ++id) {
    const HostFacts host = world.host(id);
    for_each_expected(world, host, [&](const PageRef& page, const Expectation&) {
      const std::string one = world.url(host, page);
      if (one != lost) (++lines % 2 == 0 ? first : second) += "{\"url\":\"" + one + "\",\"status\":200}\n";
    });
  }
  caddis::io::MemoryFiles files;
  const std::string logs = "/c/crawls/20261121000000-one/logs";
  ASSERT_TRUE(files.make_dirs("/c/archive"));
  ASSERT_TRUE(files.make_dirs(logs));
  ASSERT_TRUE(files.write_atomically(logs + "/http.jsonl", first));
  ASSERT_TRUE(files.write_atomically(logs + "/http.jsonl.2", second));
  ASSERT_TRUE(
      files.write_atomically(logs + "/failures.jsonl", "{\"url\":\"" + repeated + "\",\"status\":\"tls-failed\"}\n"));
  ASSERT_TRUE(files.write_atomically(logs + "/dns.jsonl", "{\"url\":\"dns:h\",\"status\":0}\n"));
  const auto check = [&] {
    std::vector<std::string> faults;
    Verifier verifier(world, [&](const Fault& fault) {
      if (fault.kind != FaultKind::missing) faults.push_back(std::string(to_string(fault.kind)) + " " + fault.url);
    });
    const auto found = find_collection_files(files, "/c");
    EXPECT_TRUE(found);
    for (const auto& [path, crawl] : found->outcome_logs)
      EXPECT_TRUE(verifier.add_outcomes(**caddis::io::TextLines::open(files, path), crawl));
    verifier.finish();
    return faults;
  };
  EXPECT_THAT(check(), IsEmpty()) << "a crawl without one of the logs is not asked";
  ASSERT_TRUE(files.write_atomically(logs + "/not-crawled.jsonl", ""));
  EXPECT_THAT(check(), testing::UnorderedElementsAre("twice " + repeated, "unlogged " + lost));
}

}  // namespace
}  // namespace simweb
