#include "caddis/cdx/query.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "caddis/base/clock.h"
#include "caddis/cdx/query_run.h"
#include "caddis/io/files.h"
#include "support/testdata.h"

namespace caddis::cdx {
namespace {

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    char buffer[4];
    std::snprintf(buffer, sizeof buffer, "%%%02X", static_cast<unsigned char>(c));
    out += buffer;
  }
  return out;
}

void add(std::string& query, const std::string& name, const nlohmann::json& value) {
  if (value.is_array()) {
    for (const auto& item : value) add(query, name, item);
    return;
  }
  query += '&' + name + '=' + encoded(value.is_string() ? value.get<std::string>() : value.dump());
}

// pywb's own tests of its CDX server, run by pywb itself for the expected text.
class PywbOps : public ::testing::Test {
 protected:
  CaptureIndex& index_of(const std::string& sources, const std::string& folder) {
    auto& index = indexes_[sources];
    if (index) return *index;
    const std::string collection = temp_ / std::to_string(indexes_.size());
    std::filesystem::create_directories(collection + "/indexes");
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename();
      const bool wanted = sources.find("'dir'") != std::string::npos || sources.find(name) != std::string::npos;
      if (wanted) std::filesystem::copy_file(entry.path(), collection + "/indexes/" + name);
    }
    index = std::make_unique<CaptureIndex>(io::real_files(), clock_, collection);
    return *index;
  }

  testing::TempDir temp_;
  ManualClock clock_;
  std::map<std::string, std::unique_ptr<CaptureIndex>> indexes_;
};

TEST_F(PywbOps, GiveTheSameLines) {
  CADDIS_TESTDATA_OR_SKIP(cases, "11-cdx/pywb_cdxops.jsonl");
  CADDIS_TESTDATA_OR_SKIP(folder, "11-cdx/pywb_sample/cdx");
  size_t count = 0;
  for (const std::string& line : testing::read_lines(cases)) {
    const auto test = nlohmann::json::parse(line);
    std::string query_string = "output=text", sources = "iana.cdx";
    if (!test["args"].empty()) add(query_string, "url", test["args"][0]);
    for (const auto& [name, value] : test["kwargs"].items()) {
      if (name == "sources")
        sources = value.get<std::string>();
      else
        add(query_string, name, value);
    }
    const auto query = parse_query(query_string);
    ASSERT_TRUE(query) << query_string << ": " << query.error().message;
    const auto captures = run_query(index_of(sources, folder), *query);
    ASSERT_TRUE(captures) << captures.error().message;
    std::string got;
    for (const Capture& capture : *captures) got += format_capture(capture, *query) + '\n';
    EXPECT_EQ(got, test["want"].get<std::string>()) << test["source"];
    ++count;
  }
  EXPECT_EQ(count, 33u);
}

TEST(ParseQuery, Wildcards) {
  EXPECT_EQ(parse_query("url=http%3A%2F%2Fexample.com%2Fa*")->match, MatchType::prefix);
  EXPECT_EQ(parse_query("url=*.example.com")->match, MatchType::domain);
  for (const char* text : {"url=*.example.com", "url=*.example.com/*", "url=*.example.com/",
                           "url=http://*.example.com/*", "url=*.example.com/*&matchType=domain"}) {
    EXPECT_EQ(parse_query(text)->match, MatchType::domain) << text;
    EXPECT_EQ(parse_query(text)->url, "example.com") << text;
  }
  EXPECT_EQ(parse_query("url=example.com/a?q=**")->url, "example.com/a?q=*");
  EXPECT_EQ(parse_query("url=example.com?q=a*b")->url, "example.com?q=a*b");
  for (const char* text : {"url=*", "url=http://*", "url=*.example.com/a*", "url=www.*.com/"})
    EXPECT_EQ(parse_query(text).error().code, ErrorCode::parse) << text;
}

TEST(ParseQuery, SaysWhatIsWrong) {
  for (const char* text : {"", "url=", "url=a&limit=x", "url=a&matchType=all", "url=a&filter=~status:(",
                           "url=a&from=2014x", "url=a&sort=up", "url=a&output=xml", "url=a&collapse=status:x"})
    EXPECT_FALSE(parse_query(text)) << text;
}

// Passed over they would give an answer that is taken for another.
TEST(ParseQuery, RefusesWhatNobodyKnows) {
  for (const char* text : {"url=a&showDupes=true", "url=a&ofset=1", "url=a&resumeKey=x"})
    EXPECT_EQ(parse_query(text).error().code, ErrorCode::parse) << text;
  EXPECT_TRUE(parse_query("url=a&_=1790000000&gzip=false")) << "what changes nothing is passed over";
}

