#include "caddis/url/canonicalize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "caddis/url/steps.h"
#include "caddis/url/surt.h"
#include "support/testdata.h"

namespace caddis::url {
namespace {

using nlohmann::json;

std::string key(std::string_view policy, std::string_view url) {
  auto out = canonicalize(KeyPolicy::parse(policy).value(), url);
  return out ? *out : "error: " + out.error().message;
}

struct Case {
  std::string_view in;
  std::string_view out;
};

TEST(Canonicalize, CaddisKeepsWhatServersTellApart) {
  const std::string id = "0123456789ABCDEF0123456789abcdef";
  const std::pair<std::string, std::string> cases[] = {
      {"http://Example.com", "http://example.com/"},
      {"https://www.example.com/A/b/?B=2&a=1#x", "https://www.example.com/A/b/?B=2&a=1"},
      {"http://example.com/?", "http://example.com/"},
      {"http://example.com/?#", "http://example.com/"},
      {"http://u:p@example.com:8080/x", "http://example.com:8080/x"},
      {"http://example.com/a?&&b&", "http://example.com/a?&&b&"},
      {"http://example.com/a?sid=" + id, "http://example.com/a"},
      {"http://example.com/a?x=1&PHPSESSID=" + id + "&y=2", "http://example.com/a?x=1&y=2"},
      {"http://example.com/a?x=1&jsessionid=" + id, "http://example.com/a?x=1"},
      {"http://example.com/a?foosid=" + id, "http://example.com/a?foosid=" + id},
      {"http://example.com/a?sid=" + id + "0", "http://example.com/a?sid=" + id + "0"},
      {"http://example.com/a?ASPSESSIONIDAQBSDSRT=EOHBLBDDPFCLHKPGGKLILNAM&b", "http://example.com/a?b"},
      {"http://example.com/a?CFID=1&CFTOKEN=2&b=3", "http://example.com/a?b=3"},
      {"http://example.com/a?CFID=1&b=3", "http://example.com/a?CFID=1&b=3"},
      {"http://example.com/a;jsessionid=" + id + "?b", "http://example.com/a?b"},
      {"http://example.com/a;jsessionid=" + id + ".node-1/b", "http://example.com/a/b"},
      {"http://example.com/a;jsessionid=12", "http://example.com/a;jsessionid=12"},
      {"http://example.com/(S(4hqa0555fwsecu455xqckv45))/p.aspx", "http://example.com/p.aspx"},
      {"http://example.com/(4hqa0555fwsecu455xqckv45)/p.html", "http://example.com/(4hqa0555fwsecu455xqckv45)/p.html"},
      {"mailto:a@b?", "mailto:a@b"},
      {"web+x:/.//p", "web+x:/.//p"},
      {"http://[::1]:81/", "http://[::1]:81/"},
  };
  for (const auto& [in, out] : cases) EXPECT_EQ(key("caddis", in), out) << in;
}

TEST(Canonicalize, Exact) {
  EXPECT_EQ(key("exact", "HTTP://u@Example.com:80/a/../b?#f"), "http://u@example.com/b?");
  EXPECT_EQ(key("exact", "/relative"),
            "error: invalid URL: it has no scheme, and there is no base to resolve it against");
}

TEST(Canonicalize, EveryKeyIsItsOwnKey) {
  CADDIS_TESTDATA_OR_SKIP(path, "01-url-wpt/urltestdata.json");
  for (const json& test : json::parse(testing::read_file(path))) {
    if (!test.is_object() || !test.contains("href")) continue;
    const std::string href = test.at("href");
    for (const char* const policy : {"caddis", "exact", "heritrix"}) {
      const std::string once = key(policy, href);
      EXPECT_EQ(key(policy, once), once) << policy << " " << href;
    }
  }
}

TEST(Canonicalize, CrawlKeyIsTheKeyOfTheText) {
  CADDIS_TESTDATA_OR_SKIP(path, "06-canon/oracle_multi.jsonl");
  int count = 0;
  for (const std::string& line : testing::read_lines(path)) {
    const std::string in = json::parse(line).at("in");
    const auto url = Url::parse(in);
    if (!url) continue;
    ++count;
    for (const char* const policy : {"caddis", "exact", "heritrix", "ssurt"}) {
      EXPECT_EQ(crawl_key(KeyPolicy::parse(policy).value(), *url).value(), key(policy, in)) << policy << " " << in;
    }
    EXPECT_EQ(crawl_key(KeyPolicy::ia_surt(), *url).value(), key("ia-surt", url->href()));
  }
  EXPECT_GT(count, 330);
}

TEST(Canonicalize, IaSurtEqualsPythonSurt) {
  CADDIS_TESTDATA_OR_SKIP(path, "06-canon/oracle_multi.jsonl");
  int count = 0, agreed = 0;
  for (const std::string& line : testing::read_lines(path)) {
    const json test = json::parse(line);
    const std::string in = test.at("in");
    ++count;
    if (test.contains("python_surt_error")) {
      EXPECT_TRUE(key("ia-surt", in).starts_with("error: ")) << line;
      continue;
    }
    EXPECT_EQ(key("ia-surt", in), test.at("python_surt").get<std::string>()) << line;
    if (!test.at("keys_agree").get<bool>()) continue;
    ++agreed;
    EXPECT_EQ(key("ia-surt", in), test.at("wayback_key").get<std::string>()) << line;
  }
  EXPECT_GE(count, 362);
  EXPECT_GT(agreed, 300);
}

// What differs between the keyers of the field; the keys are Python's.
TEST(Canonicalize, IaSurtQuirks) {
  const Case cases[] = {
      {"", "-"},
      {"filedesc://A.arc", "filedesc://A.arc"},
      {"warcinfo:X", "warcinfo:x"},
      {"dns:www.example.com", "dns:www.example.com"},
      {"dns://www.example.com", "com,example,www)/"},
      {"http://www.www.example.com/a", "com,example,www)/a"},
      {"http://example.com:8080/Dir/", "com,example:8080)/dir"},
      {"http://example.com/?a=1&a.b=2", "com,example)/?a=1&a.b=2"},
      {"http://example.com/?a=1&&b=2&", "com,example)/?&&a=1&b=2"},
      {"http://example.com/a?x=%2526y", "com,example)/a?x=&y"},
      {"http://example.com/É", "com,example)/%c3%89"},
      {"http://example.com/%E9", "com,example)/%e9"},
      {"http://www.straße.de/", "de,strasse)/"},
      {"http://example.com/x?foosid=0123456789abcdef0123456789abcdef&b", "com,example)/x?foob"},
      {"http://3279880203/x", "11,0,127,195)/x"},
      {"http://99999999999999999999/", "255,255,15,99)/"},
      {"http://010.8.8.8/x", "8,8,8,010)/x"},
      {"http://127.1/", "1,0,0,127)/"},
      {"http://[2001:db8:0:0::1]:81/x", "2001:db8:0:0::1:81)/x"},
      {"http://foo...bar/", "bar,,foo)/"},
      {"http://%E9/", "http:/"},
      {"http://é..com/", "com,%c3%a9)/"},
      {"//example.com/foo", "com,example)/foo"},
      {"http://https://example.com/foo", "com,example)/foo"},
      {"http:a:b@/www.example.com", "a:b@)/www.example.com"},
      {"http://user@/www.example.com", "com,example)/"},
      {"http://example.com\\a\\b", "com\\a\\b,example)/"},
      {"screenshot:http://www.example.com/A", "screenshot:http://www.example.com/a"},
      {"file:///a/./b//c/", "file:/a/./b//c"},
      {"http://x:65536/", "error: no index key: port above 65535"},
      {"http://x:y/", "error: no index key: malformed port \"y\""},
      {" ", "error: no index key: nothing but white space"},
  };
  for (const Case& test : cases) EXPECT_EQ(key("ia-surt", test.in), test.out) << test.in;
}

// Steps on a text that nothing has parsed: the tests of Heritrix's single rules.
std::string apply(std::initializer_list<const Step*> steps, std::string text) {
  Draft draft;
  draft.text = std::move(text);
  for (const Step* step : steps) EXPECT_TRUE(step->apply(draft));
  return draft.text;
}

TEST(Canonicalize, HeritrixRules) {
  CADDIS_TESTDATA_OR_SKIP(path, "06-canon/heritrix_rules.jsonl");
  const std::map<std::string, const Step*> rules = {
      {"heritrix.LowercaseRule", &steps::lowercase},
      {"heritrix.StripUserinfoRule", &steps::heritrix_strip_userinfo},
      {"heritrix.StripWWWNRule", &steps::heritrix_strip_wwwn},
      {"heritrix.StripWWWRule", &steps::heritrix_strip_www},
      {"heritrix.StripSessionIDs", &steps::heritrix_session_ids},
      {"heritrix.StripSessionCFIDs", &steps::heritrix_cfids},
      {"heritrix.FixupQueryString", &steps::fixup_query},
  };
  int count = 0;
  for (const std::string& line : testing::read_lines(path)) {
    const json test = json::parse(line);
    const std::string scheme = test.at("scheme"), in = test.at("in"), out = test.at("out");
    ++count;
    if (scheme == "heritrix.RegexRule") {
      const bool is_identity = in == out;
      const auto rule =
          steps::make_regex(is_identity ? "s/(.*)/$1/" : R"(s/^(.+)(?:;\$sessionid\$[A-Z0-9]{32})(\?.*)+$/$1$2/)");
      Draft draft;
      draft.text = in;
      ASSERT_TRUE(rule && rule->apply(draft));
      EXPECT_EQ(draft.text, out) << line;
    } else if (scheme == "heritrix.RulesCanonicalizationPolicy")
      EXPECT_EQ(key("heritrix", in), out) << line;
    else
      EXPECT_EQ(apply({rules.at(scheme)}, in), out) << line;
  }
  EXPECT_EQ(count, 40);
}

TEST(Canonicalize, HeritrixReachesFar) {
  const std::string id = "0123456789abcdef0123456789abcdef";
  const std::pair<std::string, std::string> cases[] = {
      {"http://www.example.com/", "http://www.example.com/"},  // no path behind the slash: www stays
      {"http://www2.example.com/A?B#c", "http://example.com/a?b"},
      {"ftp://u:p@example.com/A", "ftp://example.com/a"},
      {"http://example.com/a;jsessionid=" + id, "http://example.com/a;"},
      {"http://example.com/?jsessionid=" + id + "&phpsessid=" + id, "http://example.com/?jsessionid=" + id},
      {"http://example.com/?&a", "http://example.com/?a"},
      {"http://example.com/?a&", "http://example.com/?a"},
  };
  for (const auto& [in, out] : cases) EXPECT_EQ(key("heritrix", in), out) << in;
}

TEST(Canonicalize, Ssurt) {
  CADDIS_TESTDATA_OR_SKIP(path, "06-canon/urlcanon.jsonl");
  int count = 0;
  for (const std::string& line : testing::read_lines(path)) {
    const json test = json::parse(line);
    if (test.at("scheme") != "ssurt.ssurt") continue;
    Draft draft;
    draft.text = test.at("in");
    ASSERT_TRUE(steps::whatwg_parse.apply(draft));  // without strip-fragment, which the data does not know
    ASSERT_TRUE(steps::write_ssurt.apply(draft));
    EXPECT_EQ(draft.text, test.at("out").get<std::string>()) << line;
    ++count;
  }
  EXPECT_EQ(count, 11);
  EXPECT_EQ(key("ssurt", "https://[::1]:8443/a#b"), "[::1]//8443:https:/a");
  EXPECT_EQ(key("ssurt", "http://127.0.0.1/"), "127.0.0.1//http:/");
}

}  // namespace
}  // namespace caddis::url
