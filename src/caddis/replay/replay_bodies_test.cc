// Bodies of captures as `caddis serve` sends them: large ones are never in memory as a whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/clock.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/wayback.h"

namespace caddis::replay {
namespace {

using ::testing::HasSubstr;

// As much as a response may hold of a body, or a piece of one.
constexpr size_t kHeld = 2 << 20;

std::string record_of(std::string_view url, std::string_view http) {
  return "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
         "Content-Type: application/http;msgtype=response\r\nWARC-Target-URI: " +
         std::string(url) + "\r\nContent-Length: " + std::to_string(http.size()) + "\r\n\r\n" + std::string(http) +
         "\r\n\r\n";
}

std::string http_of(std::string_view type, std::string_view body, std::string_view more = "") {
  return "HTTP/1.1 200 OK\r\nContent-Type: " + std::string(type) + "\r\n" + std::string(more) + "\r\n" +
         std::string(body);
}

std::string packed(std::string_view bytes) { return io::gzip_member(bytes, io::GzipEffort::fast); }

std::string digits(size_t size) {
  std::string text;
  for (int i = 0; text.size() < size; ++i) text += std::to_string(i) + ',';
  text.resize(size);
  return text;
}

class ReplayBodiesTest : public ::testing::Test {
 protected:
  void open(std::string_view archive) {
    wayback.reset();
    files = std::make_unique<io::MemoryFiles>();
    ASSERT_TRUE(files->make_dirs("c/archive"));
    put(archive);
    auto collections = open_collections(*files, clock, "c");
    ASSERT_TRUE(collections) << collections.error().message;
    wayback = std::make_unique<Wayback>(*files, *std::move(collections));
  }
  void put(std::string_view archive) {
    auto file = files->open_append("c/archive/a.warc");
    ASSERT_TRUE(file && (*file)->append(archive));
  }
  http::ServerResponse get(std::string modifier, http::ServerHeaders headers = {}, std::string method = "GET") {
    http::ServerRequest request;
    request.method = std::move(method);
    request.target = request.path = "/c/20260101000000" + modifier + "/http://example.org/";
    request.headers = std::move(headers);
    request.headers.emplace_back("Host", "localhost:8080");
    return wayback->handle(request);
  }
  static std::string header(const http::ServerResponse& response, std::string_view name) {
    return std::string(find_header(response.headers, name));
  }
  // The body as the server gets it. `error` says why it ends early.
  static std::string take(http::ServerResponse& response, std::string* error = nullptr) {
    EXPECT_LE(response.body.size(), kHeld);
    if (!response.source) return response.body;
    std::string all, piece;
    for (;;) {
      piece.clear();
      const auto more = response.source->next(piece);
      EXPECT_LE(piece.size(), kHeld);
      all += piece;
      if (!more && error != nullptr) *error = more.error().message;
      if (!more || !*more) return all;
    }
  }

