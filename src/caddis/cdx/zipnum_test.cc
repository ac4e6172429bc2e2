#include "caddis/cdx/zipnum.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "caddis/base/clock.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/query_run.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "support/testdata.h"

namespace caddis::cdx {
namespace {

std::string key_of(int number) { return "com,a)/" + std::to_string(100'000 + number); }
std::string line_of(int number) {
  return key_of(number) + " 20200101000000 {\"url\": \"http://a.com/" + std::to_string(number) +
         "\", \"filename\": \"f\"}";
}

class ZipNum : public ::testing::Test {
 protected:
  // A cluster of `count` lines, in parts of a few members.
  std::shared_ptr<ZipNumLines> cluster(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += line_of(i) + '\n';
    EXPECT_TRUE(files_.make_dirs("/c"));
    EXPECT_TRUE(files_.write_atomically("/c/lines.cdxj", text));
    const auto written = write_zipnum(files_, "/c/lines.cdxj", "/c/x.idx", {.block_lines = 7, .part_bytes = 300});
    EXPECT_TRUE(written) << written.error().message;
    EXPECT_EQ(*written, static_cast<uint64_t>(count));
    auto opened = ZipNumLines::open(files_, "/c/x.idx");
    EXPECT_TRUE(opened) << opened.error().message;
    return *std::move(opened);
  }
  io::MemoryFiles files_;
};

TEST_F(ZipNum, IsReadInBothDirections) {
  const auto source = cluster(100);
  auto cursor = *source->seek("");
  for (int i = 0; i < 100; ++i) {
    ASSERT_FALSE(cursor->at_end());
    EXPECT_EQ(cursor->line(), line_of(i));
    ASSERT_TRUE(cursor->next());
  }
  EXPECT_TRUE(cursor->at_end());
  for (int i = 99; i >= 0; --i) {
    ASSERT_TRUE(*cursor->previous());
    EXPECT_EQ(cursor->line(), line_of(i));
  }
  EXPECT_FALSE(*cursor->previous());
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ((*source->seek(key_of(i)))->line(), line_of(i));
    EXPECT_EQ((*source->seek(key_of(i) + '!'))->line(), i == 99 ? "" : line_of(i + 1));
  }
  EXPECT_NEAR(static_cast<double>(source->estimated_lines()), 100, 10);
  EXPECT_FALSE(write_zipnum(files_, "/c/lines.cdxj", "/c/x.idx"));
}

TEST_F(ZipNum, SaysWhichPartIsMissingOrBroken) {
  cluster(100);
  std::string part = *files_.read_all("/c/x-00001.cdx.gz");
  part[part.size() / 2] = static_cast<char>(part[part.size() / 2] ^ 0x55);
  ASSERT_TRUE(files_.write_atomically("/c/x-00001.cdx.gz", part));
  ASSERT_TRUE(files_.remove("/c/x-00002.cdx.gz"));
  const auto source = *ZipNumLines::open(files_, "/c/x.idx");
  std::string told;
  for (int i = 0; i < 100; ++i)
    if (const auto found = source->seek(key_of(i)); !found) told += found.error().message + '\n';
  EXPECT_NE(told.find("x-00002.cdx.gz lies neither"), std::string::npos) << told;
  EXPECT_NE(told.find("part x-00001.cdx.gz at"), std::string::npos) << told;
}

TEST_F(ZipNum, ReadsThatOfAWacz) {
  const std::string first = io::gzip_member(line_of(1) + '\n' + line_of(2) + '\n', io::GzipEffort::small);
  const std::string second = io::gzip_member(line_of(3) + '\n', io::GzipEffort::small);
  ASSERT_TRUE(files_.make_dirs("/c"));
  ASSERT_TRUE(files_.write_atomically("/c/index.cdx.gz", first + second));
  const auto place = [&](int number, size_t offset, size_t length) {
    return key_of(number) + " 20200101000000 {\"offset\": " + std::to_string(offset) +
           ", \"length\": " + std::to_string(length) + "}\n";
  };
  ASSERT_TRUE(files_.write_atomically("/c/index.idx",
                                      "!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"index.cdx.gz\"}\n" +
                                          place(1, 0, first.size()) + place(3, first.size(), second.size())));
  const auto source = ZipNumLines::open(files_, "/c/index.idx");
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ((*(*source)->seek(""))->line(), line_of(1));
  EXPECT_EQ((*(*source)->seek(key_of(2)))->line(), line_of(2));
  EXPECT_EQ((*(*source)->seek(key_of(3)))->line(), line_of(3));
  auto cursor = *(*source)->seek(key_of(1));
  EXPECT_FALSE(*cursor->previous());
}

TEST_F(ZipNum, RefusesWhatIsNone) {
  ASSERT_TRUE(files_.make_dirs("/c"));
  ASSERT_TRUE(files_.write_atomically("/c/a.idx", "nonsense\n"));
  EXPECT_FALSE(ZipNumLines::open(files_, "/c/a.idx"));
  ASSERT_TRUE(files_.write_atomically("/c/b.idx", "a 2020\tpart\t0\t99999999999\t1\n"));
  EXPECT_FALSE(ZipNumLines::open(files_, "/c/b.idx"));
  ASSERT_TRUE(files_.write_atomically("/c/c.idx", "a 2020\t../../etc/passwd\t0\t99\t1\n"));
  const auto source = ZipNumLines::open(files_, "/c/c.idx");
  ASSERT_TRUE(source);
  EXPECT_FALSE((*source)->seek("a"));
}

// pywb's own tests of its cluster, with the text that pywb gives.
TEST(PywbZipNum, GivesTheSameLines) {
  CADDIS_TESTDATA_OR_SKIP(cases, "11-cdx/pywb_zipnum.jsonl");
  CADDIS_TESTDATA_OR_SKIP(folder, "11-cdx/pywb_sample/zipcdx");
  testing::TempDir temp;
  std::filesystem::create_directories(temp / "indexes");
  for (const std::string name : {"zipnum-sample.idx", "zipnum-sample.loc", "zipnum-sample.cdx.gz"})
    std::filesystem::copy_file(folder + "/" + name, temp / ("indexes/" + name));
  ManualClock clock;
  CaptureIndex index(io::real_files(), clock, temp / "");
  size_t count = 0;
  for (const std::string& line : testing::read_lines(cases)) {
    const auto test = nlohmann::json::parse(line);
    const auto& asked = test["kwargs"];
    if (asked.contains("showPagedIndex") || asked.contains("showNumPages") || asked.contains("page") ||
        asked.contains("pageSize") || !test["want"].is_string() || !asked.contains("url") ||
        test["source"].get<std::string>().starts_with("zip_test_err"))
      continue;
    std::string text = "output=text";
    for (const auto& [name, value] : asked.items())
      text += '&' + name + '=' + (value.is_string() ? value.get<std::string>() : value.dump());
    const auto query = parse_query(text);
    ASSERT_TRUE(query) << text << ": " << query.error().message;
    const auto captures = run_query(index, *query);
    ASSERT_TRUE(captures) << captures.error().message;
    std::string got;
    for (const Capture& capture : *captures) got += format_capture(capture, *query) + '\n';
    EXPECT_EQ(got, test["want"].get<std::string>()) << test["source"];
    ++count;
  }
  EXPECT_GE(count, 3U);
}

}  // namespace
}  // namespace caddis::cdx
