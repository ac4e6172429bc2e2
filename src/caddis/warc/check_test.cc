// What `caddis warc check` says: of digests, of fields, and of the flawed files in testdata/07-warc.
#include "caddis/warc/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "caddis/io/digest.h"
#include "caddis/warc/views.h"
#include "caddis/warc/writer.h"
#include "support/testdata.h"

namespace caddis::warc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kDate = "2026-01-02T03:04:05Z";

struct Verdict {
  std::vector<std::string> codes;  // errors and warnings
  std::vector<Finding> findings;
  CheckSummary summary;
};

Verdict verdict_on(std::string_view bytes) {
  Verdict verdict;
  const auto summary = check_file(MemorySource(bytes), [&](const Finding& finding) {
    verdict.findings.push_back(finding);
    if (finding.level != Level::info) verdict.codes.push_back(finding.code);
  });
  EXPECT_TRUE(summary);
  verdict.summary = *summary;
  return verdict;
}

std::string one_record(const RecordFields& fields, std::string_view block) {
  std::string out;
  append_record(out, fields, {block}, Compression::fast);
  return out;
}

std::string label(std::string_view bytes) { return io::digest_label(io::sha1(bytes)); }

TEST(Check, DigestsOfChunkedBodies) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string body = "5\r\nhello\r\n0\r\n\r\n";
  const auto with = [&](const std::string& payload_digest) {
    return verdict_on(one_record(RecordFields::response("<urn:x:1>", kDate, "http://a/")
                                     .content_type(kHttpResponse)
                                     .payload_digest(payload_digest)
                                     .block_digest(label(head + body)),
                                 head + body));
  };
  EXPECT_THAT(with(label("hello")).codes, IsEmpty());
  EXPECT_EQ(with(label("hello")).summary.digests, 2U);
  const Verdict raw = with(label(body));
  EXPECT_THAT(raw.codes, ElementsAre("payload-digest-chunked"));
  EXPECT_THAT(raw.findings[0].message, HasSubstr(label("hello")));
  EXPECT_EQ(raw.findings[0].level, Level::warning);
  const std::string cut_in_trailer = "0\r\nT: u";  // of an empty body
  EXPECT_THAT(verdict_on(one_record(RecordFields::response("<urn:x:1>", kDate, "http://a/")
                                        .content_type(kHttpResponse)
                                        .payload_digest(label(""))
                                        .block_digest(label(head + cut_in_trailer)),
                                    head + cut_in_trailer))
                  .codes,
              IsEmpty());
  const Verdict wrong = with(label("other"));
  EXPECT_THAT(wrong.codes, ElementsAre("payload-digest"));
  EXPECT_EQ(wrong.findings[0].level, Level::error);
  EXPECT_EQ(wrong.summary.errors, 1U);
}

TEST(Check, DigestsOfOtherRecords) {
  const std::string block = "HTTP/1.1 200 OK\r\n\r\n";
  // A revisit's payload is elsewhere.
  EXPECT_THAT(verdict_on(one_record(RecordFields::revisit("<urn:x:1>", kDate, "http://a/", kProfileIdenticalPayload,
                                                          label("elsewhere"), "", "http://a/", kDate)
                                        .content_type(kHttpResponse)
                                        .block_digest(label(block)),
                                    block))
                  .codes,
              IsEmpty());
  const auto resource = [](const std::string& name, const std::string& digest) {
    return verdict_on(
        one_record(RecordFields::resource("<urn:x:1>", kDate, "urn:x", "text/plain").field(name, digest), "hello"));
  };
  EXPECT_THAT(resource("WARC-Payload-Digest", label("hello")).codes, IsEmpty());
  EXPECT_THAT(resource("WARC-Block-Digest", label("hello")).codes, IsEmpty());
  EXPECT_THAT(resource("WARC-Block-Digest", label("jello")).codes, ElementsAre("block-digest"));
  EXPECT_THAT(resource("WARC-Block-Digest", "crc32:1234").codes, ElementsAre("digest-form"));
  EXPECT_THAT(resource("WARC-Block-Digest", io::digest_label(io::sha256("hello"))).codes, IsEmpty());
}

