// Deduplication of files after the fact, and its reverse, on files in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/time_format.h"
#include "caddis/dedup/digest_index_writer.h"
#include "caddis/dedup/index_key.h"
#include "caddis/dedup/original.h"
#include "caddis/dedup/payload_digest.h"
#include "caddis/io/digest.h"
#include "caddis/io/memory_files.h"
#include "caddis/revisits/break_out.h"
#include "caddis/revisits/dedup_files.h"
#include "caddis/revisits/known_payloads.h"
#include "caddis/url/key_policy.h"
#include "caddis/warc/check.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/views.h"
#include "caddis/warc/writer.h"

namespace caddis::revisits {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

using dedup::Strategy;
using warc::RecordFields;

constexpr std::string_view kHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";

std::string id(int number) { return "<urn:x:" + std::to_string(number) + ">"; }

std::string packed(const RecordFields& fields, std::string_view block) {
  std::string out;
  warc::append_record(out, fields, {block}, warc::Compression::fast);
  return out;
}

struct Page {
  int number;
  std::string url, date, body;
  std::string head = std::string(kHead);
  std::string digest = {};  // that of the body if it is empty
};

RecordFields fields_of(const Page& page) {
  auto fields = RecordFields::response(id(page.number), page.date, page.url);
  fields.content_type(warc::kHttpResponse).ip_address("192.0.2.1");
  fields.payload_digest(page.digest.empty() ? io::digest_label(io::sha1(page.body)) : page.digest);
  fields.warcinfo_id("<urn:x:info>").field("WARC-Page-ID", "7");
  return fields;
}

std::string response(const Page& page) { return packed(fields_of(page), page.head + page.body); }

std::string request(int number, const Page& page) {
  auto fields = RecordFields::request(id(number), page.date, page.url, id(page.number));
  fields.content_type(warc::kHttpRequest);
  return packed(fields, "GET / HTTP/1.1\r\n\r\n");
}

struct Seen {
  std::string type, id, url, date, head, body, refers_to, refers_url, refers_date, digest, concurrent, page;
};

class Revisits : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"/in", "/out", "/whole"}) ASSERT_TRUE(files_.make_dirs(folder));
  }

  void write(const std::string& name, const std::string& bytes) {
    ASSERT_TRUE(files_.write_atomically("/in/" + name, bytes));
    names_.push_back(name);
  }

  DedupOptions options() {
    DedupOptions options;
    options.how.report = [this](const warc::Finding& finding) { findings_.push_back(finding.code); };
    return options;
  }

  // All files of "/in" into "/out".
  Result<DedupReport> dedup(Strategy strategy, const std::vector<std::string>& against = {},
                            const dedup::DedupSettings& which = {}) {
    TRY(const auto known, KnownPayloads::create(files_, "/out", {strategy, 1 << 20, key_}));
    for (const std::string& place : against) TRY_VOID(known->add_elsewhere(place));
    DedupOptions how = options();
    how.which = which;
    for (const std::string& name : names_) TRY_VOID(learn_payloads(files_, "/in/" + name, how, *known));
    TRY_VOID(known->finish());
    DedupReport sum;
    for (const std::string& name : names_) {
      TRY(const auto report, dedup_file(files_, "/in/" + name, "/out/" + name, how, *known));
      sum.revisits += report.revisits;
      sum.payloads += report.payloads;
      sum.saved += report.saved;
      sum.uncertain += report.uncertain;
    }
    return sum;
  }

  // All files of `folder` into "/whole".
  Result<BreakOutReport> break_out(const std::string& folder, const std::vector<std::string>& from = {}) {
    std::vector<std::string> sources;
    for (const std::string& name : names_) sources.push_back(folder + "/" + name);
    sources.insert(sources.end(), from.begin(), from.end());
    OriginalPlaces places;
    for (size_t i = 0; i < names_.size(); ++i) TRY_VOID(want_originals(files_, sources[i], places));
    for (size_t i = 0; i < sources.size(); ++i)
      TRY_VOID(offer_originals(files_, sources[i], static_cast<uint32_t>(i), places));
    BreakOutReport sum;
    for (size_t i = 0; i < names_.size(); ++i) {
      TRY(const auto report,
          break_out_file(files_, sources[i], "/whole/" + names_[i], {.how = options().how}, places, sources));
      sum.responses += report.responses;
      sum.unresolved += report.unresolved;
      sum.put_back += report.put_back;
    }
    return sum;
  }

  std::vector<Seen> read(const std::string& path) {
    const std::string bytes = *files_.read_all(path);
    const warc::MemorySource source(bytes);
    warc::Reader reader(source);
    std::vector<Seen> all;
    types_.clear();
    while (auto* record = *reader.next()) {
      const warc::Header& header = record->header();
      types_.emplace_back(header.content_type());
      Seen seen{std::string(header.get("WARC-Type")),
                std::string(header.id()),
                std::string(header.target_uri()),
                std::string(header.get("WARC-Date")),
                {},
                {},
                std::string(header.bare_uri("WARC-Refers-To")),
                std::string(header.get("WARC-Refers-To-Target-URI")),
                std::string(header.get("WARC-Refers-To-Date")),
                std::string(header.payload_digest()),
                std::string(header.bare_uri("WARC-Concurrent-To")),
                std::string(header.get("WARC-Page-ID"))};
      const auto payload = warc::read_payload(*record, 1 << 30);
      EXPECT_TRUE(payload);
      seen.head = payload->http_head;
      seen.body = payload->entity;
      all.push_back(std::move(seen));
    }
    return all;
  }

  // Type and id of each record in a file of "/out".
  std::vector<std::pair<std::string, std::string>> kinds(const std::string& name) {
    std::vector<std::pair<std::string, std::string>> all;
    for (const Seen& seen : read("/out/" + name)) all.emplace_back(seen.type, seen.id);
    return all;
  }

  // What is wrong with files, held against each other.
  std::vector<std::string> flaws(const std::string& path) {
    const std::string bytes = *files_.read_all(path);
    std::vector<std::string> found;
    EXPECT_TRUE(warc::check_file(warc::MemorySource(bytes), [&](const warc::Finding& finding) {
      if (finding.level != warc::Level::info) found.push_back(finding.code + ": " + finding.message);
    }));
    return found;
  }

  io::MemoryFiles files_;
  std::vector<std::string> names_, findings_;
  std::vector<std::string> types_;  // of the records that were read last
  std::optional<dedup::IndexKey> key_;
};

