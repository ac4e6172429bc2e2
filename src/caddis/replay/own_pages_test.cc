// The archive's own pages: languages, calendars, search and export, one capture, two captures, what is missing.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "caddis/cdx/line.h"
#include "caddis/replay/wayback_fixture.h"

namespace caddis::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using OwnPagesTest = WaybackTest;

TEST_F(OwnPagesTest, LanguageIsTheBrowsersUntilOneIsChosen) {
  maker.response("http://example.org/", "20260102030405", http_ok("text/html", "x"));
  open();
  EXPECT_THAT(get("/").body, HasSubstr("<html lang=\"en\">"));
  const auto german = get("/c/*/http://example.org/", {{"Accept-Language", "de-AT,en;q=0.5"}});
  EXPECT_THAT(german.body, HasSubstr("<html lang=\"de\">"));
  EXPECT_THAT(german.body, HasSubstr("2. Januar 2026: 1 Aufnahme"));
  EXPECT_THAT(header(german, "vary"), HasSubstr("Accept-Language"));
  const auto chosen = get("/-/language?to=da&back=%2Fc%2F%2A%2Fhttp%3A%2F%2Fexample.org%2F");
  EXPECT_EQ(chosen.status, 303);
  EXPECT_EQ(header(chosen, "location"), "/c/*/http://example.org/");
  EXPECT_THAT(header(chosen, "set-cookie"), ::testing::StartsWith("caddis-language=da; Path=/;"));
  EXPECT_THAT(get("/", {{"Cookie", "a=b; caddis-language=da"}, {"Accept-Language", "fr"}}).body,
              HasSubstr("<html lang=\"da\">"));
  for (const std::string_view elsewhere :
       {"%2F%2Fevil.example%2F", "https%3A%2F%2Fevil.example", "%2F%5Cevil.example", ""})
    EXPECT_EQ(header(get("/-/language?to=da&back=" + std::string(elsewhere)), "location"), "/") << elsewhere;
  EXPECT_EQ(header(get("/-/language?to=xx&back=%2F"), "set-cookie"), "");
}

TEST_F(OwnPagesTest, TellCollectionsInTheWordsOfTheirMetadata) {
  maker.response("http://example.org/", "20260102030405", http_ok("text/html", "x"));
  put("c/metadata.yaml", "title: News <b>of</b> 2026\ndescription: 'Tell & <script>'\n'<i>Who</i>': '<img src=x>'\n");
  open();
  const std::string start = get("/").body, own = get("/c/").body, list = get("/collinfo.json").body;
  for (const std::string& page : {start, own}) {
    EXPECT_THAT(page, HasSubstr("News &lt;b&gt;of&lt;/b&gt; 2026"));
    EXPECT_THAT(page, HasSubstr("<p class=\"about\">Tell &amp; &lt;script&gt;</p>"));
    EXPECT_THAT(page, Not(HasSubstr("<b>of")));
  }
  EXPECT_THAT(own, HasSubstr("<dt>&lt;i&gt;Who&lt;/i&gt;</dt><dd class=\"about\">&lt;img src=x&gt;</dd>"));
  EXPECT_THAT(start, Not(HasSubstr("Who")));
  EXPECT_THAT(list, HasSubstr("\"id\":\"c\",\"name\":\"News <b>of</b> 2026\""));
  EXPECT_THAT(list, HasSubstr("\"metadata\":{\"title\":\"News <b>of</b> 2026\",\"description\":\"Tell & <script>\""));
  // It is read anew: nobody has to start the server again.
  ASSERT_TRUE(files.write_atomically("c/metadata.yaml", "title: [\n"));
  EXPECT_THAT(get("/c/").body, testing::AllOf(HasSubstr("<h1>c</h1>"), HasSubstr("c/metadata.yaml:")));
  ASSERT_TRUE(files.remove("c/metadata.yaml"));
  EXPECT_THAT(get("/c/").body, Not(HasSubstr("metadata.yaml")));
}