TEST(Check, Fields) {
  const auto record = [](const std::string& fields) {
    return "WARC/1.1\r\n" + fields + "Content-Length: 0\r\n\r\n\r\n\r\n";
  };
  const std::string id = "WARC-Record-ID: <urn:x:1>\r\n", date = "WARC-Date: 2026-01-02T03:04:05.123456Z\r\n";
  const std::string uri = "WARC-Target-URI: http://a/\r\n";
  const auto codes = [&](const std::string& fields) { return verdict_on(record(fields)).codes; };
  EXPECT_THAT(codes("WARC-Type: response\r\n" + id + date + uri), IsEmpty());
  EXPECT_THAT(codes("WARC-Type: response\r\n" + id + date), ElementsAre("field-missing"));
  EXPECT_THAT(codes("WARC-Type: response\r\n" + id + uri), ElementsAre("field-missing"));
  EXPECT_THAT(codes("WARC-Type: response\r\n" + date + uri), ElementsAre("field-missing"));
  EXPECT_THAT(codes(id + date + uri), ElementsAre("field-missing"));
  EXPECT_THAT(codes("WARC-Type: response\r\n" + id + uri + "WARC-Date: yesterday\r\n"), ElementsAre("date"));
  EXPECT_THAT(codes("WARC-Type: response\r\nWARC-Record-ID: 17\r\n" + date + uri), ElementsAre("record-id"));
  EXPECT_THAT(codes("WARC-Type: response\r\n" + id + date + uri + uri), ElementsAre("field-repeated"));
  EXPECT_THAT(codes("WARC-Type: warcinfo\r\n" + id + date + uri), ElementsAre("field-forbidden"));
  EXPECT_THAT(codes("WARC-Type: revisit\r\n" + id + date + uri), ElementsAre("field-missing"));
  EXPECT_THAT(codes("WARC-Type: continuation\r\n" + id + date + uri), ElementsAre("field-missing", "field-missing"));
  EXPECT_THAT(codes("WARC-Type: metadata\r\n" + id + date + "X:\r\n"), ElementsAre("field-empty"));
  EXPECT_THAT(codes("WARC-Type: metadata\r\n" + id + date + "X: \xff\r\n"), ElementsAre("encoding"));
  EXPECT_THAT(codes("WARC-Type: metadata\r\n" + id + date + "WARC-Truncated: tired\r\n"), ElementsAre("truncated"));
  EXPECT_THAT(
      verdict_on(record("WARC-Type: metadata\r\n" + id + date) + record("WARC-Type: metadata\r\n" + id + date)).codes,
      ElementsAre("record-id-repeated"));
}

// Files with errors, and which; all others of the test data have none.
const std::map<std::string, std::vector<std::string>> kErrors = {
    {"cdxj-indexer__example.warc.gz", {"block-digest", "block-digest"}},
    {"cdxj-indexer__missing-http.warc.gz", {"payload-digest"}},
    {"pywb__example-extra.warc", {"payload-digest"}},
    {"pywb__example.warc", {"garbage"}},
    {"warcio__bad.arc", {"content-length", "content-length", "content-length"}},
    {"warcio__example-bad-non-chunked.warc.gz", {"gzip-several-records", "block-digest"}},
    {"warcio__example-bad.warc.gz.bad", {"gzip-several-records"}},
    {"warcio__example-digest.warc", {"payload-digest"}},
    {"warcio__example-space-in-url.arc", {"cut"}},
    {"warcio__example-trunc.warc", {"garbage", "block-digest", "payload-digest"}},
    {"warcio__example-wrong-chunks.warc.gz", {"block-digest", "record-spans-members"}},
    {"py-wacz__invalid_signed_example_1.wacz", {"not-an-archive"}},
    {"py-wacz__valid_example_2.wacz", {"not-an-archive"}},
    {"py-wacz__valid_signed_example_1.wacz", {"not-an-archive"}},
    {"pywb__invalid_example_1.wacz", {"not-an-archive"}},
    {"pywb__valid_example_1.wacz", {"not-an-archive"}},
};

