// Building records (golden bytes), typed views, payloads, digest fields.
#include <gtest/gtest.h>

#include <string>

#include "caddis/base/clock.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/io/base32.h"
#include "caddis/io/digest.h"
#include "caddis/io/gzip.h"
#include "caddis/warc/digest_field.h"
#include "caddis/warc/header_parser.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/views.h"
#include "caddis/warc/writer.h"

namespace caddis::warc {
namespace {

using namespace std::string_literals;

constexpr std::string_view kId = "<urn:uuid:00000000-0000-4000-8000-000000000001>";
constexpr std::string_view kDate = "2026-01-02T03:04:05Z";

// The format that Caddis writes, byte for byte: docs/formats/warc.md.
TEST(Writer, GoldenBytes) {
  const std::string head = "HTTP/1.1 200 OK\r\n\r\n";
  std::string out;
  append_record(out,
                RecordFields::response(kId, kDate, "http://example.com/a b")
                    .ip_address("192.0.2.1")
                    .payload_digest(io::digest_label(io::sha1("hello")))
                    .block_digest(io::digest_label(io::sha1(head + "hello")))
                    .protocol("h2")
                    .protocol("tls/1.3")
                    .truncated(Truncated::length)
                    .content_type(kHttpResponse),
                {head, "hello"}, Compression::none);
  EXPECT_EQ(out,
            "WARC/1.1\r\n"
            "WARC-Type: response\r\n"
            "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n"
            "WARC-Date: 2026-01-02T03:04:05Z\r\n"
            "WARC-Target-URI: http://example.com/a%20b\r\n"
            "WARC-IP-Address: 192.0.2.1\r\n"
            "WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N\r\n"
            "WARC-Block-Digest: sha1:" +
                io::sha1_base32(head + "hello") +
                "\r\n"
                "WARC-Protocol: h2\r\n"
                "WARC-Protocol: tls/1.3\r\n"
                "WARC-Truncated: length\r\n"
                "Content-Type: application/http;msgtype=response\r\n"
                "Content-Length: 24\r\n"
                "\r\n"
                "HTTP/1.1 200 OK\r\n\r\nhello\r\n\r\n");

  for (const Compression compression :
       {Compression::fast, Compression::small, Compression::cheapest, Compression::fields}) {
    std::string packed;
    append_record(packed, RecordFields::resource(kId, kDate, "dns:example.com", "text/dns"), {"20260102030405\n"},
                  compression);
    EXPECT_EQ(*io::gunzip_all(packed, 1000),
              "WARC/1.1\r\nWARC-Type: resource\r\n"
              "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n"
              "WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: dns:example.com\r\nContent-Type: text/dns\r\n"
              "Content-Length: 15\r\n\r\n20260102030405\n\r\n\r\n");
  }
}

TEST(Writer, EachType) {
  const auto text = [](const RecordFields& fields) { return fields.header_block(0); };
  const std::string front = "WARC-Record-ID: " + std::string(kId) + "\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n";
  EXPECT_EQ(text(RecordFields::warcinfo(kId, kDate, "x.warc.gz")),
            "WARC/1.1\r\nWARC-Type: warcinfo\r\n" + front +
                "WARC-Filename: x.warc.gz\r\nContent-Type: application/warc-fields\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(text(RecordFields::request(kId, kDate, "http://a/", "<urn:x:2>")),
            "WARC/1.1\r\nWARC-Type: request\r\n" + front +
                "WARC-Target-URI: http://a/\r\nWARC-Concurrent-To: <urn:x:2>\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(text(RecordFields::revisit(kId, kDate, "http://a/", kProfileIdenticalPayload, "sha1:X", "<urn:x:2>",
                                       "http://b/", "2025-01-01T00:00:00Z")),
            "WARC/1.1\r\nWARC-Type: revisit\r\n" + front +
                "WARC-Target-URI: http://a/\r\n"
                "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
                "WARC-Payload-Digest: sha1:X\r\nWARC-Refers-To: <urn:x:2>\r\nWARC-Refers-To-Target-URI: http://b/\r\n"
                "WARC-Refers-To-Date: 2025-01-01T00:00:00Z\r\nContent-Length: 0\r\n\r\n");
}

