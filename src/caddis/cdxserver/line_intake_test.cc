#include "caddis/cdxserver/line_intake.h"

#include <gtest/gtest.h>

#include <string>

#include "caddis/base/clock.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/query_run.h"
#include "caddis/cdxserver/query_answer.h"
#include "caddis/cdxserver/xml_query.h"
#include "caddis/io/files.h"
#include "support/testdata.h"

namespace caddis::cdxserver {
namespace {

class LineIntakeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = cdx::CaptureStore::open(temp_ / "store");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
    index_.add_source(store_);
  }
  // The number of lines taken, or the refusal.
  std::string take(const std::string& text, const IntakeOptions& options = {}, size_t step = SIZE_MAX) {
    LineIntake intake(*store_, options);
    for (size_t at = 0; at < text.size(); at += std::min(step, text.size() - at))
      if (const auto taken = intake.take(std::string_view(text).substr(at, step)); !taken) return taken.error().message;
    const auto finished = intake.finish();
    return finished ? std::to_string(intake.taken()) : finished.error().message;
  }
  size_t count(const std::string& query) { return cdx::run_query(index_, *cdx::parse_query(query))->size(); }
  std::string answer(const std::string& query, cdx::Dialect dialect = cdx::Dialect::internet_archive) {
    http::ServerRequest request;
    request.query = query;
    http::ServerResponse response = answer_query_string(index_, dialect, request, clock_);
    return std::to_string(response.status) + ' ' + *http::whole_body(response);
  }

  testing::TempDir temp_;
  ManualClock clock_;
  cdx::CaptureIndex index_{io::real_files(), clock_, ""};
  std::shared_ptr<cdx::CaptureStore> store_;
};

constexpr const char* k11 =
    "- 20200101000000 http://www.example.org/A text/html 200 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA - - 1043 333 a.warc.gz\n";

TEST_F(LineIntakeTest, TakesLinesOfAllKinds) {
  const std::string text = std::string(" CDX N b a m s k r M S V g\n") + k11 +
                           "x 20200102000000 http://example.org/a text/html 200 A - 400 b.warc.gz\n"
                           "x 20200103000000 http://example.org/a text/html 200 A - - 400 b.warc.gz\r\n"
                           "x 20200104000000 http://example.org/a warc/revisit - A - - 1 2 c.warc.gz 3 4 d.warc.gz\n"
                           "\n"
                           R"(x 20200105000000 {"url": "http://example.org/a", "offset": 5, "filename": "e.warc.gz"})";
  // The header is that of 11 fields; the others are told by their number.
  for (const size_t step : {SIZE_MAX, size_t{7}}) EXPECT_EQ(take(text, {}, step), "5");
  EXPECT_EQ(count("url=example.org/a"), 5U);
  IntakeOptions deletion;
  deletion.is_deletion = true;
  EXPECT_EQ(take(k11, deletion), "1");
  EXPECT_EQ(count("url=example.org/a"), 4U);
}

TEST_F(LineIntakeTest, TellsTheBadLineAndWhatWasDone) {
  IntakeOptions options;
  EXPECT_EQ(take(std::string(k11) + "nonsense here\n").substr(0, 7), "line 2:");
  EXPECT_EQ(count("url=example.org/a"), 0U);
  options.part_lines = 1;
  const std::string told = take(std::string(k11) + "nonsense here\n", options);
  EXPECT_NE(told.find("lines 1 to 1 were done"), std::string::npos) << told;
  EXPECT_EQ(count("url=example.org/a"), 1U);
  options.skip_bad = true;
  EXPECT_EQ(take(std::string("nonsense here\n") + k11, options), "1");
  EXPECT_EQ(take(std::string((4 << 20) + 100, 'x')), "line 1 is longer than 4 MiB");
}

TEST_F(LineIntakeTest, KeepsKeysOfRequestsWithBodies) {
  EXPECT_EQ(
      take("org,example)/?__wb_method=post&q=x 20200101000000 {\"url\": \"http://example.org/\", \"filename\": \"f\"}\n"
           "z 20200101000000 {\"url\": \"http://example.org/\", \"method\": \"POST\", \"requestBody\": \"q=y\", "
           "\"filename\": \"f\"}\n"),
      "2");
  EXPECT_EQ(count("urlkey=org,example)/?__wb_method=post%26q=x"), 1U);
  EXPECT_EQ(count("url=http://example.org/&method=POST&requestBody=q=y"), 1U);
  EXPECT_EQ(count("url=http://example.org/"), 0U);
}

TEST_F(LineIntakeTest, AliasesComeAndGo) {
  EXPECT_EQ(take(std::string(k11) + "@alias http://old.example.org/ http://example.org/a\n"), "2");
  EXPECT_EQ(count("url=http://old.example.org/"), 1U);
  IntakeOptions deletion;
  deletion.is_deletion = true;
  EXPECT_EQ(take("@alias http://old.example.org/ http://example.org/a\n", deletion), "1");
  EXPECT_EQ(count("url=http://old.example.org/"), 0U);
  EXPECT_NE(take("@alias one\n").find("an alias is written as"), std::string::npos);
}

