#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/query_run.h"
#include "caddis/io/files.h"

namespace caddis::cdx {
namespace {

using enum Dialect;

std::string line(const std::string& time, const std::string& status, const std::string& digest,
                 const std::string& mime = "text/html", const std::string& more = "") {
  return "com,a)/ " + time + R"( {"url": "http://a.com/", "mime": ")" + mime + R"(", "status": ")" + status +
         R"(", "digest": ")" + digest + "\"" + more + R"(, "offset": ")" + time + R"(", "filename": "f"})";
}

class Dialects : public ::testing::Test {
 protected:
  void SetUp() override {
    index_.add_line(line("20200101000000", "200", "A"));
    index_.add_line(line("20200102000000", "200", "A"));
    index_.add_line(line("20200103000000", "301", "B", "text/html", R"(, "redirect": "http://www.a.com/")"));
    index_.add_line(line("20210101000000", "404", "C", "image/png"));
    index_.add_line(line("20210102000000", "200", "C", "image/svg+xml"));
  }
  // Times of what is found, the first 8 digits of each; or the refusal.
  std::string ask(const std::string& more, Dialect dialect = pywb) {
    const auto query = parse_query("url=http://a.com/" + more, dialect);
    if (!query) return query.error().message;
    const auto captures = run_query(index_, *query);
    if (!captures) return captures.error().message;
    std::string times;
    for (const Capture& capture : *captures) times += (times.empty() ? "" : " ") + capture.timestamp.substr(2, 6);
    return times;
  }

  // The lines of the answer, one behind another.
  std::string lines(const std::string& more, Dialect dialect = internet_archive) {
    const auto query = parse_query("url=http://a.com/" + more, dialect);
    if (!query) return query.error().message;
    const auto captures = run_query(index_, *query);
    if (!captures) return captures.error().message;
    std::string text;
    for (const Capture& capture : *captures) text += (text.empty() ? "" : "|") + format_capture(capture, *query);
    return text;
  }

  ManualClock clock_;
  CaptureIndex index_{io::real_files(), clock_, ""};
};

TEST_F(Dialects, FilterAsTheirServersDo) {
  EXPECT_EQ(ask("&filter=status:20"), "200101 200102 210102");
  EXPECT_EQ(ask("&filter==status:20"), "");
  EXPECT_EQ(ask("&filter=~status:20"), "200101 200102 210102");
  EXPECT_EQ(ask("&filter=!=status:200"), "200103 210101");
  EXPECT_EQ(ask("&filter=mime:svg%2bxml"), "210102");
  // A pattern that somebody wrote for another server is answered, not found to be nowhere.
  EXPECT_EQ(ask("&filter=status:2..%7C3.."), "200101 200102 200103 210102");
  EXPECT_EQ(ask("&filter=mime:image/.*"), "210101 210102");
  EXPECT_EQ(ask("&filter=!mime:image/.*"), "200101 200102 200103");

  EXPECT_EQ(ask("&filter=statuscode:2..", internet_archive), "200101 200102 210102");
  EXPECT_EQ(ask("&filter=statuscode:20", internet_archive), "");
  EXPECT_EQ(ask("&filter=!statuscode:200&filter=!mimetype:image.*", internet_archive), "200103");

  EXPECT_EQ(ask("&filter=status:20", outback), "");
  EXPECT_EQ(ask("&filter=~status:20", outback), "200101 200102 210102");
  EXPECT_EQ(ask("&filter=!~status:20", outback), "200103 210101");
  EXPECT_EQ(ask("&filter=~!status:20", outback), "200103 210101");
  EXPECT_EQ(ask("&filter=robotflags:-", outback), "200101 200102 200103 210101 210102");
  EXPECT_NE(ask("&filter=200", outback).find("a field is wanted"), std::string::npos);
  EXPECT_NE(ask("&filter=status:(", internet_archive).find("not a regular expression"), std::string::npos);
}

TEST_F(Dialects, CollapseCutAndPage) {
  EXPECT_EQ(ask("&collapse=digest"), "200101 200103 210101");
  EXPECT_EQ(ask("&collapse=timestamp:4"), "200101 210101");
  EXPECT_EQ(ask("&collapse=digest&collapse=statuscode", internet_archive), "200101 200103 210101 210102");
  EXPECT_EQ(ask("&collapseToLast=timestamp:4", outback), "200103 210102");
  EXPECT_EQ(ask("&limit=2"), "200101 200102");
  EXPECT_EQ(ask("&limit=-2"), "210101 210102");
  EXPECT_EQ(ask("&limit=-1&fastLatest=true", internet_archive), "210102");
  EXPECT_EQ(ask("&limit=-1&collapse=digest"), "210101");
  EXPECT_EQ(ask("&offset=3"), "210101 210102");
  EXPECT_EQ(ask("&page=0&pageSize=2"), "200101 200102");
  EXPECT_EQ(ask("&page=2&pageSize=2"), "210102");
  EXPECT_EQ(ask("&page=0"), "200101 200102 200103 210101 210102");
  EXPECT_EQ(ask("&page=1"), "");
  EXPECT_EQ(ask("&page=1&pageSize=2&limit=1"), "200103");
  EXPECT_EQ(ask("&from=2020&to=202001"), "200101 200102 200103");
  EXPECT_EQ(ask("&from=20200103&to=2021", internet_archive), "200103 210101 210102");
  EXPECT_EQ(ask("&omitSelfRedirects=true", outback), "200101 200102 210101 210102");
  EXPECT_EQ(ask("&sort=closest&closest=20200103000000&limit=2", outback), "200103 200102");
}

TEST_F(Dialects, GoOnWhereTheyStopped) {
  EXPECT_EQ(ask("&resumeKey=com,a)/+20200103000000"), "200103 210101 210102");
  EXPECT_EQ(ask("&resumeKey=com,a)/+20200103000000!"), "210101 210102");
  EXPECT_EQ(ask("&resumeKey=com%252Ca%2529%252F%2B20200103000000%2521"), "210101 210102");
  EXPECT_EQ(ask("&resumeKey=com,a)/+20200103000000+1"), "210101 210102");
  EXPECT_NE(ask("&resumeKey=nonsense").find("none that was shown here"), std::string::npos);
  EXPECT_NE(ask("&resumeKey=com,a)/+2020&sort=reverse").find("not together"), std::string::npos);
}

TEST_F(Dialects, RefuseWhatNobodyKnows) {
  EXPECT_EQ(ask("&limt=5"), "limt= is not known here; did you mean limit=?");
  EXPECT_EQ(ask("&showDupes=true", internet_archive).substr(0, 28), "showDupes= is not known here");
  EXPECT_EQ(ask("&showPagedIndex=true").substr(0, 33), "showPagedIndex= is not known here");
  EXPECT_NE(ask("&limit=x").find("a number"), std::string::npos);
  EXPECT_NE(ask("&urlkey=x").find("both url= and urlkey="), std::string::npos);
}

TEST_F(Dialects, CountDuplicates) {
  EXPECT_EQ(lines("&fl=digest&showDupeCount=true"), "A 0|A 1|B 0|C 0|C 1");
  EXPECT_EQ(lines("&fl=dupecount,digest"), "0 A|1 A|0 B|0 C|1 C");
  EXPECT_EQ(lines("&fl=digest&showDupeCount=false"), "A|A|B|C|C");
  // After filters and collapse=, before limits and the order that is asked for.
  EXPECT_EQ(lines("&fl=digest&showDupeCount=true&filter=statuscode:200"), "A 0|A 1|C 0");
  EXPECT_EQ(lines("&fl=digest&showDupeCount=true&collapse=timestamp:4"), "A 0|C 0");
  EXPECT_EQ(lines("&fl=timestamp&showDupeCount=true&collapseToLast=digest&limit=-2"),
            "20200103000000 0|20210102000000 0");
  EXPECT_EQ(lines("&fl=digest&showDupeCount=true&limit=-2"), "C 0|C 1");
  EXPECT_EQ(lines("&fl=digest&showDupeCount=true&sort=reverse&limit=2"), "C 1|C 0");
  EXPECT_EQ(lines("&fl=digest&showDupeCount=true&page=1&pageSize=1"), "A 1");
  EXPECT_EQ(lines("&fl=digest&showDupeCount=true&closest=20200102000000&limit=1"), "A 1");
  index_.add_line(line("20210103000000", "-", "C", "warc/revisit"));
  EXPECT_EQ(lines("&fl=mimetype&showDupeCount=true&limit=-1"), "image/svg+xml 2");
  EXPECT_EQ(lines("&fl=mimetype&limit=-1"), "warc/revisit");
}

TEST_F(Dialects, CountWhatIsSkipped) {
  const std::string both = "&fl=timestamp&showSkipCount=true&lastSkipTimestamp=true";
  const std::string by_year = "20200101000000 2 20200103000000|20210101000000 1 20210102000000";
  EXPECT_EQ(lines(both + "&collapse=timestamp:4"), by_year);
  EXPECT_EQ(lines(both + "&limit=1"), "20200101000000 0 20200101000000");
  EXPECT_EQ(lines(both + "&collapse=timestamp:4&limit=1"), by_year.substr(0, by_year.find('|')));
  EXPECT_EQ(lines(both + "&collapse=timestamp:4&offset=1"), by_year.substr(by_year.find('|') + 1));
  EXPECT_EQ(lines(both + "&collapse=timestamp:4&limit=-1"), by_year.substr(by_year.find('|') + 1));
  EXPECT_EQ(lines(both + "&collapse=timestamp:4&sort=reverse"),
            "20210101000000 1 20210102000000|20200101000000 2 20200103000000");
  EXPECT_EQ(lines(both + "&collapse=urlkey"), "20200101000000 4 20210102000000");
  EXPECT_EQ(lines(both + "&collapseToLast=timestamp:4"),
            "20200103000000 2 20200103000000|20210102000000 1 20210102000000");
  // A capture that a filter leaves out is counted for the one before it, whichever way is read.
  const std::string filtered = "&filter=!statuscode:301&filter=!mimetype:image/svg.*";
  EXPECT_EQ(lines(both + filtered),
            "20200101000000 0 20200101000000|20200102000000 1 20200103000000|"
            "20210101000000 1 20210102000000");
  EXPECT_EQ(lines(both + filtered + "&sort=reverse"),
            "20210101000000 1 20210102000000|"
            "20200102000000 1 20200103000000|20200101000000 0 20200101000000");
  EXPECT_EQ(lines(both + filtered + "&collapse=digest&sort=reverse"),
            "20210101000000 1 20210102000000|20200101000000 2 20200103000000");
  EXPECT_EQ(lines(both + "&closest=20200103000000&limit=1"), "20200103000000 0 20200103000000");
  EXPECT_EQ(lines(both + "&collapse=timestamp:4&to=202001"), "20200101000000 2 20200103000000");
  EXPECT_EQ(lines("&fl=timestamp&showGroupCount=true&collapse=timestamp:4"), "20200101000000 3|20210101000000 2");
  EXPECT_EQ(lines("&fl=endtimestamp&collapse=timestamp:4"), "20200103000000|20210102000000");
}

TEST_F(Dialects, CountDifferentDigests) {
  const std::string by_year = "20200101000000 3 2|20210101000000 2 1";
  EXPECT_EQ(lines("&fl=timestamp,groupcount,uniqcount&collapse=timestamp:4"), by_year);
  EXPECT_EQ(lines("&fl=timestamp&showGroupCount=true&showUniqCount=true&collapse=timestamp:4"), by_year);
  EXPECT_EQ(lines("&fl=timestamp,uniqcount&collapse=timestamp:4&sort=reverse"), "20210101000000 1|20200101000000 2");
  EXPECT_EQ(lines("&fl=timestamp,uniqcount&collapseToLast=timestamp:4"), "20200103000000 2|20210102000000 1");
  EXPECT_EQ(lines("&fl=timestamp,uniqcount&filter=!digest:B&from=20200102&to=2020"), "20200102000000 2");
  EXPECT_EQ(lines("&fl=timestamp,uniqcount&filter=!digest:B&from=20200102&to=2020&sort=reverse"), "20200102000000 2");
}

TEST_F(Dialects, ShowCountersInEachOutput) {
  const std::string one = "&limit=1&showSkipCount=true&showDupeCount=true&collapse=digest";
  const std::string key = "com,a)/ 20200101000000 http://a.com/ text/html 200 A";
  EXPECT_EQ(lines(one), key + " - 0 1");
  EXPECT_EQ(lines(one + "&output=json"),
            R"(["com,a)/","20200101000000","http://a.com/","text/html","200","A","-","0","1"])");
  EXPECT_EQ(lines(one, outback), key + " - - - 20200101000000 f 0 1");
  EXPECT_NE(lines(one, pywb).find(R"("dupecount": "0", "skipcount": "1"})"), std::string::npos);
  EXPECT_EQ(lines(one + "&fl=url", pywb),
            R"(com,a)/ 20200101000000 {"url": "http://a.com/", "dupecount": "0", "skipcount": "1"})");
}

// A capture that may not be seen is in no count.
TEST_F(Dialects, CountNothingThatIsHidden) {
  Query query = *parse_query("url=http://a.com/&collapse=urlkey&showSkipCount=true&lastSkipTimestamp=true");
  query.left_out.allowed = [](const Capture& capture) { return capture.timestamp < "2021"; };
  const auto captures = run_query(index_, query);
  ASSERT_EQ(captures->size(), 1U);
  EXPECT_EQ(field(captures->front(), kSkipCount), "2");
  EXPECT_EQ(field(captures->front(), kEndTimestamp), "20200103000000");
}

TEST_F(Dialects, GiveTheLast) {
  EXPECT_EQ(ask("&last=true", internet_archive), "210102");
  EXPECT_EQ(ask("&last=true&limit=2", internet_archive), "210101 210102");
  EXPECT_EQ(ask("&last=true&limit=-2", internet_archive), "210101 210102");
  EXPECT_EQ(ask("&last=false&limit=2", internet_archive), "200101 200102");
}

std::string format(const std::string& more, Dialect dialect) {
  const Capture capture =
      *parse_line("com,a)/ 20200101000000 {\"url\": \"http://a.com/\", \"status\": \"200\", \"offset\": \"5\"}");
  return format_capture(capture, *parse_query("url=a.com" + more, dialect));
}

TEST(DialectFormats, AreThoseOfTheirServers) {
  EXPECT_EQ(format("", internet_archive), "com,a)/ 20200101000000 http://a.com/ - 200 - -");
  EXPECT_EQ(format("&output=json", internet_archive),
            R"(["com,a)/","20200101000000","http://a.com/","-","200","-","-"])");
  EXPECT_EQ(format("&output=json&fl=timestamp,original", internet_archive), R"(["20200101000000","http://a.com/"])");
  EXPECT_EQ(format("", outback), "com,a)/ 20200101000000 http://a.com/ - 200 - - - - 5 -");
  EXPECT_EQ(format("&output=json&fl=timestamp,status,url", outback), R"([20200101000000,200,"http://a.com/"])");
  EXPECT_EQ(format("&output=jsondict&fl=status,url", outback), R"({"status": 200, "url": "http://a.com/"})");
  EXPECT_EQ(format("&output=json&fl=url", pywb), R"({"url": "http://a.com/"})");
}

TEST(DialectFormats, ShowTheRangeOfARecord) {
  const auto shown = [](const std::string& place) {
    const Capture capture = *parse_line("com,a)/ 20200101000000 {\"url\": \"http://a.com/\"" + place + "}");
    return format_capture(capture, *parse_query("url=a.com&output=json&fl=url,range", outback));
  };
  EXPECT_EQ(shown(R"(, "length": "10", "offset": "5")"), R"(["http://a.com/","bytes=5-14"])");
  EXPECT_EQ(shown(R"(, "offset": "5")"), R"(["http://a.com/","-"])");
}

TEST_F(Dialects, ShowOnlyWhatMayBeSeen) {
  Query query = *parse_query("url=http://a.com/&limit=1");
  query.left_out.allowed = [](const Capture& capture) { return capture.timestamp >= "2021"; };
  const auto captures = run_query(index_, query);
  ASSERT_EQ(captures->size(), 1U);
  EXPECT_EQ(captures->front().timestamp, "20210101000000");
}

TEST_F(Dialects, AskByKeyAndRange) {
  index_.add_line("com,b)/ 20200101000000 {\"url\": \"http://b.com/\"}");
  const auto count = [&](const std::string& text) { return run_query(index_, *parse_query(text, outback))->size(); };
  EXPECT_EQ(count("urlkey=com,a)/"), 5U);
  EXPECT_EQ(count("urlkey=com,&matchType=prefix"), 6U);
  EXPECT_EQ(count("urlkey=com,a)/x&matchType=range"), 1U);
  EXPECT_EQ(count("url=a.com&matchType=range"), 6U);
}

}  // namespace
}  // namespace caddis::cdx