TEST(Check, FilesOfTheTestData) {
  CADDIS_TESTDATA_OR_SKIP(list, "07-warc/files.jsonl");
  CADDIS_TESTDATA_OR_SKIP(folder, "07-warc/files");
  size_t files = 0;
  for (const std::string& line : testing::read_lines(list)) {
    const std::string before = "{\"file\": \"";
    const std::string name = line.substr(before.size(), line.find('"', before.size()) - before.size());
    SCOPED_TRACE(name);
    std::vector<std::string> errors;
    for (const Finding& finding : verdict_on(testing::read_file(folder + "/" + name)).findings) {
      if (finding.level != Level::error) continue;
      errors.push_back(finding.code);
      EXPECT_FALSE(finding.repair.empty());
    }
    const auto expected = kErrors.find(name);
    EXPECT_EQ(errors, expected == kErrors.end() ? std::vector<std::string>() : expected->second);
    ++files;
  }
  EXPECT_GE(files, 51U);
}

TEST(ArchiveCheck, RevisitsFindTheirOriginalsInOtherFiles) {
  const std::string original = one_record(RecordFields::response("<urn:x:1>", kDate, "http://a/")
                                              .content_type(kHttpResponse)
                                              .payload_digest(label("hello")),
                                          "HTTP/1.1 200 OK\r\n\r\nhello");
  const auto revisit = [](std::string_view id, std::string_view of, std::string_view url, std::string_view date) {
    return one_record(RecordFields::revisit(id, "2026-02-02T03:04:05Z", "http://a/", kProfileIdenticalPayload,
                                            label("hello"), of, url, date)
                          .content_type(kHttpResponse),
                      "HTTP/1.1 200 OK\r\n\r\n");
  };
  const std::string sound = revisit("<urn:x:2>", "<urn:x:1>", "", "") +
                            revisit("<urn:x:3>", "", "http://a/", "2026-01-02T03:04:05.000Z") +
                            revisit("<urn:x:4>", "", "", "");
  const std::string unsound = revisit("<urn:x:5>", "<urn:x:2>", "", "") + revisit("<urn:x:6>", "", "http://b/", kDate) +
                              revisit("<urn:x:2>", "<urn:x:1>", "", "");
  std::vector<std::string> told;
  ArchiveCheck check(
      [&](const std::string& file, const Finding& finding) { told.push_back(file + " " + finding.code); });
  ASSERT_TRUE(check.file("sound", MemorySource(sound)));
  ASSERT_TRUE(check.file("unsound", MemorySource(unsound)));
  ASSERT_TRUE(check.file("original", MemorySource(original)));
  const auto revisits = check.finish();
  EXPECT_EQ(revisits.all, 6u);
  EXPECT_EQ(revisits.unresolved, 2u);
  EXPECT_THAT(told, ElementsAre("unsound record-id-repeated", "unsound revisit-chain", "unsound revisit-unresolved"));
}

TEST(Check, NamesTheClauseOfTheStandard) {
  const auto message_of = [](const RecordFields& fields) {
    return verdict_on(one_record(fields, "x")).findings.at(0).message;
  };
  EXPECT_THAT(message_of(RecordFields::resource("<urn:x:1>", "", "http://a/", "text/plain")),
              HasSubstr("WARC-Date is missing (WARC 1.1, 5.4)"));
  EXPECT_THAT(
      message_of(RecordFields::resource("<urn:x:1>", kDate, "http://a/", "text/plain").block_digest(label("y"))),
      HasSubstr("(WARC 1.1, 5.8)"));
  EXPECT_THAT(
      message_of(
          RecordFields::resource("<urn:x:1>", kDate, "http://a/", "text/plain").field("WARC-Refers-To", "<urn:x:2>")),
      HasSubstr("a resource record has no WARC-Refers-To (WARC 1.1, 5.11)"));
}

}  // namespace
}  // namespace caddis::warc
