#include "caddis/warc/payload_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/payload.h"

namespace caddis::warc {
namespace {

constexpr std::string_view kHttp = "Content-Type: application/http;msgtype=response\r\n";

std::string record(std::string_view fields, std::string_view block, size_t more_declared = 0) {
  return "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
         "WARC-Target-URI: http://example.org/\r\n" +
         std::string(fields) + "Content-Length: " + std::to_string(block.size() + more_declared) + "\r\n\r\n" +
         std::string(block) + "\r\n\r\n";
}

class PayloadReaderTest : public ::testing::Test {
 protected:
  std::unique_ptr<io::File> file_of(std::string_view bytes) {
    const std::string name = "f" + std::to_string(++count_);
    auto file = files_.open_append(name);
    EXPECT_TRUE(file && (*file)->append(bytes));
    return *files_.open_read(name);
  }
  io::MemoryFiles files_;
  int count_ = 0;
};

TEST_F(PayloadReaderTest, GivesWhatReadPayloadGives) {
  std::string small_chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 10'000; ++i) small_chunks += "3;x=1\r\nabc\r\n";
  std::string large_chunks = small_chunks + "1e8480\r\n" + std::string(2'000'000, 'y') + "\r\n2\r\nzz\r\n0\r\n\r\n";
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::vector<std::string> blocks{
      "HTTP/1.1 200 OK\r\n\r\nbody",
      "HTTP/1.1 200 OK\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + std::string(3'000'000, 'b'),
      "HTTP/1.1 200 OK\r\nNo: end",
      "\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nbody",
      "\n\nHTTP/1.1 200 OK\n\nbody",
      "\r\n" + chunked + "4\r\nbody\r\n0\r\n\r\n",
      chunked + "4\r\nbody\r\n0\r\n\r\n",
      chunked + "4\r\nbody\r\n0\r\nTrailer: x\r\n\r\nmore",
      chunked + "4\r\nbodyXX4\r\nlost",
      chunked + "not chunked at all",
      chunked + "not chunked at all\nbut long: " + std::string(1'500'000, 'n'),
      chunked + "0000",
      chunked,
      small_chunks,
      large_chunks,
  };
  for (const std::string& block : blocks) {
    for (const bool gzip : {false, true}) {
      for (const std::string_view fields : {kHttp, std::string_view("Content-Type: text/plain\r\n")}) {
        const std::string bytes = record(fields, block);
        const auto file = file_of(gzip ? io::gzip_member(bytes, io::GzipEffort::small) : bytes);
        auto whole = read_record_at(*file, 0);
        ASSERT_TRUE(whole);
        const auto expected = read_payload(**whole, 1 << 30);
        ASSERT_TRUE(expected);
        auto again = read_record_at(*file, 0);
        ASSERT_TRUE(again);
        PayloadReader reader(**again);
        ASSERT_TRUE(reader.read_head());
        std::string entity;
        for (;;) {
          const auto piece = reader.next();
          ASSERT_TRUE(piece);
          if (piece->empty()) break;
          EXPECT_LE(piece->size(), 2u << 20);
          entity += *piece;
        }
        EXPECT_EQ(reader.http_head(), expected->http_head);
        EXPECT_TRUE(entity == expected->entity) << block.substr(0, 80) << " gzip " << gzip;
        if (reader.size()) EXPECT_EQ(*reader.size(), entity.size());
        EXPECT_EQ(reader.size().has_value(), fields != kHttp || block.find(chunked) == std::string::npos);
      }
    }
  }
}

TEST_F(PayloadReaderTest, SkipsWithoutReadingWhatLiesPlain) {
  std::string body;
  for (int i = 0; body.size() < 5'000'000; ++i) body += std::to_string(i) + ',';
  const std::string bytes = record(kHttp, "HTTP/1.1 200 OK\r\n\r\n" + body);
  for (const bool gzip : {false, true}) {
    const auto file = file_of(gzip ? io::gzip_member(bytes, io::GzipEffort::small) : bytes);
    auto found = read_record_at(*file, 0);
    ASSERT_TRUE(found);
    PayloadReader reader(**found);
    ASSERT_TRUE(reader.read_head());
    int calls = 0;
    for (uint64_t left = 4'000'000; left > 0; ++calls) {
      const auto skipped = reader.skip(left);
      ASSERT_TRUE(skipped && *skipped > 0);
      left -= *skipped;
    }
    if (!gzip) EXPECT_LE(calls, 2);
    std::string rest;
    for (;;) {
      const auto piece = reader.next();
      ASSERT_TRUE(piece);
      if (piece->empty()) break;
      rest += *piece;
    }
    EXPECT_TRUE(rest == body.substr(4'000'000));
    EXPECT_EQ(*reader.skip(10), 0u);
    EXPECT_TRUE(reader.complete());
  }
}

TEST_F(PayloadReaderTest, KnowsNoSizeOfWhatIsCut) {
  const auto plain = file_of(record(kHttp, "HTTP/1.1 200 OK\r\n\r\nbody", 100));
  auto found = read_record_at(*plain, 0);
  ASSERT_TRUE(found);
  PayloadReader reader(**found);
  ASSERT_TRUE(reader.read_head());
  EXPECT_FALSE(reader.size());
  EXPECT_TRUE(reader.next()->starts_with("body"));
  EXPECT_EQ(*reader.next(), "");
  EXPECT_FALSE(reader.complete());
}

}  // namespace
}  // namespace caddis::warc
