#include "caddis/cdx/packed_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "caddis/cdx/line.h"

namespace caddis::cdx {
namespace {

// The capture that comes back of one whose files have the numbers 7 and 9.
std::string there_and_back(const std::string& line) {
  const Capture capture = *parse_line(line);
  EXPECT_TRUE(check_row(capture));
  const RowFiles files{capture.filename.empty() ? 0U : 7U, capture.original_filename.empty() ? 0U : 9U};
  std::string key, value;
  append_row_key(key, capture, files);
  append_row_value(value, capture, files);
  Capture back;
  const auto decoded = decode_row(key, value, back);
  EXPECT_TRUE(decoded) << decoded.error().message;
  if (!decoded) return {};
  EXPECT_EQ(decoded->file, files.file);
  EXPECT_EQ(decoded->original, files.original);
  back.filename = capture.filename;
  back.original_filename = capture.original_filename;
  return cdxj_line(back);
}

TEST(PackedRow, GivesBackWhatItGot) {
  for (
      const std::string line : {
          R"(org,example)/ 20200101000000 {"url": "http://example.org/", "mime": "text/html", "status": "200", "digest": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "length": "1043", "offset": "333", "filename": "a.warc.gz"})",
          R"(org,example)/a?b=c 20200101000000 {"url": "https://www.example.org/A/?b=c#d", "mime": "warc/revisit", "digest": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA77", "length": "0", "offset": "0", "filename": "a.warc.gz", "orig.length": "5", "orig.offset": "6", "orig.filename": "b.warc.gz"})",
          R"(org,example:8080)/dir 20200101000000123 {"url": "http://example.org:8080/dir/", "mime": "x/odd; y", "status": "odd", "digest": "sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", "redirect": "http://other.example/", "robotflags": "AIF", "length": "007", "offset": "12x", "filename": "a.warc.gz", "method": "POST", "n": 5, "empty": ""})",
          R"(dns:example.org 2020 {"url": "dns:example.org", "mime": "text/dns", "digest": "md5:abc"})",
          R"(urn:x 20200101000000 {"url": ""})",
          R"(1,0,0,127)/ 20200101000000 {"url": "http://127.0.0.1/", "offset": "5"})",
          R"(org,example)/%C3%A9 20200101000000 {"url": "http://example.org/é", "mime": "", "filename": "a.warc.gz"})",
          R"(org,)x 20200101000000 {"url": "http://", "filename": "a.warc.gz", "offset": "99999999999999999"})",
      }) {
    EXPECT_EQ(there_and_back(line), cdxj_line(*parse_line(line)));
  }
}

TEST(PackedRow, TakesFewBytes) {
  const Capture capture = *parse_line(
      R"(com,example,sub)/some/page/of/it?id=12345&x=y 20200101000000 {"url": "https://sub.example.com/some/page/of/it?id=12345&x=y", "mime": "text/html", "status": "200", "digest": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "length": "12043", "offset": "900000333", "filename": "some-long-name-of-a-file-20200101000000-00001.warc.gz"})");
  std::string key, value;
  append_row_key(key, capture, {1234, 0});
  append_row_value(value, capture, {1234, 0});
  EXPECT_EQ(key.size() - capture.urlkey.size(), 16U);
  EXPECT_EQ(value.size(), 28U);
}

// Rows of one second differ, and all sort as lines do.
TEST(PackedRow, SortsAsLinesDo) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const char* const key : {"com,a)/", "com,a)/b", "com,a,b)/", "com,a)/!", "com,a"})
    for (const char* const time : {"2020", "20200101000000", "20200101000000123", "20200101000001", "20191231235959"})
      for (const char* const offset : {"1", "200", "70000"}) {
        Capture capture;
        capture.urlkey = key;
        capture.timestamp = time;
        capture.offset = offset;
        std::string row;
        append_row_key(row, capture, {3, 0});
        rows.emplace_back(row, std::string(key) + ' ' + time + " {");
      }
  std::ranges::sort(rows);
  for (size_t i = 1; i < rows.size(); ++i) {
    EXPECT_NE(rows[i - 1].first, rows[i].first);
    EXPECT_LE(rows[i - 1].second, rows[i].second);
  }
  // A place is never behind the first row whose line is not smaller.
  for (const char* const place :
       {"com,a)/", "com,a)/ ", "com,a)/!", "com,a)/ 2020", "com,a)/ 2020:", "com,a)/ 20200101000000!",
        "com,a)/ 20200101000000 {", "com,a)/ 202", "com,a*", "com,", "d", "com,a)/ 2019123123595", ""}) {
    const auto by_line = std::ranges::find_if(rows, [&](const auto& row) { return row.second >= place; });
    const auto by_row = std::ranges::find_if(rows, [&](const auto& row) { return row.first >= row_place(place); });
    ASSERT_LE(by_row, by_line) << place;
    const bool is_near =
        by_row == by_line || by_row->second.substr(0, by_row->second.size() - 2) ==
                                 (by_line == rows.end() ? "" : by_line->second.substr(0, by_line->second.size() - 2));
    EXPECT_TRUE(is_near) << place;
  }
}

TEST(PackedRow, RefusesWhatIsNone) {
  Capture capture;
  capture.timestamp = "20200101000000";
  EXPECT_FALSE(check_row(capture));
  capture.urlkey = "a b";
  EXPECT_FALSE(check_row(capture));
  capture.urlkey = std::string(kMaxRowKey + 1, 'a');
  EXPECT_FALSE(check_row(capture));
  capture.urlkey = "a";
  EXPECT_TRUE(check_row(capture));
  capture.timestamp = "2020x";
  EXPECT_FALSE(check_row(capture));
}

}  // namespace
}  // namespace caddis::cdx