TEST_F(OwnPagesTest, ListsNameTheTitlesOfPages) {
  maker.response("http://example.org/", "20260102030405", http_ok("text/html", "x"));
  maker.response("http://example.org/", "20260202030405", http_ok("text/html", "y"));
  maker.response("http://example.org/none", "20260202030405", http_ok("text/html", "z"));
  put("c/pages/pages.jsonl",
      "{\"format\":\"json-pages-1.0\"}\n"
      "{\"url\":\"http://example.org/\",\"ts\":\"2026-01-02T03:04:05Z\",\"title\":\"Old <b>title</b>\"}\n"
      "{\"url\":\"http://example.org/\",\"ts\":\"2026-02-02T03:04:05Z\",\"title\":\"New title\"}\n");
  open();
  const std::string calendar = get("/c/*/http://example.org/").body;
  EXPECT_THAT(calendar, HasSubstr("<br><small>Old &lt;b&gt;title&lt;/b&gt;</small>"));
  EXPECT_THAT(calendar, HasSubstr("<br><small>New title</small>"));
  EXPECT_THAT(get("/c/*/http://example.org/none").body, Not(HasSubstr("<br><small>")));
  // One row a URL: the title is that of its last capture.
  const std::string found = get("/c/search?url=example.org/*").body;
  EXPECT_THAT(found, HasSubstr("<br><small>New title</small>"));
  EXPECT_THAT(found, Not(HasSubstr("Old ")));
  const std::string compared = get("/c/compare?url=http://example.org/&a=20260102030405&b=20260202030405").body;
  EXPECT_THAT(compared, HasSubstr("<p>Old &lt;b&gt;title&lt;/b&gt;</p>"));
  EXPECT_THAT(compared, HasSubstr("<p>New title</p>"));
}

TEST_F(OwnPagesTest, CalendarsCountAllAndListPageAfterPage) {
  for (int i = 0; i < 1200; ++i) {
    const std::string time = fmt::format("2019{}0310{:02}{:02}", i < 600 ? "05" : "11", i % 600 / 60, i % 60);
    maker.response("http://example.org/", time, http_ok("text/plain", "x"));
  }
  maker.response("http://example.org/", "20220102030405", http_ok("text/html", "x"));
  open();
  const auto page = get("/c/*/http://example.org/");
  EXPECT_THAT(page.body, HasSubstr("1,201 captures"));
  EXPECT_THAT(page.body, HasSubstr("<a href=\"/c/2019*/http://example.org/\"><svg"));
  EXPECT_THAT(page.body, HasSubstr("<a href=\"/c/2022*/http://example.org/\" aria-current=\"true\">"));
  EXPECT_THAT(page.body, HasSubstr("<b>2020</b> <small>–"));
  // The table has the year of the calendar, if it cannot have all.
  EXPECT_THAT(page.body, HasSubstr("from 2022 to 2022. <a href=\"/c/2019-2022/http://example.org/\">Show all"));
  EXPECT_THAT(page.body, HasSubstr("<td><a href=\"/c/20220102030405/http://example.org/\">"));
  EXPECT_THAT(page.body, Not(HasSubstr("<td><a href=\"/c/2019")));
  // All rows are reached by the links to the next ones.
  std::string address = "/c/2019-2022/http://example.org/";
  size_t rows = 0, pages = 0;
  while (!address.empty() && pages++ < 10) {
    const std::string body = get(address).body;
    for (size_t at = 0; (at = body.find("<tr><td class=\"pick\">", at)) != std::string::npos; ++at) ++rows;
    const size_t next = body.find("rel=\"next\" href=\"");
    address = next == std::string::npos ? "" : body.substr(next + 17, body.find('"', next + 17) - next - 17);
  }
  EXPECT_EQ(rows, 1201U);
  EXPECT_EQ(pages, 3U);
  // A day with several captures leads to them, a period to the whole.
  EXPECT_THAT(get("/c/2019*/http://example.org/").body,
              HasSubstr("<a href=\"/c/20190503*/http://example.org/\" class=\"d4\""));
  EXPECT_THAT(get("/c/201905*/http://example.org/").body, HasSubstr("from May 2019 to May 2019"));
}

