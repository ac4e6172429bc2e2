#include "caddis/url/key_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "caddis/base/strings.h"
#include "caddis/url/canonicalize.h"
#include "caddis/url/step_kinds.h"
#include "support/testdata.h"

namespace caddis::url {
namespace {

using ::testing::HasSubstr;

KeyPolicy policy(std::string_view notation) {
  auto parsed = KeyPolicy::parse(notation);
  EXPECT_TRUE(parsed) << notation << ": " << (parsed ? "" : parsed.error().message);
  return parsed ? *std::move(parsed) : KeyPolicy::caddis();
}

std::string key(std::string_view notation, std::string_view url, std::string_view timestamp = {}) {
  auto out = canonicalize(policy(notation), url, timestamp);
  return out ? *out : "error: " + out.error().message;
}

std::string error(std::string_view notation) {
  const auto parsed = KeyPolicy::parse(notation);
  return parsed ? "read as " + parsed->notation() : parsed.error().message;
}

// The rules of a policy never change under its version: whoever changes one gives it another.
TEST(KeyPolicy, ShippedPoliciesAreFixed) {
  const std::pair<std::string, std::string> policies[] = {
      {"caddis", "whatwg-parse strip-fragment strip-userinfo strip-session-ids strip-empty-query write-url"},
      {"exact", "whatwg-parse strip-fragment write-url"},
      {"heritrix",
       "whatwg-parse strip-fragment write-url lowercase heritrix-strip-userinfo heritrix-strip-wwwn "
       "heritrix-strip-session-ids heritrix-strip-cfids fixup-query"},
      {"ia-surt",
       "lenient-parse strip-fragment unescape-repeatedly normalize-host-idna2003 normalize-path escape strip-userinfo "
       "strip-default-port strip-www-n lowercase-parts strip-path-session-ids strip-trailing-slash "
       "strip-query-session-ids sort-query write-surt-key"},
      {"ssurt", "whatwg-parse strip-fragment write-ssurt"},
  };
  for (const auto& [name, steps] : policies) {
    EXPECT_EQ(policy(name).notation(), name + "/1");
    EXPECT_EQ(policy(name).steps(), steps);
    EXPECT_EQ(policy(name + "/1: " + steps).notation(), name + "/1") << "its own list is the policy";
  }
  EXPECT_EQ(
      KeyPolicy::caddis().record(),
      "caddis/1: whatwg-parse strip-fragment strip-userinfo strip-session-ids strip-empty-query write-url (sha256 " +
          KeyPolicy::caddis().hash() + ")");
  EXPECT_EQ(KeyPolicy::caddis().hash().size(), 16u);
  EXPECT_EQ(policy("ia-surt/1: lenient-parse strip-fragment unescape-repeatedly normalize-host-idna2003 normalize-path "
                   "escape strip-userinfo strip-default-port strip-host-wwwn lowercase-parts strip-path-session-ids "
                   "strip-trailing-slash strip-query-session-ids sort-query-strip-empty write-surt-key")
                .notation(),
            "ia-surt/1")
      << "as indexes before the notation name it";
}

TEST(KeyPolicy, ChangesAreWrittenInANormalForm) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"  caddis\n -strip-session-ids  +strip-www ", "caddis/1 -strip-session-ids +strip-www"},
      {"ia-surt -strip-host-wwwn -trailing-slash", "ia-surt/1 -strip-www-n -strip-trailing-slash"},
      {"caddis +index-document()", "caddis/1 +index-document"},
      {"caddis +host-alias( www2.example.org=www.example.org   a.org=b.org)",
       "caddis/1 +host-alias(www2.example.org=www.example.org a.org=b.org)"},
      {"caddis +strip-www@site(a.org  b.org)@from(2010)", "caddis/1 +strip-www@site(a.org b.org)@from(2010)"},
      {"ia-surt -strip-www-n@site(a.org),to(2012)", "ia-surt/1 -strip-www-n@site(a.org),to(2012)"},
      {R"(exact +regex(s|\(x\)|/|g))", R"(exact/1 +regex(s|\(x\)|/|g))"},
      {"mine/7: whatwg-parse write-url", "mine/7: whatwg-parse write-url"},
  };
  for (const auto& [in, out] : cases) EXPECT_EQ(policy(in).notation(), out) << in;
  EXPECT_EQ(policy("ia-surt -strip-www-n@site(a.org),to(2012)").steps().find("strip-www-n@!site(a.org),to(2012)"),
            KeyPolicy::ia_surt().steps().find("strip-www-n"));
  EXPECT_EQ(policy("caddis -strip-userinfo +strip-userinfo"), KeyPolicy::caddis());
  EXPECT_NE(policy("caddis +strip-www"), KeyPolicy::caddis());
}

