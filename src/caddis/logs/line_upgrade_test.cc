#include "caddis/logs/line_upgrade.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "caddis/logs/json_line.h"

namespace caddis::logs {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kDigest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";

// The line comes back as it was.
UpgradedLine there_and_back(std::string_view text) {
  UpgradedLine upgraded = upgraded_line(text, 7);
  JsonLine line;
  EXPECT_TRUE(line.parse(upgraded.json)) << upgraded.json;
  EXPECT_EQ(downgraded_line(line), text) << upgraded.json;
  EXPECT_EQ(legacy_number(line), 7u);
  return upgraded;
}

// All of it is in typed fields.
void expect_typed(std::string_view text, std::string_view log) {
  const UpgradedLine upgraded = there_and_back(text);
  EXPECT_EQ(upgraded.log, log);
  EXPECT_THAT(upgraded.json, HasSubstr("\"legacy\":{\"n\":7}"));
}

std::string captured(std::string_view annotations) {
  return "2026-01-02T03:04:05.006Z   200       1270 http://a.example/x LE http://a.example/ text/html #011 "
         "20260102030404906+100 " +
         std::string(kDigest) + " http://a.example/ " + std::string(annotations);
}

TEST(UpgradedLine, CaddisOwnFormsAreTyped) {
  expect_typed(captured("-"), "http");
  expect_typed(
      "2026-01-02T03:04:06.001Z    -2          - http://b.example/ - - unknown #001 20260102030405900+101 - "
      "http://b.example/ 30t",
      "failures");
  expect_typed("2026-01-02T03:04:06.001Z -9998          - http://b.example/p L http://b.example/ unknown #001 - - - -",
               "not-crawled");
  // A look-up has no field for the digest.
  const UpgradedLine dns = there_and_back(
      "2026-01-02T03:04:06.001Z     1         56 dns:b.example LP http://b.example/ text/dns #001 "
      "20260102030405900+1 " +
      std::string(kDigest) + " - -");
  EXPECT_EQ(dns.log, "dns");
  EXPECT_THAT(dns.json, HasSubstr("\"legacy\":{\"n\":7,\"digest\":\"" + std::string(kDigest) + "\"}"));
  for (const char* annotations :
       {"2t", "again:1", "lenTrunc", "timeTrunc", "disconnectTrunc", "headerTrunc", "midFetchAbort", "httpProblem",
        "unsatisfiableContentEncoding:x", "decodeProblem", "readTrunc", "dol:12", "noRecords",
        "directives:noindex+noarchive", "againstRobots",
        "2t,again:1,lenTrunc,httpProblem,dol:3,duplicate:digest,warcRevisit:digest,"
        "revisitOf:20261121004500100:http://a.example/x,noRecords",
        "duplicate:digest,warcRevisit:uriAgnosticDigest,revisitOf:20261121004500100:http://h/a%2Cb%252C",
        "duplicate:server-not-modified,warcRevisit:notModified,revisitOf:20261121004500100:http://a.example/x"})
    expect_typed(captured(annotations), "http");
  for (const auto& [status, annotation] : {std::pair("-5003", "Q:server-successes"),
                                           {"-5004", "limit:max-documents"},
                                           {"-5010", "refused:10.0.0.7"},
                                           {"-5000", "scope:reject%20url"},
                                           {"-6000", "-"},
                                           {"-4010", "-"}})
    expect_typed("2026-01-02T03:04:06.001Z " + std::string(status) +
                     "          - http://b.example/p L http://b.example/ unknown #000 - - - " + annotation,
                 "not-crawled");
  expect_typed("2026-01-02T03:04:06.001Z    -5          - http://b.example/p L - unknown #002 - - - hung:2:extract",
               "failures");
  expect_typed("2026-01-02T03:04:06.001Z -3000          - http://b.example/p L - unknown #002 - - - noRoom",
               "failures");
}

TEST(UpgradedLine, FieldsAreThoseOfTheNewLogs) {
  const std::string json =
      upgraded_line(captured("duplicate:digest,warcRevisit:digest,revisitOf:20261121004500100:http://b.example/"), 3)
          .json;
  EXPECT_EQ(json,
            "{\"time\":\"2026-01-02T03:04:05.006Z\",\"url\":\"http://a.example/x\",\"status\":200,"
            "\"begun\":\"2026-01-02T03:04:04.906Z\",\"duration_ms\":100,\"mime\":\"text/html\","
            "\"digest\":\"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\",\"body_size\":1270,\"hops\":\"LE\","
            "\"via\":\"http://a.example/\",\"seed\":\"http://a.example/\",\"lane\":11,"
            "\"revisit\":\"identical-payload-digest\",\"original_url\":\"http://b.example/\","
            "\"original_time\":\"2026-11-21T00:45:00.100Z\",\"likeness\":\"url\",\"legacy\":{\"n\":3}}");
}

// Heritrix's own lines, its JSON behind them, and what NetarchiveSuite and the DeDuplicator note.
TEST(UpgradedLine, HeritrixAndItsFriends) {
  const std::string page =
      "2013-03-20T15:26:05.000Z   200       2064 http://netpreserve.org/logo.png LE http://netpreserve.org/ image/png "
      "#013 20130320152604787+212 " +
      std::string(kDigest) + " - duplicate:\"IAH-2013,1.warc,20130320152604\",content-size:2471,3t";
  const UpgradedLine duplicate = there_and_back(page);
  EXPECT_EQ(duplicate.log, "http");
  EXPECT_THAT(duplicate.json, HasSubstr("\"original_time\":\"2013-03-20T15:26:04.000Z\""));
  EXPECT_THAT(duplicate.json, HasSubstr("\"received\":2471,\"head_size\":407,\"body_size\":2064"));
  EXPECT_THAT(duplicate.json, HasSubstr("\"attempts\":3"));
  EXPECT_THAT(duplicate.json, HasSubstr("\"annotations\":\"duplicate:"));

  const UpgradedLine extra = there_and_back(
      page + " {\"contentSize\":2475,\"warcFilename\":\"WEB-1.warc.gz\",\"warcFileOffset\":812,\"other\":[1,{}]}");
  EXPECT_THAT(extra.json, HasSubstr("\"warc\":\"WEB-1.warc.gz\",\"offset\":812"));
  EXPECT_THAT(extra.json, HasSubstr("\"extra\":\"{\\\"contentSize\\\":2475"));

  for (const std::string_view line :
       {"2013-03-20T15:26:06.000Z    -6          - http://gone.org/ L http://netpreserve.org/ unknown #001 - - - -",
        "2013-03-20T15:26:06.000Z     1         53 dns:www.archive.org P http://www.archive.org/ text/dns #044 "
        "20130320152605937+40 sha1:Z6XDZNWNLXEBFWGTUVQVVYUNZOSVQGUK - -",
        "2013-03-20T15:26:06.000Z   404        345 http://a.org/robots.txt EP http://a.org/ text/html #010 "
        "20130320152605937+40 sha1:Z6XDZNWNLXEBFWGTUVQVVYUNZOSVQGUK http://a.org/ 2t,unknownNote:x;y,\"quoted, comma\"",
        "2013-03-20T15:26:06.000Z   226    1000000 ftp://a.org/x L http://a.org/ application/octet-stream #010 "
        "20130320152605937+4000 sha1:Z6XDZNWNLXEBFWGTUVQVVYUNZOSVQGUK http://a.org/ -",
        "2013-03-20T15:26:06.000Z  2001        512 whois:a.org L http://a.org/ text/plain #010 "
        "20130320152605937+4000 - http://a.org/ ip:192.0.2.1",
        "2013-03-20T15:26:06.000Z   200          - http://a.org/ L http://a.org/ no-type #010 20130320152605937+0 - - "
        "-",
        "20130320152606000   200          9 http://a.org/ L http://a.org/ no-type #010 20130320152605937+0 - - -",
        "2013-03-20T15:26:06.000Z -5002          - http://a.org/a,b 12+LLLLL http://a.org/ unknown #010 - - - deny",
        "2013-03-20T15:26:06.000Z -4100          - http://a.org/ L http://a.org/ unknown #010 - - - -",
        "2013-03-20T15:26:06.000Z 200 1 http://a.org/ L http://a.org/ text/html #9 20130320152605937+1 - - -",
        "2013-03-20T15:26:06.000Z   200          1 http://a.org/ L http://a.org/ text/html #009 20130320152605937+1 - "
        "-"})
    there_and_back(line);
}

// The protocols that have a log are a closed list: a scheme names no file, and no other log.
TEST(UpgradedLine, OtherSchemesStandInOneLog) {
  const auto log = [](std::string_view url, std::string_view status = "200") {
    return there_and_back("2026-01-02T03:04:05.006Z   " + std::string(status) + "          1 " + std::string(url) +
                          " L - text/plain #001 - - - -")
        .log;
  };
  for (const char* url : {"scope:x", "pages:x", "failures:x", "outlinks:x", "mirror:x", "httpx://a/", "gopher://a/"})
    EXPECT_EQ(log(url), kLegacyLog) << url;
  EXPECT_EQ(log("https://a/"), "http");
  EXPECT_EQ(log("http://a/", "2001"), kLegacyLog);
  EXPECT_EQ(log("whois:a", "2001"), "whois");
  EXPECT_EQ(log("file:///a", "226"), "file");
  EXPECT_EQ(log("ftp://a/x", "226"), "ftp");
  EXPECT_EQ(log("sftp://a/x", "226"), "sftp");
  EXPECT_EQ(log("gopher://a/", " -1"), "failures");
}

// Each member once, and only what its log has.
TEST(UpgradedLine, OddLinesAreLinesOfTheSchema) {
  const auto members = [](std::string_view text) {
    const UpgradedLine upgraded = there_and_back(text);
    JsonLine line;
    EXPECT_TRUE(line.parse(upgraded.json));
    std::string names;
    for (const JsonLine::Member& member : line.members()) names.append(member.name).append(" ");
    return names;
  };
  const std::string end = "          - http://b.example/p L - unknown #000 - - - ";
  EXPECT_EQ(members("2026-01-02T03:04:06.001Z -5000" + end + "scope:a,scope:b"),
            "time url status scheme hops rule legacy ");
  EXPECT_EQ(members("2026-01-02T03:04:06.001Z -5000" + end + "Q:,1t,hung:x,dol:2,duplicate:digest"),
            "time url status scheme hops legacy ");
  EXPECT_EQ(members("2026-01-02T03:04:06.001Z    -5" + end + "hung:x"), "time url status scheme hops legacy ");
  EXPECT_EQ(members("20260102030406   -5          - http://b.example/p 3+LE - unknown #-02 - - - -"),
            "time url status scheme hops legacy ");
  EXPECT_EQ(members("2026-01-02T03:04:06.001Z    -5          - http://b.example/p x1 - unknown #001 - - - -"),
            "time url status scheme lane legacy ");
  EXPECT_EQ(members("yesterday -5 - http://b.example/p L - unknown #001 - - - -"), "legacy ");
  const std::string json =
      there_and_back(captured("-") + R"( {"warcFilename":"w","warcFileOffset":007,"contentSize":-1})").json;
  EXPECT_THAT(json, HasSubstr(R"("warc":"w","offset":7,"legacy")"));
}

TEST(UpgradedLine, LinesEndAsTheyDid) {
  for (const std::string& line : {captured("-") + "\r", std::string("\r"), std::string("nonsense\r")})
    there_and_back(line);
}

TEST(UpgradedLine, HeadersNameTheFields) {
  JsonLine line;
  const std::string http = upgraded_header("http"), ftp = upgraded_header("ftp"), other = upgraded_header(kLegacyLog);
  ASSERT_TRUE(line.parse(http));
  EXPECT_TRUE(line.is_header());
  EXPECT_THAT(json_texts_of(line.raw("fields")), testing::Contains("head_size"));
  EXPECT_THAT(json_texts_of(line.raw("fields")), testing::Not(testing::Contains("rule")));
  EXPECT_EQ(line.raw("converted"), "true");
  ASSERT_TRUE(line.parse(ftp));
  EXPECT_EQ(line.copy("log"), "ftp");
  ASSERT_TRUE(line.parse(other));
  EXPECT_EQ(line.raw("fields"), "[\"legacy\"]");
}

TEST(UpgradedLine, UnknownFormsAreKept) {
  for (const std::string_view line :
       {std::string_view(""), std::string_view(" "), std::string_view("nonsense"), std::string_view("a \"b\" \\ \t c"),
        std::string_view("\xff\xfe\0 x", 5), std::string_view("t two 3 u h v m t f d s a")}) {
    const UpgradedLine upgraded = there_and_back(line);
    EXPECT_EQ(upgraded.log, kLegacyLog);
  }
  const std::string latin = captured("caf\xe9");
  EXPECT_THAT(there_and_back(latin).json, HasSubstr("\"hex\":"));
  EXPECT_THAT(there_and_back(latin + "\r").json, HasSubstr("\"status\":200"));
  const std::string last = upgraded_line("the last", 9, false).json;
  JsonLine line;
  ASSERT_TRUE(line.parse(last));
  EXPECT_TRUE(legacy_lacks_end(line));
  EXPECT_EQ(downgraded_line(line), "the last");
}

// Lines that a crawl wrote, which have more than a column says.
TEST(DowngradedLine, LinesOfCrawls) {
  JsonLine line;
  ASSERT_TRUE(line.parse(
      R"({"time":"2026-01-02T03:04:05.006Z","url":"http://a.example/x","status":200,"begun":"2026-01-02T03:04:04.906Z",)"
      R"("duration_ms":100,"connect_ms":20,"mime":"text/html","received":1270,"head_size":270,"body_size":1000,)"
      R"("hops":"LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLE","lane":1,)"
      R"("extra":{"words":["seen by a script","b"],"failed_modules":["x.lua"],"unmirrored":1},"warc":"w","offset":1})"));
  EXPECT_EQ(downgraded_line(line),
            "2026-01-02T03:04:05.006Z   200       1000 http://a.example/x 3+" + std::string(49, 'L') +
                "E - text/html #001 20260102030404906+100 - - seen%20by%20a%20script,b,moduleError:x.lua,notMirrored");
  ASSERT_TRUE(line.parse(
      R"({"time":"2026-01-02T03:04:06.001Z","url":"http://b.example/","status":"connect-timeout","scheme":"http",)"
      R"("reason":"no connection in time","attempts":30,"hops":"L"})"));
  EXPECT_EQ(downgraded_line(line),
            "2026-01-02T03:04:06.001Z    -2          - http://b.example/ L - unknown #000 - - - 30t");
  EXPECT_EQ(legacy_number(line), 0u);
}

TEST(JsonLine, Members) {
  JsonLine line;
  ASSERT_TRUE(
      line.parse(R"( { "a" : "b\"\\" , "n":-12,"t":true,"o":{"x":["}","\"]"]},"u":"\u00e9\ud83d\ude00\ud83d\n"} )"));
  EXPECT_EQ(line.copy("a"), "b\"\\");
  EXPECT_EQ(line.number("n"), -12);
  EXPECT_EQ(line.raw("t"), "true");
  EXPECT_EQ(line.raw("o"), R"({"x":["}","\"]"]})");
  EXPECT_EQ(line.copy("u"), "é😀\xEF\xBF\xBD\n");
  EXPECT_EQ(line.raw("missing"), "");
  EXPECT_TRUE(line.parse("{}"));
  for (const std::string_view bad : {"", "{", "}", "[]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1}x",
                                     "{\"a\":\"b}", "{\"a\":{]}", "{\"a\\\":1}", "{a:1}", "{\"a\":[}"})
    EXPECT_FALSE(line.parse(bad)) << bad;
  EXPECT_FALSE(line.parse("{\"a\":" + std::string(200, '[') + std::string(200, ']') + "}"));
}

TEST(JsonLine, StatusAsInCrawlLog) {
  const auto status = [](const std::string& members) {
    const std::string text = "{" + members + "}";
    JsonLine line;
    EXPECT_TRUE(line.parse(text));
    return status_of(line).value_or(-1000);
  };
  EXPECT_EQ(status(R"("url":"http://a/","status":404)"), 404);
  EXPECT_EQ(status(R"("url":"dns:a","status":0)"), 1);
  EXPECT_EQ(status(R"("url":"http://a/","status":"robots-excluded")"), -9998);
  EXPECT_EQ(status(R"("url":"http://a/","status":"connect-timeout")"), -2);
  EXPECT_EQ(status(R"("url":"http://a/","status":"what")"), -1000);
  EXPECT_EQ(status(R"("url":"http://a/")"), -1000);
}

}  // namespace
}  // namespace caddis::logs
