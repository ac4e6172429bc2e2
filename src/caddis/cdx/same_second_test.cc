// Captures of one key and second never hide each other, wherever their lines lie.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/capture_store.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/query_run.h"
#include "caddis/cdx/zipnum.h"
#include "caddis/io/memory_files.h"
#include "support/testdata.h"

namespace caddis::cdx {
namespace {

constexpr std::string_view kSecond = "20200101000000";

Capture made(std::string url, std::string digest, std::string offset, std::string filename,
             std::string timestamp = std::string(kSecond)) {
  Capture capture;
  capture.url = std::move(url);
  capture.urlkey = index_key(capture.url);
  capture.timestamp = std::move(timestamp);
  capture.mime = "text/html";
  capture.status = "200";
  capture.digest = std::move(digest);
  capture.length = "10";
  capture.offset = std::move(offset);
  capture.filename = std::move(filename);
  return capture;
}

// They differ in one thing each: offset, file, URL and offset, digest without a place, digest without an offset.
std::vector<Capture> captures() {
  return {made("http://a.com/", "AAA", "1", "x", "20191231235959"),
          made("http://a.com/", "AAA", "1", "x"),
          made("http://a.com/", "AAA", "2", "x"),
          made("http://a.com/", "AAA", "1", "y"),
          made("https://www.a.com/", "AAA", "3", "x"),
          made("http://a.com/", "BBB", "", ""),
          made("http://a.com/", "CCC", "", ""),
          made("http://a.com/", "DDD", "", "x"),
          made("http://a.com/", "EEE", "", "x"),
          made("http://a.com/", "AAA", "1", "x", "20200101000001")};
}

std::string sorted_text(const std::function<std::string(const Capture&)>& line) {
  std::vector<std::string> lines;
  for (const Capture& capture : captures()) lines.push_back(line(capture) + '\n');
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& one : lines) text += one;
  return text;
}

std::string cdxj(const Capture& capture) { return cdxj_line(capture); }

// One backend, as an index of captures.
struct Backend {
  std::string name;
  std::function<void(CaptureIndex& index, io::MemoryFiles& files, const testing::TempDir& temp)> fill;
};
std::ostream& operator<<(std::ostream& out, const Backend& backend) { return out << backend.name; }

void in_file(io::MemoryFiles& files, const std::string& path, std::string_view text) {
  ASSERT_TRUE(files.make_dirs("/c/indexes"));
  ASSERT_TRUE(files.write_atomically(path, text));
}

std::shared_ptr<CaptureStore> store_of(const testing::TempDir& temp) {
  auto store = *CaptureStore::open(temp / "store", {});
  CaptureWriter writer(*store);
  for (const Capture& capture : captures()) EXPECT_TRUE(writer.put(capture));
  EXPECT_TRUE(writer.commit());
  return store;
}

const std::vector<Backend> kBackends = {
    {"Cdxj", [](CaptureIndex&, io::MemoryFiles& files,
                const testing::TempDir&) { in_file(files, "/c/indexes/i.cdxj", sorted_text(cdxj)); }},
    {"Cdx",
     [](CaptureIndex&, io::MemoryFiles& files, const testing::TempDir&) {
       in_file(files, "/c/indexes/i.cdx", sorted_text([](const Capture& capture) { return cdx11_line(capture); }));
     }},
    {"ZipNum",
     [](CaptureIndex&, io::MemoryFiles& files, const testing::TempDir&) {
       in_file(files, "/c/lines.cdxj", sorted_text(cdxj));
       // A member for two lines, so that captures of the second lie in several.
       ASSERT_TRUE(write_zipnum(files, "/c/lines.cdxj", "/c/indexes/i.idx", {.block_lines = 2, .part_bytes = 100}));
     }},
    {"Memory",
     [](CaptureIndex& index, io::MemoryFiles&, const testing::TempDir&) {
       for (const Capture& capture : captures()) index.add_line(cdxj_line(capture));
     }},
    {"Store",
     [](CaptureIndex& index, io::MemoryFiles&, const testing::TempDir& temp) { index.add_source(store_of(temp)); }},
    // All captures twice, in two kinds of source.
    {"Combined",
     [](CaptureIndex& index, io::MemoryFiles& files, const testing::TempDir& temp) {
       in_file(files, "/c/indexes/i.cdxj", sorted_text(cdxj));
       in_file(files, "/c/indexes/j.cdx", sorted_text([](const Capture& capture) { return cdx11_line(capture); }));
       index.add_source(store_of(temp));
     }},
};

class SameSecond : public ::testing::TestWithParam<Backend> {
 protected:
  SameSecond() : index_(files_, clock_, "/c") { GetParam().fill(index_, files_, temp_); }

  static std::string told(const Capture& capture) {
    return capture.timestamp + ' ' + capture.url + ' ' + capture.digest + ' ' + capture.offset + ' ' + capture.filename;
  }
  static std::vector<std::string> expected() {
    std::vector<std::string> all;
    for (const Capture& capture : captures()) all.push_back(told(capture));
    std::ranges::sort(all);
    return all;
  }
  std::vector<std::string> ask(const std::string& query, bool is_sorted = true) {
    const auto parsed = parse_query(query);
    EXPECT_TRUE(parsed) << parsed.error().message;
    const auto found = run_query(index_, *parsed);
    EXPECT_TRUE(found) << found.error().message;
    std::vector<std::string> all;
    for (const Capture& capture : *found) all.push_back(told(capture));
    if (is_sorted) std::ranges::sort(all);
    return all;
  }

  testing::TempDir temp_;
  io::MemoryFiles files_;
  ManualClock clock_;
  CaptureIndex index_;
};

TEST_P(SameSecond, AllAreFoundInEveryOrderAndMatch) {
  for (const char* const query :
       {"url=a.com", "url=a.com&sort=reverse", "url=a.com&closest=20200101000000", "url=a.com/*", "url=*.a.com",
        "url=a.com&matchType=host", "url=a.com&closest=20200101000000&matchType=prefix"})
    EXPECT_EQ(ask(query), expected()) << query;
  EXPECT_EQ(ask("url=a.com&from=20200101000000&to=20200101000000").size(), 8u);
}

TEST_P(SameSecond, PartsOfAnAnswerJoin) {
  std::vector<std::string> joined;
  for (int i = 0; i < 10; ++i)
    for (std::string& one : ask("url=a.com&limit=1&offset=" + std::to_string(i))) joined.push_back(std::move(one));
  EXPECT_EQ(joined, ask("url=a.com", false));
  std::ranges::sort(joined);
  EXPECT_EQ(joined, expected());
}

TEST_P(SameSecond, AChoiceHasAllOfThem) {
  const auto captures_of = index_.captures_of("http://a.com/");
  ASSERT_TRUE(captures_of);
  std::vector<std::string> near;
  for (const Capture& capture : *captures_of->closest(kSecond, 8)) near.push_back(told(capture));
  std::ranges::sort(near);
  const auto all = expected();
  EXPECT_EQ(near, std::vector<std::string>(all.begin() + 1, all.end() - 1));
  size_t count = 0;
  ASSERT_TRUE(captures_of->each([&](Capture&) { return ++count, true; }));
  EXPECT_EQ(count, 10u);
}

INSTANTIATE_TEST_SUITE_P(Backends, SameSecond, ::testing::ValuesIn(kBackends),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace caddis::cdx