TEST(KeyPolicy, StepsTakeTheirPlace) {
  EXPECT_EQ(policy("exact +strip-empty-query +strip-www +strip-userinfo +regex(s/a/b/) +lowercase").steps(),
            "whatwg-parse strip-fragment strip-userinfo strip-www strip-empty-query write-url lowercase regex(s/a/b/)");
  EXPECT_EQ(policy("caddis -write-url +write-surt-key").form(), KeyForm::surt);
  EXPECT_EQ(policy("owb-aggressive -fixup-query +fixup-query").steps().rfind("write-host-path fixup-query"),
            policy("owb-aggressive -fixup-query").steps().size() - std::string_view("write-host-path").size());
}

TEST(KeyPolicy, RefusesWhatAndWhere) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "key policy: it is empty"},
      {"cadis", "'cadis' (character 1): there is no policy 'cadis'; did you mean 'caddis'?"},
      {"zzzzzzzz",
       "there are caddis, exact, heritrix, ia-surt, ssurt, owb-aggressive, semantic, outback, and lists of your own"},
      {"caddis/2", "this version of Caddis has caddis/1"},
      {"caddis +strip-ww", "'+strip-ww' (character 8): there is no step 'strip-ww'; did you mean 'strip-www'?"},
      {"caddis strip-www", "switched on with '+' or off with '-'"},
      {"caddis -strip-www", "there is no such step in it; it has whatwg-parse, strip-fragment"},
      {"caddis -write-url", "one that writes the key"},
      {"caddis +whatwg-parse", "these are 2 and 1"},
      {"caddis +strip-www(x)", "has no arguments"},
      {"caddis +host-alias", "host-alias(ALIAS=HOST"},
      {"caddis +host-alias(a.org)", "'a.org' is not written ALIAS=HOST"},
      {"caddis +regex(s/[/x/)", "no regular expression"},
      {"caddis +regex(s/a/$1/)", "regex(s/a/$1/)"},
      {"caddis +regex(s/a/)", "three marks are wanted"},
      {"caddis +regex(s/a/b/x)", "the flags there are"},
      {"caddis +regex(s/(a/b/)", "is not closed"},
      {"caddis +strip-www@host(x)", "there is no guard '@host'"},
      {"caddis +strip-www@from(10)", "4 to 14 digits"},
      {"caddis +strip-www@from(2012),to(2010)", "holds at no time"},
      {"caddis +strip-www@site()", "names no site"},
      {"caddis +strip-www@site", "lacks its (…)"},
      {"caddis -write-url@site(a.org)", "has no guards"},
      {"caddis/1: whatwg-parse write-url", "these are not the steps of caddis/1"},
      {"mine: whatwg-parse write-url", "a list has a version: 'mine/1: …'"},
      {"mine/1: whatwg-parse +strip-www write-url", "a list has steps without '+' and '-'"},
      {"mine/1: strip-www whatwg-parse write-url", "'strip-www' cannot stand there"},
      {"mine/1: whatwg-parse lowercase write-url", "'lowercase' cannot stand there"},
      {"mi ne/1:", "there is no policy 'mi'"},
      {"caddis +strip-www(a)b", "stands behind the arguments"},
  };
  for (const auto& [notation, message] : cases) EXPECT_THAT(error(notation), HasSubstr(message)) << notation;
}

// ---- what the steps do