TEST_F(OwnPagesTest, ATimeWithoutCapturesHasACalendar) {
  maker.response("http://example.org/", "20050301000000", http_ok("text/html", "x"));
  maker.response("http://example.org/", "20090301000000", http_ok("text/html", "x"));
  open();
  const auto empty = get("/c/2007*/http://example.org/");
  EXPECT_EQ(empty.status, 200);
  EXPECT_THAT(empty.body, HasSubstr("There is none from 2007 to 2007. <a href=\"/c/*/http://example.org/\">Show all"));
  EXPECT_THAT(empty.body, HasSubstr("id=\"y2007\""));
  EXPECT_THAT(empty.body, HasSubstr("<a href=\"/c/2005*/http://example.org/\"><svg"));
  EXPECT_THAT(empty.body, Not(HasSubstr("<table>")));
  // A year behind the last capture stands in the timeline.
  EXPECT_THAT(get("/c/2011*/http://example.org/").body, HasSubstr("<a aria-current=\"true\"><svg"));
  // As the Internet Archive asks for the calendar of a year.
  for (const char* const time : {"20050000000000", "20050101000000"}) {
    const auto year = get("/c/" + std::string(time) + "*/http://example.org/");
    EXPECT_EQ(year.status, 200) << time;
    EXPECT_THAT(year.body, HasSubstr("<td><a href=\"/c/20050301000000/http://example.org/\">")) << time;
    EXPECT_THAT(year.body, Not(HasSubstr("20090301000000"))) << time;
  }
  EXPECT_THAT(get("/c/20050101*/http://example.org/").body, HasSubstr("id=\"y2005\""));
  EXPECT_EQ(get("/c/2007*/http://none.org/").status, 404);
}

TEST_F(OwnPagesTest, CalendarsLeadToAnswersToWhatWasPosted) {
  const auto line = [](std::string_view key, std::string_view url, std::string_view more) {
    return fmt::format(
        R"({} 20260101000000 {{"url": "{}", "mime": "text/html", "status": "200", "length": "1", "offset": "0", )"
        R"("filename": "a.warc.gz"{}}})"
        "\n",
        key, url, more);
  };
  constexpr std::string_view kPosted = R"(, "method": "POST", "requestBody": "name=a")";
  put("c/indexes/a.cdxj", line("org,example)/both", "http://example.org/both", "") +
                              line("org,example)/both?__wb_method=post&name=a", "http://example.org/both", kPosted) +
                              line("org,example)/only?__wb_method=post&name=a", "http://example.org/only", kPosted) +
                              line("org,example)/plain", "http://example.org/plain", ""));
  open_at("c");
  const std::string hint = "Answers to forms and scripts were captured here, too (POST).";
  EXPECT_THAT(get("/c/*/http://example.org/plain").body, Not(HasSubstr(hint)));
  for (const char* const url : {"http://example.org/both", "http://example.org/only"}) {
    const auto calendar = get("/c/*/" + std::string(url));
    EXPECT_EQ(calendar.status, 200) << url;
    EXPECT_THAT(calendar.body, HasSubstr(hint)) << url;
  }
  const auto found = get("/c/search?url=http%3A%2F%2Fexample.org%2Fonly%3F__wb_method%3D&match=prefix");
  EXPECT_THAT(found.body, HasSubstr("POST "));
  EXPECT_EQ(get("/c/*/http://example.org/none").status, 404);
}

TEST_F(OwnPagesTest, ABannerAloneIsRefusedWithTheWayOut) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  open();
  const auto refused = get("/c/20260101000000bn_/http://example.org/");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr("mp_ shows it without banner"));
}

TEST_F(OwnPagesTest, OpenWaybackIsAnsweredInItsXml) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  open();
  for (const char* const root : {"/c", "/c/"}) {
    const auto answer = get(std::string(root) + "?q=type:urlquery+url:http%253A%252F%252Fexample.org%252F");
    EXPECT_EQ(answer.status, 200);
    EXPECT_THAT(answer.body, HasSubstr("<capturedate>20260101000000</capturedate>"));
  }
  EXPECT_THAT(get("/c?q=type:urlquery+url:http%253A%252F%252Fother.org%252F").body,
              HasSubstr("Resource Not In Archive"));
}