TEST(KeyRange, OfEachMatchType) {
  const auto range = [](const char* url, MatchType match) {
    const auto found = key_range(url, match);
    return found->from + " .. " + found->to;
  };
  EXPECT_EQ(range("http://www.example.com/a/", MatchType::exact), "com,example)/a  .. com,example)/a!");
  EXPECT_EQ(range("http://example.com/a/", MatchType::prefix), "com,example)/a/ .. com,example)/a0");
  EXPECT_EQ(range("http://example.com/a", MatchType::prefix), "com,example)/a .. com,example)/b");
  EXPECT_EQ(range("http://example.com/a", MatchType::host), "com,example)/ .. com,example*");
  EXPECT_EQ(range("example.com", MatchType::domain), "com,example)/ .. com,example-");
  // A port without a scheme before the host.
  EXPECT_EQ(range("example.com:8080/a", MatchType::exact), range("http://example.com:8080/a", MatchType::exact));
  EXPECT_EQ(range("example.com:8080", MatchType::exact), range("http://example.com:8080/", MatchType::exact));
  EXPECT_EQ(range("localhost:8080/", MatchType::prefix), range("http://localhost:8080/", MatchType::prefix));
  EXPECT_EQ(range("127.0.0.1:80?a:b", MatchType::exact), range("http://127.0.0.1/?a:b", MatchType::exact));
  EXPECT_EQ(range("localhost:8080/", MatchType::host), "localhost:8080)/ .. localhost:8080*");
  EXPECT_EQ(range("example.com/a:80", MatchType::exact), "com,example)/a:80  .. com,example)/a:80!");
  EXPECT_EQ(range("dns:1234", MatchType::exact), "dns:1234  .. dns:1234!");
  EXPECT_EQ(range("urn:1234", MatchType::exact), "urn:1234  .. urn:1234!");
}

class Results : public ::testing::Test {
 protected:
  void SetUp() override {
    for (
        const char* line :
        {R"(com,a)/ 20200101000000 {"url": "http://a.com/", "mime": "text/html", "status": "200", "digest": "X", "length": "1", "offset": "0", "filename": "f", "lang": "de"})",
         R"(com,a)/ 20200102000000 {"url": "http://a.com/", "mime": "warc/revisit", "digest": "X", "length": "1", "offset": "9", "filename": "f"})",
         R"(com,a)/x 20210101000000 {"url": "http://a.com/x", "mime": "image/png", "status": "404", "digest": "Y", "length": "1", "offset": "5", "filename": "f"})"})
      index.add_line(line);
  }
  std::string ask(const std::string& text) {
    const auto query = parse_query(text);
    if (!query) return query.error().message;
    const auto captures = run_query(index, *query);
    std::string out;
    for (const Capture& capture : *captures) out += format_capture(capture, *query) + '\n';
    return out;
  }
  ManualClock clock;
  CaptureIndex index{io::real_files(), clock, ""};
};

TEST_F(Results, OutputForms) {
  EXPECT_EQ(
      ask("url=a.com&limit=1&output=json"),
      R"({"urlkey": "com,a)/", "timestamp": "20200101000000", "url": "http://a.com/", "mime": "text/html", "status": "200", )"
      R"("digest": "X", "length": "1", "offset": "0", "filename": "f", "lang": "de"})"
      "\n");
  EXPECT_EQ(ask("url=a.com&limit=1&output=json&fl=timestamp,lang"),
            "{\"timestamp\": \"20200101000000\", \"lang\": \"de\"}\n");
  EXPECT_EQ(ask("url=a.com&fl=timestamp,status&output=text"), "20200101000000 200\n20200102000000 -\n");
  EXPECT_EQ(ask("url=a.com&limit=1&fl=mime"), "com,a)/ 20200101000000 {\"mime\": \"text/html\"}\n");
}

TEST_F(Results, CollapsePageAndPeriod) {
  EXPECT_EQ(ask("url=a.com*&output=text&fl=timestamp&collapse=timestamp:4"), "20200101000000\n20210101000000\n");
  EXPECT_EQ(ask("url=a.com*&output=text&fl=timestamp&collapse=digest"), "20200101000000\n20210101000000\n");
  EXPECT_EQ(ask("url=a.com*&output=text&fl=timestamp&pageSize=2&page=1"), "20210101000000\n");
  EXPECT_EQ(ask("url=a.com*&output=text&fl=timestamp&from=20200102&to=2020"), "20200102000000\n");
  EXPECT_EQ(ask("url=a.com&output=text&fl=timestamp&sort=reverse&limit=1"), "20200102000000\n");
  EXPECT_EQ(ask("url=a.com*&output=text&fl=url&filter=!mime:warc"), "http://a.com/\nhttp://a.com/x\n");
}

}  // namespace
}  // namespace caddis::cdx