const Page kFirst{1, "http://example.org/a", "2026-01-02T03:04:05.000006Z", "the same"};
const Page kOther{2, "http://example.org/b", "2026-02-02T00:00:00Z", "the same"};
const Page kAgain{3, "http://example.org/b", "2026-03-02T00:00:00Z", "the same", "HTTP/1.1 404 Gone\r\nA: b\r\n\r\n"};
const Page kNew{4, "http://example.org/a", "2026-03-03T00:00:00Z", "something else"};

TEST_F(Revisits, TheEarliestOfAllFilesIsTheOriginal) {
  write("later.warc.gz", response(kAgain) + request(10, kAgain) + response(kNew));
  write("first.warc.gz", response(kOther) + response(kFirst));
  const auto report = dedup(Strategy::url_preferred);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->revisits, 2u);
  EXPECT_EQ(report->payloads, 4u);
  EXPECT_EQ(report->saved, 16u);
  EXPECT_THAT(kinds("later.warc.gz"),
              ElementsAre(Pair("revisit", "urn:x:3"), Pair("request", "urn:x:10"), Pair("response", "urn:x:4")));
  EXPECT_THAT(kinds("first.warc.gz"), ElementsAre(Pair("revisit", "urn:x:2"), Pair("response", "urn:x:1")));
  const Seen revisit = read("/out/later.warc.gz").front();
  EXPECT_EQ(revisit.refers_to, "urn:x:1");
  EXPECT_EQ(revisit.refers_url, kFirst.url);
  EXPECT_EQ(revisit.refers_date, kFirst.date);
  EXPECT_EQ(revisit.date, kAgain.date);
  EXPECT_EQ(revisit.head, kAgain.head);
  EXPECT_EQ(revisit.body, "");
  EXPECT_EQ(revisit.digest, io::digest_label(io::sha1(kFirst.body)));
  EXPECT_EQ(revisit.page, "7");
  EXPECT_THAT(flaws("/out/later.warc.gz"), IsEmpty());
  EXPECT_THAT(findings_, IsEmpty());
  const auto left = files_.list("/out");
  EXPECT_EQ(left->size(), 2u) << "its index and lock are gone";
}

