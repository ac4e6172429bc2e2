#include <gtest/gtest.h>

#include "caddis/cdx/line.h"
#include "caddis/io/memory_files.h"
#include "caddis/sources/folder_records.h"
#include "caddis/sources/path_index.h"
#include "caddis/sources/remote_index.h"
#include "caddis/sources/source_file.h"

namespace caddis::sources {
namespace {

void put(io::MemoryFiles& files, const std::string& path, std::string_view text) {
  ASSERT_TRUE(files.make_dirs(io::parent_path(path)));
  ASSERT_TRUE(files.write_atomically(path, text));
}

std::string text_of(const Result<std::unique_ptr<io::File>>& file) {
  if (!file) return file.error().message;
  std::string text(100, '\0');
  text.resize((*file)->read_at(0, text.data(), text.size()).value_or(0));
  return text;
}

cdx::Capture in_file(std::string name) {
  cdx::Capture capture;
  capture.filename = std::move(name);
  capture.offset = "0";
  return capture;
}

TEST(UrlOfKey, HasThatKey) {
  for (const char* const url : {"http://example.com/", "http://sub.example.co.uk/a/b?c=d&e",
                                "http://example.com:8080/x", "http://example.com/a)b", "http://example.com/a,b(c)"}) {
    const std::string key = cdx::index_key(url);
    EXPECT_EQ(cdx::index_key(url_of_key(key)), key) << url_of_key(key);
  }
  EXPECT_EQ(url_of_key("com,example)/a"), "http://example.com/a");
  EXPECT_EQ(url_of_key("urn:x:y"), "urn:x:y");
}

TEST(CdxAnswer, IsReadInEachForm) {
  std::vector<cdx::Capture> captures;
  const auto take = [&](cdx::Capture capture) {
    captures.push_back(std::move(capture));
    return true;
  };
  parse_cdx_answer(
      " CDX N b a m s k r M S V g\n"
      "com,a)/ 20140101000000 http://a.com/ text/html 200 AAA - - 10 20 f.warc.gz\n"
      "com,a)/ 20150101000000 {\"url\": \"http://a.com/\", \"mime\": \"text/html\", \"filename\": \"g.warc.gz\"}\r\n"
      "com,a)/ 20160101000000 http://a.com/ text/html 301 BBB 77\n"
      "nothing of that kind\n"
      "com,a)/ soon http://a.com/ text/html 301 BBB 77\n",
      take);
  ASSERT_EQ(captures.size(), 3u);
  EXPECT_EQ(captures[0].filename, "f.warc.gz");
  EXPECT_EQ(captures[1].filename, "g.warc.gz");
  EXPECT_EQ(captures[2].status, "301");
  EXPECT_EQ(captures[2].length, "77");
  EXPECT_TRUE(captures[2].filename.empty());
}

TEST(CdxAnswer, EndsWhereNoMoreIsTaken) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "com,a)/ 20160101000000 http://a.com/ text/html 301 BBB 77\n";
  int taken = 0;
  parse_cdx_answer(text, [&](cdx::Capture) { return ++taken < 3; });
  EXPECT_EQ(taken, 3);
}

TEST(AddressAbout, EncodesTheUrlInAQueryAlone) {
  const char* const url = "http://a.com/?b=c&d=e f";
  EXPECT_EQ(address_about("http://t.example/map/", url), "http://t.example/map/http://a.com/?b=c&d=e f");
  EXPECT_EQ(address_about("http://t.example/{url}/map", "http://a.com/"), "http://t.example/http://a.com//map");
  EXPECT_EQ(address_about("http://t.example/map?u={url}&x=1", url),
            "http://t.example/map?u=http%3A%2F%2Fa.com%2F%3Fb%3Dc%26d%3De%20f&x=1");
  EXPECT_EQ(address_about("http://t.example/map?u=", "http://a.com/"), "http://t.example/map?u=http%3A%2F%2Fa.com%2F");
}

TEST(FolderRecords, StayInTheirFolder) {
  io::MemoryFiles files;
  put(files, "in/a.warc", "inside");
  put(files, "b.warc", "outside");
  FolderRecords records(files, "in");
  EXPECT_EQ(text_of(records.open(in_file("a.warc"))), "inside");
  for (const char* const name : {"../b.warc", "/b.warc", "x/../../b.warc", ""})
    EXPECT_EQ(records.open(in_file(name)).error().code, ErrorCode::denied) << name;
  EXPECT_EQ(records.open(in_file("a..b.warc")).error().code, ErrorCode::not_found);
}

TEST(RecordSources, TryEachAndTellOfEach) {
  io::MemoryFiles files;
  put(files, "two/a.warc", "here");
  RecordSources records({std::make_shared<FolderRecords>(files, "one"), std::make_shared<FolderRecords>(files, "two")});
  EXPECT_EQ(text_of(records.open(in_file("a.warc"))), "here");
  const auto none = records.open(in_file("b.warc"));
  EXPECT_NE(none.error().message.find("one/b.warc"), std::string::npos);
  EXPECT_NE(none.error().message.find("two/b.warc"), std::string::npos);
}

TEST(PathIndex, FindsTheLinesOfAName) {
  io::MemoryFiles files;
  std::string text;
  for (int i = 1000; i < 4000; ++i) text += "f" + std::to_string(i) + ".warc.gz\t/x/" + std::to_string(i) + "\n";
  text += "g.warc\t/one/g.warc\t/two/g.warc\ng.warc\thttp://c.example/g.warc\ng.warc.gz\tnear/g\n";
  put(files, "p/paths.txt", text);
  put(files, "p/near/g", "relative");
  const auto index = PathIndex::open(files, "p/paths.txt", nullptr);
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ((*index)->places_of("f1000.warc.gz").value(), std::vector<std::string>{"/x/1000"});
  EXPECT_EQ((*index)->places_of("f3999.warc.gz").value(), std::vector<std::string>{"/x/3999"});
  EXPECT_EQ((*index)->places_of("g.warc").value(),
            (std::vector<std::string>{"/one/g.warc", "/two/g.warc", "http://c.example/g.warc"}));
  EXPECT_TRUE((*index)->places_of("f").value().empty());
  EXPECT_EQ(text_of((*index)->open(in_file("g.warc.gz"))), "relative");
  EXPECT_NE(text_of((*index)->open(in_file("none"))).find("p/paths.txt: the path index does not name none"),
            std::string::npos);
}

TEST(SourceFile, IsRead) {
  const auto list = parse_sources(
      "version: 1\narchives:\n  - folder: more\n  - path-index: /p.txt\n  - web: https://w.example/warcs\n    timeout: "
      "3s\n"
      "  - s3: s3://bucket/a/b\n    endpoint: http://s.example:9000\n    region: eu-1\n    credentials: keys\n"
      "  - s3: s3://bucket\n"
      "indexes:\n  - cdx: https://i.example/c/cdx\n  - cdx: https://o.example/all\n    mementos: "
      "https://o.example/web\n"
      "  - cdx: https://a.example/cdx/search/cdx\n    most: 5\n  - timemap: https://t.example/map/\n    name: t\n",
      "/srv/c/sources.yaml");
  ASSERT_TRUE(list) << list.error().message;
  ASSERT_EQ(list->archives.size(), 5u);
  EXPECT_EQ(list->archives[0].place, "/srv/c/more");
  EXPECT_EQ(list->archives[2].place, "https://w.example/warcs/");
  EXPECT_EQ(list->archives[2].timeout, std::chrono::seconds(3));
  EXPECT_EQ(list->archives[3].place, "a/b/");
  EXPECT_FALSE(list->archives[3].bucket.is_host_style);
  EXPECT_EQ(list->archives[3].credentials, "/srv/c/keys");
  EXPECT_TRUE(list->archives[4].bucket.is_host_style);
  ASSERT_EQ(list->indexes.size(), 4u);
  EXPECT_EQ(list->indexes[0].dialect, cdx::Dialect::pywb);
  EXPECT_EQ(list->indexes[0].name, "i.example");
  EXPECT_EQ(list->indexes[1].dialect, cdx::Dialect::outback);
  EXPECT_EQ(list->indexes[1].mementos, "https://o.example/web/");
  EXPECT_EQ(list->indexes[2].dialect, cdx::Dialect::internet_archive);
  EXPECT_EQ(list->indexes[2].most, 5u);
  EXPECT_EQ(list->indexes[3].mementos, "https://t.example/");
}

}  // namespace
}  // namespace caddis::sources
