// Each kind of source, on texts made here and on real archives.
#include "caddis/dedup/index_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/strings.h"
#include "caddis/dedup/index_testing.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "support/testdata.h"

namespace caddis::dedup {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kA[] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", kB[] = "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB",
               kC[] = "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC";

class IndexBuilderTest : public ::testing::Test {
 protected:
  void put(const std::string& name, std::string_view text) { ASSERT_TRUE(files_.write_atomically(name, text)); }

  SourceReport build(const std::string& source, FilterOptions filter = {}, io::Files* files = nullptr) {
    io::Files& from = files != nullptr ? *files : files_;
    IndexBuilder builder(from, out(), {}, *CaptureFilter::create(filter));
    const auto report = builder.add(source);
    EXPECT_TRUE(report) << report.error().message;
    EXPECT_TRUE(builder.finish());
    auto index = DigestIndex::open(from, out());
    EXPECT_TRUE(index);
    index_ = *std::move(index);
    return report ? *report : SourceReport();
  }
  std::string out() const { return folder_ / "out"; }

  // "digest url date" of all originals.
  std::vector<std::string> originals() const {
    std::vector<std::string> all;
    EXPECT_TRUE(index_->each([&](std::string_view digest, const Original& one) -> Result<void> {
      all.push_back(io::digest_label(digest).substr(5) + " " + one.url + " " + timestamp17(one.date));
      return {};
    }));
    return all;
  }

  void SetUp() override { ASSERT_TRUE(files_.make_dirs(folder_.path())); }

