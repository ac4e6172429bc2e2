#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>

#include "caddis/base/time_format.h"
#include "caddis/io/memory_files.h"
#include "caddis/reports/html_text.h"
#include "caddis/reports/report.h"
#include "caddis/reports/report_files.h"
#include "caddis/reports/report_page.h"
#include "caddis/reports/report_writer.h"
#include "caddis/reports/svg_chart.h"

namespace caddis::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Hosts and types are for others to invent.
Report hostile() {
  Report report{.name = "types-report",
                .title = "Types & more",
                .columns = {count("urls"), figure("slowest-ms"), word("type")},
                .rows = [](const RowCall& row) -> Result<void> {
                  TRY_VOID(row({"12", "7", "text/html"}));
                  TRY_VOID(row({"3", "", "a \"b\", c\r\nd"}));
                  return row({"1", "0", "<img src=http://evil.example/ onerror=x>"});
                }};
  return report;
}

TEST(ReportWriter, TextIsHeritrixs) {
  EXPECT_EQ(*write(Format::text, hostile(), 100),
            "[#urls] [slowest-ms] [type]\n"
            "12 7 text/html\n"
            "3 - a%20\"b\",%20c%0D%0Ad\n"
            "1 0 <img%20src=http://evil.example/%20onerror=x>\n");
}

TEST(ReportWriter, TextMayHaveLinesOfItsOwn) {
  Report report = hostile();
  report.text_line = [](std::string& text, const Row& row) { text += row[2].substr(0, 1) + ": " + row[0] + "\n"; };
  EXPECT_EQ(*write(Format::text, report, 100), "t: 12\na: 3\n<: 1\n");
}

// RFC 4180: a cell with a comma, a quotation mark or a line end is quoted; lines end with CR LF.
TEST(ReportWriter, CsvQuotesWhatItMust) {
  EXPECT_EQ(*write(Format::csv, hostile(), 100),
            "urls,slowest-ms,type\r\n"
            "12,7,text/html\r\n"
            "3,,\"a \"\"b\"\", c\r\nd\"\r\n"
            "1,0,<img src=http://evil.example/ onerror=x>\r\n");
}

TEST(ReportWriter, JsonHasNumbersAndNulls) {
  EXPECT_EQ(*write(Format::json, hostile(), 2),
            "{\"report\":\"types-report\",\"title\":\"Types & more\",\"columns\":[\"urls\",\"slowest-ms\",\"type\"],"
            "\"rows\":[\n{\"urls\":12,\"slowest-ms\":7,\"type\":\"text/html\"},\n"
            "{\"urls\":3,\"slowest-ms\":null,\"type\":\"a \\\"b\\\", c\\r\\nd\"}\n],\"is-cut\":true}\n");
}

TEST(ReportWriter, SaysThatItIsCut) {
  bool is_cut = false;
  EXPECT_EQ(*write(Format::csv, hostile(), 1, &is_cut), "urls,slowest-ms,type\r\n12,7,text/html\r\n");
  EXPECT_TRUE(is_cut);
  EXPECT_TRUE(write(Format::json, hostile(), 1, &is_cut)->ends_with("}\n],\"is-cut\":true}\n"));
  EXPECT_TRUE(write(Format::csv, hostile(), 3, &is_cut));
  EXPECT_FALSE(is_cut);
}

TEST(ReportWriter, AnEmptyReportHasItsHead) {
  Report report = hostile();
  report.rows = [](const RowCall&) -> Result<void> { return {}; };
  EXPECT_EQ(*write(Format::text, report, 1), "[#urls] [slowest-ms] [type]\n");
  EXPECT_EQ(*write(Format::csv, report, 1), "urls,slowest-ms,type\r\n");
  EXPECT_TRUE(write(Format::json, report, 1)->ends_with("\"rows\":[\n]}\n"));
}

TEST(ReportFiles, AreThreeFromOnePass) {
  io::MemoryFiles files;
  ASSERT_TRUE(files.make_dirs("/r"));
  int passes = 0;
  Report report = hostile();
  const auto rows = report.rows;
  report.rows = [&](const RowCall& row) {
    ++passes;
    return rows(row);
  };
  size_t also = 0;
  ASSERT_TRUE(write_files(files, "/r", report, [&](const Row&) -> Result<void> {
    ++also;
    return {};
  }));
  EXPECT_EQ(passes, 1);
  EXPECT_EQ(also, 3u);
  for (const Format format : kFormats)
    EXPECT_EQ(*files.read_all("/r/types-report." + std::string(ending_of(format))), *write(format, report, 100));
  EXPECT_EQ(files.list("/r")->size(), 3u);
}

