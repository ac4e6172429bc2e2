#include "caddis/cdx/line.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "caddis/base/time_format.h"
#include "caddis/cdx/flat_json.h"
#include "support/testdata.h"

namespace caddis::cdx {
namespace {

TEST(CdxjLine, IsWhatPywbWrites) {
  CaptureFields fields;
  fields.url = "http://www.iana.org/";
  fields.date = *parse_timestamp("20140126200624");
  fields.mime = "text/html; charset=UTF-8";
  fields.status = 200;
  fields.digest = "sha1:OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB";
  fields.length = 2258;
  fields.offset = 334;
  fields.filename = "iana.warc.gz";
  EXPECT_EQ(
      cdxj_line(fields),
      R"(org,iana)/ 20140126200624 {"url": "http://www.iana.org/", "mime": "text/html", "status": "200", )"
      R"("digest": "OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB", "length": "2258", "offset": "334", "filename": "iana.warc.gz"})");
}

TEST(SameDigest, InWhateverFormItStands) {
  const std::string base32 = "OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB", hex = "74a407d93adafbe462b1b6cc52023c6092c33e61";
  EXPECT_TRUE(same_digest(base32, base32));
  EXPECT_TRUE(same_digest(base32, "ossapwj23l56iyvrw3gfear4mcjmgptb"));
  EXPECT_TRUE(same_digest(base32, hex));
  EXPECT_TRUE(same_digest("sha1:" + base32, hex));
  EXPECT_TRUE(same_digest("sha256:" + std::string(64, 'a'), "sha-256:" + std::string(64, 'A')));
  EXPECT_FALSE(same_digest(base32, "PSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB"));
  EXPECT_FALSE(same_digest("x:1", "x:2"));
  EXPECT_FALSE(same_digest(base32, ""));
}

TEST(CdxjLine, OfRevisitHasNoStatus) {
  CaptureFields fields;
  fields.url = "http://example.com/";
  fields.mime = kRevisitMime;
  fields.status = 200;
  fields.digest = "sha256:AB";
  const auto capture = parse_line(cdxj_line(fields));
  ASSERT_TRUE(capture);
  EXPECT_TRUE(capture->is_revisit());
  EXPECT_EQ(capture->status, "");
  EXPECT_EQ(capture->digest, "sha256:AB");
}

TEST(CdxjLine, KeyNeverHoldsBlanks) {
  EXPECT_EQ(index_key("urn:x y\n").find_first_of(" \n"), std::string::npos);
  EXPECT_EQ(index_mime(""), "unk");
  EXPECT_EQ(index_mime(" text/css ;x"), "text/css");
}

// All of pywb's own CDXJ files: a line read and written again is the same line, or says the same where its members
// stand in another order or without blanks.
TEST(ParseLine, PywbFiles) {
  CADDIS_TESTDATA_OR_SKIP(folder, "07-warc/cdx");
  size_t lines = 0, same = 0;
  for (const char* name : {"dupes", "example", "example2", "example-no-digest", "httpbin-resource", "iana",
                           "missing-status-text", "post-test", "url-agnost-example"}) {
    for (const std::string& line : testing::read_lines(folder + "/" + name + ".cdxj")) {
      const auto capture = parse_line(line);
      ASSERT_TRUE(capture) << line << ": " << capture.error().message;
      const std::string again = cdxj_line(*capture);
      ++lines;
      same += again == line;
      const auto json = [](const std::string& text) { return nlohmann::json::parse(text.substr(text.find(" {") + 1)); };
      EXPECT_EQ(json(line), json(again));
      EXPECT_EQ(line.substr(0, line.find(" {")), again.substr(0, again.find(" {")));
    }
  }
  EXPECT_EQ(lines, 197u);
  EXPECT_EQ(lines - same, 2u);  // httpbin-resource and missing-status-text have another order
}

TEST(ParseLine, Cdx11RoundTrip) {
  CADDIS_TESTDATA_OR_SKIP(folder, "07-warc/cdx");
  for (const char* name : {"dupes", "example", "iana", "post-test", "hello-world.warc", "bad"}) {
    const auto lines = testing::read_lines(folder + "/" + name + ".cdx");
    for (size_t i = 1; i < lines.size(); ++i) {
      const auto capture = parse_line(lines[i]);
      ASSERT_TRUE(capture) << lines[i];
      EXPECT_EQ(cdx11_line(*capture), lines[i]);
      const auto by_header = parse_cdx_line(lines[i], lines[0]);
      ASSERT_TRUE(by_header) << lines[i];
      EXPECT_EQ(cdx11_line(*by_header), lines[i]);
    }
  }
}

TEST(ParseLine, OtherFieldCounts) {
  const auto nine = parse_line("com,example)/ 20140127171200 http://example.com text/html 200 B2LT - 334 a.warc.gz");
  ASSERT_TRUE(nine);
  EXPECT_EQ(nine->offset, "334");
  EXPECT_EQ(nine->filename, "a.warc.gz");
  const auto ten = parse_line("com,example)/ 20140127171200 http://example.com text/html 200 B2LT - A 334 a.warc.gz");
  ASSERT_TRUE(ten);
  EXPECT_EQ(ten->robotflags, "A");
  const auto fourteen = parse_line(
      "com,example)/ 20140127171200 http://example.com warc/revisit - B2LT - - 10 334 a.warc.gz 20 1 b.warc.gz");
  ASSERT_TRUE(fourteen);
  EXPECT_EQ(fourteen->original_filename, "b.warc.gz");
  EXPECT_EQ(fourteen->original_length, "20");
}

TEST(ParseLine, Refuses) {
  for (const char* line : {"", "!meta 0 {}", " CDX N b a", "a", "a b c", "a 2014", "a 2014 {", "a 2014 {\"x\"}",
                           "a 2014 {\"x\": }", "a 2014 {\"x\": 1} y", "a 2014 {\"x\": \"1}", "a 2014 x y z"})
    EXPECT_FALSE(parse_line(line)) << line;
}

TEST(ParseLine, KeepsExtraMembersAndReadsNumbers) {
  const char* text =
      R"(a 20140101000000 {"url": "http://a/\u00e9\"", "status": 200, "method": "POST", "x": {"y": [1, "}"]}})";
  const auto capture = parse_line(text);
  ASSERT_TRUE(capture) << capture.error().message;
  EXPECT_EQ(capture->url, "http://a/\xC3\xA9\"");
  EXPECT_EQ(capture->status, "200");
  EXPECT_EQ(field(*capture, "method"), "POST");
  ASSERT_EQ(capture->extra.size(), 2u);
  EXPECT_EQ(capture->extra[1].second, R"({"y": [1, "}"]})");
}

TEST(FlatJson, SurrogatePairs) {
  FlatJson json(R"({"a":"\ud83d\ude00\ud83d"})");
  ASSERT_TRUE(json.next());
  EXPECT_EQ(json.text(), "\xF0\x9F\x98\x80\xEF\xBF\xBD");
  EXPECT_FALSE(json.next());
  EXPECT_TRUE(json.error().empty());
}

}  // namespace
}  // namespace caddis::cdx