TEST_F(Revisits, StrategiesSayWhatIsAlike) {
  Page slash = kAgain;
  slash.url = "http://www.example.org/b";
  write("x.warc.gz", response(kFirst) + response(kOther) + response(kAgain) +
                         response({5, slash.url, "2026-04-01T00:00:00Z", "the same"}));
  ASSERT_EQ(dedup(Strategy::url)->revisits, 1u);
  EXPECT_EQ(read("/out/x.warc.gz")[2].refers_to, "urn:x:2");
  ASSERT_TRUE(files_.remove("/out/x.warc.gz"));
  ASSERT_EQ(dedup(Strategy::canonical)->revisits, 2u);
  EXPECT_EQ(read("/out/x.warc.gz")[3].refers_to, "urn:x:2");
  ASSERT_TRUE(files_.remove("/out/x.warc.gz"));
  ASSERT_EQ(dedup(Strategy::any)->revisits, 3u);
  for (const size_t i : {1, 2, 3}) EXPECT_EQ(read("/out/x.warc.gz")[i].refers_to, "urn:x:1") << "never a chain";
}

std::string resource(int number, const std::string& url, const std::string& date, const std::string& body,
                     const std::string& type = "text/html") {
  auto fields = RecordFields::resource(id(number), date, url, type);
  fields.payload_digest(io::digest_label(io::sha1(body))).block_digest(io::digest_label(io::sha1(body)));
  return packed(fields, body);
}

TEST_F(Revisits, ResourcesReferToResourcesAndComeBack) {
  const std::string bytes = response(kFirst) + resource(11, "ftp://f.example/a", "2026-04-01T00:00:00Z", "the same") +
                            resource(12, "http://f.example/a", "2026-04-02T00:00:00Z", "the same", "text/plain") +
                            resource(13, "dns:f.example", "2026-04-03T00:00:00Z", "the same");
  write("x.warc.gz", bytes);
  const auto report = dedup(Strategy::url_preferred);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->revisits, 1u);
  const auto records = read("/out/x.warc.gz");
  EXPECT_THAT(kinds("x.warc.gz"), ElementsAre(Pair("response", "urn:x:1"), Pair("resource", "urn:x:11"),
                                              Pair("revisit", "urn:x:12"), Pair("resource", "urn:x:13")));
  EXPECT_EQ(records[2].refers_to, "urn:x:11") << "the response is earlier, but its head is none of a resource";
  EXPECT_EQ(records[2].digest, io::digest_label(io::sha1(kFirst.body)));
  EXPECT_EQ(records[2].head, "");
  EXPECT_THAT(flaws("/out/x.warc.gz"), IsEmpty());

  ASSERT_TRUE(break_out("/out"));
  const auto whole = read("/whole/x.warc.gz");
  EXPECT_EQ(whole[2].type, "resource");
  EXPECT_EQ(whole[2].body, kFirst.body);
  EXPECT_THAT(types_, ElementsAre(warc::kHttpResponse, "text/html", "text/plain", "text/html"));
  EXPECT_THAT(findings_, IsEmpty());
}