TEST(KeyPolicy, StepsThatAreSwitchedOn) {
  struct Case {
    std::string_view policy, in, out;
  };
  const Case cases[] = {
      {"caddis +strip-www", "http://www.example.com/", "http://example.com/"},
      {"caddis +strip-www", "http://www2.example.com/", "http://www2.example.com/"},
      {"caddis +strip-www", "http://www.com/", "http://www.com/"},
      {"caddis +strip-www-n", "http://www2.example.com/", "http://example.com/"},
      {"caddis +strip-trailing-slash", "http://example.com/a/", "http://example.com/a"},
      {"caddis +https-as-http", "https://example.com/a", "http://example.com/a"},
      {"caddis +strip-extra-slashes", "http://example.com//a///b", "http://example.com/a/b"},
      {"caddis +lowercase", "http://example.com/A?B", "http://example.com/a?b"},
      {"caddis +sort-query", "http://example.com/?b=1&a=2", "http://example.com/?a=2&b=1"},
      {"caddis +index-document", "http://example.com/a/index.html", "http://example.com/a/"},
      {"caddis +index-document", "http://example.com/Default.ASP?id=1", "http://example.com/?id=1"},
      {"caddis +index-document", "http://example.com/myindex.html", "http://example.com/myindex.html"},
      {"caddis +index-document(start.html)", "http://example.com/start.html", "http://example.com/"},
      {"caddis +index-document(start.html)", "http://example.com/index.html", "http://example.com/index.html"},
      {"caddis +host-alias(www2.example.org=www.example.org)", "http://www2.example.org/a", "http://www.example.org/a"},
      {"caddis +host-alias(www2.example.org=www.example.org)", "http://www3.example.org/", "http://www3.example.org/"},
      {"caddis +strip-parameters(utm_* fbclid)", "http://a.org/?utm_source=x&q=1&FBCLID=2", "http://a.org/?q=1"},
      {"caddis +strip-parameters(utm_*)", "http://a.org/?utm_source=x", "http://a.org/"},
      {"caddis +regex(s/;v=\\d+$//)", "http://a.org/x;v=12", "http://a.org/x"},
      {"caddis +regex(s/^(.*)SID=[0-9a-f]+(.*)$/${1}SID$2/)", "http://a.org/?SID=09af&b", "http://a.org/?SID&b"},
      {"caddis +regex(s#/+#/#g)", "http://a.org//b", "http:/a.org/b"},
      {"caddis +regex(s/ABC/x/i)", "http://a.org/abcabc", "http://a.org/xabc"},
      {"ia-surt -strip-www-n", "http://www.example.org/A", "org,example,www)/a"},
      {"ia-surt +index-document", "http://example.org/a/index.html", "org,example)/a"},
      {"ia-surt -trailing-slash", "http://example.org/a/", "org,example)/a/"},
      {"exact -write-url +write-surt-key", "http://www.Example.org/A/", "org,example,www)/A/"},
      {"semantic", "http://u@Example.org:80/%7Efoo%2Fbar?x=%2526y#z", "http://example.org/~foo/bar?x=%26y"},
      {"semantic", "http://example.org/%E9%c3%a9", "http://example.org/%E9%C3%A9"},
  };
  for (const Case& test : cases) EXPECT_EQ(key(test.policy, test.in), test.out) << test.policy << " " << test.in;
}

TEST(KeyPolicy, OwbAggressive) {
  const std::string id = "0123456789abcdef0123456789abcdef";
  const std::pair<std::string, std::string> cases[] = {
      {"http://www.archive.org/index.html", "archive.org/index.html"},
      {"https://www12.Archive.org:443/A/", "archive.org/a/"},
      {"http://archive.org:8080/", "archive.org:8080/"},
      {"http://u:p@archive.org/", "archive.org/"},
      {"http://archive.org/a//b%20c", "archive.org/a/b+c"},
      {"http://archive.org/?b=1&a=2", "archive.org/?b=1&a=2"},
      {"http://archive.org/a?jsessionid=" + id, "archive.org/a"},
      {"http://archive.org/a?x=1&sid=" + id + "&y=2", "archive.org/a?x=1&y=2"},
      {"http://archive.org/(S(4hqa0555fwsecu455xqckv45))/p.aspx", "archive.org/p.aspx"},
      {"http://archive.org/(4hqa0555fwsecu455xqckv45)/p.aspx", "archive.org/p.aspx"},
      {"dns:www.archive.org", "dns:www.archive.org"},
  };
  for (const auto& [in, out] : cases) EXPECT_EQ(key("owb-aggressive", in), out) << in;
}

