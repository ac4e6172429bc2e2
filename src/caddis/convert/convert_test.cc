// Conversions: each record as a reader and the checker see it.
#include "caddis/convert/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <string>
#include <vector>

#include "caddis/base/time_format.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/text/media_types.h"
#include "caddis/warc/check.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"

namespace caddis::convert {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

struct Converted {
  std::vector<std::string> types, uris, dates, mimes, heads, bodies, ips;
};

class Convert : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(files_.make_dirs("/in")); }

  ConvertOptions options() {
    return {.compression = warc::Compression::none,
            .now = *parse_w3c_date("2026-01-02T03:04:05Z"),
            .seed = 1,
            .url_prefix = "https://example.org/x/"};
  }

  // All records, which must be sound.
  Converted read(const std::string& path) {
    const std::string bytes = *files_.read_all(path);
    std::vector<std::string> flaws;
    const auto summary = warc::check_file(warc::MemorySource(bytes),
                                          [&](const warc::Finding& finding) { flaws.push_back(finding.message); });
    EXPECT_TRUE(summary);
    EXPECT_THAT(flaws, IsEmpty());
    const warc::MemorySource source(bytes);
    warc::Reader reader(source);
    Converted all;
    for (;;) {
      auto record = reader.next();
      EXPECT_TRUE(record);
      if (*record == nullptr) return all;
      const warc::Header& header = (*record)->header();
      all.types.emplace_back(header.get("WARC-Type"));
      all.uris.emplace_back(header.target_uri());
      all.dates.emplace_back(header.get("WARC-Date"));
      all.mimes.emplace_back(header.content_type());
      all.ips.emplace_back(header.get("WARC-IP-Address"));
      auto payload = warc::read_payload(**record, 8 << 20);
      EXPECT_TRUE(payload);
      all.heads.push_back(payload->http_head);
      all.bodies.push_back(payload->entity);
    }
  }

  io::MemoryFiles files_;
};

TEST_F(Convert, ArcRecordsBecomeWhatTheyAre) {
  const std::string arc =
      "filedesc://x.arc 0.0.0.0 20260102030405 text/plain 76\n1 0 LiveWeb Capture\nURL IP-address Archive-date "
      "Content-type Archive-length\n\n"
      "dns:example.com 192.0.2.53 20260102030406 text/dns 35\n20260102030406\nexample.com. 1 IN A\n\n"
      "http://example.com/a b 192.0.2.1 20260102030407 text/html 20\nHTTP/1.0 200 OK\n\nhi!\n"
      "ftp://example.com/f 192.0.2.1 20260102030408 no-type 4\ndata\n"
      "http://example.com/long 192.0.2.1 20260102030409 text/html 25\nHTTP/1.0 200 OK\n\nhi!\n"
      "http://example.com/last 192.0.2.1 20260102030410 text/html 20\nHTTP/1.0 200 OK\n\nho!\n";
  ASSERT_TRUE(files_.write_atomically("/in/x.arc", arc));
  const auto report = convert_arc(files_, "/in/x.arc", "/in/x.warc", options());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->records, 6u);
  EXPECT_EQ(report->left_out, 0u);
  EXPECT_THAT(report->notes, ElementsAre(HasSubstr("25"))) << "the length that is wrong";
  const Converted all = read("/in/x.warc");
  EXPECT_THAT(all.types,
              ElementsAre("warcinfo", "metadata", "resource", "response", "resource", "response", "response"));
  EXPECT_THAT(all.uris, ElementsAre("", "filedesc://x.arc", "dns:example.com", "http://example.com/a%20b",
                                    "ftp://example.com/f", "http://example.com/long", "http://example.com/last"));
  EXPECT_EQ(all.dates[3], "2026-01-02T03:04:07Z");
  EXPECT_EQ(all.mimes[2], "text/dns");
  EXPECT_EQ(all.mimes[4], "application/octet-stream");
  EXPECT_EQ(all.ips[3], "192.0.2.1");
  EXPECT_THAT(all.bodies[1], StartsWith("1 0 LiveWeb Capture\n"));
  EXPECT_EQ(all.bodies[3], "hi!");
  EXPECT_EQ(all.bodies[5], "hi!");
}

