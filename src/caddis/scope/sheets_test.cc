#include "caddis/scope/sheets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/scope/rule_kinds.h"
#include "caddis/scope/scope.h"
#include "caddis/scope/site.h"
#include "caddis/url/crawl_schemes.h"

namespace caddis::scope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

settings::Sheet sheet(std::string name, std::vector<std::string> sites, std::vector<std::string> urls = {}) {
  return {std::move(name), std::move(sites), std::move(urls), {}};
}

std::vector<size_t> of(const Sheets& sheets, std::string_view url) {
  return sheets.members(sheets.of(*url::Url::parse(url)));
}
std::vector<size_t> of_host(const Sheets& sheets, std::string_view host) {
  return sheets.members(sheets.of_host(host));
}

TEST(Sheets, SitesAreHostsUrlPrefixesAndSurtPrefixes) {
  struct Case {
    std::string_view site, url;
    bool holds;
  };
  const Case cases[] = {
      {"example.org", "http://example.org/", true},
      {"example.org", "https://www.example.org:8443/a?b", true},
      {"Example.ORG", "http://a.b.example.org/", true},
      {"example.org", "http://notexample.org/", false},
      {"example.org", "http://example.org.evil.com/", false},
      {"example.org", "http://example.organic/", false},
      {"example.org", "http://user@example.org/", true},
      {"https://example.org", "http://www.example.org/x", true},
      {"https://example.org/", "http://example.org/x", true},
      {"https://example.org/", "http://www.example.org/x", false},
      {"https://example.org/", "http://example.org:8080/x", false},
      {"https://example.org/big/", "http://example.org/big/x", true},
      {"https://example.org/big/", "https://example.org/BIG/", true},
      {"https://example.org/big/", "http://example.org/big", false},
      {"https://example.org/big", "http://example.org/bigger", true},
      {"https://example.org/s?p=", "http://example.org/s?p=1", true},
      {"https://example.org/s?p=", "http://example.org/s?q=1", false},
      {"example.org/big/", "http://example.org/big/x", true},
      {"http://example.org:8080/", "http://example.org:8080/", true},
      {"example.org:8080", "http://example.org:8080/x", true},
      {"example.org:8080", "http://example.org:80801/x", false},
      {"example.org:8080", "http://example.org/x", false},
      {"example.org:443", "https://example.org/x", true},
      {"(org,example,)/path", "https://example.org/path/x", true},
      {"(org,example,)/path", "https://www.example.org/path/x", false},
      {"https://(org,example,", "http://www.example.org/", true},
      {"(org,", "http://any.org/", true},
      {"(org,", "http://any.com/", false},
      {"192.0.2.1", "http://192.0.2.1/", true},
      {"192.0.2.1", "http://192.0.2.1:81/", true},
      {"192.0.2.1", "http://192.0.2.12/", false},
      {"[2001:db8::1]", "http://[2001:db8::1]/x", true},
      {"[2001:db8::1]:81", "http://[2001:db8::1]:81/x", true},
      {"localhost", "http://localhost:3000/", true},
      {"bücher.example", "https://xn--bcher-kva.example/", true},
      {"file:", "file:///srv/site/a", true},
      {"file:", "http://file/", false},
      {"file:8080", "http://file:8080/x", true},
      {"file:///srv/site/", "file:///srv/site/a", true},
      {"file:///srv/site/", "file:///srv/sites", false},
      {"file:///srv/site/", "http://srv/site/a", false},
  };
  for (const Case& c : cases) {
    auto sheets = Sheets::create({sheet("s", {std::string(c.site)})});
    ASSERT_TRUE(sheets) << sheets.error().message;
    if (const auto url = url::Url::parse(c.url))
      EXPECT_EQ(!(*sheets)->of(*url).empty(), c.holds) << c.site << " for " << c.url;
  }
}