  std::unique_ptr<io::MemoryFiles> files;
  ManualClock clock;
  std::unique_ptr<Wayback> wayback;
};

TEST_F(ReplayBodiesTest, LargeOnesAreStreamedWithTheirSize) {
  const std::string body = digits(5'000'000);
  for (const bool gzip : {false, true}) {
    const std::string record = record_of("http://example.org/", http_of("video/mp4", body));
    open(gzip ? packed(record) : record);
    for (const std::string modifier : {"id_", "oe_", "mp_"}) {
      auto response = get(modifier);
      EXPECT_EQ(response.status, 200);
      EXPECT_EQ(response.stream_size, body.size());
      EXPECT_TRUE(take(response) == body);
    }
    const auto head = get("oe_", {}, "HEAD");
    EXPECT_EQ(head.stream_size, body.size());
    EXPECT_EQ(head.body, "");
  }
}

TEST_F(ReplayBodiesTest, RangesCostTheirRange) {
  const std::string body = digits(9'000'000);
  for (const bool gzip : {false, true}) {
    const std::string record = record_of("http://example.org/", http_of("video/mp4", body));
    open(gzip ? packed(record) : record);
    auto byte = get("oe_", {{"Range", "bytes=8000000-8000000"}});
    EXPECT_EQ(byte.status, 206);
    EXPECT_EQ(header(byte, "content-range"), "bytes 8000000-8000000/9000000");
    EXPECT_EQ(take(byte), body.substr(8'000'000, 1));
    auto part = get("oe_", {{"Range", "bytes=3000000-"}});
    EXPECT_EQ(part.stream_size, 6'000'000u);
    EXPECT_TRUE(take(part) == body.substr(3'000'000));
    EXPECT_EQ(get("oe_", {{"Range", "bytes=9000000-"}}).status, 416);
    auto end = get("oe_", {{"Range", "bytes=-3"}});
    EXPECT_EQ(take(end), body.substr(body.size() - 3));
  }
}

TEST_F(ReplayBodiesTest, ChunkedOnesHaveNoSizeUntilTheyAreRead) {
  std::string chunks;
  for (int i = 0; i < 2000; ++i) chunks += "3e8\r\n" + digits(1000) + "\r\n";
  chunks += "0\r\n\r\n";
  open(packed(record_of("http://example.org/", http_of("video/mp4", chunks, "Transfer-Encoding: chunked\r\n"))));
  auto response = get("oe_");
  EXPECT_EQ(response.stream_size, std::nullopt);
  EXPECT_EQ(take(response).size(), 2'000'000u);
  auto part = get("oe_", {{"Range", "bytes=1500999-1501000"}});
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(header(part, "content-range"), "bytes 1500999-1501000/2000000");
  EXPECT_EQ(take(part), digits(1000).substr(999) + "0");
  // Nobody waits for the reading of all of this.
  std::string large = chunks.substr(0, chunks.size() - 5);
  while (large.size() < (33 << 20)) large += chunks.substr(0, chunks.size() - 5);
  open(packed(record_of("http://example.org/", http_of("video/mp4", large, "Transfer-Encoding: chunked\r\n"))));
  EXPECT_EQ(get("oe_", {{"Range", "bytes=0-1"}}).status, 200);
}

TEST_F(ReplayBodiesTest, BombsAreDecodedAsTheyAreTaken) {
  const std::string zeros(20'000'000, '\0');
  open(packed(record_of("http://example.org/", http_of("application/x", packed(zeros), "Content-Encoding: gzip\r\n"))));
  auto decoded = get("oe_");
  EXPECT_EQ(header(decoded, "content-encoding"), "");
  EXPECT_EQ(decoded.stream_size, std::nullopt);
  ASSERT_TRUE(decoded.source);
  EXPECT_TRUE(take(decoded) == zeros);
  auto coded = get("oe_", {{"Accept-Encoding", "gzip"}});
  EXPECT_EQ(header(coded, "content-encoding"), "gzip");
  EXPECT_EQ(io::gunzip_all(take(coded), 1 << 30)->size(), zeros.size());
  auto head = get("oe_", {}, "HEAD");
  EXPECT_EQ(head.body, "");
}

TEST_F(ReplayBodiesTest, BombsOfPagesAreRewrittenAsTheyAreTaken) {
  for (const std::string_view type : {"text/html", "text/css", "image/svg+xml", "text/html; charset=utf-16le"}) {
    const std::string page = "<a href='x'>" + std::string(20'000'000, 'z') + "<a href='x'>";
    open(packed(record_of("http://example.org/", http_of(type, packed(page), "Content-Encoding: gzip\r\n"))));
    auto response = get("mp_");
    EXPECT_EQ(response.status, 200);
    ASSERT_TRUE(response.source) << type;
    EXPECT_GT(take(response).size(), 20'000'000u) << type;
  }
}

// A hundred thousand links of a byte, against a base of many.
TEST_F(ReplayBodiesTest, PagesThatGrowAreTakenAsTheyGrow) {
  std::string page = "<base href='/" + std::string(2000, 'b') + "/'>";
  for (int i = 0; i < 20'000; ++i) page += "<a href=x>";
  open(packed(record_of("http://example.org/", http_of("text/html", page))));
  auto response = get("mp_");
  ASSERT_TRUE(response.source);
  EXPECT_GT(take(response).size(), 40'000'000u);
}

TEST_F(ReplayBodiesTest, WhatTheFileEndsInIsSentAsFarAsItGoes) {
  const std::string body = digits(5'000'000);
  const std::string record = record_of("http://example.org/", http_of("video/mp4", body));
  const std::string gzip = packed(record);
  for (const std::string& whole : {record, gzip}) {
    open(whole);
    ASSERT_TRUE(files->remove("c/archive/a.warc"));
    put(whole.substr(0, whole.size() / 2));
    auto response = get("oe_");
    EXPECT_EQ(response.stream_size, std::nullopt);
    std::string error;
    const std::string there = take(response, &error);
    EXPECT_EQ(error, "");
    EXPECT_GT(there.size(), 1'000'000u);
    EXPECT_TRUE(body.starts_with(there));
  }
}

TEST_F(ReplayBodiesTest, DamageWithinCutsTheConnection) {
  const std::string body = digits(5'000'000);
  std::string archive = packed(record_of("http://example.org/", http_of("video/mp4", body)));
  const size_t middle = archive.size() / 2;
  archive += packed(record_of("http://example.org/other", http_of("text/plain", "x")));
  open(archive);
  archive.replace(middle, 100, 100, '\xFF');
  ASSERT_TRUE(files->remove("c/archive/a.warc"));
  put(archive);
  auto response = get("oe_");
  EXPECT_EQ(response.stream_size, body.size());
  std::string error;
  const std::string there = take(response, &error);
  EXPECT_THAT(error, HasSubstr("is damaged"));
  EXPECT_LT(there.size(), body.size());
}

}  // namespace
}  // namespace caddis::replay
