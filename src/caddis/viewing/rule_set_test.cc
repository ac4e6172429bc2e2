// Which rule decides: priorities, exactness, viewers, times.
#include "caddis/viewing/rule_set.h"

#include <gtest/gtest.h>

#include <string>

#include "caddis/base/time_format.h"
#include "caddis/viewing/rule_file.h"
#include "caddis/viewing/viewer_rules.h"

namespace caddis::viewing {
namespace {

std::shared_ptr<const RuleSet> rules_of(std::string_view text) {
  auto list = parse_rules(text, "rules");
  EXPECT_TRUE(list) << list.error().message;
  auto set = RuleSet::make(*std::move(list));
  EXPECT_TRUE(set) << set.error().message;
  return *set;
}

class RuleSetTest : public ::testing::Test {
 protected:
  std::string verdict(std::string_view url, std::string_view timestamp = "20200101000000", Viewer viewer = {}) {
    const ViewerRules rules({set}, std::move(viewer), now, std::make_shared<DecisionCounts>());
    const Decision decision = rules.decide(url, timestamp);
    // As in a list of captures, and as it is explained.
    EXPECT_EQ(rules.ask()->shows(url, timestamp), decision.verdict == Verdict::allow);
    return std::string(to_string(decision.verdict));
  }
  static Viewer user(std::string name, std::string role = "viewer") { return {std::move(name), std::move(role)}; }
  static Viewer at(std::string_view address) { return {"", "", url::parse_address(address)}; }