TEST_F(Revisits, ResourcesElsewhereAreAskedForInArchivesOnly) {
  write("x.warc.gz", resource(12, "http://f.example/a", "2026-04-02T00:00:00Z", "the same"));
  dedup::DigestIndexWriter writer(files_, "/z.digests");
  ASSERT_TRUE(writer.add(io::sha1(kFirst.body), {kFirst.url, *parse_w3c_date(kFirst.date), {}, {}, {}}));
  ASSERT_TRUE(writer.finish());
  ASSERT_TRUE(files_.make_dirs("/else"));
  ASSERT_TRUE(files_.write_atomically("/else/y.warc.gz", response(kFirst)));
  const auto none = dedup(Strategy::any, {"/z.digests", "/else"});
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_EQ(none->revisits, 0u);
  ASSERT_TRUE(files_.remove("/out/x.warc.gz"));
  ASSERT_TRUE(
      files_.write_atomically("/else/z.warc.gz", resource(7, "http://g.example/", "2026-04-01T00:00:00Z", "the same")));
  ASSERT_EQ(dedup(Strategy::any, {"/z.digests", "/else"})->revisits, 1u);
  EXPECT_EQ(read("/out/x.warc.gz")[0].refers_to, "urn:x:7");
}

TEST_F(Revisits, UrlsAreKnownAgainByThePolicyThatIsNamed) {
  write("x.warc.gz", response(kFirst) + response({5, "http://www.example.org/a", "2026-04-01T00:00:00Z", "the same"}));
  ASSERT_EQ(dedup(Strategy::canonical)->revisits, 1u);
  ASSERT_TRUE(files_.remove("/out/x.warc.gz"));
  key_ = dedup::index_key_by(*url::KeyPolicy::parse("ia-surt -strip-www-n"));
  ASSERT_EQ(dedup(Strategy::canonical)->revisits, 0u);
  ASSERT_TRUE(files_.remove("/out/x.warc.gz"));
  dedup::DigestIndexWriter writer(files_, "/z.digests");
  ASSERT_TRUE(writer.finish());
  const auto other = dedup(Strategy::canonical, {"/z.digests"});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::conflict);
}

TEST_F(Revisits, SmallPayloadsAndTypesMayStay) {
  write("x.warc.gz", response(kFirst) + response(kOther));
  dedup::DedupSettings which;
  which.min_size = 9;
  EXPECT_EQ(dedup(Strategy::any, {}, which)->revisits, 0u);
  ASSERT_TRUE(files_.remove("/out/x.warc.gz"));
  which = {};
  which.leave_out = {"text/*"};
  EXPECT_EQ(dedup(Strategy::any, {}, which)->revisits, 0u);
}

TEST_F(Revisits, AWrongDigestIsCopiedAndTold) {
  const std::string wrong = io::digest_label(io::sha1("another"));
  write("x.warc.gz",
        response({1, "http://a.example/", "2026-01-01T00:00:00Z", "the same", std::string(kHead), wrong}) +
            response(kOther) +
            response({7, "http://b.example/", "2026-05-01T00:00:00Z", "the same", std::string(kHead), wrong}) +
            response(kAgain));
  const auto report = dedup(Strategy::any);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->revisits, 1u);
  EXPECT_EQ(report->uncertain, 2u);
  EXPECT_THAT(findings_, ElementsAre("payload-digest", "payload-digest"));
  EXPECT_EQ(read("/out/x.warc.gz")[3].refers_to, "urn:x:2");
}

TEST_F(Revisits, BytesThatChunksDoNotAccountForAreCopiedAndTold) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string digest = io::digest_label(io::sha1("the same")), whole = "8\r\nthe same\r\n0\r\n\r\n";
  write("x.warc.gz", response({1, "http://a.example/", "2026-01-01T00:00:00Z", whole, head, digest}) +
                         response({2, "http://b.example/", "2026-01-02T00:00:00Z", whole + "and more", head, digest}) +
                         response({3, "http://c.example/", "2026-01-03T00:00:00Z", "8\r\nthe same\r\nno size\r\nmore",
                                   head, digest}) +
                         response({4, "http://d.example/", "2026-01-04T00:00:00Z", whole, head, digest}));
  const auto report = dedup(Strategy::any);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->uncertain, 2u);
  EXPECT_THAT(findings_, ElementsAre("payload-chunks", "payload-chunks"));
  EXPECT_THAT(kinds("x.warc.gz"), ElementsAre(Pair("response", "urn:x:1"), Pair("response", "urn:x:2"),
                                              Pair("response", "urn:x:3"), Pair("revisit", "urn:x:4")));
}