TEST_F(OwnPagesTest, OpenWaybackNarrowsItsQuestionDown) {
  maker.response("http://example.org/", "20250101000000", http_ok("text/html", "x"));
  maker.response("http://example.org/", "20260601000000", http_ok("text/html", "y"));
  open();
  const std::string asked = "/c?q=type:urlquery+url:http%253A%252F%252Fexample.org%252F+";
  const auto later = get(asked + "startdate:2026+enddate:2028&count=10&start_page=1");
  EXPECT_THAT(later.body, HasSubstr("<capturedate>20260601000000</capturedate>"));
  EXPECT_THAT(later.body, Not(HasSubstr("<capturedate>2025")));
  EXPECT_THAT(later.body, HasSubstr("<startdate>20260101000000</startdate><enddate>20281231235959</enddate>"));
  EXPECT_THAT(later.body, HasSubstr("<numresults>1</numresults>"));
  EXPECT_THAT(get(asked + "startdate:20270101000000+enddate:20280101000000").body,
              HasSubstr("Resource Not In Archive"));
  EXPECT_THAT(get(asked + "startdate:1996").body, HasSubstr("<startdate>19960101000000</startdate>"));
  EXPECT_EQ(get(asked + "startdate:yesterday").status, 400);
  const auto misspelt = get(asked + "startdat:2027");
  EXPECT_EQ(misspelt.status, 400);
  EXPECT_THAT(misspelt.body, HasSubstr("did you mean startdate:"));
  EXPECT_EQ(get(asked + "&bogus=1").status, 400);
  // As OpenWayback passes on a reader's cookies, and what it knows of replay.
  const auto passed_on = get(asked + "_ga:GA1+date:2025+exactdate:20250101000000+imagecontext:true");
  EXPECT_THAT(passed_on.body, HasSubstr("<numresults>2</numresults>"));
  EXPECT_EQ(header(passed_on, "caddis-incomplete"), "unknown-parameters: _ga");
  EXPECT_THAT(get(asked + "s:1+en:2+start:3+uri:x").body, HasSubstr("<numresults>2</numresults>"));
}

TEST_F(OwnPagesTest, FieldsThatNoLineHasAreTold) {
  constexpr std::string_view kLine =
      R"({"url": "http://example.org/", "mime": "text/html", "status": "200", "length": "1", "offset": "0", )"
      R"("filename": "a.warc.gz", "mood": "good"})";
  put("c/indexes/a.cdxj", "org,example)/ 20260101000000 " + std::string(kLine) + "\n");
  open_at("c");
  const auto told = [&](const std::string& more) {
    const auto answer = get("/c/cdx?url=example.org&" + more);
    EXPECT_EQ(answer.status, 200) << more;
    return header(answer, "caddis-incomplete");
  };
  EXPECT_EQ(told("filter=nosuch:x"), "unknown-fields: nosuch");
  EXPECT_EQ(told("collapse=bogus"), "unknown-fields: bogus");
  EXPECT_EQ(told("fl=urlkey,bogus,nosuch%0D%0AX:%20y"), "unknown-fields: bogus, nosuch??X: y");
  EXPECT_EQ(told("filter=!%3Dnosuch:x&output=link"), "unknown-fields: nosuch");
  EXPECT_EQ(told("fl=nosuch&showNumPages=true"), "unknown-fields: nosuch");
  EXPECT_EQ(told("filter=mood:good&collapse=mood&fl=mood"), "");
  EXPECT_EQ(
      told("fl=original,mimetype,statuscode,redirect,robotflags,range,dupecount,groupcount&filter=statuscode:200"), "");
  EXPECT_EQ(header(get("/c/cdx?url=none.org&fl=nosuch"), "caddis-incomplete"), "");
  EXPECT_EQ(header(get("/cdx/search/cdx?url=example.org&fl=nosuch"), "caddis-incomplete"), "unknown-fields: nosuch");
}

TEST_F(OwnPagesTest, AvailableIsNoScript) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  open();
  EXPECT_EQ(get("/wayback/available?url=example.org").status, 200);
  const auto refused = get("/wayback/available?url=example.org&callback=f");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr("callback="));
}

TEST_F(OwnPagesTest, RefusalsAreNotCalledMissing) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  open();
  for (const char* const asked :
       {"/c/search", "/c/export?url=example.org&as=xls", "/-/search", "/c/20260101000000bn_/http://example.org/"}) {
    const auto refused = get(asked);
    EXPECT_EQ(refused.status, 400) << asked;
    EXPECT_THAT(refused.body, HasSubstr("<title>This cannot be answered</title>")) << asked;
  }
}

