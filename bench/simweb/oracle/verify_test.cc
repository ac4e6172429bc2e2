// A perfect collection is found perfect; every fault planted into it is found.
#include "simweb/oracle/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "caddis/base/random.h"
#include "caddis/io/digest.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/writer.h"

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

  explicit Collection(const World& world) : world_(world) {}

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
      log_ += "2026-11-21T00:00:00.000Z ";
      log_ += std::to_string(capture.status) + " 1 " + capture.url + " L - text/html #001 - - - -\n";
    }
    if (!capture.record) return;
    auto fields = RecordFields::response(caddis::warc::record_id(random_), "2026-11-21T00:00:00Z", capture.url);
    fields.content_type(caddis::warc::kHttpResponse);
    const std::string_view body = std::string_view(capture.body).substr(0, capture.cut);
    caddis::warc::append_record(warc_, fields, {capture.head, body}, caddis::warc::Compression::fast);
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
    auto fields = RecordFields::revisit(caddis::warc::record_id(random_), "2026-11-21T00:00:00Z", url,
                                        "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest", digest, "",
                                        url, "2026-11-20T00:00:00Z");
    fields.content_type(caddis::warc::kHttpResponse);
    caddis::warc::append_record(warc_, fields, {"HTTP/1.1 200 OK\r\n\r\n"}, caddis::warc::Compression::fast);
  }

  // Verifies what was added, as files in a folder.
  VerifyCounts verify() {
    faults.clear();
    caddis::io::MemoryFiles files;
    EXPECT_TRUE(files.make_dirs("/c/archive"));
    EXPECT_TRUE(files.make_dirs("/c/crawls/one/logs"));
    EXPECT_TRUE(files.write_atomically("/c/archive/a.warc.gz", warc_));
    EXPECT_TRUE(files.write_atomically("/c/crawls/one/logs/crawl.log", log_));
    const auto found = find_collection_files(files, "/c");
    EXPECT_TRUE(found);
    EXPECT_EQ(found->archives.size(), 1U);
    EXPECT_EQ(found->logs.size(), 1U);
    Verifier verifier(world_, [&](const Fault& fault) {
      faults.push_back(std::string(to_string(fault.kind)) + " " + fault.url + " " + fault.reason);
    });
    EXPECT_TRUE(verifier.add_archive(**files.open_read(found->archives[0])));
    EXPECT_TRUE(verifier.add_log(**files.open_read(found->logs[0])));
    verifier.finish();
    return verifier.counts();
  }

  std::vector<std::string> faults;

 private:
  const World& world_;
  caddis::SeededRandom random_{1};
  std::string warc_, log_;
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

}  // namespace
}  // namespace simweb
