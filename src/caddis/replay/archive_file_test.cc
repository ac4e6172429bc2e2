// Archive files that are named by an index, and not there.
#include "caddis/replay/archive_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "caddis/replay/proxy_replay.h"
#include "caddis/replay/wayback_fixture.h"

namespace caddis::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class LostArchive : public WaybackTest {
 protected:
  void SetUp() override {
    std::string lines;
    for (int year = 2000; year < 2020; ++year)
      lines += "org,example)/ " + std::to_string(year) +
               R"(0101000000 {"url": "http://example.org/", "mime": "text/html")" +
               R"(, "status": "200", "offset": "0", "length": "10", "filename": "deep/lost.warc.gz"})" + '\n';
    put("data/c/indexes/1.cdxj", lines);
    put("data/c/sources.yaml", "archives:\n  - folder: /elsewhere/old\n");
    open_at("data/c");
  }
  static size_t count(std::string_view text, std::string_view word) {
    size_t found = 0;
    for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
    return found;
  }
  static void expect_told_once(const std::string& text) {
    EXPECT_EQ(count(text, "but it is not there"), 1U) << text;
    EXPECT_THAT(text, HasSubstr("lost.warc.gz: the index names"));
    EXPECT_THAT(text, Not(HasSubstr("/lost.warc.gz: the index names")));
    EXPECT_THAT(text, HasSubstr("It cannot be read now"));
    for (const std::string_view word : {"data/", "elsewhere", "Not in the archive"})
      EXPECT_THAT(text, Not(HasSubstr(word)));
  }
};

TEST_F(LostArchive, IsToldAsWhatCannotBeReadNow) {
  const auto page = get_for("document", "/c/2010/http://example.org/");
  EXPECT_EQ(page.status, 503);
  expect_told_once(page.body.substr(0, page.body.find("<table")));
  const auto picture = get("/c/20100101000000im_/http://example.org/", {{"Sec-Fetch-Dest", "image"}});
  EXPECT_EQ(picture.status, 503);
  expect_told_once(picture.body);
  const auto in_frame = get_for("iframe", "/c/2010mp_/http://example.org/", "c.localhost:8080");
  EXPECT_EQ(in_frame.status, 503);
  EXPECT_THAT(in_frame.body, HasSubstr("It cannot be read now"));
  EXPECT_EQ(get_for("document", "/c/2010/http://example.org/other").status, 404);
}

TEST_F(LostArchive, IsToldByTheProxyAndOnThePageOfACapture) {
  ProxyReplay proxy{ProxyCertificate()};
  http::ServerRequest request;
  request.method = "GET";
  request.target = "http://example.org/";
  const auto answer = proxy.handle(*wayback, request);
  EXPECT_EQ(answer.status, 503);
  expect_told_once(answer.body);
  const auto about = get("/c/info?url=http://example.org/&time=20100101000000");
  EXPECT_THAT(about.body, HasSubstr("lost.warc.gz: the index names this archive file, but it is not there"));
  EXPECT_THAT(about.body, Not(HasSubstr("elsewhere")));
}

TEST_F(LostArchive, AnAddressThatNoSourceHasIsNotThere) {
  put("data/c/indexes/2.cdxj",
      "org,evil)/ 20100101000000 {\"url\": \"http://evil.org/\", \"offset\": \"0\", "
      "\"filename\": \"http://other.org/2010/http://evil.org/\"}\n");
  open_at("data/c");
  const auto answer = get("/c/2010id_/http://evil.org/");
  EXPECT_EQ(answer.status, 404);
  EXPECT_THAT(answer.body, Not(HasSubstr("data/")));
  EXPECT_THAT(answer.body, Not(HasSubstr("elsewhere")));
  EXPECT_THAT(answer.body, HasSubstr("http://other.org/2010/http://evil.org/: the index names"));
}

TEST_F(LostArchive, IsReadAgainWhenItIsBack) {
  EXPECT_EQ(get("/c/2010id_/http://example.org/").status, 503);
  maker.response("http://example.org/", "20100101000000", http_ok("text/html", "back"));
  std::string line = R"(org,example)/ 20100101000000 {"url": "http://example.org/", "status": "200", "offset": "0", )";
  line += "\"length\": \"" + std::to_string(maker.bytes().size()) + R"(", "filename": "found.warc.gz"})" + '\n';
  put("data/c/indexes/2.cdxj", line);
  put("/elsewhere/old/found.warc.gz", maker.bytes());
  open_at("data/c");
  EXPECT_EQ(get("/c/20100101000000id_/http://example.org/").body, "back");
}

}  // namespace
}  // namespace caddis::replay