TEST(Writer, NoValueCanEndTheHeader) {
  const std::string block =
      RecordFields::response(kId, kDate, "http://a/\r\nWARC-Type: x").field("X", "a\r\n\r\nb").header_block(0);
  EXPECT_NE(block.find("WARC-Target-URI: http://a/%0D%0AWARC-Type:%20x\r\n"), std::string::npos);
  EXPECT_NE(block.find("X: a    b\r\n"), std::string::npos);
  SeededRandom random(1);
  const std::string id = record_id(random);
  EXPECT_EQ(id.size(), std::string_view("<urn:uuid:00000000-0000-4000-8000-000000000001>").size());
}

TEST(Writer, StreamsWhatLiesInAFile) {
  const std::string body(1'000'000, 'x');
  for (const Compression compression : {Compression::none, Compression::fast, Compression::small}) {
    std::string whole, streamed;
    const RecordFields fields = RecordFields::resource(kId, kDate, "urn:x", "text/plain");
    append_record(whole, fields, {body}, Compression::none);
    size_t at = 0;
    const auto read = [&](char* buffer, size_t size) -> Result<size_t> {
      const size_t n = std::min(size, body.size() - at);
      body.copy(buffer, n, at);
      at += n;
      return n;
    };
    const auto write = [&](std::string_view bytes) -> Result<void> {
      streamed += bytes;
      return {};
    };
    ASSERT_TRUE(write_record(fields, body.size(), read, compression, write));
    EXPECT_EQ(compression == Compression::none ? streamed : *io::gunzip_all(streamed, 2'000'000), whole);
    at = 0;
    EXPECT_FALSE(write_record(fields, body.size() + 1, read, compression, write));
    at = 0;
    EXPECT_FALSE(write_record(fields, body.size() - 1, read, compression, write));
  }
}

Header header_of(const std::string& fields) {
  Header header;
  std::vector<HeaderFlaw> flaws;
  parse_warc_header("WARC/1.1\r\n" + fields + "\r\n", header, flaws);
  return header;
}

TEST(Views, RecordTypesAsTypes) {
  const Header header = header_of(
      "WARC-Type: revisit\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Target-URI: <http://a/>\r\n"
      "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n"
      "WARC-Refers-To-Target-URI: http://b/\r\nWARC-Refers-To-Date: 2025-01-01T00:00:00Z\r\n"
      "WARC-Concurrent-To: <urn:x:2>\r\nwarc-concurrent-to: <urn:x:3>\r\n");
  const AnyRecord any = view(header);
  ASSERT_TRUE(std::holds_alternative<Revisit>(any));
  const Revisit& revisit = std::get<Revisit>(any);
  EXPECT_EQ(revisit.id(), "urn:x:1");
  EXPECT_EQ(revisit.target_uri(), "http://a/");
  EXPECT_EQ(revisit.profile(), Revisit::Profile::identical_payload_digest);
  EXPECT_EQ(revisit.refers_to_target_uri(), "http://b/");
  EXPECT_EQ(rfc3339(*revisit.refers_to_date()), "2025-01-01T00:00:00Z");
  EXPECT_EQ(revisit.concurrent_to().size(), 2U);
  EXPECT_TRUE(std::holds_alternative<UnknownRecord>(view(header_of("WARC-Type: novel\r\n"))));
  EXPECT_TRUE(std::holds_alternative<Warcinfo>(view(header_of("WARC-Type: warcinfo\r\n"))));

  const auto profile = [](const std::string& uri) {
    return Revisit(header_of("WARC-Profile: " + uri + "\r\n")).profile();
  };
  EXPECT_EQ(profile(std::string(kProfileIdenticalPayload)), Revisit::Profile::identical_payload_digest);
  EXPECT_EQ(profile(std::string(kProfileNotModified)), Revisit::Profile::server_not_modified);
  EXPECT_EQ(profile("http://netpreserve.org/warc/1.0/revisit/server-not-modified"),
            Revisit::Profile::server_not_modified);
  EXPECT_EQ(profile("http://example.com/own"), Revisit::Profile::unknown);
}

