#include <gtest/gtest.h>

#include "caddis/archive/capture.h"
#include "caddis/archive/file_names.h"
#include "caddis/archive/warcinfo.h"
#include "caddis/base/time_format.h"
#include "caddis/io/digest.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/views.h"

namespace caddis::archive {
namespace {

using namespace std::chrono_literals;

TEST(FileNames, FollowTheTemplate) {
  const NameParts parts{"WEB", *parse_timestamp("20261121004500123"), 7, "4711", "crawler1", "", 8444};
  EXPECT_EQ(archive_file_name(ArchiveSettings().name_template, parts, ".warc.gz"),
            "WEB-20261121004500123-00007-4711-crawler1-8444.warc.gz");
  EXPECT_EQ(archive_file_name("{prefix}_{timestamp14}_{serialno}", {"a/b", parts.time, 1, "", "", "", 0}, ".warc.gz"),
            "a_b_20261121004500_00001.warc.gz");
}

// The default of WARCWriterProcessor, as it stands in Heritrix's settings.
TEST(FileNames, HeritrixsTemplateIsUnderstood) {
  const std::string_view heritrixs =
      "${prefix}-${timestamp17}-${serialno}-${heritrix.pid}~${heritrix.hostname}~${heritrix.port}";
  EXPECT_TRUE(check_name_template(heritrixs));
  EXPECT_EQ(archive_file_name(
                heritrixs, {"IAH", *parse_timestamp("20261121004500123"), 7, "4711", "crawler1", "", 8443}, ".warc.gz"),
            "IAH-20261121004500123-00007-4711~crawler1~8443.warc.gz");
  EXPECT_EQ(archive_file_name("$1-{serialno}$", {"", {}, 7, "", "", "", 0}, ".warc.gz"), "$1-00007$.warc.gz")
      << "no variable, no syntax";
  EXPECT_FALSE(check_name_template("${serialno}-${what}"));
}

TEST(FileNames, TemplatesThatCannotWorkAreRefused) {
  EXPECT_TRUE(check_name_template(ArchiveSettings().name_template));
  EXPECT_FALSE(check_name_template("{prefix}"));
  EXPECT_FALSE(check_name_template("{serialno}-{what}"));
  EXPECT_FALSE(check_name_template("{serialno"));
}

TEST(Warcinfo, NamesSoftwareContactAndKeyPolicies) {
  Provenance provenance;
  provenance.software = "Caddis/0.1.0";
  provenance.contact = "https://archive.example/\r\nrobots: none";
  provenance.ip = "192.0.2.7";
  provenance.robots = "obey";
  provenance.crawl_key_rules = "caddis/1: x";
  provenance.index_key_rules = "ia-surt/1: y";
  const std::string block = warcinfo_block(provenance, ArchiveSettings());
  EXPECT_NE(block.find("software: Caddis/0.1.0\r\n"), std::string::npos);
  EXPECT_NE(block.find("robots: obey\r\n"), std::string::npos);
  EXPECT_NE(block.find("caddis-crawl-key: caddis/1: x\r\n"), std::string::npos);
  EXPECT_NE(block.find("ip: 192.0.2.7\r\n"), std::string::npos);
  EXPECT_EQ(block.find("\r\nrobots: none"), std::string::npos) << "no value begins a line of its own";
}

// What stands there is what the servers were sent, be it nothing.
TEST(Warcinfo, TellsTheFromHeaderThatIsSent) {
  Provenance provenance;
  provenance.contact = "https://archive.example/bot";
  ArchiveSettings settings;
  std::string block = warcinfo_block(provenance, settings);
  EXPECT_EQ(block.find("http-header-from"), std::string::npos);
  EXPECT_NE(block.find("operator: https://archive.example/bot\r\n"), std::string::npos);
  provenance.from = "crawler@archive.example";
  settings.operator_name = "The Archive";
  settings.info_fields = {"harvestInfo.jobId: 7", "note: a: b"};
  block = warcinfo_block(provenance, settings);
  EXPECT_TRUE(block.ends_with("\r\nharvestInfo.jobId: 7\r\nnote: a: b\r\n")) << block;
  EXPECT_NE(block.find("http-header-from: crawler@archive.example\r\n"), std::string::npos);
  EXPECT_NE(block.find("operator: The Archive (https://archive.example/bot)\r\n"), std::string::npos);
}

std::string unzip_all(const Records& records) {
  const auto bytes = records.bytes.to_string(1 << 24);
  return *io::gunzip_all(*bytes, 1 << 24);
}

class CaptureTest : public ::testing::Test {
 protected:
  // A response of which only the first 64 bytes stay in memory.
  io::Spool response(const std::string& bytes, size_t in_memory) {
    io::Spool spool(folder_, in_memory);
    EXPECT_TRUE(spool.append(bytes));
    return spool;
  }
  io::MemoryFiles files_;
  io::SpoolFolder folder_{files_, "/spool"};
  SeededRandom random_{1};
};

TEST_F(CaptureTest, WhatIsPackedAlreadyIsStoredBehindAPackedHead) {
  const std::string head =
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nServer: " + std::string(2000, 's') + "\r\n\r\n";
  const std::string bytes = head + "a body that says gzip gzip gzip gzip" + std::string(5000, 'g');
  for (const size_t in_memory : {size_t{1} << 20, size_t{8}}) {
    const io::Spool spool = response(bytes, in_memory);
    HttpCapture capture{"http://h.example/",
                        *parse_timestamp("20261121004500123"),
                        "192.0.2.1",
                        "GET / HTTP/1.1\r\n\r\n",
                        spool,
                        "sha1:BLOCK",
                        "sha1:PAYLOAD",
                        {},
                        {},
                        {},
                        head.size(),
                        true,
                        {}};
    Records records{io::Spool(folder_, 1 << 20)};
    ASSERT_TRUE(write_http_capture(capture, RecordForm(), random_, records));
    EXPECT_NE(unzip_all(records).find(bytes), std::string::npos);
    const std::string stored = *records.bytes.to_string(1 << 20);
    EXPECT_NE(stored.find(bytes.substr(head.size())), std::string::npos);
    if (in_memory > bytes.size()) {
      EXPECT_EQ(stored.find(std::string(100, 's')), std::string::npos);
    }
  }
}

TEST_F(CaptureTest, RecordsOfACaptureHaveOneDateAndBelongTogether) {
  const std::string bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  const std::string digest = io::digest_label(io::sha1(bytes));
  for (const size_t in_memory : {size_t{1} << 20, size_t{8}}) {
    const io::Spool spool = response(bytes, in_memory);
    HttpCapture capture{"http://h.example/",
                        *parse_timestamp("20261121004500123"),
                        "192.0.2.1",
                        "GET / HTTP/1.1\r\n\r\n",
                        spool,
                        digest,
                        "sha1:PAYLOAD",
                        warc::Truncated::time,
                        "tls/1.3",
                        "TLS_AES_128_GCM_SHA256",
                        bytes.find("\r\n\r\n") + 4,
                        false,
                        {}};
    std::string outlinks;
    append_outlink(outlinks, "http://h.example/x", 'L', "a/@href");
    capture.metadata = {"http://via.example/", "LE", "http://seed.example/", 23ms, "utf-8", outlinks, {}};
    Records records{io::Spool(folder_, 1 << 20)};
    ASSERT_TRUE(write_http_capture(capture, RecordForm(), random_, records));
    EXPECT_EQ(records.indexed_offset, 0u);
    EXPECT_GT(records.indexed_length, 0u);
    const std::string text = unzip_all(records);
    EXPECT_NE(text.find("WARC-Type: response"), std::string::npos);
    EXPECT_NE(text.find(bytes), std::string::npos);
    EXPECT_NE(text.find("WARC-Truncated: time"), std::string::npos);
    EXPECT_NE(text.find("WARC-Cipher-Suite: TLS_AES_128_GCM_SHA256"), std::string::npos);
    EXPECT_NE(text.find("via: http://via.example/\r\nhopsFromSeed: LE\r\n"), std::string::npos);
    EXPECT_NE(text.find("outlink: http://h.example/x L a/@href\r\n"), std::string::npos);
    size_t dates = 0;
    for (size_t at = 0; (at = text.find("WARC-Date: 2026-11-21T00:45:00.123Z", at)) != std::string::npos; ++at) ++dates;
    EXPECT_EQ(dates, 3u);
  }
}

// WARC 1.1, 6.7.2: to the letter.
TEST_F(CaptureTest, RequestBodiesOfAnySize) {
  for (const size_t in_memory : {size_t{1} << 20, size_t{16}}) {
    io::Spool response(folder_, 1 << 20), body(folder_, in_memory);
    const std::string sent(100'000, 'b'), head = "POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n";
    ASSERT_TRUE(response.append("HTTP/1.1 204 No Content\r\n\r\n"));
    ASSERT_TRUE(body.append(sent));
    HttpCapture capture{.url = "http://h.example/",
                        .date = *parse_timestamp("20261121004500123"),
                        .address = "192.0.2.1",
                        .request = head,
                        .response = response,
                        .block_digest = "sha1:BLOCK",
                        .payload_digest = "sha1:PAYLOAD",
                        .truncated = {},
                        .protocol = {},
                        .cipher = {},
                        .head_size = response.size(),
                        .is_compressed = false,
                        .revisit = {},
                        .metadata = {},
                        .request_body = &body};
    Records records{io::Spool(folder_, 1 << 20)};
    ASSERT_TRUE(write_http_capture(capture, RecordForm(), random_, records));
    const std::string text = unzip_all(records);
    const std::string block = head + sent;
    EXPECT_NE(text.find("\r\n\r\n" + block + "\r\n\r\n"), std::string::npos);
    EXPECT_NE(text.find("WARC-Block-Digest: sha1:" + io::sha1_base32(block)), std::string::npos);
    EXPECT_NE(text.find("Content-Length: " + std::to_string(block.size())), std::string::npos);
  }
}

TEST_F(CaptureTest, ARevisitHasTheHeadAndNamesItsOriginal) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
  for (const size_t in_memory : {size_t{1} << 20, size_t{8}}) {
    const io::Spool spool = response(head + "hello", in_memory);
    HttpCapture capture{"http://h.example/",
                        *parse_timestamp("20261121004500123"),
                        "192.0.2.1",
                        "GET / HTTP/1.1\r\n\r\n",
                        spool,
                        "sha1:OF-THE-WHOLE-RESPONSE",
                        "sha1:PAYLOAD",
                        {},
                        {},
                        {},
                        head.size(),
                        false,
                        RevisitTarget{.record_id = "<urn:uuid:0a1b2c3d-4e5f-4a6b-8c7d-8e9f00112233>",
                                      .url = "http://first.example/",
                                      .date = *parse_timestamp("20260101000000007")},
                        {}};
    Records records{io::Spool(folder_, 1 << 20)};
    ASSERT_TRUE(write_http_capture(capture, RecordForm(), random_, records));
    const std::string text = unzip_all(records);
    const size_t end = text.find("\r\n\r\n");
    EXPECT_EQ(text.substr(0, end + 4),
              "WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Record-ID: " + records.id +
                  "\r\nWARC-Date: 2026-11-21T00:45:00.123Z\r\nWARC-Target-URI: http://h.example/\r\n"
                  "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
                  "WARC-Payload-Digest: sha1:PAYLOAD\r\n"
                  "WARC-Refers-To: <urn:uuid:0a1b2c3d-4e5f-4a6b-8c7d-8e9f00112233>\r\n"
                  "WARC-Refers-To-Target-URI: http://first.example/\r\n"
                  "WARC-Refers-To-Date: 2026-01-01T00:00:00.007Z\r\n"
                  "Content-Type: application/http;msgtype=response\r\nWARC-IP-Address: 192.0.2.1\r\n"
                  "WARC-Block-Digest: " +
                  io::digest_label(io::sha1(head)) +
                  "\r\nWARC-Truncated: length\r\nContent-Length: " + std::to_string(head.size()) + "\r\n\r\n");
    EXPECT_EQ(text.substr(end + 4, head.size() + 4), head + "\r\n\r\n");
    EXPECT_FALSE(text.contains("hello"));
    EXPECT_NE(text.find("WARC-Concurrent-To: " + records.id), std::string::npos);
  }
}

TEST_F(CaptureTest, DocumentsOfOtherProtocolsAreResources) {
  const std::vector<Attachment> conversation = {
      {"ftp://h.example/a", std::string(kFtpConversation), "> RETR /a\r\n< 226 done\r\n"}};
  const std::string bytes = "the document", digest = io::digest_label(io::sha1(bytes));
  for (const size_t in_memory : {size_t{1} << 20, size_t{8}}) {
    const io::Spool spool = response(bytes, in_memory);
    HttpCapture capture{.url = "ftp://h.example/a",
                        .date = *parse_timestamp("20261121004500123"),
                        .address = "192.0.2.1",
                        .request = {},
                        .response = spool,
                        .block_digest = digest,
                        .payload_digest = digest,
                        .truncated = {},
                        .protocol = {},
                        .cipher = {},
                        .revisit = {},
                        .metadata = {},
                        .http = "ftp",
                        .resource = ResourceForm{"text/html"},
                        .attachments = conversation};
    Records records{io::Spool(folder_, 1 << 20)};
    ASSERT_TRUE(write_http_capture(capture, RecordForm(), random_, records));
    const std::string text = unzip_all(records);
    EXPECT_EQ(text.substr(0, text.find("WARC/1.1", 1)),
              "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: " + records.id +
                  "\r\nWARC-Date: 2026-11-21T00:45:00.123Z\r\nWARC-Target-URI: ftp://h.example/a\r\n"
                  "Content-Type: text/html\r\nWARC-IP-Address: 192.0.2.1\r\nWARC-Payload-Digest: " +
                  digest + "\r\nWARC-Block-Digest: " + digest +
                  "\r\nWARC-Protocol: ftp\r\nContent-Length: 12\r\n\r\nthe document\r\n\r\n");
    EXPECT_TRUE(text.contains("WARC-Type: metadata\r\n"));
    EXPECT_TRUE(
        text.contains("WARC-Concurrent-To: " + records.id + "\r\nContent-Type: text/x-ftp-control-conversation\r\n"));
    EXPECT_TRUE(text.contains("\r\n\r\n> RETR /a\r\n< 226 done\r\n"));
    EXPECT_FALSE(text.contains("WARC-Type: request"));

    capture.revisit = RevisitTarget{.record_id = "<urn:uuid:0a1b2c3d-4e5f-4a6b-8c7d-8e9f00112233>",
                                    .url = "ftp://h.example/b",
                                    .date = *parse_timestamp("20260101000000007")};
    Records revisit{io::Spool(folder_, 1 << 20)};
    ASSERT_TRUE(write_http_capture(capture, RecordForm(), random_, revisit));
    const std::string second = unzip_all(revisit);
    const std::string first_record = second.substr(0, second.find("WARC/1.1", 1));
    EXPECT_TRUE(first_record.contains("WARC-Type: revisit\r\n"));
    EXPECT_TRUE(first_record.contains("Content-Type: text/html\r\n"));
    EXPECT_TRUE(first_record.ends_with("Content-Length: 0\r\n\r\n\r\n\r\n"));
  }
}

TEST_F(CaptureTest, LookupsAreResources) {
  Records records{io::Spool(folder_, 1 << 20)};
  ASSERT_TRUE(write_dns_capture("dns:h.example", *parse_timestamp("20261121004500"), "192.0.2.53",
                                "20261121004500\nrecord\n", {}, RecordForm(), random_, records));
  const std::string text = unzip_all(records);
  EXPECT_NE(text.find("WARC-Type: resource"), std::string::npos);
  EXPECT_NE(text.find("WARC-Target-URI: dns:h.example"), std::string::npos);
  EXPECT_NE(text.find("Content-Type: text/dns"), std::string::npos);
}

}  // namespace
}  // namespace caddis::archive