// In a packed file a member tells where a record ends, if its line tells it wrongly.
TEST_F(Convert, LengthsOfPackedArcRecordsAreMended) {
  const auto member = [](std::string_view bytes) { return io::gzip_member(bytes, io::GzipEffort::fast); };
  ASSERT_TRUE(files_.write_atomically(
      "/in/x.arc.gz",
      member("filedesc://x.arc 0.0.0.0 20260102030405 text/plain 76\n"
             "1 0 LiveWeb Capture\nURL IP-address Archive-date Content-type Archive-length\n\n\n") +
          member(
              "http://example.com/short 192.0.2.1 20260102030407 text/html 20\nHTTP/1.0 200 OK\n\nhi!\n\nand more\n") +
          member("http://example.com/long 192.0.2.1 20260102030409 text/html 25\nHTTP/1.0 200 OK\n\nhi!\n") +
          member("http://example.com/right 192.0.2.1 20260102030410 text/html 20\nHTTP/1.0 200 OK\n\nho!\n")));
  const auto report = convert_arc(files_, "/in/x.arc.gz", "/in/x.warc", options());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(report->is_damaged);
  EXPECT_EQ(report->left_out, 0u);
  EXPECT_THAT(report->notes, ElementsAre(HasSubstr("10 more bytes"), HasSubstr("25")));
  const Converted all = read("/in/x.warc");
  ASSERT_EQ(all.bodies.size(), 5u);
  EXPECT_EQ(all.bodies[2], "hi!\n\nand more");
  EXPECT_THAT(all.bodies[3], StartsWith("hi!"));
  EXPECT_EQ(all.bodies[4], "ho!");
}

TEST_F(Convert, NoArcIsRefusedAndLeavesNothing) {
  ASSERT_TRUE(files_.write_atomically("/in/x.arc", "<html>"));
  EXPECT_FALSE(convert_arc(files_, "/in/x.arc", "/in/x.warc", options()));
  EXPECT_FALSE(convert_har(files_, "/in/x.arc", "/in/x.warc", options()));
  EXPECT_EQ(files_.list("/in")->size(), 1u);
  ASSERT_TRUE(files_.write_atomically("/in/x.warc", "precious"));
  EXPECT_EQ(convert_har(files_, "/in/x.arc", "/in/x.warc", options()).error().code, ErrorCode::parse);
  EXPECT_EQ(*files_.read_all("/in/x.warc"), "precious");
}

TEST_F(Convert, HarEntriesBecomeResponsesAndRequests) {
  const std::string har = R"({"log": {"version": "1.2", "entries": [
    {"startedDateTime": "2026-01-02T04:04:05.123+01:00", "serverIPAddress": "[2001:db8::1]",
     "request": {"method": "POST", "url": "https://example.org/a?b#c", "httpVersion": "h2",
                 "headers": [{"name": ":authority", "value": "example.org"}, {"name": "Accept", "value": "*/*"},
                             {"name": "authorization", "value": "Basic c2VjcmV0"},
                             {"name": "Proxy-Authorization ", "value": "Basic c2VjcmV0"}],
                 "postData": {"text": "q=1"}},
     "response": {"status": 200, "statusText": "", "httpVersion": "h2",
                  "headers": [{"name": "Content-Type", "value": "text/html"}, {"name": "content-encoding", "value": "br"},
                              {"name": "Set-Cookie", "value": "a=1\nb=2"}, {"name": "Content-Length", "value": "3"}],
                  "content": {"size": 5, "mimeType": "text/html", "text": "hello"}}},
    {"startedDateTime": "2026-01-02T03:04:06Z", "request": {"method": "GET", "url": "http://example.org/p.png"},
     "response": {"status": 200, "headers": [], "content": {"size": 3, "text": "AQID", "encoding": "base64"}}},
    {"startedDateTime": "2026-01-02T03:04:06Z", "request": {"url": "http://example.org/blocked"},
     "response": {"status": 0, "content": {}}},
    {"startedDateTime": "2026-01-02T03:04:06Z", "request": {"url": "http://example.org/unsaved"},
     "response": {"status": 200, "content": {"size": 10}}},
    {"request": {"url": "data:text/plain,x"}}, 7, null]}})";
  ASSERT_TRUE(files_.write_atomically("/in/x.har", har));
  const auto report = convert_har(files_, "/in/x.har", "/in/x.warc", options());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->records, 4u);
  EXPECT_EQ(report->left_out, 5u);
  EXPECT_THAT(report->notes,
              Contains(HasSubstr("the login in its request is not copied (authorization, Proxy-Authorization )")));
  EXPECT_THAT(*files_.read_all("/in/x.warc"), Not(HasSubstr("c2VjcmV0")));
  const Converted all = read("/in/x.warc");
  EXPECT_THAT(all.types, ElementsAre("warcinfo", "response", "request", "response", "request"));
  EXPECT_EQ(all.dates[1], "2026-01-02T03:04:05.123000Z");
  EXPECT_EQ(all.ips[1], "2001:db8::1");
  EXPECT_EQ(all.heads[1],
            "HTTP/1.1 200 \r\nContent-Type: text/html\r\nX-Archive-Orig-content-encoding: br\r\nSet-Cookie: "
            "a=1\r\nSet-Cookie: b=2\r\nX-Archive-Orig-Content-Length: 3\r\nContent-Length: 5\r\n\r\n");
  EXPECT_EQ(all.bodies[1], "hello");
  EXPECT_EQ(all.heads[2], "POST /a?b HTTP/1.1\r\nAccept: */*\r\n\r\n");
  EXPECT_EQ(all.bodies[2], "q=1");
  EXPECT_EQ(all.bodies[3], "\x01\x02\x03");
}