TEST_F(Revisits, WhatIsTruncatedIsNeitherOriginalNorRevisit) {
  Page cut = kFirst;
  auto fields = fields_of(cut);
  fields.truncated(warc::Truncated::time);
  Page late = kNew;
  late.body = kFirst.body;
  auto again = fields_of(late);
  again.truncated(warc::Truncated::time);
  write("x.warc.gz", packed(fields, cut.head + cut.body) + response(kOther) + packed(again, late.head + late.body));
  EXPECT_EQ(dedup(Strategy::any)->revisits, 0u);
}

TEST_F(Revisits, DamageIsRefusedAndNothingIsMade) {
  std::string bytes = response(kFirst) + response(kOther);
  bytes[bytes.size() / 2 + 20] = static_cast<char>(bytes[bytes.size() / 2 + 20] ^ 0x55);
  write("x.warc.gz", bytes);
  const auto report = dedup(Strategy::any);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::corrupt);
  EXPECT_THAT(report.error().message, HasSubstr("--salvage"));
  EXPECT_THAT(*files_.list("/out"), IsEmpty());
}

TEST_F(Revisits, ArcFilesAreRefused) {
  write("a.warc.gz", response(kFirst) + response(kOther));
  write("x.arc",
        "filedesc://x.arc 0.0.0.0 20260102030405 text/plain 76\n"
        "1 0 LiveWeb Capture\nURL IP-address Archive-date Content-type Archive-length\n\n\n"
        "http://example.com/a 192.0.2.1 20260102030407 text/html 20\nHTTP/1.0 200 OK\n\nhi!\n");
  const auto report = dedup(Strategy::any);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::unsupported);
  EXPECT_THAT(*files_.list("/out"), IsEmpty());
}

TEST_F(Revisits, NothingIsOverwritten) {
  write("x.warc.gz", response(kFirst) + response(kOther));
  ASSERT_TRUE(files_.write_atomically("/out/x.warc.gz", "mine"));
  const auto report = dedup(Strategy::any);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::conflict);
  EXPECT_EQ(*files_.read_all("/out/x.warc.gz"), "mine");
}

TEST_F(Revisits, OtherCollectionsHoldOriginals) {
  write("x.warc.gz", response(kOther) + response(kAgain) + response(kNew));
  ASSERT_TRUE(files_.make_dirs("/else"));
  ASSERT_TRUE(files_.write_atomically("/else/y.warc.gz", response(kFirst)));
  // A digest index, in which the payload of kNew is known only from later.
  dedup::DigestIndexWriter writer(files_, "/z.digests");
  const dedup::Original late{kNew.url, *parse_w3c_date("2027-01-01T00:00:00Z"), {}, {}, {}};
  ASSERT_TRUE(writer.add(io::sha1(kNew.body), late));
  ASSERT_TRUE(writer.finish());
  const auto report = dedup(Strategy::url_preferred, {"/else", "/z.digests"});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->revisits, 2u);
  const auto records = read("/out/x.warc.gz");
  EXPECT_EQ(records[0].refers_to, "urn:x:1");
  EXPECT_EQ(records[1].refers_to, "urn:x:1");
  EXPECT_EQ(records[1].refers_date, kFirst.date);
  EXPECT_EQ(records[2].type, "response") << "no revisit of the future";
}