// Answers of OutbackCDX itself: those that its tests name, and those of its program on further URLs.
TEST(KeyPolicy, Outback) {
  const std::string id = "0123456789abcdef0123456789abcdef", id24 = "4hqa0555fwsecu455xqckv45";
  const std::pair<std::string, std::string> cases[] = {
      {"http://abr.business.gov.au/(dhj3bi55ekqndn3mjb5myu45)/entityTypeDetails.aspx?SearchText=125",
       "au,gov,business,abr)/entitytypedetails.aspx?searchtext=125"},
      {"http://www.basix.nsw.gov.au/information/index.jsp;jsessionid=3E544261B39C3B399E1C6BB38D6888E6",
       "au,gov,nsw,basix)/information/index.jsp"},
      {"http://intersector.wa.gov.au/current_issue?CFID=2051199&CFTOKEN=697395b12ed216e1-F6DFAF77-D433-FA57-"
       "5582BC6000844470&jsessionid=92303280691120833351543",
       "au,gov,wa,intersector)/current_issue"},
      {"http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/%77%77%77%2E%65%62%61%79%2E%63%6F%6D/",
       "168.188.99.26/.secure/www.ebay.com"},
      {"http://host/%25%32%35", "host)/%25"},
      {"http://host/%25%32%35%25%32%35", "host)/%25%25"},
      {"http://host/%2525252525252525", "host)/%25"},
      {"http://host/asdf%25%32%35asd", "host)/asdf%25asd"},
      {"http://host/%%%25%32%35asd%%", "host)/%25%25%25asd%25%25"},
      {"http://host/?%%%25%32%35asd%%", "host)/?%25%25%25asd%25%25"},
      {"http://195.127.0.11/uploads/%20%20%20%20/.verify/", "195.127.0.11/uploads/%20%20%20%20/.verify"},
      {"http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B",
       "com,host%23)/~a!b@c%23d$e%25f^00&11*22(33)44_55+"},
      {"http://www.google.com/blah/..", "com,google)/"},
      {"www.google.com", "com,google)/"},
      {"http://www.google.com.../", "com,google)/"},
      {"http://www.google.com/foo\tbar\rbaz\n2", "com,google)/foobarbaz2"},
      {"http://www.google.com/q?r?s", "com,google)/q?r?s"},
      {"http://evil.com/foo#bar#baz", "com,evil)/foo"},
      {"http://evil.com/foo?bar;", "com,evil)/foo?bar;"},
      {"http://\u00c0.com/\u00c0", "com,xn--0ca)/%c3%a0"},
      {"http://www.gotaport.com:1234/", "com,gotaport):1234/"},
      {"  http://www.google.com/  ", "com,google)/"},
      {"http:// leadingspace.com/", "com,%20leadingspace)/"},
      {"%20leadingspace.com/", "com,%20leadingspace)/"},
      {"http://host.com//twoslashes?more//slashes", "com,host)/twoslashes?more//slashes"},
      {"http://example.org/too/many/../../../dots", "org,example)/dots"},
      {"youtube-dl:http://web.acma.gov.au/challenge?method=viewChallenge",
       "youtube-dl:au,gov,acma,web)/challenge?method=viewchallenge"},
      {"urn:transclusions:http://web.acma.gov.au/a", "youtube-dl:au,gov,acma,web)/a"},
      {"youtube-dl:00001:http://web.acma.gov.au/a", "youtube-dl:00001:au,gov,acma,web)/a"},
      {"screenshot:http://www.example.com/A", "screenshot:com,example)/a"},
      {"https://www2.EXAMPLE.com:443/Foo/", "com,example)/foo"},
      {"http://www.www.example.com/a", "com,example,www)/a"},
      {"http://user:pw@example.com:8080/Dir/", "com,example):8080/dir"},
      {"http://example.com/?a=1&a.b=2", "com,example)/?a.b=2&a=1"},
      {"http://example.com/?a=1&&b=2&", "com,example)/?a=1&b=2"},
      {"http://example.com/?", "com,example)/"},
      {"http://example.com/a?x=%2526y", "com,example)/a?x=&y"},
      {"http://example.com/\u00c9", "com,example)/%c3%a9"},
      {"http://example.com/%E9", "com,example)/%25e9"},
      {"http://example.com/%20%E9t%e9", "com,example)/%25e9%20t%25e9"},
      {"http://www.stra\u00dfe.de/", "de,strasse)/"},
      {"http://example.com/x;jsessionid=" + id, "com,example)/x"},
      {"http://example.com/x?PHPSESSID=0123456789abcdef&a=1", "com,example)/x?a=1"},
      {"http://example.com/x?foosid=" + id + "&b", "com,example)/x?b&foosid=" + id},
      {"http://example.com/x?CFID=2051199&CFTOKEN=697395b1-f6&a=1", "com,example)/x?a=1"},
      {"http://example.com/(S(" + id24 + "))/mileg.aspx", "com,example)/(s(" + id24 + "))/mileg.aspx"},
      {"http://3279880203/x", "195.127.0.11/x"},
      {"http://0x7f.1/x", "1,0x7f)/x"},
      {"http://010.8.8.8/x", "010.8.8.8/x"},
      {"http://[2001:db8:0:0::1]/x", "[2001::1])/x"},
      {"http://[2001:0:0:1::]/x", "[2001:0:0:1::])/x"},
      {"ftp://www.example.com/x", "com,example)/x"},
      {"dns:www.example.com", "dns:www.example.com"},
      {"urn:uuid:1234", "urn:uuid:1234"},
      {"mailto:a@b", ")/a@b"},
      {"http://example..com./x", "com,example)/x"},
      {"http://example.com\\a\\b", "com\\a\\b,example)/"},
      {"//example.com/foo", ")/example.com/foo"},
      {"http://http://example.com/foo", "http)/example.com/foo"},
      {"http://example.com/foo?http://bar.com/A", "com,example)/foo?http://bar.com/a"},
      {"http://example.com:/x", "com,example)/x"},
  };
  for (const auto& [in, out] : cases) EXPECT_EQ(key("outback", in), out) << in;
  EXPECT_THAT(key("outback", "http://example.com:x/"), HasSubstr("malformed port"));
  const std::string deep = "http://example.com/%" + [] {
    std::string all;
    for (int i = 0; i < 100'000; ++i) all += "25";
    return all;
  }();
  EXPECT_EQ(key("outback", deep), "com,example)/%25") << "and in time";
}

TEST(KeyPolicy, Guards) {
  const std::string_view site = "caddis +strip-www@site(example.org http://other.net/docs/)";
  EXPECT_EQ(key(site, "http://www.example.org/"), "http://example.org/");
  EXPECT_EQ(key(site, "http://www.sub.example.org/"), "http://sub.example.org/");
  EXPECT_EQ(key(site, "http://www.example.net/"), "http://www.example.net/");
  EXPECT_EQ(key("caddis +lowercase@site(http://other.net/docs/)", "http://other.net/docs/A"),
            "http://other.net/docs/a");
  EXPECT_EQ(key("caddis +lowercase@site(http://other.net/docs/)", "http://other.net/A"), "http://other.net/A");
  EXPECT_EQ(key(R"(caddis +lowercase@site(http://\(org,example,www,\)))", "http://www.example.org/A"),
            "http://www.example.org/a");
  EXPECT_EQ(key(R"(caddis +lowercase@site(http://\(org,example,www,\)))", "http://a.example.org/A"),
            "http://a.example.org/A");
  EXPECT_EQ(
      key("caddis -strip-session-ids@site(example.org)", "http://example.org/?sid=0123456789abcdef0123456789abcdef"),
      "http://example.org/?sid=0123456789abcdef0123456789abcdef");
  EXPECT_EQ(
      key("caddis -strip-session-ids@site(example.org)", "http://example.net/?sid=0123456789abcdef0123456789abcdef"),
      "http://example.net/");
  const std::string_view ndl = "ia-surt -strip-www-n@site(example.org)";
  EXPECT_EQ(key(ndl, "http://www.example.org/a"), "org,example,www)/a");
  EXPECT_EQ(key(ndl, "www.example.org/a"), "org,example,www)/a");
  EXPECT_EQ(key(ndl, "http://www.example.net/a"), "net,example)/a");
}

TEST(KeyPolicy, PeriodsOfCaptures) {
  const std::string_view dated = "exact +index-document@from(2010),to(201206)";
  const std::string in = "http://a.org/index.html";
  EXPECT_EQ(key(dated, in, "20091231235959"), in);
  EXPECT_EQ(key(dated, in, "20100101000000"), "http://a.org/");
  EXPECT_EQ(key(dated, in, "20120630235959"), "http://a.org/");
  EXPECT_EQ(key(dated, in, "20120701000000"), in);
  EXPECT_EQ(key(dated, in), in);
  EXPECT_EQ(key("exact +index-document@from(2010)", in), "http://a.org/") << "without a date it is the end of time";
  std::string periods;
  for (const KeyPeriod& period : policy(dated).periods()) periods += period.from + "-" + period.to + " ";
  EXPECT_EQ(periods, "-20100000000000 20100000000000-20120700000000 20120700000000- ")
      << "each begins where the one before ends";
}

// ---- the tables of the field

// Rows in which the keyers of the field differ.
TEST(KeyPolicy, AlignedWithTheDifferential) {
  struct Row {
    std::string_view in, ia_surt, semantic;
  };
  const Row rows[] = {
      {"http://www.www.example.com/a", "com,example,www)/a", "http://www.www.example.com/a"},
      {"http://example.com:8080/Dir/", "com,example:8080)/dir", "http://example.com:8080/Dir/"},
      {"http://example.com/?a=1&a.b=2", "com,example)/?a=1&a.b=2", "http://example.com/?a=1&a.b=2"},
      {"http://example.com/?a=1&&b=2&", "com,example)/?&&a=1&b=2", "http://example.com/?&&a=1&b=2"},
      {"http://example.com/%E9", "com,example)/%e9", "http://example.com/%E9"},
      {"http://example.com/a%2525", "com,example)/a%25", "http://example.com/a%25"},
      {"http://example.com/a?x=%2526y", "com,example)/a?x=&y", "http://example.com/a?x=%26y"},
      {"http://1.2.3.4/x", "4,3,2,1)/x", "http://1.2.3.4/x"},
      {"http://0x7f.1/x", "1,0x7f)/x", "http://127.0.0.1/x"},
      {"http://www.straße.de/", "de,strasse)/", "http://www.xn--strae-oqa.de/"},
      {"http://example.com\\a\\b", "com\\a\\b,example)/", "http://example.com/a/b"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(key("ia-surt", row.in), row.ia_surt);
    EXPECT_EQ(key("semantic", row.in), row.semantic);
  }
}

// urlcanon's semantic form, where its parser and the standard's read the same URL: of http, with a path and a sound host.
TEST(KeyPolicy, SemanticAgreesWithUrlcanon) {
  CADDIS_TESTDATA_OR_SKIP(path, "06-canon/oracle_multi.jsonl");
  const KeyPolicy semantic = policy("semantic");
  int same = 0, all = 0;
  for (const std::string& line : testing::read_lines(path)) {
    const auto test = nlohmann::json::parse(line);
    const std::string in = test.at("in");
    if (!test.contains("urlcanon_semantic_precise") || !in.starts_with("http")) continue;
    const auto url = Url::parse(in);
    if (!url || !url->is_http()) continue;
    std::string wanted = test.at("urlcanon_semantic_precise");
    wanted = wanted.substr(0, wanted.find('#'));
    ++all;
    const std::string got = canonicalize(semantic, in).value();
    same += got == wanted ? 1 : 0;
  }
  EXPECT_GE(all, 200);
  EXPECT_GE(same * 100, all * 98) << same << " of " << all;
}

// ---- round trips of drawn policies

std::string drawn_step(std::mt19937& random) {
  const auto kinds = step_kinds();
  const StepKind* kind = &kinds[random() % kinds.size()];
  while (kind->stage == StepStage::parse || kind->stage == StepStage::write) kind = &kinds[random() % kinds.size()];
  std::string step(kind->name);
  if (kind->name == "regex") {
    const char* const all[] = {"s/a/b/", R"(s|\(x\)|$1$$|g)", "s#(a|b)(c)#$2\\1#i", "s/\\//-/"};
    step += "(" + std::string(all[1 + random() % 3]) + ")";
    if (step == R"(regex(s|\(x\)|$1$$|g))") step = R"(regex(s|\(x\)|y$$|g))";
  } else if (kind->name == "host-alias") {
    step += "(a.org=b.org  c.org=d.org)";
  } else if (kind->name == "strip-parameters") {
    step += "(utm_* a)";
  } else if (kind->name == "index-document" && random() % 2 == 0) {
    step += "(start.html)";
  }
  for (unsigned guards = random() % 3; guards > 0; --guards) {
    const char* const all[] = {"@site(a.org)", "@from(2010)", "@to(20121231),site(b.org c.org)",
                               "@!site(http://x.net/d/)", R"(@site(http://\(org,example,))"};
    step += all[random() % 5];
  }
  return step;
}

TEST(KeyPolicy, DrawnPoliciesRoundTrip) {
  std::mt19937 random(20260918);
  const std::vector<std::string> names = KeyPolicy::shipped_names();
  for (int i = 0; i < 3000; ++i) {
    std::string notation = names[random() % names.size()];
    for (unsigned changes = random() % 6; changes > 0; --changes) notation += " +" + drawn_step(random);
    const auto first = KeyPolicy::parse(notation);
    ASSERT_TRUE(first) << notation << ": " << first.error().message;
    const auto again = KeyPolicy::parse(first->notation());
    ASSERT_TRUE(again) << first->notation() << ": " << again.error().message;
    EXPECT_EQ(again->notation(), first->notation());
    EXPECT_EQ(again->steps(), first->steps());
    EXPECT_EQ(again->hash(), first->hash());
    const auto list = KeyPolicy::parse("own/1: " + first->steps());
    ASSERT_TRUE(list) << first->steps() << ": " << list.error().message;
    EXPECT_EQ(*list, *first);
    for (const char* url : {"https://www.a.org/b//index.html?utm_x=1&b#c", "http://x.net/d/E;x"})
      EXPECT_EQ(canonicalize(*first, url).value_or("-"), canonicalize(*again, url).value_or("-"));
  }
}

TEST(KeyPolicy, ExplainsWhatChanged) {
  const auto explained =
      explain_key(policy("ia-surt +index-document"), "http://www.Example.org/A/index.html?b&a#c").value();
  EXPECT_EQ(explained.key, "org,example)/a?a&b");
  std::string steps;
  for (const KeyChange& change : explained.changes) steps += change.step + ": " + change.after + "\n";
  EXPECT_EQ(steps,
            "lenient-parse: http://www.example.org/A/index.html?b&a#c\n"
            "strip-fragment: http://www.example.org/A/index.html?b&a\n"
            "strip-www-n: http://example.org/A/index.html?b&a\n"
            "lowercase-parts: http://example.org/a/index.html?b&a\n"
            "index-document: http://example.org/a/?b&a\n"
            "strip-trailing-slash: http://example.org/a?b&a\n"
            "sort-query: http://example.org/a?a&b\n"
            "write-surt-key: org,example)/a?a&b\n");
  EXPECT_TRUE(explain_key(KeyPolicy::caddis(), "http://a.org/")->changes.empty());
  EXPECT_FALSE(explain_key(KeyPolicy::caddis(), "x"));
}

// The page of the notation names every step and every policy.
TEST(KeyPolicy, IsDocumented) {
  const std::string page = testing::read_file(testing::source_path("docs/formats/key-policy.md"));
  for (const StepKind& kind : step_kinds()) EXPECT_THAT(page, HasSubstr("`" + std::string(kind.name)));
  for (const std::string& name : KeyPolicy::shipped_names()) {
    EXPECT_THAT(page, HasSubstr("| `" + policy(name).notation() + "` | `" + policy(name).hash() + "` |"));
    EXPECT_THAT(page, HasSubstr(policy(name).steps()));
  }
}

}  // namespace
}  // namespace caddis::url