TEST_F(OwnPagesTest, SearchGoesThroughAllPages) {
  for (int i = 0; i < 250; ++i)
    maker.response("http://a.example.org/dir/" + std::to_string(1000 + i), "20260102030405", http_ok("text/html", "x"));
  maker.response("http://a.example.org/dir/1000", "20260202030405", http_ok("text/html", "y"));
  maker.response("http://b.example.org/", "20260102030405", http_ok("image/png", "x"));
  open();
  std::string address = "/c/search?url=example.org&match=domain";
  std::vector<std::string> found;
  for (int pages = 0; !address.empty() && pages < 10; ++pages) {
    const std::string body = get(address).body;
    for (size_t at = 0; (at = body.find("<td class=\"url\"><a href=\"", at)) != std::string::npos;) {
      at += 25;
      found.push_back(body.substr(at, body.find('"', at) - at));
    }
    const size_t next = body.find("rel=\"next\" href=\"");
    address = next == std::string::npos ? "" : body.substr(next + 17, body.find('"', next + 17) - next - 17);
    for (size_t at; (at = address.find("&amp;")) != std::string::npos;) address.erase(at + 1, 4);
  }
  ASSERT_EQ(found.size(), 251U);
  EXPECT_EQ(found.front(), "/c/*/http://a.example.org/dir/1000") << "two captures: the calendar";
  EXPECT_EQ(found.back(), "/c/20260102030405/http://b.example.org/");
  EXPECT_EQ(std::set(found.begin(), found.end()).size(), 251U);

  EXPECT_THAT(get("/c/search?url=*.example.org&type=image").body, HasSubstr("1 address<"));
  EXPECT_THAT(get("/c/search?url=a.example.org/dir/10*&from=202602").body, HasSubstr("1 address<"));
  EXPECT_THAT(get("/c/search?url=nobody.org&match=host").body, HasSubstr("There is none."));
  EXPECT_EQ(get("/c/search?url=a&match=shout").status, 400);
  EXPECT_EQ(get("/c/search?url=a&from=x").status, 400);
  EXPECT_EQ(get("/c/search").status, 400);
  // The form leads there.
  EXPECT_EQ(header(get("/-/go?url=*.example.org"), "location"), "/c/search?url=http%3A%2F%2Fexample.org&match=domain");
  EXPECT_EQ(header(get("/-/go?url=b.example.org&match=&from=&to="), "location"), "/c/*/http://b.example.org");
}

TEST_F(OwnPagesTest, ResultsAsFiles) {
  maker.response("http://example.org/a,b", "20250102030405", http_ok("text/html", "x"));
  maker.response("http://example.org/a,b", "20260102030405", http_ok("text/html", "y"));
  maker.response("http://example.org/c", "20260102030405", http_ok("text/html", "x"));
  open();
  const auto urls = get("/c/export?url=example.org*&as=urls");
  EXPECT_EQ(urls.body, "http://example.org/a,b\nhttp://example.org/c\n");
  EXPECT_EQ(header(urls, "content-disposition"), "attachment; filename=\"c.txt\"");
  const auto csv = get("/c/export?url=example.org&match=host&as=csv");
  EXPECT_THAT(csv.body, ::testing::StartsWith("url,timestamp,status,mime,digest,length,filename,offset\r\n"
                                              "\"http://example.org/a,b\",20250102030405,200,text/html,"));
  EXPECT_EQ(std::ranges::count(get("/c/export?url=example.org*&as=cdxj").body, '\n'), 3);
  EXPECT_EQ(get("/c/export?url=example.org*&as=xls").status, 400);
}