TEST_F(Revisits, OriginalsElsewhereAreLookedAt) {
  const std::string digest = io::digest_label(io::sha1(kFirst.body));
  auto cut = fields_of(kFirst);
  cut.truncated(warc::Truncated::time);
  Page wrong = kFirst;
  wrong.body = "another";
  wrong.digest = digest;
  auto revisit = RecordFields::revisit(id(9), "2026-01-05T00:00:00Z", kFirst.url, warc::kProfileIdenticalPayload,
                                       digest, id(1), kFirst.url, kFirst.date);
  revisit.content_type(warc::kHttpResponse);
  ASSERT_TRUE(files_.make_dirs("/else"));
  ASSERT_TRUE(files_.write_atomically(
      "/else/y.warc.gz", packed(cut, kFirst.head + kFirst.body) + response(wrong) + packed(revisit, kHead)));
  write("x.warc.gz", response(kAgain));
  const auto none = dedup(Strategy::any, {"/else"});
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_EQ(none->revisits, 0u);
  ASSERT_TRUE(files_.remove("/out/x.warc.gz"));
  ASSERT_TRUE(files_.write_atomically("/else/z.warc.gz", response(kFirst)));
  EXPECT_EQ(dedup(Strategy::any, {"/else"})->revisits, 1u);
}

TEST_F(Revisits, FilesHeldAgainstThemselvesLoseNothing) {
  write("x.warc.gz", response(kFirst) + response(kOther) + response(kAgain));
  for (const Strategy strategy : {Strategy::url, Strategy::canonical, Strategy::url_preferred, Strategy::any}) {
    ASSERT_TRUE(dedup(strategy, {"/in"}));
    std::map<std::string, std::string> types;
    const auto records = read("/out/x.warc.gz");
    for (const Seen& seen : records) types[seen.id] = seen.type;
    for (const Seen& seen : records)
      if (seen.type == "revisit") EXPECT_EQ(types[seen.refers_to], "response") << "a chain, or nothing";
    EXPECT_EQ(records.back().type, "revisit");
    ASSERT_TRUE(files_.remove("/out/x.warc.gz"));
  }
}

TEST_F(Revisits, ThereAndBackGivesTheSame) {
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string digest = io::digest_label(io::sha1("the same"));
  const std::string large(9 << 20, 'x');
  const std::vector<Page> pages{
      kFirst,
      kOther,
      kAgain,
      kNew,
      {5, "http://c.example/", "2026-05-01T00:00:00Z", "3\r\nthe\r\n5\r\n same\r\n0\r\n\r\n", chunked, digest},
      {6, "http://d.example/", "2026-06-01T00:00:00Z", large},
      {7, "http://e.example/", "2026-07-01T00:00:00Z", large, "HTTP/1.1 203 Other\r\nX: y\r\n\r\n"},
      {8, "http://f.example/", "2026-07-01T00:00:00Z", "large, and not yet chunked"},
      {9, "http://g.example/", "2026-08-01T00:00:00Z", "1a\r\nlarge, and not yet chunked\r\n0\r\n\r\n", chunked,
       io::digest_label(io::sha1("large, and not yet chunked"))},
  };
  std::string file;
  for (const Page& page : pages) file += response(page) + request(100 + page.number, page);
  write("x.warc.gz", file);
  const auto report = dedup(Strategy::any);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->revisits, 5u);
  EXPECT_THAT(flaws("/out/x.warc.gz"), IsEmpty());
  const auto back = break_out("/out");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->responses, 5u);
  EXPECT_EQ(back->unresolved, 0u);
  EXPECT_THAT(findings_, IsEmpty());
  EXPECT_THAT(flaws("/whole/x.warc.gz"), IsEmpty());
  const auto before = read("/in/x.warc.gz"), after = read("/whole/x.warc.gz");
  ASSERT_EQ(before.size(), after.size());
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].type, before[i].type);
    EXPECT_EQ(after[i].url, before[i].url);
    EXPECT_EQ(after[i].date, before[i].date);
    EXPECT_EQ(after[i].head, before[i].head);
    EXPECT_TRUE(after[i].body == before[i].body) << i;
    EXPECT_EQ(after[i].digest, before[i].digest);
    EXPECT_EQ(after[i].page, before[i].page);
    if (after[i].type == "request") EXPECT_EQ(after[i].concurrent, after[i - 1].id);
  }
  EXPECT_EQ(after[0].id, "urn:x:1");
  EXPECT_THAT(after[2].id, HasSubstr("urn:uuid:"));
}