TEST(Sheets, HostsAreTheirRoots) {
  const auto sheets =
      *Sheets::create({sheet("domain", {"example.org"}), sheet("part", {"http://example.org/big/"}),
                       sheet("root", {"https://www.example.org/"}), sheet("port", {"example.org:81"}),
                       sheet("blogs", {}, {R"(^https?://[^/]*\.blogs\.)"}), sheet("pdf", {}, {R"(\.pdf$)"})});
  EXPECT_THAT(of_host(*sheets, "example.org"), ElementsAre(0));
  EXPECT_THAT(of_host(*sheets, "www.example.org"), ElementsAre(0, 2));
  EXPECT_THAT(of_host(*sheets, "a.blogs.example"), ElementsAre(4));
  EXPECT_THAT(of_host(*sheets, "192.0.2.1"), IsEmpty());
  EXPECT_THAT(of_host(*sheets, url::kFilesHost), IsEmpty());
  const auto files = *Sheets::create({sheet("all", {"file:"}), sheet("part", {"file:///srv/"})});
  EXPECT_THAT(of_host(*files, url::kFilesHost), ElementsAre(0));
  EXPECT_THAT(of(*files, "file:///srv/a"), ElementsAre(0, 1));
  EXPECT_THAT(of(*sheets, "http://example.org/big/x"), ElementsAre(0, 1));
  EXPECT_THAT(of(*sheets, "http://example.org:81/big/x"), ElementsAre(0, 3));
}