TEST(ReportFiles, AreOnlyThoseThatAreAskedFor) {
  io::MemoryFiles files;
  ASSERT_TRUE(files.make_dirs("/r"));
  ASSERT_TRUE(files.write_atomically("/r/types-report.csv", "old"));
  ASSERT_TRUE(write_files(files, "/r", hostile(), nullptr, std::array{Format::text}));
  EXPECT_EQ(*files.read_all("/r/types-report.txt"), *write(Format::text, hostile(), 100));
  EXPECT_EQ(*files.read_all("/r/types-report.csv"), "old");
  EXPECT_FALSE(files.exists("/r/types-report.json"));
}

// In text a phrase is one word, as people read it; elsewhere it stands as it is.
TEST(TextWriter, HyphenatesPhrases) {
  Report report{.name = "words", .columns = {word("words")}};
  report.columns[0].is_hyphenated = true;
  report.rows = [](const RowCall& row) -> Result<void> { return row({"Not Found"}); };
  EXPECT_EQ(*write(Format::text, report, 1), "[words]\nNot-Found\n");
  EXPECT_EQ(*write(Format::csv, report, 1), "words\r\nNot Found\r\n");
}

TEST(ReportFiles, LeaveTheOldOneIfRowsFail) {
  io::MemoryFiles files;
  ASSERT_TRUE(files.make_dirs("/r"));
  ASSERT_TRUE(files.write_atomically("/r/types-report.csv", "old"));
  Report report = hostile();
  report.rows = [](const RowCall&) -> Result<void> { return fail(ErrorCode::io, "no disk"); };
  EXPECT_FALSE(write_files(files, "/r", report));
  EXPECT_EQ(*files.read_all("/r/types-report.csv"), "old");
}

TEST(ReportPage, ShowsTextFromTheWebAsText) {
  ReportPage page("c<script>", "Finished \"so\"", *parse_timestamp("20260102030405"));
  const Report report = hostile();
  ASSERT_TRUE(report.rows(page.add_table(report)));
  page.add_link("../logs/crawl.log", "crawl.log");
  const std::string html = page.html();
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, HasSubstr("&lt;img src=http://evil.example/ onerror=x&gt;"));
  EXPECT_THAT(html, HasSubstr("content=\"default-src 'none';"));
  EXPECT_THAT(html, HasSubstr("<a href=\"types-report.csv\">CSV</a>"));
  EXPECT_THAT(html, HasSubstr("3 rows"));
}

TEST(ReportPage, HoldsTheFirstRowsOfMany) {
  ReportPage page("c", "", WallTime());
  Report report = hostile();
  report.rows = [](const RowCall& row) -> Result<void> {
    for (size_t i = 0; i < 100'000; ++i) TRY_VOID(row({std::to_string(i), "", "x"}));
    return {};
  };
  ASSERT_TRUE(report.rows(page.add_table(report)));
  const std::string html = page.html();
  EXPECT_THAT(html, HasSubstr("the first 500 of 100000 rows"));
  EXPECT_LT(html.size(), 100'000u);
}

TEST(SvgChart, DrawsWhatItIsGiven) {
  const WallTime begin = *parse_timestamp("20260102030000");
  TimeChart chart{.title = "a \"b\"", .points = {{begin, 0}, {begin + std::chrono::hours(1), 90}}};
  const std::string svg = draw(chart);
  EXPECT_THAT(svg, HasSubstr("points=\"58.0,174.0 450.0,26.4\" class=\"line\""));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"a &quot;b&quot;\""));
  EXPECT_THAT(svg, HasSubstr(">03:30<"));
  EXPECT_THAT(svg, HasSubstr(">100<"));
  chart.points.pop_back();
  EXPECT_THAT(draw(chart), HasSubstr("nothing to draw"));
}

TEST(SvgChart, BarsAreAsLongAsTheirValues) {
  const std::string svg = draw(BarChart{.title = "t", .bars = {{"<b>", 10}, {"c", 5}}});
  EXPECT_THAT(svg, HasSubstr("width=\"226.0\""));
  EXPECT_THAT(svg, HasSubstr("width=\"113.0\""));
  EXPECT_THAT(svg, Not(HasSubstr("<b>")));
}

TEST(SvgChart, NumbersAreShort) {
  EXPECT_EQ(short_number(0, Unit::number), "0");
  EXPECT_EQ(short_number(0.25, Unit::number), "0.25");
  EXPECT_EQ(short_number(1500, Unit::number), "1.5k");
  EXPECT_EQ(short_number(2'000'000, Unit::bytes), "2 MB");
  EXPECT_EQ(short_number(123'456, Unit::bytes), "123 KB");
}

TEST(Names, AreMeantByShorterOnes) {
  const std::vector<std::string> of_hosts = {"hosts", "hosts-report", "crawl-hosts", "frontier-hosts-report"};
  EXPECT_EQ(names_meant("hosts"), of_hosts);
  EXPECT_EQ(names_meant("hosts.txt"), of_hosts);
  EXPECT_EQ(names_meant("hosts-report.txt").front(), "hosts-report");
}

}  // namespace
}  // namespace caddis::reports