TEST(Views, WarcFields) {
  const WarcFields parsed = parse_warc_fields("software: x\r\ndescription: a\r\n  b\r\nnonsense\r\nvia:http://a/\n");
  EXPECT_EQ(parsed, (WarcFields{{"software", "x"}, {"description", "a b"}, {"via", "http://a/"}}));
}

Payload payload_of(const std::string& block) {
  std::string file;
  append_record(file, RecordFields::response(kId, kDate, "http://a/").content_type(kHttpResponse), {block},
                Compression::fast);
  const MemorySource source(file);
  Reader reader(source, {.read_size = 4096});
  return *read_payload(**reader.next(), 1 << 20);
}

TEST(Payload, TransferAndContentCodings) {
  const std::string packed = io::gzip_member("hello", io::GzipEffort::small);
  const auto chunk = [](const std::string& data) {
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", data.size());
    return size + data + "\r\n";
  };
  const std::string chunked_head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n";
  const Payload whole = payload_of(chunked_head + chunk(packed.substr(0, 7)) + chunk(packed.substr(7)) + "0\r\n\r\n");
  EXPECT_TRUE(whole.complete);
  EXPECT_EQ(whole.http_head, chunked_head);
  EXPECT_EQ(whole.entity, packed);
  EXPECT_EQ(decode_payload(whole, 100), "hello");

  const Payload cut = payload_of(chunked_head + chunk(packed.substr(0, 7)));
  EXPECT_FALSE(cut.complete);
  EXPECT_EQ(cut.entity, packed.substr(0, 7));
  // The head says chunked, the crawler stored the body decoded.
  const Payload not_chunked = payload_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<html>");
  EXPECT_EQ(not_chunked.entity, "<html>");
  const Payload empty = payload_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: cut");
  EXPECT_EQ(empty.entity, "");
  EXPECT_TRUE(empty.complete);
  EXPECT_EQ(empty.problem, "");
  const Payload second_field = payload_of(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\ntransfer-encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n");
  EXPECT_EQ(second_field.entity, "ok");
  EXPECT_FALSE(HttpHead("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n").chunked());
  const Payload bare = payload_of("HTTP/1.0 204\nServer: x\n\nbody");
  EXPECT_EQ(bare.entity, "body");
  EXPECT_EQ(HttpHead(bare.http_head).status(), 204);
  EXPECT_EQ(HttpHead(bare.http_head).get("server"), "x");
  const Payload headless = payload_of("no head at all");
  EXPECT_EQ(headless.http_head, "no head at all");
  EXPECT_EQ(headless.raw, "");
}

TEST(DigestField, FormsAreToldByLength) {
  const std::string raw = io::sha1("x");
  const std::string base64 = "EfatjsUqKYSrqv18O1FlA3hcIHI=";
  EXPECT_EQ(parse_digest_field("sha1:" + io::base32(raw))->raw, raw);
  EXPECT_TRUE(parse_digest_field("sha1:" + io::base32(raw))->usual_form);
  EXPECT_EQ(parse_digest_field("SHA-1: " + to_hex(raw))->raw, raw);
  EXPECT_FALSE(parse_digest_field("sha1:" + to_hex(raw))->usual_form);
  EXPECT_EQ(parse_digest_field("sha1:" + base64)->raw, raw);
  EXPECT_EQ(parse_digest_field("sha256:" + to_hex(io::sha256("x")))->raw, io::sha256("x"));
  EXPECT_TRUE(parse_digest_field("sha256:" + to_hex(io::sha256("x")))->usual_form);
  EXPECT_EQ(parse_digest_field("sha1:short")->raw, "");
  EXPECT_FALSE(parse_digest_field("crc32:1234"));
  EXPECT_FALSE(parse_digest_field("ABC"));
}

}  // namespace
}  // namespace caddis::warc