TEST_F(OwnPagesTest, OneCapture) {
  maker.record("warcinfo", "", "20260102030405", "Content-Type: application/warc-fields\r\n",
               "software: Crawler/9\r\noperator: Library\r\nrobots: obey\r\nisPartOf: autumn\r\n");
  maker.record("response", "http://example.org/", "20260102030405",
               "Content-Type: application/http;msgtype=response\r\nWARC-IP-Address: 192.0.2.7\r\n",
               http_ok("text/html", "<p>x"));
  const std::string id = maker.last_id();
  maker.record("request", "http://example.org/", "20260102030405",
               "Content-Type: application/http;msgtype=request\r\nWARC-Concurrent-To: <" + id + ">\r\n",
               "GET / HTTP/1.1\r\nHost: example.org\r\nUser-Agent: <b>\r\n\r\n");
  maker.record(
      "metadata", "http://example.org/", "20260102030405",
      "Content-Type: application/warc-fields\r\nWARC-Concurrent-To: <" + id + ">\r\n",
      "via: http://example.org/from\r\nhopsFromSeed: LE\r\nsourceTag: http://seed.org/\r\nfetchTimeMs: 1234\r\n");
  maker.response("http://example.org/", "20260202030405", http_ok("text/html", "<p>y"));
  open();
  const std::string page = get("/c/info?time=20260102030405&url=http%3A%2F%2Fexample.org%2F").body;
  for (const std::string_view fact :
       {"192.0.2.7", "<a href=\"/c/*/http://example.org/from\">http://example.org/from</a>", ">LE<", "http://seed.org/",
        "1,234 ms", "Crawler/9", "Library", "obey", "autumn", "a.warc.gz", "200 OK", "User-Agent: &lt;b&gt;",
        "rel=\"next\" href=\"/c/info?time=20260202030405",
        "/c/compare?url=http%3A%2F%2Fexample.org%2F&amp;a=2026010203", "/c/*exact/http://example.org/",
        "/c/20260102030405id_/http://example.org/"})
    EXPECT_THAT(page, HasSubstr(fact));
  EXPECT_THAT(page, Not(HasSubstr("rel=\"prev\"")));
  // The second one has no followers of its own, and does not take those of others.
  EXPECT_THAT(get("/c/info?time=20260202030405&url=http://example.org/").body, Not(HasSubstr("192.0.2.7")));
  EXPECT_EQ(get("/c/info?time=2026&url=http://nobody.org/").status, 404);
}

TEST_F(OwnPagesTest, TwoCaptures) {
  maker.response("http://example.org/", "20250101000000",
                 http_ok("text/html", "<h1>News</h1><p>An old <b>house</b>.<p>Same<script>1</script>", "X-A: 1\r\n"));
  maker.response("http://example.org/", "20260101000000",
                 http_ok("text/html", "<h1>News</h1><p>A new <b>house</b>.<p>Same<script>2</script>", "X-A: 2\r\n"));
  maker.response("http://example.org/i.png", "20250101000000", http_ok("image/png", "\x89PNG1"));
  maker.response("http://example.org/i.png", "20260101000000", http_ok("image/png", "\x89PNG2"));
  open();
  const std::string base = "/c/compare?url=http%3A%2F%2Fexample.org%2F&a=20250101000000&b=20260101000000";
  const std::string text = get(base).body;
  EXPECT_THAT(text, HasSubstr("1 line removed, 1 line added"));
  EXPECT_THAT(text, HasSubstr("role=\"region\" aria-label=\"The lines of both captures\""));
  EXPECT_THAT(text, HasSubstr("<td class=\"removed\"><del>An</del> <del>old</del> house.</td>"));
  EXPECT_THAT(text, HasSubstr("<td class=\"added\"><ins>A</ins> <ins>new</ins> house.</td>"));
  EXPECT_THAT(get(base + "&by=source").body, HasSubstr("script&gt;<del>1</del>&lt;"));
  EXPECT_THAT(get(base + "&by=headers").body, HasSubstr("X-A: <ins>2</ins>"));
  const auto rendered = get(base + "&by=rendered");
  EXPECT_THAT(rendered.body, HasSubstr("src=\"//c.localhost:8080/c/20250101000000mp_/http://example.org/\""));
  EXPECT_THAT(header(rendered, "content-security-policy"), HasSubstr("frame-src c.localhost:8080"));
  EXPECT_THAT(header(rendered, "content-security-policy"), Not(HasSubstr("script-src")));
  const auto pictures = get("/c/compare?url=example.org/i.png&a=2025&b=2026");
  EXPECT_THAT(pictures.body, HasSubstr("//c.localhost:8080/c/20260101000000im_/http://example.org/i.png"));
  EXPECT_THAT(get("/c/compare?url=example.org&a=2025&b=2025").body, HasSubstr("Both are the same."));
  EXPECT_EQ(get("/c/compare?url=nobody.org&a=2025&b=2026").status, 404);
}