TEST_F(LineIntakeTest, AnswersInParts) {
  std::string lines;
  for (int i = 0; i < 7; ++i)
    lines += "x 2020010100000" + std::to_string(i / 3) + " http://example.org/a text/html 200 A - - 1 " +
             std::to_string(i) + " f\n";
  ASSERT_EQ(take(lines), "7");
  // Three captures a second: an answer ends within one, and nothing is lost or given twice.
  std::string key, all;
  for (int part = 0; part < 10; ++part) {
    const std::string text =
        answer("url=example.org/a&fl=offset&limit=2&showResumeKey=true&resumeKey=" + key).substr(4);
    const size_t end = text.find("\n\n");
    all += text.substr(0, end == std::string::npos ? text.size() : end + 1);
    if (end == std::string::npos) break;
    key = text.substr(end + 2, text.size() - end - 3);
  }
  EXPECT_EQ(all, "0\n1\n2\n3\n4\n5\n6\n");
  EXPECT_EQ(answer("url=example.org/a&showNumPages=true&pageSize=3"), "200 3\n");
  EXPECT_EQ(answer("url=example.org/a&showNumPages=true&pageSize=3", cdx::Dialect::pywb),
            "200 {\"pages\":3,\"pageSize\":3,\"blocks\":3}\n");
  EXPECT_EQ(answer("url=example.org/a&page=3&pageSize=3").substr(0, 3), "400");
  EXPECT_EQ(answer("url=example.com/&page=0").substr(0, 3), "404");
  EXPECT_EQ(answer("url=example.org/a&output=json&fl=offset&limit=2&showResumeKey=true"),
            "200 [[\"offset\"],\n[\"0\"],\n[\"1\"],\n[],\n[\"org%2Cexample%29%2Fa+20200101000000+2\"]]\n");
  EXPECT_EQ(answer("url=example.com/&output=json"), "200 []\n");
}

TEST_F(LineIntakeTest, AnswersAreLimited) {
  std::string lines;
  for (int i = 0; i < 3000; ++i)
    lines += "x 20200101000000 http://example.org/a text/html 200 A - - 1 " + std::to_string(i) + " f\n";
  ASSERT_EQ(take(lines), "3000");
  http::ServerRequest request;
  request.query = "url=example.org/a&showResumeKey=true";
  AnswerLimits limits;
  limits.bytes = 1000;
  http::ServerResponse response = answer_query_string(index_, cdx::Dialect::internet_archive, request, clock_, limits);
  const std::string text = *http::whole_body(response);
  EXPECT_LT(text.size(), 1500U);
  EXPECT_NE(text.find("\n\norg%2Cexample%29%2Fa+20200101000000+"), std::string::npos);
  request.query = "url=example.org/a";
  response = answer_query_string(index_, cdx::Dialect::internet_archive, request, clock_, limits);
  EXPECT_EQ(response.status, 413);
}

TEST_F(LineIntakeTest, SpeaksTheXmlOfOpenWayback) {
  ASSERT_EQ(take(std::string(k11) + "x 20200102000000 http://example.org/a&b text/html 200 A - - 400 b.warc.gz\n"),
            "2");
  const auto ask = [&](const std::string& query) {
    http::ServerRequest request;
    request.query = query;
    http::ServerResponse response = answer_xml_query(index_, request, clock_, CaptureFilter(), {});
    return *http::whole_body(response);
  };
  const std::string one = ask("q=type:urlquery+url:http%253A%252F%252Fexample.org%252Fa");
  EXPECT_NE(one.find("<compressedoffset>333</compressedoffset><compressedendoffset>1043</compressedendoffset>"),
            std::string::npos)
      << one;
  EXPECT_NE(one.find("<numreturned>1</numreturned>"), std::string::npos);
  const std::string urls = ask("q=type%3Aprefixquery+url%3Ahttp%253A%252F%252Fexample.org%252F&count=1");
  EXPECT_NE(urls.find("<numcaptures>1</numcaptures>"), std::string::npos) << urls;
  EXPECT_NE(urls.find("<numreturned>1</numreturned><numresults>2</numresults>"), std::string::npos) << urls;
  EXPECT_NE(ask("q=type:urlquery+url:http://none.example/").find("Resource Not In Archive"), std::string::npos);
  EXPECT_NE(ask("q=type:other+url:http://none.example/").find("Unsupported query type"), std::string::npos);
  // XML is UTF-8, whatever a line has.
  ASSERT_EQ(take("x 20200103000000 http://example.org/c te\xE9xt 200 A - - 400 b.warc.gz\n"), "1");
  const std::string latin = ask("q=type:urlquery+url:http://example.org/c");
  EXPECT_NE(latin.find("<mimetype>te\uFFFDxt</mimetype>"), std::string::npos) << latin;
}

}  // namespace
}  // namespace caddis::cdxserver