TEST_F(Convert, FilesOfAFolderBecomeResources) {
  ASSERT_TRUE(files_.make_dirs("/in/site/ä b"));
  ASSERT_TRUE(files_.write_atomically("/in/site/index.html", "<html>"));
  ASSERT_TRUE(files_.write_atomically("/in/site/ä b/p.PNG", std::string(3 << 20, 'x')));
  const auto report = convert_folder(files_, "/in/site", "/in/site.warc", options());
  ASSERT_TRUE(report) << report.error().message;
  const Converted all = read("/in/site.warc");
  EXPECT_THAT(all.types, ElementsAre("warcinfo", "resource", "resource"));
  EXPECT_THAT(all.uris, ElementsAre("", "https://example.org/x/index.html", "https://example.org/x/%C3%A4%20b/p.PNG"));
  EXPECT_THAT(all.mimes, ElementsAre("application/warc-fields", "text/html", "image/png"));
  EXPECT_EQ(all.dates[1], "2026-01-02T03:04:05Z");
  auto without = options();
  without.url_prefix = "";
  EXPECT_EQ(convert_folder(files_, "/in/site", "/in/y.warc", without).error().code, ErrorCode::config);
}

// A zip archive in memory. Names are taken as code page 437 if they are no UTF-8.
class Zip {
 public:
  Zip() {
    source_ = zip_source_buffer_create(nullptr, 0, 0, nullptr);
    zip_source_keep(source_);
    zip_ = zip_open_from_source(source_, ZIP_TRUNCATE, nullptr);
  }
  Zip(const Zip&) = delete;
  Zip& operator=(const Zip&) = delete;
  ~Zip() { zip_source_free(source_); }

  // Returns its number. The bytes must outlive bytes().
  zip_uint64_t add(const char* name, std::string_view bytes, zip_flags_t flags = ZIP_FL_ENC_UTF_8) {
    zip_source_t* const body = zip_source_buffer(zip_, bytes.data(), bytes.size(), 0);
    return static_cast<zip_uint64_t>(zip_file_add(zip_, name, body, flags));
  }
  zip* get() { return zip_; }
  std::string bytes() {
    EXPECT_EQ(zip_close(zip_), 0);
    zip_stat_t facts;
    zip_source_stat(source_, &facts);
    std::string all(facts.size, '\0');
    zip_source_open(source_);
    EXPECT_EQ(zip_source_read(source_, all.data(), all.size()), static_cast<zip_int64_t>(all.size()));
    zip_source_close(source_);
    return all;
  }

 private:
  zip_source_t* source_ = nullptr;
  zip* zip_ = nullptr;
};