TEST_F(OwnPagesTest, NamesThatMislead) {
  maker.response("http://xn--80ak6aa92e.com/", "20260101000000", http_ok("text/html", "x"));
  open();
  const std::string page = get("/c/*/http://xn--80ak6aa92e.com/").body;
  EXPECT_THAT(page, HasSubstr("<h1 class=\"url\">http://аррӏе.com/</h1>"));
  EXPECT_THAT(page, HasSubstr("(xn--80ak6aa92e.com) looks like one in Latin letters"));
  // A title alone has no room for the warning.
  EXPECT_THAT(page, HasSubstr("<title>Captures of http://xn--80ak6aa92e.com/</title>"));
  const std::string window = get_for("document", "/c/20260101000000/http://xn--80ak6aa92e.com/").body;
  EXPECT_THAT(window, HasSubstr("<title>http://xn--80ak6aa92e.com/</title>"));
  EXPECT_THAT(window, HasSubstr("(xn--80ak6aa92e.com) looks like one in Latin letters"));
  EXPECT_THAT(window, HasSubstr("<b>аррӏе.com</b>"));
  EXPECT_THAT(get("/c/search?url=com&match=domain").body, HasSubstr("misleading name"));
  EXPECT_THAT(get("/c/search?url=com&match=domain").body, HasSubstr("*.com"));
  EXPECT_THAT(get("/c/search?url=com&match=domain").body, Not(HasSubstr("*.http")));
}

TEST_F(OwnPagesTest, NamesInOtherScripts) {
  maker.response("http://xn--bcher-kva.example/", "20260101000000", http_ok("text/html", "x"));
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  open();
  EXPECT_THAT(get("/c/*/http://xn--bcher-kva.example/").body,
              HasSubstr("<title>Captures of http://bücher.example/</title>"));
  const std::string window = get_for("document", "/c/20260101000000/http://xn--bcher-kva.example/").body;
  EXPECT_THAT(window, HasSubstr("<title>http://bücher.example/</title>"));
  EXPECT_THAT(window, HasSubstr("<span id=\"host\"><b>bücher.example</b></span>"));
  EXPECT_THAT(get_for("document", "/c/20260101000000/http://example.org/").body, Not(HasSubstr("id=\"host\"")));
}

TEST_F(OwnPagesTest, CollectionsTogether) {
  ArchiveMaker other;
  other.response("http://example.org/only", "20260101000000", http_ok("text/html", "x"));
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  put("all/one/archive/a.warc.gz", maker.bytes());
  put("all/two/archive/a.warc.gz", other.bytes());
  open_at("all");
  EXPECT_EQ(header(get("/-/go?url=example.org*"), "location"), "/-/search?url=http%3A%2F%2Fexample.org&match=prefix");
  const std::string page = get("/-/search?url=http%3A%2F%2Fexample.org&match=prefix").body;
  EXPECT_THAT(page, HasSubstr("/one/20260101000000/http://example.org/\""));
  EXPECT_THAT(page, HasSubstr("/two/20260101000000/http://example.org/only\""));
  EXPECT_THAT(get("/one/2026/http://example.org/only").body,
              HasSubstr("<a href=\"/two/*/http://example.org/only\">two</a>"));
}

TEST_F(OwnPagesTest, MissingInTheLanguageOfTheReader) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "x"));
  open();
  put("c/crawls/site-20260101000000/logs/crawl.log",
      "2026-01-01T00:00:00.000Z -9998         - http://example.org/private L http://example.org/ unknown #001 - - - "
      "-\n");
  const std::string page = get("/c/2026/http://example.org/private", {{"Accept-Language", "fr"}}).body;
  EXPECT_THAT(page, HasSubstr("Le robots.txt du site"));
  EXPECT_THAT(page, HasSubstr("<p class=\"reason\" lang=\"en\">The robots.txt of its site forbids it"));
}