  std::shared_ptr<const RuleSet> set;
  WallTime now = *parse_timestamp("20260601120000");
};

TEST_F(RuleSetTest, SubjectsOfEachKind) {
  set = rules_of(R"(
rules:
  - {id: a, verdict: block, url: 'http://www.example.com/page?b=2&a=1'}
  - {id: b, verdict: exclude, surt: 'com,example)/private'}
  - {id: c, verdict: block, host: www.other.org}
  - {id: d, verdict: exclude, domain: hidden.net}
  - {id: e, verdict: block, regex: 'session=[0-9]{4}'}
  - {id: f, verdict: exclude, surt: 'http://(org,heritrix,)/old'}
)");
  EXPECT_EQ(verdict("https://example.com/page?a=1&b=2"), "block");  // by its key
  EXPECT_EQ(verdict("http://example.com/page"), "allow");
  EXPECT_EQ(verdict("http://example.com/private/x"), "exclude");
  EXPECT_EQ(verdict("http://example.com/PRIVATEX"), "exclude");
  EXPECT_EQ(verdict("http://other.org:8080/x"), "block");
  EXPECT_EQ(verdict("http://sub.other.org/x"), "allow");
  EXPECT_EQ(verdict("http://a.b.hidden.net/x"), "exclude");
  EXPECT_EQ(verdict("http://hidden.net/"), "exclude");
  EXPECT_EQ(verdict("http://nothidden.net/"), "allow");
  EXPECT_EQ(verdict("http://a.test/?session=1234"), "block");
  EXPECT_EQ(verdict("http://a.test/?session=12"), "allow");
  EXPECT_EQ(verdict("http://heritrix.org/old/1"), "exclude");
  // A POST of a URL is a capture of it.
  EXPECT_EQ(verdict("http://example.com/page?a=1&b=2&__wb_method=POST&q=1"), "block");
}

TEST_F(RuleSetTest, NoOtherSpellingEscapes) {
  set = rules_of(R"(
rules:
  - {id: a, verdict: block, url: 'http://example.com/page'}
  - {id: b, verdict: exclude, domain: hidden.net}
  - {id: c, verdict: block, host: www.other.org}
)");
  EXPECT_EQ(verdict("dns:hidden.net"), "exclude");
  EXPECT_EQ(verdict("dns:a.b.HIDDEN.net"), "exclude");
  EXPECT_EQ(verdict("dns://192.0.2.1/hidden.net?type=A"), "exclude");
  EXPECT_EQ(verdict("dns:www.other.org"), "block");
  EXPECT_EQ(verdict("dns:nothidden.net"), "allow");
  EXPECT_EQ(verdict("dns:example.com"), "allow");  // a page of it is no more than that
  EXPECT_EQ(verdict("urn:thumbnail:https://hidden.net/x"), "exclude");
  EXPECT_EQ(verdict("urn:pageinfo:http://www.example.com/page"), "block");
  EXPECT_EQ(verdict("urn:view:https%3A%2F%2Fhidden.net%2Fx"), "exclude");
  EXPECT_EQ(verdict("screenshot:http://hidden.net/"), "exclude");
  EXPECT_EQ(verdict("urn:text:https://example.com/other"), "allow");
  // An address that only names another one is not about it.
  EXPECT_EQ(verdict("http://a.test/?to=http://hidden.net/"), "allow");
  EXPECT_EQ(verdict("http://example.com/page?__warc_post_data=aGVsbG8="), "block");
  EXPECT_EQ(verdict("http://example.com/page?__wb_post_data=aGVsbG8="), "block");
}

TEST_F(RuleSetTest, LinesAreAskedByTheirKeyAndTheirUrl) {
  set = rules_of("rules: [{verdict: exclude, domain: hidden.net}, {verdict: block, url: 'http://example.com/page'}]");
  const ViewerRules rules({set}, {}, now, std::make_shared<DecisionCounts>());
  const auto shows = [&](const std::string& key, const std::string& url,
                         const url::KeyPolicy& policy = url::KeyPolicy::ia_surt()) {
    return rules.ask()->shows_line(key + " 20200101000000 {\"url\": \"" + url + "\", \"filename\": \"f\"}", policy) ==
           true;
  };
  EXPECT_TRUE(shows("com,example)/", "http://example.com/"));
  EXPECT_FALSE(shows("net,hidden)/", "http://hidden.net/"));
  EXPECT_FALSE(shows("com,example)/", "http://hidden.net/"));
  EXPECT_FALSE(shows("net,hidden)/", "http://example.com/"));
  EXPECT_FALSE(shows("dns:hidden.net", "dns:hidden.net"));
  EXPECT_FALSE(shows("urn:view:http://hidden.net/", "urn:view:http://hidden.net/"));
  EXPECT_FALSE(shows("com,example)/page?__wb_method=post&q=1", "http://example.com/page"));
  EXPECT_FALSE(shows("com,example)/page?__warc_post_data=eA==", "http://example.com/page"));
  EXPECT_FALSE(shows("net,hidden,www)/", "http://www.hidden.net/", url::KeyPolicy::ia_surt()));
}

TEST_F(RuleSetTest, TheMostExactRuleDecides) {
  set = rules_of(R"(
default: exclude
rules:
  - {id: domain, verdict: allow, domain: example.com}
  - {id: folder, verdict: block, surt: 'com,example)/a'}
  - {id: inner, verdict: allow, surt: 'com,example)/a/b'}
  - {id: pattern, verdict: exclude, regex: '/a/b/secret'}
  - {id: exact, verdict: allow, url: 'http://example.com/a/b/secret/1'}
)");
  EXPECT_EQ(verdict("http://elsewhere.org/"), "exclude");
  EXPECT_EQ(verdict("http://www.example.com/"), "allow");
  EXPECT_EQ(verdict("http://example.com/a"), "block");
  EXPECT_EQ(verdict("http://example.com/a/c"), "block");
  EXPECT_EQ(verdict("http://example.com/a/b/c"), "allow");
  EXPECT_EQ(verdict("http://example.com/a/b/secret/2"), "exclude");
  EXPECT_EQ(verdict("http://example.com/a/b/secret/1"), "allow");
}

TEST_F(RuleSetTest, PriorityComesFirstAndTheLastOfEqualsDecides) {
  set = rules_of(R"(
rules:
  - {id: a, verdict: block, all: true, priority: 1}
  - {id: b, verdict: allow, url: 'http://example.com/'}
  - {id: c, verdict: exclude, domain: twice.org, priority: 2}
  - {id: d, verdict: allow, domain: twice.org, priority: 2}
)");
  EXPECT_EQ(verdict("http://example.com/"), "block");
  EXPECT_EQ(verdict("http://twice.org/"), "allow");
}

TEST_F(RuleSetTest, ViewersByNameGroupRoleAndNetwork) {
  set = rules_of(R"(
groups: {readers: [alice, bob]}
rules:
  - {id: a, verdict: block, domain: example.com}
  - {id: b, verdict: allow, domain: example.com, groups: [readers, admin]}
  - {id: c, verdict: exclude, domain: example.com, users: bob}
  - {id: d, verdict: allow, domain: example.com, networks: [192.0.2.0/24, '2001:db8::/32']}
)");
  EXPECT_EQ(verdict("http://example.com/"), "block");
  EXPECT_EQ(verdict("http://example.com/", "2020", user("alice")), "allow");
  EXPECT_EQ(verdict("http://example.com/", "2020", user("bob")), "exclude");
  EXPECT_EQ(verdict("http://example.com/", "2020", user("carol")), "block");
  EXPECT_EQ(verdict("http://example.com/", "2020", user("carol", "admin")), "allow");
  EXPECT_EQ(verdict("http://example.com/", "2020", user("readers", "readers")),
            "block");  // no role of that name counts
  EXPECT_EQ(verdict("http://example.com/", "2020", at("192.0.2.7")), "allow");
  EXPECT_EQ(verdict("http://example.com/", "2020", at("::ffff:192.0.2.7")), "allow");
  EXPECT_EQ(verdict("http://example.com/", "2020", at("198.51.100.7")), "block");
  EXPECT_EQ(verdict("http://example.com/", "2020", at("2001:db8::9")), "allow");
}

TEST_F(RuleSetTest, TimesOfCaptureAndAccess) {
  set = rules_of(R"(
rules:
  - {id: a, verdict: exclude, domain: example.com, captured: ['2010..2012-06', '..2005', '2015-05-04']}
  - {id: b, verdict: block, domain: window.org, accessed: ['..2026-05', '2026-06-01T13:00:00Z..']}
  - {id: c, verdict: block, domain: embargo.org, newer: 1y6mo}
  - {id: d, verdict: exclude, domain: old.org, older: 10y}
)");
  for (const char* inside : {"20100101000000", "20120630235959", "19990101000000", "20051231235959", "20150504120000"})
    EXPECT_EQ(verdict("http://example.com/", inside), "exclude") << inside;
  for (const char* outside : {"20091231235959", "20120701000000", "20060101000000", "20150505000000"})
    EXPECT_EQ(verdict("http://example.com/", outside), "allow") << outside;
  EXPECT_EQ(verdict("http://window.org/"), "allow");
  now = *parse_timestamp("20260601130001");
  EXPECT_EQ(verdict("http://window.org/"), "block");
  now = *parse_timestamp("20260531235959");
  EXPECT_EQ(verdict("http://window.org/"), "block");
  now = *parse_timestamp("20260601120000");
  EXPECT_EQ(verdict("http://embargo.org/", "20241201115959"), "allow");
  EXPECT_EQ(verdict("http://embargo.org/", "20241201120001"), "block");
  EXPECT_EQ(verdict("http://old.org/", "20160601120000"), "exclude");
  EXPECT_EQ(verdict("http://old.org/", "20160601120001"), "allow");
}

TEST_F(RuleSetTest, TheStricterOfTwoFilesCounts) {
  const auto server = rules_of("rules: [{id: a, verdict: block, domain: example.com}]");
  const auto collection = rules_of("rules: [{id: a, verdict: allow, all: true}]");
  const auto hides = rules_of("default: exclude");
  const auto counts = std::make_shared<DecisionCounts>();
  EXPECT_EQ(ViewerRules({server, collection}, {}, now, counts).decide("http://example.com/", "2020").verdict,
            Verdict::block);
  EXPECT_EQ(ViewerRules({collection, server}, {}, now, counts).decide("http://example.com/", "2020").verdict,
            Verdict::block);
  EXPECT_EQ(ViewerRules({hides, server}, {}, now, counts).decide("http://example.com/", "2020").verdict,
            Verdict::exclude);
  EXPECT_EQ(counts->allowed + counts->blocked + counts->excluded, 0U);
}

TEST_F(RuleSetTest, ManyRulesAreFoundFast) {
  RuleList list;
  for (int i = 0; i < 50'000; ++i) {
    Rule rule;
    rule.id = std::to_string(i);
    rule.verdict = Verdict::exclude;
    rule.subjects.push_back({Subject::Kind::prefix, "com,site" + std::to_string(i) + ")/a"});
    list.rules.push_back(std::move(rule));
  }
  set = *RuleSet::make(std::move(list));
  EXPECT_EQ(verdict("http://site49999.com/a/b"), "exclude");
  EXPECT_EQ(verdict("http://site49999.com/b"), "allow");
  EXPECT_EQ(verdict("http://site4999.com/ab"), "exclude");
  const ViewerRules rules({set}, {}, now, std::make_shared<DecisionCounts>());
  const auto asker = rules.ask();
  for (int i = 0; i < 20'000; ++i)
    (void)asker->shows_line("com,site" + std::to_string(i) + ")/a 20200101000000 {\"url\": \"http://site" +
                                std::to_string(i) + ".com/a\", \"filename\": \"f\"}",
                            url::KeyPolicy::ia_surt());
}

TEST_F(RuleSetTest, ExplainsEachRule) {
  set = rules_of(R"(
rules:
  - {id: a, verdict: block, domain: example.com}
  - {id: b, verdict: allow, domain: example.com, users: alice}
  - {id: c, verdict: exclude, url: 'http://example.com/', captured: 2010}
)");
  const auto findings = set->explain("http://example.com/", "20200101000000", {}, now);
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].rule->id, "c");
  EXPECT_EQ(findings[0].why_not, "it is about captures of other times");
  EXPECT_EQ(findings[1].rule->id, "b");
  EXPECT_EQ(findings[1].why_not, "it is for others");
  EXPECT_EQ(findings[2].rule->id, "a");
  EXPECT_EQ(findings[2].why_not, "");
}

TEST_F(RuleSetTest, RefusesWhatIsNoPattern) {
  for (const char* text : {"rules: [{verdict: block, regex: '('}]", "rules: [{verdict: block, host: 'a/b'}]"}) {
    auto list = parse_rules(text, "rules");
    ASSERT_TRUE(list);
    EXPECT_FALSE(RuleSet::make(*std::move(list))) << text;
  }
}

}  // namespace
}  // namespace caddis::viewing
