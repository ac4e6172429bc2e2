// Rules as users write them: each condition by its table of cases, lists, files, and what is refused.
#include "caddis/scope/rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "caddis/base/time_format.h"
#include "caddis/modules/registry.h"
#include "caddis/scope/rule_cases.h"
#include "caddis/scope/rule_docs.h"
#include "caddis/scope/scope.h"
#include "caddis/settings/sections.h"
#include "caddis/url/surt.h"
#include "support/testdata.h"

namespace caddis::scope {
namespace {

using ::testing::HasSubstr;

class TwoCountries final : public Countries {
 public:
  std::string country_of(std::string_view address) const override {
    return address.starts_with("192.0.2.") ? "AT" : address.starts_with("198.51.100.") ? "DE" : "";
  }
};

url::Url parsed(std::string_view text) { return url::Url::parse(text).value(); }

const std::vector<ScopeKind> kAllKinds = {ScopeKind::page, ScopeKind::prefix, ScopeKind::host, ScopeKind::domain,
                                          ScopeKind::any};

Result<std::string> no_files(const std::string& path) { return fail(ErrorCode::not_found, path); }

std::map<std::string, std::string> files_of_test;
Result<std::string> from_files(const std::string& path) {
  const auto found = files_of_test.find(path);
  if (found == files_of_test.end()) return fail(ErrorCode::not_found, path + ": no such file");
  return found->second;
}

std::string refusal(std::string_view rule) {
  const auto made = Rule::parse(rule, no_files);
  return made ? "" : made.error().message;
}

TEST(RuleCases, HoldAsTheTableSays) {
  const std::vector<std::string> scripts = {testing::source_path("examples/modules/calendar.lua")};
  const auto loaded = modules::load_modules(scripts, {});
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  SeedBook seeds(kAllKinds, {parsed(kSeedOfCases)});
  seeds.narrow(kMinusLineOfCases);
  for (const RuleCase& one : rule_cases()) {
    const auto predicate = Predicate::parse(one.condition, Verdict::accept, no_files);
    ASSERT_TRUE(predicate.has_value()) << one.condition << ": " << predicate.error().message;
    const url::Url url = parsed(one.url);
    const TwoCountries countries;
    const Answer answer{one.status, one.mime, one.length, one.is_identical, one.address, &countries, one.status != 0};
    const Candidate candidate{.url = url,
                              .hop_path = one.hops,
                              .via = one.via,
                              .is_seed = one.is_seed,
                              .source_seed = one.source_seed,
                              .answer = one.status == 0 && one.address.empty() ? nullptr : &answer,
                              .at = one.at.empty() ? WallTime() : parse_w3c_date(one.at).value()};
    EXPECT_EQ(predicate->match(candidate, seeds).has_value(), one.holds) << one.condition << " of " << one.url;
    if (one.holds && one.condition != "all") EXPECT_NE(predicate->explain(candidate, seeds), "") << one.condition;
  }
}

TEST(RuleCases, AreFourOfEachConditionAtLeast) {
  std::map<std::string, int> count;
  for (const RuleCase& one : rule_cases()) {
    std::string_view text = one.condition;
    if (text.starts_with("not ")) text.remove_prefix(4);
    ++count[std::string(text.substr(0, text.find(' ')))];
  }
  for (const RuleKind& kind : rule_kinds()) EXPECT_GE(count[std::string(kind.name)], 4) << kind.name;
  EXPECT_EQ(count.size(), rule_kinds().size());
}

TEST(RuleDocs, AreWhatIsInTheTree) {
  EXPECT_EQ(testing::read_file(testing::source_path("docs/rules.md")), rules_markdown())
      << "run: caddis schema --rules > docs/rules.md";
}

TEST(Rule, SaysWhatIsWrong) {
  EXPECT_THAT(refusal("allow all"), HasSubstr("a rule is 'accept CONDITION'"));
  EXPECT_THAT(refusal("reject hop > 3"), HasSubstr("there is no condition 'hop'; did you mean 'hops'?"));
  EXPECT_THAT(refusal("reject hops"), HasSubstr("hops: '' is no number"));
  EXPECT_THAT(refusal("reject hops > many"), HasSubstr("'many' is no number"));
  EXPECT_THAT(refusal("reject status 599..500"), HasSubstr("'599..500' holds no number"));
  EXPECT_THAT(refusal("reject url ("), HasSubstr("is no RE2 expression"));
  EXPECT_THAT(refusal("reject url"), HasSubstr("url: it says nothing to compare with"));
  EXPECT_THAT(refusal("reject seed always"), HasSubstr("seed: nothing may follow it, 'always' does"));
  EXPECT_THAT(refusal("accept seeds near"), HasSubstr("'near' is none of page, prefix, host, domain, any"));
  for (const char* host : {"http://a.org/", "a.org,b.org", "*.a.org", ".a.org", "a.org and", "\"a.org\""})
    EXPECT_THAT(refusal(std::string("reject host ") + host), HasSubstr("is no name of a host")) << host;
  EXPECT_THAT(refusal("reject host a.org:443"), HasSubstr("name a port only if"));
  EXPECT_THAT(refusal("reject scheme ^https?$"), HasSubstr("'^https?$' is no name of a scheme"));
  EXPECT_THAT(refusal("reject hops > 2 < 5"), HasSubstr("write N..M for a range"));
  EXPECT_THAT(refusal("reject TooManyHopsDecideRule 20"),
              HasSubstr("Heritrix's TooManyHopsDecideRule is 'hops' here > N"));
  EXPECT_THAT(refusal("shorthand"), HasSubstr("stands in scope.rules alone"));
  EXPECT_THAT(refusal("accept surt (org,a"), ::testing::IsEmpty()) << "org,a, org,ab, …: Heritrix has such";
  EXPECT_THAT(refusal("accept surt (org.a,)"), HasSubstr("the other way round"));
  EXPECT_THAT(refusal("accept embed 1 2 3"), HasSubstr("write 'embed HOPS GUESSES'"));
  EXPECT_THAT(refusal("reject file pictures"), HasSubstr("none of images, audio, video, misc"));
  EXPECT_THAT(refusal("reject path-repetitions 2"), HasSubstr("write '> N'"));
  EXPECT_THAT(refusal("reject address 300.1.1.1"), HasSubstr("address: "));
  EXPECT_THAT(refusal("accept domain @/none.txt"), HasSubstr("/none.txt"));
  EXPECT_EQ(refusal("accept"), "");
  EXPECT_EQ(refusal("reject not"), "there is no condition ''; docs/rules.md has them all (caddis schema --rules)");
}

// The answer of a list of rules: "+rule", "-rule" or "no-rule".
std::string ask(const std::vector<std::string>& lines, std::string_view text, std::string_view hops = "L") {
  std::vector<std::shared_ptr<const Rule>> rules;
  for (const std::string& line : lines) {
    auto rule = Rule::parse(line, from_files);
    if (!rule) return rule.error().message;
    rules.push_back(std::make_shared<const Rule>(*std::move(rule)));
  }
  const SeedBook seeds(kAllKinds, {parsed(kSeedOfCases)});
  const url::Url url = parsed(text);
  const RuleList list(std::move(rules));
  const Ruling ruling = list.ask({.url = url, .hop_path = hops}, seeds);
  if (ruling.verdict == Verdict::none) return "no-rule";
  return (ruling.verdict == Verdict::accept ? "+" : "-") + std::string(ruling.by->name());
}

TEST(RuleList, TheLastThatSaysSomethingDecides) {
  const std::vector<std::string> rules = {"reject all", "accept domain a.org", "reject url /no/",
                                          "accept url /no/but/"};
  EXPECT_EQ(ask(rules, "http://b.org/"), "-reject all");
  EXPECT_EQ(ask(rules, "http://a.org/"), "+accept domain a.org");
  EXPECT_EQ(ask(rules, "http://a.org/no/"), "-reject url /no/");
  EXPECT_EQ(ask(rules, "http://b.org/no/but/"), "+accept url /no/but/");
  EXPECT_EQ(ask({"reject url /no/"}, "http://a.org/"), "no-rule");
  EXPECT_EQ(ask({"reject url /no/"}, "http://a.org/no/"), "-reject url /no/");
  EXPECT_EQ(ask({}, "http://a.org/"), "no-rule");
}

// Rules that wait change no verdict: every list of four rules says what its rules say one after the other.
TEST(RuleList, OrderOfAskingChangesNoVerdict) {
  const std::vector<std::string> pool = {"accept all",      "reject all",         "accept url /x/",
                                         "reject url /x/",  "reject url /y/",     "accept hops > 1",
                                         "reject hops > 1", "reject not url /x/", "accept host a.org"};
  const std::vector<std::pair<std::string, std::string>> asked = {
      {"http://a.org/x/y/", "L"}, {"http://a.org/", "LL"}, {"http://b.org/x/", "LL"}, {"http://b.org/y/", "L"}};
  std::vector<std::string> rules(4);
  for (size_t code = 0; code < pool.size() * pool.size() * pool.size() * pool.size(); code += 7) {
    size_t rest = code;
    for (std::string& rule : rules) rule = pool[rest % pool.size()], rest /= pool.size();
    for (const auto& [url, hops] : asked) {
      std::string plain = "no-rule";
      for (const std::string& rule : rules)
        if (const std::string said = ask({rule}, url, hops); said != "no-rule") plain = said;
      EXPECT_EQ(ask(rules, url, hops).front(), plain.front()) << ::testing::PrintToString(rules) << " of " << url;
    }
  }
}

TEST(RuleList, ConditionsAreJoinedByAnd) {
  const std::vector<std::string> rules = {"reject host a.org and not url /keep/ and hops > 1"};
  EXPECT_EQ(ask(rules, "http://a.org/", "LL"), "-" + rules[0]);
  EXPECT_EQ(ask(rules, "http://a.org/", "L"), "no-rule");
  EXPECT_EQ(ask(rules, "http://a.org/keep/", "LL"), "no-rule");
  EXPECT_EQ(ask(rules, "http://b.org/", "LL"), "no-rule");
  EXPECT_THAT(ask({"reject url a and b"}, "http://a.org/"), HasSubstr("'a and b' holds a blank"));
  EXPECT_THAT(ask({"reject url /a/ and domian b.org"}, "http://a.org/"), HasSubstr("did you mean 'domain'?"));
}

TEST(RuleList, ListsFromFiles) {
  files_of_test = {
      {"/surts", "# both\nhttp://one.org\n+(org,two,)/in/\n-(org,three,)\n"},
      {"/hosts", "a.org\n\n  b.org  \n"},
      {"/patterns", "/a/\n\\.iso$\n"},
      {"/blank", "/a/ # comment\n"},
      {"/inner", "reject host a.org\naccept url /but/\n# nothing of others\n"},
      {"/loop", "rules @/loop\n"},
      {"/far", "rules @/loop2\n"},
      {"/loop2", "rules @/far\n"},
      {"/bad", "\nreject hops > 1\nreject hop > 1\n"},
      {"/empty", ""},
  };
  EXPECT_EQ(ask({"accept surt @/surts"}, "http://www.one.org/x"), "+accept surt @/surts");
  EXPECT_EQ(ask({"accept surt @/surts"}, "http://two.org/in/x"), "+accept surt @/surts");
  EXPECT_EQ(ask({"reject surt @/surts"}, "http://two.org/in/x"), "no-rule");
  EXPECT_EQ(ask({"reject surt @/surts"}, "http://three.org/"), "-reject surt @/surts");
  EXPECT_EQ(ask({"accept surt @/surts"}, "http://three.org/"), "no-rule");
  EXPECT_EQ(ask({"accept host @/hosts c.org"}, "http://b.org/"), "+accept host @/hosts c.org");
  EXPECT_EQ(ask({"accept host @/hosts c.org"}, "http://c.org/"), "+accept host @/hosts c.org");
  EXPECT_EQ(ask({"reject url @/patterns"}, "http://c.org/x.iso"), "-reject url @/patterns");
  EXPECT_THAT(ask({"reject url @/blank"}, "http://c.org/x.iso"), HasSubstr("holds a blank"));
  EXPECT_EQ(ask({"reject url @/empty"}, "http://c.org/x.iso"), "no-rule");
  EXPECT_EQ(ask({"accept all", "rules @/inner"}, "http://a.org/"), "-reject host a.org");
  EXPECT_EQ(ask({"accept all", "rules @/inner"}, "http://a.org/but/"), "+accept url /but/");
  EXPECT_EQ(ask({"accept all", "rules @/inner"}, "http://b.org/"), "+accept all");
  EXPECT_THAT(ask({"rules @/loop"}, "http://b.org/"), HasSubstr("name the file itself"));
  EXPECT_THAT(ask({"rules @/far"}, "http://b.org/"), HasSubstr("name the file itself"));
  EXPECT_THAT(ask({"rules @/bad"}, "http://b.org/"), HasSubstr("/bad:3: 'reject hop > 1'"));
}

// --- Heritrix's default profile, on URLs of pages and of canonicalization tests

// The sequence of profile-crawler-beans.cxml as its documentation tells it, one rule after the other.
bool heritrix_accepts(const url::Url& url, std::string_view hops, const url::SurtPrefixSet& seeds) {
  static const std::regex pathological(".*?/(.*?/)\\1{2,}.*");
  const std::string path(url.pathname());
  bool accepts = false;
  if (seeds.matches(url)) accepts = true;
  if (hops.size() > 20) accepts = false;
  const size_t last_page = hops.find_last_of("LSM");
  const std::string_view run = hops.substr(last_page == hops.npos ? 0 : last_page + 1);
  const auto redirects = std::ranges::count(run, 'R');
  if (!run.empty() && std::ssize(run) - redirects <= 2 && std::ranges::count(run, 'X') <= 1) accepts = true;
  if (std::regex_match(path, pathological)) accepts = false;
  if (std::ranges::count(path, '/') > 20) accepts = false;
  if (hops.ends_with('P')) accepts = true;
  const std::set<std::string_view> schemes = {"http", "https", "ftp", "dns", "whois", "sftp"};
  if (!schemes.contains(url.scheme())) accepts = false;
  return accepts;
}

void collect_urls(const std::string& path, std::set<std::string>& urls) {
  const std::string text = testing::read_file(path);
  for (size_t at = text.find("http"); at != text.npos; at = text.find("http", at + 4)) {
    const size_t end = std::min(text.find_first_of("\"'<> \\\n\t", at), text.size());
    const std::string found = text.substr(at, std::min<size_t>(end - at, 300));
    if (found.starts_with("http://") || found.starts_with("https://")) urls.insert(found);
  }
}

TEST(RuleList, SaysWhatHeritrixsDefaultProfileSays) {
  CADDIS_TESTDATA_OR_SKIP(pages, "05-extractors/heritrix_oracle_docs.jsonl");
  CADDIS_TESTDATA_OR_SKIP(canonical, "06-canon/oracle_multi.jsonl");
  std::set<std::string> texts;
  collect_urls(pages, texts);
  collect_urls(canonical, texts);
  std::vector<std::shared_ptr<const Rule>> rules;
  for (const char* line :
       {"reject all", "accept seeds prefix", "reject hops > 20", "accept embed 2 1", "reject path-repetitions > 2",
        "reject path-depth > 20", "accept prerequisite", "reject not scheme http https ftp dns whois sftp"})
    rules.push_back(std::make_shared<const Rule>(*Rule::parse(line, no_files)));
  const RuleList list(std::move(rules));
  // Every seventh URL's folder is a seed's.
  std::vector<url::Url> urls, seeds;
  for (const std::string& text : texts)
    if (auto url = url::Url::parse(text); url && url->port().empty() && !url->has_userinfo()) urls.push_back(*url);
  ASSERT_GE(urls.size(), 1000u);
  url::SurtPrefixSet prefixes;
  for (size_t i = 0; i < urls.size(); i += 7) {
    // Heritrix takes a slash in a query for one of the path, and upper case for lower case.
    if (urls[i].has_query() || std::ranges::any_of(urls[i].pathname(), [](char c) { return c >= 'A' && c <= 'Z'; }))
      continue;
    seeds.push_back(urls[i]);
    prefixes.add(url::surt_prefix_of_url(urls[i]));
  }
  const SeedBook book({ScopeKind::prefix}, seeds);
  const std::string far(21, 'L');
  std::map<bool, size_t> said;
  for (const url::Url& url : urls) {
    for (const std::string& hops :
         {std::string("L"), std::string("LE"), std::string("LEX"), std::string("LXX"), std::string("LERE"),
          std::string("LEEE"), std::string("R"), far, far + "E", far + "P"}) {
      const bool accepts = heritrix_accepts(url, hops, prefixes);
      ++said[accepts];
      const Ruling ruling = list.ask({.url = url, .hop_path = hops}, book);
      EXPECT_EQ(ruling.verdict == Verdict::accept, accepts) << url.href() << " " << hops << ": " << ruling.by->name();
    }
  }
  EXPECT_GT(said[true], 1000u);
  EXPECT_GT(said[false], 1000u);
}

TEST(ScopeRules, TakeThePlaceOfTheShorthand) {
  const url::Url a = parsed("http://a.org/"), b = parsed("http://b.org/x");
  const auto scope = *Scope::create({.rules = {"reject all", "accept domain b.org"}}, {a});
  EXPECT_FALSE(scope->decide({.url = a, .hop_path = "L"}).accepted);
  EXPECT_TRUE(scope->decide({.url = b, .hop_path = "L"}).accepted);
  EXPECT_EQ(scope->decide({.url = b, .hop_path = "L"}).rule, "accept domain b.org");
  const url::Url robots = parsed("http://c.org/robots.txt");
  EXPECT_TRUE(scope->decide({.url = robots, .hop_path = "LP"}).accepted);
  EXPECT_EQ(scope->explain({.url = a, .hop_path = "L"}), "rejected by reject all: the rule is for all URLs");
}

TEST(ScopeRules, HaveTheShorthandAmongThem) {
  const url::Url a = parsed("http://a.org/");
  const auto scope =
      *Scope::create({.rules = {"shorthand", "accept host b.org", "reject url /x/"}, .max_hops = 3}, {a});
  const auto decide = [&](std::string_view text, std::string_view hops) {
    const url::Url url = parsed(text);
    return std::string(scope->decide({.url = url, .hop_path = hops}).rule);
  };
  EXPECT_EQ(decide("http://a.org/y", "LLL"), "host");
  EXPECT_EQ(decide("http://a.org/y", "LLLL"), "max-hops");
  EXPECT_EQ(decide("http://b.org/y", "LLLLLL"), "accept host b.org");
  EXPECT_EQ(decide("http://a.org/x/", "L"), "reject url /x/");
}

TEST(ScopeRules, RefuseSettingsThatNobodyAsksFor) {
  const auto sound = validate(ScopeSettings{.rules = {"accept all"}, .max_hops = 3});
  ASSERT_FALSE(sound.has_value());
  EXPECT_THAT(sound.error().message, HasSubstr("scope.max-hops is set, but scope.rules does not ask for it"));
  EXPECT_TRUE(validate(ScopeSettings{.rules = {"accept all", "shorthand"}, .max_hops = 3}).has_value());
  EXPECT_FALSE(validate(ScopeSettings{.schemes = {}}).has_value());
}

TEST(ScopeRules, AreAskedBeforeTheServer) {
  const auto scope = Scope::create({.rules = {"accept all", "reject status 404"}}, {});
  ASSERT_FALSE(scope.has_value());
  EXPECT_THAT(scope.error().message, HasSubstr("rules[2]: 'reject status 404': the server has not answered"));
}

TEST(ScopeRules, RestrictTo) {
  const url::Url seed = parsed("http://a.org/");
  const auto scope = *Scope::create({.kind = ScopeKind::any, .restrict_to = {"^http://a", "/b/"}}, {seed});
  const auto decide = [&](std::string_view text, bool is_seed = false) {
    const url::Url url = parsed(text);
    return std::string(scope->decide({.url = url, .hop_path = "L", .is_seed = is_seed}).rule);
  };
  EXPECT_EQ(decide("http://a.org/x"), "any");
  EXPECT_EQ(decide("http://c.org/b/"), "any");
  EXPECT_EQ(decide("http://c.org/"), "restrict-to");
  EXPECT_EQ(decide("http://c.org/", true), "restrict-to");
}

TEST(ScopeRules, EachSaysWhatItSays) {
  const url::Url a = parsed("http://a.org/");
  const auto scope = *Scope::create({.rules = {"reject all", "accept seeds domain", "reject hops > 1"}}, {a});
  const url::Url url = parsed("http://www.a.org/x");
  const auto answers = scope->explain_rules({.url = url, .hop_path = "LL"});
  ASSERT_EQ(answers.size(), 4u) << "the last one is that of lines with - among seeds";
  EXPECT_EQ(answers[0].ruling.verdict, Verdict::reject);
  EXPECT_EQ(answers[1].ruling.verdict, Verdict::accept);
  EXPECT_EQ(answers[1].reason, "'a.org' is a seed's");
  EXPECT_EQ(answers[2].reason, "2 hops from the seed, 1 are allowed");
  EXPECT_EQ(answers[3].ruling.verdict, Verdict::none);
}

}  // namespace
}  // namespace caddis::scope