TEST(Sheets, ManyPrefixesOneBehindTheOther) {
  const auto sheets = *Sheets::create({sheet("c", {"http://a.org/x/y/"}), sheet("b", {"http://a.org/x/"}),
                                       sheet("a", {"a.org", "b.org"}), sheet("d", {"http://a.org/x/z/", "(org,b,)/"}),
                                       sheet("b2", {"http://a.org/x/"})});
  EXPECT_THAT(of(*sheets, "http://a.org/"), ElementsAre(2));
  EXPECT_THAT(of(*sheets, "http://a.org/x/"), ElementsAre(1, 2, 4));
  EXPECT_THAT(of(*sheets, "http://a.org/x/y/1"), ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(of(*sheets, "http://a.org/x/yy"), ElementsAre(1, 2, 4));
  EXPECT_THAT(of(*sheets, "http://a.org/x/z/"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(of(*sheets, "http://a.org/xx/"), ElementsAre(2));
  EXPECT_THAT(of(*sheets, "http://b.org/x/"), ElementsAre(2, 3));
  EXPECT_THAT(of(*sheets, "http://www.b.org/x/"), ElementsAre(2));
  EXPECT_THAT(of(*sheets, "http://c.org/"), IsEmpty());
  EXPECT_THAT(of(*sheets, "http://a.com/"), IsEmpty());
  // The same set by another site.
  EXPECT_EQ(sheets->of(*url::Url::parse("http://a.org/1")), sheets->of(*url::Url::parse("http://www.b.org/2")));
}

TEST(Sheets, ExpressionsAmongTheSites) {
  const auto sheets = *Sheets::create({sheet("pdf", {"example.org"}, {R"(\.pdf$)", R"(/print/)"}),
                                       sheet("all", {"example.org"}), sheet("query", {}, {R"(\?)"})});
  EXPECT_THAT(of(*sheets, "http://example.org/a.pdf#page=3"), ElementsAre(0, 1));
  EXPECT_THAT(of(*sheets, "http://example.org/print/?a"), ElementsAre(0, 1, 2));
  EXPECT_THAT(of(*sheets, "http://example.org/a.html"), ElementsAre(1));
  EXPECT_THAT(of(*sheets, "http://other.org/a.pdf"), IsEmpty());
  EXPECT_THAT(of(*sheets, "http://other.org/?a"), ElementsAre(2));
  EXPECT_TRUE(sheets->of(*url::Url::parse("http://other.org/")).empty());
}

settings::Sheet sheet_when(std::string name, std::vector<std::string> sites, std::string when) {
  settings::Sheet made = sheet(std::move(name), std::move(sites));
  made.when = std::move(when);
  return made;
}

TEST(Sheets, ConditionsOfRulesAmongTheSites) {
  const auto sheets = *Sheets::create(
      {sheet_when("pictures", {}, "file images"), sheet("all", {"example.org"}),
       sheet_when("deep", {"example.org"}, "path-depth > 2 and not surt https://www.example.org/archive/")});
  EXPECT_THAT(of(*sheets, "http://example.org/a.png?x"), ElementsAre(0, 1));
  EXPECT_THAT(of(*sheets, "http://other.org/a.png"), ElementsAre(0));
  EXPECT_THAT(of(*sheets, "http://other.org/a/b/c/d"), IsEmpty());
  EXPECT_THAT(of(*sheets, "http://example.org/a/b/c.gif"), ElementsAre(0, 1, 2));
  EXPECT_THAT(of(*sheets, "https://www.example.org/archive/b/c"), ElementsAre(1));
  EXPECT_THAT(of_host(*sheets, "example.org"), ElementsAre(1)) << "a condition says nothing of a host";
  // Both: one of the expressions, and the condition.
  settings::Sheet both = sheet_when("both", {}, "host example.org");
  both.urls = {"print"};
  const auto combined = *Sheets::create({both});
  EXPECT_THAT(of(*combined, "http://example.org/print"), ElementsAre(0));
  EXPECT_THAT(of(*combined, "http://example.org/"), IsEmpty());
  EXPECT_THAT(of(*combined, "http://other.org/print"), IsEmpty());
}

TEST(Sheets, AConditionAsksOfTheUrlAlone) {
  const auto refused = [](std::string when) {
    auto made = Sheets::create({sheet_when("pdf", {}, std::move(when))});
    return made ? "accepted" : made.error().message;
  };
  for (const RuleKind& kind : rule_kinds()) {
    const std::string_view name = kind.name;
    if (name == "hops" || name == "status" || name == "url-length")
      EXPECT_EQ(refused(std::string(name) + " > 5") == "accepted", name == "url-length") << name;
  }
  EXPECT_THAT(refused("hops > 3"), HasSubstr("sheet 'pdf': when: 'hops' asks of more than the URL"));
  EXPECT_THAT(refused("file images and seeds host"), HasSubstr("'seeds' asks of more than the URL"));
  EXPECT_THAT(refused("time mon..fri"), HasSubstr("'time' asks of more"));
  EXPECT_THAT(refused("fil images"),
              HasSubstr("when: 'fil images': there is no condition 'fil'; did you mean 'file'?"));
  // Each that is named there is one.
  const std::string message = refused("hops > 3");
  const std::string names = message.substr(message.find("write one of ") + 13);
  size_t begin = 0;
  for (size_t end = 0; end != names.npos; begin = end + 2) {
    end = names.find(", ", begin);
    EXPECT_NE(find_rule_kind(names.substr(begin, end - begin)), nullptr) << names.substr(begin, end - begin);
    if (end == names.npos) break;
  }
}

// One with times alone has neither sites nor anything that it asks.
TEST(Sheets, HoldForAllOfTheWeb) {
  const auto sheets = *Sheets::create({sheet("all", {}), sheet("a", {"a.org"}), sheet("pdf", {}, {R"(\.pdf$)"})});
  EXPECT_THAT(of(*sheets, "http://b.org/"), ElementsAre(0));
  EXPECT_FALSE(sheets->of(*url::Url::parse("http://b.org/")).empty());
  EXPECT_THAT(of_host(*sheets, "b.org"), ElementsAre(0));
  EXPECT_THAT(of(*sheets, "http://a.org/x.pdf"), ElementsAre(0, 1, 2));
}

TEST(Sheets, TheMoreSpecificMayCount) {
  const settings::Sheets written = {sheet("part", {"http://www.example.org/big/"}), sheet("host", {"www.example.org"}),
                                    sheet("domain", {"example.org", "http://www.example.org/big/deep/"}),
                                    sheet("pdf", {}, {R"(\.pdf$)"}), sheet("host2", {"www.example.org"})};
  const auto by_text = *Sheets::create(written);
  const auto by_site = *Sheets::create(written, settings::SheetOrder::specific);
  EXPECT_THAT(of(*by_text, "http://www.example.org/big/a.pdf"), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(of(*by_site, "http://www.example.org/big/a.pdf"), ElementsAre(3, 2, 1, 4, 0));
  EXPECT_THAT(of(*by_site, "http://www.example.org/big/a"), ElementsAre(2, 1, 4, 0));
  EXPECT_THAT(of(*by_site, "http://www.example.org/big/deep/"), ElementsAre(1, 4, 0, 2));
  EXPECT_THAT(of_host(*by_site, "www.example.org"), ElementsAre(2, 1, 4));
  EXPECT_THAT(of(*by_site, "http://a.net/"), IsEmpty());
}

TEST(Sheets, WhatCanNeverHoldIsRefused) {
  const auto refused = [](std::string site) {
    auto made = Sheets::create({sheet("gentle", {"fine.org", std::move(site)})});
    return made ? "accepted" : made.error().message;
  };
  EXPECT_THAT(refused(""), HasSubstr("sheet 'gentle': site ''"));
  EXPECT_THAT(refused("two words"), HasSubstr("holds a space"));
  EXPECT_THAT(refused("ftp://example.org/"), HasSubstr("neither a host"));
  EXPECT_THAT(refused("*.example.org"), HasSubstr("sub-domains"));
  EXPECT_THAT(refused("https://example.org/*"), HasSubstr("no '*'"));
  EXPECT_THAT(refused("(org,example)/path"), HasSubstr("(org,example,)"));
  EXPECT_THAT(refused("(example.org,)/"), HasSubstr("the other way round"));
  EXPECT_THAT(refused("ftp://(org,example,"), HasSubstr("(org,example,)/path"));
  EXPECT_THAT(refused("(org,example,)path"), HasSubstr("'/'"));
  auto made = Sheets::create({sheet("gentle", {}, {"(a"})});
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("sheet 'gentle': urls[1]: '(a' is no RE2 expression"));
  settings::Sheets many;
  for (size_t i = 0; i <= Sheets::kMostWithUrls; ++i) many.push_back(sheet("s" + std::to_string(i), {}, {"a"}));
  made = Sheets::create(many);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("sheet 's16': more than 16 sheets"));
}

TEST(Sheets, PrefixesThatCoverHosts) {
  for (const char* prefix :
       {"", "file:///", "http://(", "http://(org,", "http://(org,example,", "http://(org,example,)",
        "http://(org,example,)/", "http://(192.0.2.1)", "http://([2001:db8::1],"})
    EXPECT_TRUE(covers_hosts(prefix)) << prefix;
  for (const char* prefix : {"file:///srv/", "http://(org,example,)/a", "http://(org,example,:81)/",
                             "http://(192.0.2.1:", "http://([2001:db8::1],:81)/"})
    EXPECT_FALSE(covers_hosts(prefix)) << prefix;
}

// Rules of a site in place of those of the crawl.
TEST(Scope, FollowsTheRulesOfTheSite) {
  ScopeSettings settings;
  settings.exclude = {"/private/"};
  const url::Url seed = *url::Url::parse("http://a.org/");
  const auto scope = *Scope::create(settings, {seed});
  ScopeSettings other = settings;
  other.max_hops = 1;
  other.include = {"^http://b.org/"};
  const SiteRules rules = *SiteRules::create(other, {&scope->rules()});
  EXPECT_EQ(rules.patterns.size(), 3u) << "the exclusions and useless paths of the crawl, compiled once, and its own";
  const auto decide = [&](std::string_view text, std::string_view hops, const SiteRules* of_site) {
    const url::Url url = *url::Url::parse(text);
    return std::string(scope->decide({.url = url, .hop_path = hops, .rules = of_site}).rule);
  };
  EXPECT_EQ(decide("http://a.org/x", "LL", nullptr), "host");
  EXPECT_EQ(decide("http://a.org/x", "LL", &rules), "max-hops");
  EXPECT_EQ(decide("http://b.org/x", "L", nullptr), "out-of-scope");
  EXPECT_EQ(decide("http://b.org/x", "L", &rules), "include");
  EXPECT_EQ(decide("http://a.org/private/", "L", &rules), "exclude");
  const url::Url url = *url::Url::parse("http://a.org/x");
  const Candidate candidate{.url = url, .hop_path = "LL", .rules = &rules};
  EXPECT_EQ(scope->explain(candidate), "rejected by max-hops: 2 hops from the seed, 1 are allowed");
}

}  // namespace
}  // namespace caddis::scope