TEST_F(Convert, FilesOfAZipArchiveBecomeResources) {
  const std::string large(3 << 20, 'x');
  Zip zip;
  zip.add("index.html", "<html>");
  zip_dir_add(zip.get(), "ä b", ZIP_FL_ENC_UTF_8);
  zip.add("ä b/p.PNG", large);
  zip.add("caf\x82.txt", "437", ZIP_FL_ENC_CP437);
  const auto secret = zip.add("secret.txt", "secret");
  ASSERT_EQ(zip_file_set_encryption(zip.get(), secret, ZIP_EM_AES_256, "pw"), 0);
  const auto link = zip.add("link", "/etc/passwd");
  zip_file_set_external_attributes(zip.get(), link, 0, ZIP_OPSYS_UNIX, 0120777U << 16);
  zip.add("../outside", "x");
  ASSERT_TRUE(files_.write_atomically("/in/site.zip", zip.bytes()));
  const auto report = convert_zip(files_, "/in/site.zip", "/in/site.warc", options());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->records, 3u);
  EXPECT_EQ(report->left_out, 3u);
  EXPECT_THAT(
      report->notes,
      ElementsAre(HasSubstr("secret.txt is left out: it is encrypted"), HasSubstr("link is left out"),
                  HasSubstr("../outside is left out: its name leads out"), HasSubstr("1 names are not in UTF-8")));
  const Converted all = read("/in/site.warc");
  EXPECT_THAT(all.types, ElementsAre("warcinfo", "resource", "resource", "resource"));
  EXPECT_THAT(all.uris, ElementsAre("", "https://example.org/x/index.html", "https://example.org/x/%C3%A4%20b/p.PNG",
                                    "https://example.org/x/caf%C3%A9.txt"));
  EXPECT_THAT(all.mimes, ElementsAre("application/warc-fields", "text/html", "image/png", "text/plain"));
  EXPECT_TRUE(all.bodies[2] == large);
}

TEST_F(Convert, AZipArchiveUnpacksToNoMoreThanIsAllowed) {
  const std::string zeros(1 << 20, '\0');
  Zip zip;
  zip.add("a", zeros);
  zip.add("b", zeros);
  zip.add("c", "small");
  const std::string bytes = zip.bytes();
  ASSERT_LT(bytes.size(), 8192u);
  ASSERT_TRUE(files_.write_atomically("/in/bomb.zip", bytes));
  const ZipLimits limits{.entry = 1 << 20, .least = (1 << 20) + 5, .times = 1};
  const auto report = convert_zip(files_, "/in/bomb.zip", "/in/bomb.warc", options(), limits);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(read("/in/bomb.warc").uris, ElementsAre("", "https://example.org/x/a"));
  EXPECT_EQ(report->left_out, 2u);
  EXPECT_THAT(report->notes.front(), HasSubstr("b is left out: it unpacks to more than 5 bytes"));
  // By its size alone.
  const auto refused = convert_zip(files_, "/in/bomb.zip", "/in/y.warc", options(), {.entry = 1000});
  ASSERT_TRUE(refused) << refused.error().message;
  EXPECT_THAT(read("/in/y.warc").uris, ElementsAre("", "https://example.org/x/c"));
}

TEST_F(Convert, WhatIsNoZipArchiveIsRefused) {
  for (const std::string_view bytes : {"", "<html>", "PK\x03\x04"}) {
    ASSERT_TRUE(files_.write_atomically("/in/x.zip", bytes));
    EXPECT_FALSE(convert_zip(files_, "/in/x.zip", "/in/x.warc", options()));
    EXPECT_FALSE(files_.exists("/in/x.warc"));
  }
  // A byte of a body is wrong.
  Zip zip;
  zip.add("a.txt", "a body that is long enough to be hit, and then some more of it");
  std::string bytes = zip.bytes();
  bytes[40] = static_cast<char>(bytes[40] ^ 0x55);
  ASSERT_TRUE(files_.write_atomically("/in/x.zip", bytes));
  EXPECT_FALSE(convert_zip(files_, "/in/x.zip", "/in/x.warc", options()));
}

TEST(MediaTypes, AreToldByTheEnding) {
  EXPECT_EQ(text::media_type_of("a.b/c.JPG"), "image/jpeg");
  EXPECT_EQ(text::media_type_of("README"), "application/octet-stream");
  EXPECT_EQ(text::media_type_of("x.unheard"), "application/octet-stream");
}

}  // namespace
}  // namespace caddis::convert
