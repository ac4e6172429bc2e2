#include "caddis/cdx/log_duplicates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"

namespace caddis::cdx {
namespace {

using ::testing::ElementsAre;

class LogDuplicates : public ::testing::Test {
 protected:
  std::vector<std::string> lines_of(const std::string& path) {
    std::vector<std::string> lines;
    const auto indexed = index_duplicates(files, path, [&](std::string_view line) -> Result<void> {
      lines.emplace_back(line);
      return {};
    });
    EXPECT_TRUE(indexed) << indexed.error().message;
    untold = indexed ? indexed->untold : 0;
    return lines;
  }

  io::MemoryFiles files;
  uint64_t untold = 0;
};

constexpr std::string_view kLog =
    "2012-05-23T15:06:34.759Z   200      93868 http://example.dk/jquery.min.js RX http://example.dk/ "
    "application/javascript #005 20120523150634511+45 sha1:T242YWK6TNKUJYW4PH77PTJNBNFV55Y7 http://www.example.dk/ "
    "duplicate:\"144625-158-20120225195408-00005-kb-prod-har-001.kb.dk.arc,1495696\",content-size:94191\n"
    "2019-05-23T15:06:34.759Z   200        491 http://www.example.dk/a,b.gif E http://example.dk/ image/gif #018 "
    "20190523150634511+16 sha1:LMIW33PQDYKCP74JCOMX5QEPV5BU4YMM - "
    "le:IOException@ExtractorSWF,duplicate:\"9-4-20180101120000000-00000-har.warc.gz,57084,20180101120000123\","
    "equivalentURL:\"http://example.dk/a,b.gif\",content-size:491\n"
    "2019-05-23T15:06:35.000Z   200        491 http://example.dk/new.gif E http://example.dk/ image/gif #018 "
    "20190523150634511+16 sha1:LMIW33PQDYKCP74JCOMX5QEPV5BU4YMM - content-size:491\n"
    "2019-05-23T15:06:36.000Z   200        491 http://example.dk/c.gif E http://example.dk/ image/gif #018 "
    "20190523150634511+16 sha1:LMIW33PQDYKCP74JCOMX5QEPV5BU4YMM - duplicate,content-size:491\n"
    "2019-05-23T15:06:36.000Z   200        491 http://example.dk/d.gif E http://example.dk/ image/gif #018 "
    "20190523150634511+16 sha1:LMIW33PQDYKCP74JCOMX5QEPV5BU4YMM - duplicate:\"../../secret.arc,1\"\n"
    "2019-05-23T15:06:36.000Z    -2          0 http://gone.example/ L - - #018 - - - -\n";

TEST_F(LogDuplicates, PointAtTheirOriginals) {
  ASSERT_TRUE(files.write_atomically("crawl.log", kLog));
  EXPECT_TRUE(is_crawl_log(files, "crawl.log"));
  EXPECT_THAT(
      lines_of("crawl.log"),
      ElementsAre(
          "dk,example)/jquery.min.js 20120523150634 {\"url\": \"http://example.dk/jquery.min.js\", \"mime\": "
          "\"application/javascript\", \"status\": \"200\", \"digest\": \"T242YWK6TNKUJYW4PH77PTJNBNFV55Y7\", "
          "\"offset\": \"1495696\", \"filename\": \"144625-158-20120225195408-00005-kb-prod-har-001.kb.dk.arc\"}",
          "dk,example)/a,b.gif 20190523150634 {\"url\": \"http://www.example.dk/a,b.gif\", \"mime\": \"image/gif\", "
          "\"status\": \"200\", \"digest\": \"LMIW33PQDYKCP74JCOMX5QEPV5BU4YMM\", \"offset\": \"57084\", "
          "\"filename\": \"9-4-20180101120000000-00000-har.warc.gz\"}"));
  EXPECT_EQ(untold, 2u);
}

// equivalentURL of the DeDuplicator passes over queries, and replay compares what a line names with the record.
TEST_F(LogDuplicates, NameAnOriginalWithAnotherQuery) {
  ASSERT_TRUE(files.write_atomically(
      "crawl.log",
      "2019-05-23T15:06:34.759Z   200        491 http://www.example.dk/x.gif?v=2 E http://example.dk/ image/gif #018 "
      "20190523150634511+16 sha1:LMIW33PQDYKCP74JCOMX5QEPV5BU4YMM - "
      "duplicate:\"9-har.warc.gz,57084,20180101120000123\",equivalentURL:\"http://example.dk/x.gif?v=1\"\n"));
  EXPECT_THAT(lines_of("crawl.log"),
              ElementsAre("dk,example)/x.gif?v=2 20190523150634 {\"url\": \"http://example.dk/x.gif?v=1\", \"mime\": "
                          "\"image/gif\", \"status\": \"200\", \"digest\": \"LMIW33PQDYKCP74JCOMX5QEPV5BU4YMM\", "
                          "\"offset\": \"57084\", \"filename\": \"9-har.warc.gz\"}"));
  EXPECT_EQ(untold, 0u);
}

TEST_F(LogDuplicates, AreFoundInPackedLogs) {
  ASSERT_TRUE(files.write_atomically("crawl.log.gz", io::gzip_member(kLog, io::GzipEffort::fast)));
  EXPECT_TRUE(is_crawl_log(files, "crawl.log.gz"));
  EXPECT_EQ(lines_of("crawl.log.gz").size(), 2u);
}

TEST_F(LogDuplicates, AreFoundBehindTheHeadOfARecord) {
  const std::string head =
      "metadata://netarkivet.dk/crawl/logs/crawl.log?heritrixVersion=1.14.4&harvestid=4&jobid=6 192.0.2.8 "
      "20120523150916 text/plain 412905\n";
  ASSERT_TRUE(files.write_atomically("record", head + std::string(kLog)));
  EXPECT_TRUE(is_crawl_log(files, "record"));
  EXPECT_EQ(lines_of("record").size(), 2u);
}

TEST_F(LogDuplicates, OtherFilesAreNoLogs) {
  for (const std::string text : {"", "WARC/1.1\r\n", " CDX N b a m s k r M S V g\n",
                                 "dk,example)/ 20120523150634 {\"url\": \"http://example.dk/\"}\n"}) {
    ASSERT_TRUE(files.write_atomically("x", text));
    EXPECT_FALSE(is_crawl_log(files, "x")) << text;
  }
  EXPECT_FALSE(is_crawl_log(files, "nowhere"));
}

}  // namespace
}  // namespace caddis::cdx