TEST_F(Revisits, OriginalsAreFoundByWhatARevisitTells) {
  const std::string digest = io::digest_label(io::sha1(kFirst.body));
  const auto revisit = [&](int number, std::string_view profile, std::string_view payload, std::string_view to,
                           std::string_view url, std::string_view date) {
    auto fields =
        RecordFields::revisit(id(number), "2026-09-01T00:00:00Z", "http://r.example/", profile, payload, to, url, date);
    fields.content_type(warc::kHttpResponse);
    return packed(fields, "HTTP/1.1 304 Not Modified\r\nB: c\r\n\r\n");
  };
  write("x.warc.gz", revisit(20, warc::kProfileIdenticalPayload, digest, id(1), "", "") +
                         revisit(21, warc::kProfileIdenticalPayload, digest, "", kFirst.url, "2026-01-02T03:04:05Z") +
                         revisit(22, warc::kProfileIdenticalPayload, digest, id(99), "", "") +
                         revisit(23, warc::kProfileNotModified, "", "", kFirst.url, kFirst.date) +
                         revisit(24, warc::kProfileIdenticalPayload, io::digest_label(io::sha1("no")), id(1), "", "") +
                         revisit(25, "http://example.org/profile", digest, id(1), "", ""));
  ASSERT_TRUE(files_.write_atomically("/else.warc.gz", response(kNew) + response(kFirst)));
  const auto report = break_out("/in", {"/else.warc.gz"});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->responses, 4u);
  EXPECT_EQ(report->unresolved, 2u);
  EXPECT_THAT(findings_, ElementsAre("revisit-unresolved", "revisit-unresolved"));
  const auto records = read("/whole/x.warc.gz");
  ASSERT_EQ(records.size(), 6u);
  for (const size_t i : {0, 1, 2}) {
    EXPECT_EQ(records[i].type, "response");
    EXPECT_THAT(records[i].head, HasSubstr("304"));
    EXPECT_EQ(records[i].body, kFirst.body);
    EXPECT_EQ(records[i].refers_to, "");
  }
  EXPECT_EQ(records[3].head, kHead) << "the head of a 304 is that of no body";
  EXPECT_EQ(records[3].body, kFirst.body);
  EXPECT_EQ(records[3].url, "http://r.example/");
  EXPECT_EQ(records[4].type, "revisit") << "its original has another digest";
  EXPECT_EQ(records[5].type, "revisit") << "nobody knows the profile";
}

TEST_F(Revisits, OnlySoundRevisitsBecomeResponses) {
  const std::string digest = io::digest_label(io::sha1(kFirst.body));
  const auto revisit = [&](int number, std::string_view payload, const std::string& block, const std::string& said) {
    auto fields = RecordFields::revisit(id(number), "2026-09-01T00:00:00Z", "http://r.example/",
                                        warc::kProfileIdenticalPayload, payload, id(1), "", "");
    fields.content_type(warc::kHttpResponse).block_digest(io::digest_label(io::sha1(said)));
    return packed(fields, block);
  };
  const std::string whole = "HTTP/1.1 200 OK\r\nB: c\r\n\r\n", cut = "HTTP/1.1 200 OK\r\nB: c\r\n";
  write("x.warc.gz", revisit(20, digest, whole, whole) + revisit(21, digest, cut, cut) +
                         revisit(22, digest, whole, "what was written") + revisit(23, "odd:digest", whole, whole));
  ASSERT_TRUE(files_.write_atomically("/else.warc.gz", response(kFirst)));
  const auto report = break_out("/in", {"/else.warc.gz"});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->responses, 2u);
  EXPECT_THAT(findings_, ElementsAre("revisit-unresolved", "block-digest", "revisit-unresolved"));
  const auto records = read("/whole/x.warc.gz");
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[0].head, whole);
  EXPECT_EQ(records[1].head, kHead) << "a head without end would take in the payload";
  for (const size_t i : {0, 1}) EXPECT_EQ(records[i].body, kFirst.body);
  for (const size_t i : {2, 3}) EXPECT_EQ(records[i].type, "revisit");
}

}  // namespace
}  // namespace caddis::revisits