TEST_F(OwnPagesTest, WhatReplayedPagesMissed) {
  maker.response("http://example.org/", "20260101000000", http_ok("text/html", "<img src=i.png>"));
  maker.response("http://example.org/404", "20260101000000", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
  open();
  const auto ask_for = [&](const std::string& url, const std::string& kind) {
    return get("/c/20260101000000im_/" + url,
               {{"Host", "c.localhost:8080"},
                {"Sec-Fetch-Dest", kind},
                {"Referer", "http://c.localhost:8080/c/20260101000000mp_/http://example.org/"}});
  };
  EXPECT_EQ(ask_for("http://example.org/i.png", "image").status, 404);
  EXPECT_EQ(ask_for("http://example.org/i.png", "image").status, 404);
  EXPECT_EQ(ask_for("http://cdn.example/<s>.js", "script").status, 404);
  EXPECT_EQ(ask_for("http://example.org/404", "image").status, 404) << "captured as such: nothing is missing";
  get("/c/2026/http://example.org/typed", {{"Sec-Fetch-Dest", "document"}});
  const std::string page = get("/c/qa").body;
  EXPECT_THAT(page, HasSubstr("2 addresses"));
  EXPECT_THAT(page, HasSubstr("image, 2 times"));
  EXPECT_THAT(page, Not(HasSubstr("typed")));
  EXPECT_EQ(get("/c/qa?as=seeds").body,
            "# missing in replay\nhttp://cdn.example/%3Cs%3E.js\nhttp://example.org/i.png\n");
  EXPECT_THAT(get("/c/qa?as=csv").body,
              HasSubstr("http://example.org/,20260101000000,http://example.org/i.png,image,2\r\n"));
  EXPECT_EQ(ask("POST", "/c/qa?do=clear", {{"Origin", "https://evil.example"}}, "").status, 403);
  EXPECT_EQ(ask("POST", "/c/qa?do=clear", {{"Origin", "http://localhost:8080"}}, "").status, 303);
  EXPECT_THAT(get("/c/qa").body, HasSubstr("Nothing is missing so far."));
}

TEST_F(OwnPagesTest, OneLaunchAlone) {
  const auto line = [](std::string_view url, std::string_view time) {
    cdx::CaptureFields fields;
    fields.date = *parse_timestamp(time);
    fields.url = url;
    fields.filename = "a.warc.gz";
    return cdx::cdxj_line(fields) + '\n';
  };
  put("c/archive/a.warc.gz", "");
  put("c/crawls/job-20250101000000/crawl.yaml", "{}");
  put("c/crawls/job-20260101000000/crawl.yaml", "{}");
  put("c/indexes/job-20250101000000.cdxj", line("http://example.org/old", "20250101000000"));
  put("c/indexes/job-20260101000000.cdxj", line("http://example.org/new", "20260101000000"));
  open_at("c", {}, "job-20250101000000");
  EXPECT_EQ(get("/c/export?url=example.org*&as=urls").body, "http://example.org/old\n");
  EXPECT_THAT(get("/c/").body, HasSubstr("job-20250101000000"));
  const auto none = open_collections(files, clock, "c", "job-2024");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("there is no launch 'job-2024'"));
}

// The archive of a harvest: the folders of its jobs' crawls are not in it.
TEST_F(OwnPagesTest, ALaunchOfWhichOnlyTheIndexIsThere) {
  const auto line = [](std::string_view url) {
    cdx::CaptureFields fields;
    fields.date = *parse_timestamp("20260101000000");
    fields.url = url;
    fields.filename = "a.warc.gz";
    return cdx::cdxj_line(fields) + '\n';
  };
  put("c/archive/a.warc.gz", "");
  put("c/indexes/1-20260101000000.cdxj", line("http://example.org/one"));
  put("c/indexes/2-20260101000000.cdxj", line("http://example.org/two"));
  put("c/indexes/index.cdxj", line("http://example.org/added"));
  open_at("c", {}, "1-20260101000000");
  EXPECT_EQ(get("/c/export?url=example.org*&as=urls").body, "http://example.org/one\n");
  EXPECT_EQ(get("/c/qa").status, 200);
  for (const char* const other : {"3-20260101000000", "index", "../indexes/1-20260101000000"})
    EXPECT_FALSE(open_collections(files, clock, "c", other)) << other;
}

}  // namespace
}  // namespace caddis::replay