  const testing::TempDir folder_;
  io::MemoryFiles files_;
  std::unique_ptr<DigestIndex> index_;
};

TEST_F(IndexBuilderTest, TakesCdxj) {
  put("x",
      std::string("!meta\n") +
          "com,example)/ 20200101000000 {\"url\": \"http://example.com/\", \"mime\": \"text/html\", \"status\": "
          "\"200\", \"digest\": \"" +
          kA +
          "\", \"etag\": \"\\\"v1\\\"\", \"modified\": \"Fri, 02 Jan 2026 "
          "03:04:05 GMT\"}\n"
          "com,example)/ 20200102000000 {\"url\": \"http://example.com/\", \"mime\": \"warc/revisit\", \"digest\": \"" +
          kA +
          "\"}\n"
          "com,example)/n 20200102000000 {\"url\": \"http://example.com/n\", \"status\": \"404\", \"digest\": \"" +
          kB +
          "\"}\n"
          "com,example)/o 20200102000000123 {\"url\": \"https://example.com/o\", \"status\": 200, \"digest\": \"sha1:" +
          kC +
          "\"}\n"
          "com,example)/p 20200102000000 {\"url\": \"http://example.com/p\", \"status\": \"200\"}\n"
          "com,example)/q 20200102000000 {\"url\": \"http://example.com/q\", \"digest\": \"sha256:" +
          to_hex(io::sha256("")) +
          "\"}\n"
          "com,example)/r 20200102000000 {\"url\": \"ftp://example.com/r\", \"digest\": \"" +
          kB +
          "\"}\n"
          "com,example)/s tomorrow {}\nnonsense\n");
  const SourceReport report = build("x");
  EXPECT_EQ(report.kind, SourceKind::cdxj);
  EXPECT_EQ(report.counts.captures, 9U);
  EXPECT_EQ(report.counts.originals, 2U);
  EXPECT_EQ(report.counts.unresolved, 1U);
  EXPECT_EQ(report.counts.other_status, 1U);
  EXPECT_EQ(report.counts.other_protocol, 1U);
  EXPECT_EQ(report.counts.without_digest, 1U);
  EXPECT_EQ(report.counts.other_digest, 1U);
  EXPECT_EQ(report.counts.unreadable, 2U);
  EXPECT_THAT(originals(), ElementsAre(std::string(kA) + " http://example.com/ 20200101000000000",
                                       std::string(kC) + " https://example.com/o 20200102000000123"));
  const auto match = *index_->find(Strategy::url, {std::string("sha1:") + kA, "http://example.com/", "com,example)/"});
  ASSERT_TRUE(match);
  EXPECT_EQ(match->original.etag, "\"v1\"");
  EXPECT_EQ(match->original.last_modified, "Fri, 02 Jan 2026 03:04:05 GMT");
}

TEST_F(IndexBuilderTest, BelievesKeysThatAreMadeByItsRules) {
  const std::string line =
      std::string("made,up)/ 20200101000000 {\"url\": \"http://example.com/\", \"digest\": \"") + kA + "\"}\n";
  put("x", line);
  const Question question{kA, "https://www.example.com/", "made,up)/"};
  build("x");
  EXPECT_FALSE(*index_->find(Strategy::canonical, question)) << "nothing says by which rules the key was made";
  EXPECT_TRUE(*index_->find(Strategy::canonical, {kA, "https://www.example.com/", {}}));
}

TEST_F(IndexBuilderTest, TakesCdxOfAllWidths) {
  const std::string digest = kA;
  put("x",
      "com,example)/9 20200101000000 http://example.com/9 text/html 200 " + digest + " - 12 a.warc.gz\n" +
          "com,example)/10 20200101000000 http://example.com/10 text/html 200 " + digest + " - - 12 a.warc.gz\n" +
          "com,example)/11 20200101000000 http://example.com/11 text/html 200 " + digest + " - - 9 12 a.warc.gz\n" +
          "com,example)/14 20200101000000 http://example.com/14 text/html 200 " + digest +
          " - - 9 12 a.warc.gz - - -\n" + "com,example)/15 20200101000000 http://example.com/15 text/html 200 " +
          digest + " - - 9 12 a.warc.gz 9 12 b.warc.gz\n" +
          "com,example)/16 20200101000000 http://example.com/16 warc/revisit - " + digest + " - - 9 12 a.warc.gz\n");
  const SourceReport report = build("x");
  EXPECT_EQ(report.kind, SourceKind::cdx);
  EXPECT_EQ(report.counts.originals, 4U);
  EXPECT_EQ(report.counts.unresolved, 2U);
  put("y", " CDX a b k\nhttp://example.com/ 20200101000000 " + digest + "\n");
  EXPECT_EQ(build("y").counts.originals, 1U);
  EXPECT_THAT(originals(), ElementsAre(digest + " http://example.com/ 20200101000000000"));
}

TEST_F(IndexBuilderTest, TakesCrawlLogs) {
  const auto line = [](std::string_view url, std::string_view status, std::string_view digest, std::string_view more) {
    return std::string("2026-01-02T03:04:05.006Z ") + std::string(status) + " 1270 " + std::string(url) +
           " L http://via.example/ text/html #000 20260102030404906+100 sha1:" + std::string(digest) +
           " http://seed.example/ " + std::string(more) + "\n";
  };
  put("x",
      line("http://a.example/", "  200", kA, "-") + line("http://b.example/", "  200", kB, "2t,duplicate:digest") +
          line("http://c.example/", "  200", kB, "duplicate:\"f.warc.gz,123,20200101000000000\"") +
          line("http://d.example/", "  404", kC, "3t") + line("dns:d.example", "    1", kC, "-") +
          line("http://e.example/", "  200", kC, "unwritten:length") + line("http://e.example/", "   -2", kC, "-") +
          line("http://f.example/", "  200", kC,
               "Revisit:IdenticalPayloadDigest {\"RevisitProfile\":\"p\",\"RevisitRefersToURI\":\"http://g.example/\","
               "\"RevisitRefersToDate\":\"2019-05-06T07:08:09Z\"}") +
          line("http://www.h.example/a,b", "  200", kC,
               "2t,duplicate:\"f.warc.gz,123,20200101000000123\",equivalentURL:\"http://h.example/a,b\",3t") +
          line("http://i.example/", "  200", kC, "duplicate:\"f.arc,123\",content-size:491") + "too short\n");
  put("record", "metadata://library.example/crawl/logs/crawl.log?jobid=6 192.0.2.8 20120523150916 text/plain 412905\n" +
                    files_.read_all("x").value());
  EXPECT_EQ(build("record").kind, SourceKind::crawl_log);
  const SourceReport report = build("x");
  EXPECT_EQ(report.kind, SourceKind::crawl_log);
  EXPECT_EQ(report.counts.originals, 1U);
  EXPECT_EQ(report.counts.unresolved, 2U) << "one that tells nothing, one without a date";
  EXPECT_EQ(report.counts.witnesses, 3U);
  EXPECT_EQ(report.counts.other_status, 1U);
  EXPECT_EQ(report.counts.unreadable, 1U);
  EXPECT_THAT(originals(), ElementsAre(std::string(kA) + " http://a.example/ 20260102030404906",
                                       std::string(kB) + " http://c.example/ 20200101000000000",
                                       std::string(kC) + " http://g.example/ 20190506070809000",
                                       std::string(kC) + " http://h.example/a,b 20200101000000123"));
}

TEST_F(IndexBuilderTest, TakesCompressedTexts) {
  const std::string line =
      std::string("com,example)/ 20200101000000 {\"url\": \"http://example.com/\", \"digest\": \"") + kA + "\"}\n";
  put("x.gz", io::gzip_member(line, io::GzipEffort::small) + io::gzip_member(line, io::GzipEffort::small));
  const SourceReport report = build("x.gz");
  EXPECT_EQ(report.counts.captures, 2U);
  EXPECT_EQ(originals().size(), 1U);
  const std::string whole = *files_.read_all("x.gz");
  put("cut.gz", whole.substr(0, whole.size() - 9));
  IndexBuilder builder(files_, out(), {}, *CaptureFilter::create({}));
  EXPECT_EQ(builder.add("cut.gz").error().code, ErrorCode::corrupt);
}

TEST_F(IndexBuilderTest, FiltersByStatusAndType) {
  const auto line = [](std::string_view name, std::string_view status, std::string_view mime) {
    return "com,example)/" + std::string(name) + " 20200101000000 {\"url\": \"http://example.com/" + std::string(name) +
           "\", \"mime\": \"" + std::string(mime) + "\", \"status\": \"" + std::string(status) + "\", \"digest\": \"" +
           kA + "\"}\n";
  };
  put("x", line("a", "200", "text/html") + line("b", "404", "text/plain") + line("c", "301", "image/png"));
  EXPECT_EQ(build("x").counts.originals, 1U);
  EXPECT_EQ(build("x", {true, {}, {}}).counts.originals, 3U);
  EXPECT_EQ(build("x", {true, {}, "text/.*"}).counts.other_type, 2U);
  EXPECT_EQ(build("x", {true, "text/.*|image/gif", {}}).counts.originals, 2U);
  EXPECT_EQ(build("x", {true, "text", {}}).counts.originals, 0U) << "the whole type has to match";
  EXPECT_EQ(CaptureFilter::create({true, "(", {}}).error().code, ErrorCode::config);
}

TEST_F(IndexBuilderTest, RefusesOtherFiles) {
  put("x", "just text\nof somebody\n");
  put("y", "");
  IndexBuilder builder(files_, out(), {}, *CaptureFilter::create({}));
  EXPECT_EQ(builder.add("x").error().code, ErrorCode::unsupported);
  EXPECT_EQ(builder.add("absent").error().code, ErrorCode::not_found);
  EXPECT_TRUE(builder.add("y")) << "an index may be empty";
}

TEST_F(IndexBuilderTest, MergesIndexes) {
  index_of(files_, "one",
           {{"p", original("http://a.example/", "2022-01-01T00:00:00Z")},
            {"q", original("http://b.example/", "2022-01-01")}});
  index_of(files_, "two", {{"p", original("http://a.example/", "2021-01-01T00:00:00Z", "<urn:early>")}});
  IndexBuilder builder(files_, out(), {}, *CaptureFilter::create({}));
  ASSERT_TRUE(builder.add("one"));
  ASSERT_TRUE(builder.add("two"));
  const auto info = builder.finish();
  ASSERT_TRUE(info);
  EXPECT_EQ(info->originals, 2U);
  const auto index = *DigestIndex::open(files_, out());
  EXPECT_EQ((*index->find(Strategy::url, {label_of("p"), "http://a.example/", {}}))->original.record_id, "<urn:early>");
}

TEST_F(IndexBuilderTest, TakesRealArchives) {
  CADDIS_TESTDATA_OR_SKIP(folder, "07-warc/files");
  const SourceReport dupes = build(folder + "/pywb__dupes.warc.gz", {}, &io::real_files());
  EXPECT_EQ(dupes.kind, SourceKind::archive);
  EXPECT_GT(dupes.counts.originals, 0U);
  const auto match = *index_->find(Strategy::url, {"sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", "http://example.com", {}});
  ASSERT_TRUE(match);
  EXPECT_EQ(timestamp14(match->original.date), "20140127171200");
  EXPECT_THAT(match->original.record_id, HasSubstr("<urn:uuid:"));
  const SourceReport arc = build(folder + "/warcio__example.arc.gz", {}, &io::real_files());
  EXPECT_EQ(arc.counts.originals, 1U);
}

TEST_F(IndexBuilderTest, TakesRevisitsAsWitnesses) {
  CADDIS_TESTDATA_OR_SKIP(folder, "07-warc/files");
  const std::string name =
      "/warc-specifications__20141129-heritrix-revisit-with-http-headers-and-new-warc-headers.warc.gz";
  const SourceReport report = build(folder + name, {}, &io::real_files());
  EXPECT_GT(report.counts.witnesses, 0U);
  EXPECT_EQ(report.counts.originals, 0U);
  EXPECT_GT(index_->info().originals, 0U);
}

}  // namespace
}  // namespace caddis::dedup
