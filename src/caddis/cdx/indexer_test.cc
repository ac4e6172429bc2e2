#include "caddis/cdx/indexer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "caddis/cdx/line.h"
#include "caddis/io/gzip.h"
#include "support/testdata.h"

namespace caddis::cdx {
namespace {

std::vector<Capture> captures_of(const std::string& path, const std::string& filename) {
  std::vector<Capture> found;
  const auto indexed = index_archive(io::real_files(), path, filename, [&](std::string_view line) -> Result<void> {
    found.push_back(*parse_line(line));
    return {};
  });
  EXPECT_TRUE(indexed) << indexed.error().message;
  return found;
}

struct Pair {
  const char* archive;
  const char* index;  // pywb's own, CDXJ or CDX
  const char* filename;
};

// Each line of pywb's index has its like in ours: same key, timestamp, URL, mime, status, digest, length, offset.
class PywbIndex : public ::testing::TestWithParam<Pair> {};

TEST_P(PywbIndex, Agrees) {
  CADDIS_TESTDATA_OR_SKIP(folder, "07-warc");
  std::map<std::string, Capture> ours;
  for (Capture& capture : captures_of(folder + "/files/" + GetParam().archive, GetParam().filename))
    ours.emplace(capture.offset, std::move(capture));
  size_t compared = 0;
  for (const std::string& line : testing::read_lines(folder + "/cdx/" + GetParam().index)) {
    const auto theirs = parse_line(line);
    if (!theirs) continue;
    // A metadata record, which is not indexed here.
    if (theirs->url == "metadata://gnu.org/software/wget/warc/MANIFEST.txt") continue;
    ASSERT_TRUE(ours.contains(theirs->offset)) << line;
    Capture mine = ours.at(theirs->offset);
    // pywb's files are older than today's `surt`, which keys metadata:// by its host.
    if (theirs->url.starts_with("metadata://")) mine.urlkey = theirs->urlkey;
    // What a file of pywb leaves out is not compared.
    if (theirs->mime.empty()) mine.mime.clear();
    if (theirs->status.empty()) mine.status.clear();
    if (theirs->digest.empty()) mine.digest.clear();
    EXPECT_EQ(cdx11_line(mine), cdx11_line(*theirs));
    ++compared;
  }
  EXPECT_EQ(compared, ours.size());
}

// Left out, with the reason:
//   * bad.cdx, example-no-digest.cdxj, example-extra.cdx: made by hand to be wrong.
INSTANTIATE_TEST_SUITE_P(
    Files, PywbIndex,
    ::testing::Values(Pair{"pywb__dupes.warc.gz", "dupes.cdxj", "dupes.warc.gz"},
                      Pair{"pywb__iana.warc.gz", "iana.cdxj", "iana.warc.gz"},
                      Pair{"pywb__iana.warc.gz", "iana.cdx", "iana.warc.gz"},
                      Pair{"pywb__example.warc.gz", "example.cdxj", "example.warc.gz"},
                      Pair{"pywb__example.warc.gz", "example.cdx", "example.warc.gz"},
                      Pair{"pywb__example2.warc.gz", "example2.cdxj", "example2.warc.gz"},
                      Pair{"warcio__post-test.warc.gz", "post-test.cdxj", "post-test.warc.gz"},
                      Pair{"warcio__post-test.warc.gz", "post-test.cdx", "post-test.warc.gz"},
                      Pair{"pywb__httpbin-resource.warc.gz", "httpbin-resource.cdxj", "httpbin-resource.warc.gz"},
                      Pair{"pywb__missing-status-text.warc", "missing-status-text.cdxj", "missing-status-text.warc"},
                      Pair{"warc-specifications__hello-world.warc", "hello-world.warc.cdx", "hello-world.warc"}),
    [](const auto& info) {
      std::string name = info.param.index;
      for (char& c : name)
        if (!isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

TEST(IndexArchive, Arc) {
  CADDIS_TESTDATA_OR_SKIP(folder, "07-warc/files");
  for (const char* name : {"warcio__example.arc", "warcio__example.arc.gz"}) {
    const auto captures = captures_of(folder + "/" + name, "x");
    ASSERT_EQ(captures.size(), 1u) << name;
    EXPECT_EQ(captures[0].urlkey, "com,example)/");
    EXPECT_EQ(captures[0].timestamp, "20140216050221");
    EXPECT_EQ(captures[0].mime, "text/html");
    EXPECT_EQ(captures[0].status, "200");
    EXPECT_EQ(captures[0].digest, "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A");
  }
}

TEST(IndexArchive, DigestOfAnEmptyChunkedBody) {
  testing::TempDir temp;
  const std::string http = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  const std::string record =
      "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
      "WARC-Target-URI: http://a/\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: " +
      std::to_string(http.size()) + "\r\n\r\n" + http + "\r\n\r\n";
  ASSERT_TRUE(io::real_files().write_atomically(temp / "a.warc", record));
  const auto captures = captures_of(temp / "a.warc", "");
  ASSERT_EQ(captures.size(), 1u);
  EXPECT_EQ(captures[0].digest, "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");  // of nothing
}

// Whatever is wrong with a file, indexing it ends, and each line given can be read.
TEST(IndexArchive, AllSamples) {
  CADDIS_TESTDATA_OR_SKIP(list, "07-warc/files.jsonl");
  CADDIS_TESTDATA_OR_SKIP(folder, "07-warc/files");
  size_t files = 0;
  for (const std::string& line : testing::read_lines(list)) {
    const std::string path = folder + "/" + nlohmann::json::parse(line)["file"].get<std::string>();
    const auto indexed = index_archive(io::real_files(), path, "x", [&](std::string_view text) -> Result<void> {
      EXPECT_TRUE(parse_line(text)) << text;
      return {};
    });
    EXPECT_TRUE(indexed) << path << ": " << indexed.error().message;
    ++files;
  }
  EXPECT_GT(files, 50u);
}

// Cut within its last record, or overwritten in its middle: the others are indexed, and it is told where the flaw is.
TEST(IndexArchive, LeavesOutWhatIsNotWhole) {
  testing::TempDir temp;
  const auto member = [](int number) {
    const std::string block = fmt::format("HTTP/1.1 200 OK\r\n\r\nbody of {}", number);
    const std::string record = fmt::format(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{0}>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        "WARC-Target-URI: http://a/{0}\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: {1}\r\n"
        "\r\n{2}\r\n\r\n",
        number, block.size(), block);
    return io::gzip_member(record, io::GzipEffort::small);
  };
  const std::string first = member(1), second = member(2), third = member(3);
  std::string overwritten = first + second + third;
  overwritten.replace(first.size() + 60, 20, 20, '\0');
  struct Case {
    std::string bytes, urls;
    size_t at;
  };
  for (const Case& one : {Case{first + second + third.substr(0, third.size() - 30), "http://a/1 http://a/2 ",
                               first.size() + second.size()},
                          Case{overwritten, "http://a/1 http://a/3 ", first.size()}}) {
    ASSERT_TRUE(io::real_files().write_atomically(temp / "x.warc.gz", one.bytes));
    std::string urls;
    const auto indexed = index_archive(io::real_files(), temp / "x.warc.gz", "", [&](std::string_view line) {
      urls += fmt::format("{} ", parse_line(line)->url);
      return Result<void>();
    });
    ASSERT_TRUE(indexed) << indexed.error().message;
    EXPECT_EQ(urls, one.urls);
    EXPECT_EQ(indexed->lines, 2u);
    EXPECT_TRUE(indexed->is_damaged);
    ASSERT_FALSE(indexed->problems.empty());
    EXPECT_TRUE(indexed->problems.front().starts_with(fmt::format("at offset {}: ", one.at)))
        << indexed->problems.front();
  }
}

TEST(IndexArchive, SaysWhatAFileIsThatIsNoArchive) {
  testing::TempDir temp;
  const auto foreign = [&](std::string_view bytes) {
    EXPECT_TRUE(io::real_files().write_atomically(temp / "x", bytes));
    const auto indexed =
        index_archive(io::real_files(), temp / "x", "x", [](std::string_view) -> Result<void> { return {}; });
    return indexed ? indexed->foreign : indexed.error().message;
  };
  EXPECT_TRUE(foreign("PK\x03\x04 and so on").contains("WACZ"));
  EXPECT_TRUE(foreign("").contains("empty"));
  EXPECT_TRUE(foreign("com,example)/ 20260101000000 {}\n").contains("no WARC"));
  EXPECT_TRUE(foreign("{\"a\": 1}\n").contains("is text"));
  EXPECT_TRUE(foreign(io::gzip_member("hello\n", io::GzipEffort::small)).contains("gzip"));
}

TEST(FindArchives, SearchesFolders) {
  testing::TempDir temp;
  auto& files = io::real_files();
  ASSERT_TRUE(files.make_dirs(temp / "a/b"));
  for (const char* name : {"a/x.warc.gz", "a/b/y.arc", "a/b/z.warc.open", "a/notes.txt"})
    ASSERT_TRUE(files.write_atomically(temp / name, ""));
  const auto found = find_archives(files, temp.path());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size(), 3u);
  EXPECT_FALSE(find_archives(files, temp / "none"));
}

}  // namespace
}  // namespace caddis::cdx
