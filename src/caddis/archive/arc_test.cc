#include "caddis/archive/arc.h"

#include <gtest/gtest.h>

#include <string>

#include "caddis/base/time_format.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/reader.h"

namespace caddis::archive {
namespace {

class ArcTest : public testing::Test {
 protected:
  ArcTest() {
    provenance_.software = "Caddis/0.1.0";
    provenance_.hostname = "crawler & co";
    provenance_.robots = "obey";
    provenance_.crawl = "weekly-20261121004500";
    settings_.operator_name = "The <Archive>";
  }
  HttpCapture capture_of(const io::Spool& response) const {
    return {.url = "http://h.example/a b",
            .date = date_,
            .address = "192.0.2.1",
            .request = "GET / HTTP/1.1\r\n\r\n",
            .response = response,
            .block_digest = "sha1:BLOCK",
            .payload_digest = "sha1:PAYLOAD",
            .truncated = {},
            .protocol = {},
            .cipher = {},
            .metadata = {}};
  }

  io::MemoryFiles files_;
  io::SpoolFolder folder_{files_, "/spool"};
  Provenance provenance_;
  ArchiveSettings settings_;
  const WallTime date_ = *parse_timestamp("20261121004500123");
};

// To the letter of the format, and of what Heritrix writes.
TEST_F(ArcTest, AFileBeginsWithItsVersionBlock) {
  const std::string block = arc_version_block(provenance_, settings_, "X-1.arc", date_, warc::Compression::none);
  const std::string body =
      "1 1 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<arcmetadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:dcterms=\"http://purl.org/dc/terms/\" "
      "xmlns:arc=\"http://archive.org/arc/1.0/\">\n"
      "<arc:software>Caddis/0.1.0</arc:software>\n<arc:hostname>crawler &amp; co</arc:hostname>\n"
      "<dcterms:isPartOf>weekly-20261121004500</dcterms:isPartOf>\n<arc:operator>The &lt;Archive&gt;</arc:operator>\n"
      "<dc:date>2026-11-21T00:45:00Z</dc:date>\n<arc:robots>obey</arc:robots>\n"
      "<dcterms:provenance>caddis-crawl: weekly-20261121004500</dcterms:provenance>\n"
      "<dc:format>ARC file version 1.1</dc:format>\n"
      "<dcterms:conformsTo>http://www.archive.org/web/researcher/ArcFileFormat.php</dcterms:conformsTo>\n"
      "</arcmetadata>\n";
  EXPECT_EQ(block,
            "filedesc://X-1.arc 0.0.0.0 20261121004500 text/plain " + std::to_string(body.size()) + "\n" + body + "\n");
}

TEST_F(ArcTest, AResponseStandsBehindItsLine) {
  const std::string bytes = "HTTP/1.1 200 OK\r\n\r\nhello";
  for (const size_t in_memory : {size_t{1} << 20, size_t{4}}) {
    io::Spool response(folder_, in_memory);
    ASSERT_TRUE(response.append(bytes));
    Records records{io::Spool(folder_, 1 << 20)};
    ASSERT_TRUE(write_arc_http(capture_of(response), "text/html", warc::Compression::none, records));
    EXPECT_EQ(*records.bytes.to_string(1 << 20),
              "http://h.example/a%20b 192.0.2.1 20261121004500 text/html 24\n" + bytes + "\n");
    EXPECT_EQ(records.indexed_length, records.bytes.size());
    EXPECT_TRUE(records.id.empty()) << "there is no id that a revisit could name";
  }
}

// What our own reader finds in a whole file is what was written.
TEST_F(ArcTest, AFileIsReadAgain) {
  for (const warc::Compression compression : {warc::Compression::none, warc::Compression::fast}) {
    io::Spool response(folder_, 1 << 20);
    const std::string bytes = "HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n\r\n" + std::string(300'000, 'g');
    ASSERT_TRUE(response.append(bytes));
    Records records{io::Spool(folder_, 1 << 20)};
    ASSERT_TRUE(write_arc_dns("dns:h.example", date_, "192.0.2.53", "20261121004500\nh.example. 1 IN A 192.0.2.1\n",
                              compression, records));
    HttpCapture capture = capture_of(response);
    capture.is_compressed = true;
    ASSERT_TRUE(write_arc_http(capture, "", compression, records));
    const auto file = *files_.open_append("/x.arc");
    ASSERT_TRUE(file->truncate(0));
    ASSERT_TRUE(file->append(arc_version_block(provenance_, settings_, "x.arc", date_, compression)));
    ASSERT_TRUE(records.bytes.for_each([&](std::string_view part) { return file->append(part); }));
    const warc::FileSource source(*file);
    warc::Reader reader(source);
    std::vector<std::string> urls, blocks;
    for (;;) {
      const auto record = reader.next();
      ASSERT_TRUE(record) << record.error().message;
      if (*record == nullptr) break;
      urls.emplace_back((*record)->header().target_uri());
      blocks.push_back(*(*record)->read_all(1 << 20));
    }
    EXPECT_TRUE(reader.take_findings().empty());
    ASSERT_EQ(urls.size(), 3u);
    EXPECT_EQ(urls[1], "dns:h.example");
    EXPECT_EQ(blocks[2], bytes);
  }
}

}  // namespace
}  // namespace caddis::archive
