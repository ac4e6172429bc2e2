// The web-platform-tests of the URL Standard. setters_tests.json is not applicable: an Url is immutable and has no
// setters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "caddis/base/utf8.h"
#include "caddis/url/host.h"
#include "caddis/url/query_encoder.h"
#include "caddis/url/url.h"
#include "support/testdata.h"

namespace caddis::url {
namespace {

using nlohmann::json;

// The JSON holds unpaired surrogates, which no UTF-8 can; a browser converts them to U+FFFD before it parses
// (USVString).
std::string with_paired_surrogates(const std::string& text) {
  const auto unit = [&](size_t at) {
    const bool escaped = at + 6 <= text.size() && text[at] == '\\' && text[at + 1] == 'u';
    return escaped ? std::stoul(text.substr(at + 2, 4), nullptr, 16) : 0;
  };
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '\\') {
      out += text[i++];
      continue;
    }
    const auto first = unit(i);
    const auto second = unit(i + 6);
    const bool high = first >= 0xD800 && first <= 0xDBFF;
    const bool low = first >= 0xDC00 && first <= 0xDFFF;
    if (high && second >= 0xDC00 && second <= 0xDFFF) {
      out.append(text, i, 12);
      i += 12;
    } else if (high || low) {
      out += "\\uFFFD";
      i += 6;
    } else {
      out.append(text, i, 2);
      i += 2;
    }
  }
  return out;
}

json read_json(const std::string& path) { return json::parse(with_paired_surrogates(testing::read_file(path))); }

std::map<std::string, std::string_view> parts(const Url& url) {
  return {{"href", url.href()},         {"protocol", url.protocol()}, {"username", url.username()},
          {"password", url.password()}, {"host", url.host()},         {"hostname", url.hostname()},
          {"port", url.port()},         {"pathname", url.pathname()}, {"search", url.search()},
          {"hash", url.hash()}};
}

Result<Url> parse_case(const json& test) {
  const std::string input = test.at("input");
  const json base = test.value("base", json());
  if (base.is_null()) return Url::parse(input);
  const auto parsed = Url::parse(base.get<std::string>());
  if (!parsed) return parsed;
  return Url::parse(input, &*parsed);
}

void check(const json& test) {
  const auto url = parse_case(test);
  if (test.value("failure", false)) {
    EXPECT_FALSE(url) << test.dump() << "\n gives " << url->href();
    return;
  }
  ASSERT_TRUE(url) << test.dump() << "\n " << url.error().message;
  for (const auto& [name, value] : parts(*url)) {
    EXPECT_EQ(value, test.at(name).get<std::string>()) << name << " of " << test.dump();
  }
  const auto again = Url::parse(url->href());
  ASSERT_TRUE(again) << url->href();
  EXPECT_EQ(parts(*again), parts(*url)) << test.dump();
}

TEST(UrlWpt, UrlTestData) {
  CADDIS_TESTDATA_OR_SKIP(path, "01-url-wpt/urltestdata.json");
  int count = 0;
  for (const json& test : read_json(path)) {
    if (test.is_string()) continue;
    check(test);
    ++count;
  }
  EXPECT_GE(count, 891);
}

TEST(UrlWpt, UrlTestDataWithUnpairedSurrogates) {
  CADDIS_TESTDATA_OR_SKIP(path, "01-url-wpt/urltestdata-javascript-only.json");
  for (const json& test : read_json(path)) {
    if (!test.is_string()) check(test);
  }
}

TEST(UrlWpt, DomainToAscii) {
  CADDIS_TESTDATA_OR_SKIP(path, "01-url-wpt/toascii.json");
  for (const json& test : read_json(path)) {
    if (test.is_string()) continue;
    const std::string input = test.at("input");
    const auto url = Url::parse("https://" + input + "/x");
    if (test.at("output").is_null()) {
      EXPECT_FALSE(url) << test.dump() << "\n gives " << url->href();
      continue;
    }
    EXPECT_EQ(url ? url->href() : url.error().message, "https://" + test.at("output").get<std::string>() + "/x")
        << test.dump();
  }
}

TEST(UrlWpt, PercentEncodingAfterEncoding) {
  CADDIS_TESTDATA_OR_SKIP(path, "01-url-wpt/percent-encoding.json");
  for (const json& test : read_json(path)) {
    if (test.is_string()) continue;
    for (const auto& [charset, expected] : test.at("output").items()) {
      auto encoder = QueryEncoder::create(charset);
      ASSERT_TRUE(encoder) << charset;
      const auto url = Url::parse("http://x/?" + test.at("input").get<std::string>() + "#", nullptr, encoder->get());
      ASSERT_TRUE(url);
      EXPECT_EQ(url->search(), "?" + expected.get<std::string>()) << charset << " " << test.dump();
    }
  }
}

}  // namespace
}  // namespace caddis::url
