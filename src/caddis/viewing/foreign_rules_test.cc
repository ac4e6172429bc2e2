// Rules of OutbackCDX and pywb, there and back.
#include "caddis/viewing/foreign_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/time_format.h"
#include "caddis/viewing/rule_file.h"
#include "caddis/viewing/viewer_rules.h"

namespace caddis::viewing {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kPolicies = R"([
 {"id": 1, "name": "Public", "accessPoints": ["public", "staff"]},
 {"id": 2, "name": "Staff", "accessPoints": ["staff"]},
 {"id": 3, "name": "Nobody", "accessPoints": []}])";
constexpr std::string_view kRules = R"([
 {"id": 7, "policyId": 2, "urlPatterns": ["*.example.org", "http://example.net/foo/*"],
  "captured": {"start": "2015-08-01T10:00:00+1000", "end": "2015-11-12T01:59:59+1100"},
  "publicMessage": "Staff only", "privateComment": "a letter", "reason": "Privacy", "creator": "js"},
 {"id": 8, "policyId": 3, "urlPatterns": ["https://example.com/bad.html"], "period": {"years": 1}},
 {"id": 9, "policyId": 1, "urlPatterns": ["http://example.net/foo/good"]}])";

std::string verdict(const RuleList& list, std::string_view url, std::string_view timestamp, const Viewer& viewer = {}) {
  const auto set = RuleSet::make(list);
  EXPECT_TRUE(set) << set.error().message;
  return std::string(
      to_string(ViewerRules({*set}, viewer, *parse_timestamp("20260601000000"), std::make_shared<DecisionCounts>())
                    .decide(url, timestamp)
                    .verdict));
}

void expect_as_in_outback(RuleList list) {
  list.groups["staff"] = {"alice"};
  const Viewer alice{"alice", "viewer"};
  EXPECT_EQ(verdict(list, "http://a.example.org/", "20150901000000"), "block");
  EXPECT_EQ(verdict(list, "http://a.example.org/", "20150901000000", alice), "allow");
  EXPECT_EQ(verdict(list, "http://a.example.org/", "20150731235959"), "allow");
  EXPECT_EQ(verdict(list, "http://a.example.org/", "20150801000000"), "block");
  EXPECT_EQ(verdict(list, "http://example.net/foo/x", "20150901000000"), "block");
  EXPECT_EQ(verdict(list, "http://example.net/foo/good", "20150901000000"), "allow");
  EXPECT_EQ(verdict(list, "http://example.com/bad.html", "20260101000000"), "block");
  EXPECT_EQ(verdict(list, "http://example.com/bad.html", "20260101000000", alice), "block");
  EXPECT_EQ(verdict(list, "http://example.com/bad.html", "20250101000000"), "allow");
}

TEST(ForeignRulesTest, OutbackThereAndBack) {
  const auto imported = import_outback(kRules, kPolicies);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->list.rules.size(), 4U);
  expect_as_in_outback(imported->list);
  const OutbackTexts texts = export_outback(imported->list);
  EXPECT_TRUE(texts.remarks.empty()) << texts.remarks.front();
  const auto again = import_outback(texts.rules, texts.policies);
  ASSERT_TRUE(again) << again.error().message;
  expect_as_in_outback(again->list);
  // As a file of ours.
  const auto file = parse_rules(format_rules(imported->list), "f");
  ASSERT_TRUE(file) << file.error().message;
  expect_as_in_outback(*file);
}

RuleList list_of(std::string_view yaml) {
  auto list = parse_rules(std::string(yaml), "f");
  EXPECT_TRUE(list) << list.error().message;
  return list ? *std::move(list) : RuleList();
}

// The rules, as they are here after they were written for OutbackCDX.
RuleList exported(const RuleList& list, std::vector<std::string>* remarks = nullptr) {
  const OutbackTexts texts = export_outback(list);
  if (remarks != nullptr) *remarks = texts.remarks;
  auto imported = import_outback(texts.rules, texts.policies);
  EXPECT_TRUE(imported) << imported.error().message << texts.rules;
  return imported ? imported->list : RuleList();
}

TEST(ForeignRulesTest, OutbackIsToldNothingThatShowsMore) {
  std::vector<std::string> remarks;
  RuleList list = exported(list_of(R"(
default: exclude
message: Ask us.
rules:
- {id: open, verdict: allow, domain: open.example}
- {id: b, verdict: block, domain: secret.example}
- {id: house, verdict: allow, domain: secret.example, networks: 10.0.0.0/8}
- {id: bob, verdict: allow, url: "http://secret.example/x", users: bob}
- {id: old, verdict: allow, url: "http://secret.example/y", older: 2y}
- {id: some, verdict: block, url: "http://open.example/x", users: eve, older: 1y}
- {id: mixed, verdict: allow, url: "http://secret.example/z", users: bob, groups: staff}
)"),
                           &remarks);
  EXPECT_EQ(remarks.size(), 6U) << testing::PrintToString(remarks);
  for (const char* const url : {"http://secret.example/", "http://secret.example/x", "http://secret.example/y",
                                "http://secret.example/z", "http://other.example/", "http://open.example/x"})
    EXPECT_EQ(verdict(list, url, "20200101000000"), "block") << url;
  EXPECT_EQ(verdict(list, "http://open.example/", "20200101000000"), "allow");
  list.groups["staff"] = {"alice"};
  EXPECT_EQ(verdict(list, "http://secret.example/z", "20200101000000", {"alice", "viewer"}), "allow");
  EXPECT_EQ(list.rules.front().message, "Ask us.");
  EXPECT_EQ(list.rules.front().subjects.front().text, "true");
}

TEST(ForeignRulesTest, WhatBlocksFirstHereIsNotOverruledInOutback) {
  std::vector<std::string> remarks;
  const auto patterns = [&](std::string_view yaml) {
    std::string all;
    for (const Rule& rule : exported(list_of(yaml), &remarks).rules)
      for (const Subject& subject : rule.subjects)
        all += std::string(to_string(rule.verdict)) + ' ' + subject.text + "; ";
    return all;
  };
  // A priority cannot be said, and a longer pattern decides there.
  EXPECT_EQ(patterns("rules: [{id: a, verdict: allow, url: 'http://a.org/x'}, "
                     "{id: b, verdict: block, domain: a.org, priority: 2}, {id: c, verdict: allow, domain: b.org}]"),
            "allow b.org; block a.org; ");
  EXPECT_EQ(remarks.size(), 2U) << testing::PrintToString(remarks);
  // A host has a longer pattern than its domain there, and the same rank here.
  EXPECT_EQ(patterns("rules: [{verdict: allow, host: a.org}, {verdict: block, domain: a.org}]"), "block a.org; ");
  // The last number decides: so what names a viewer has a higher one, and what stands later.
  EXPECT_EQ(patterns("rules: [{verdict: block, domain: a.org, users: eve}, {verdict: allow, domain: a.org}]"),
            "allow a.org; block a.org; ");
  EXPECT_EQ(patterns("rules: [{verdict: block, domain: a.org}, {verdict: allow, domain: a.org}]"),
            "block a.org; allow a.org; ");
  // A folder is all there whose names begin as its name does.
  EXPECT_EQ(patterns("rules: [{verdict: block, domain: a.org}, {verdict: allow, surt: 'org,a)/press/'}]"),
            "block a.org; ");
  EXPECT_EQ(patterns("default: block\nrules: [{verdict: allow, surt: 'org,a)/press/'}]"), "block true; ");
  // It is told what has no pattern, and nothing wrong is written in its place.
  EXPECT_EQ(patterns("rules: [{verdict: block, regex: 'a.*b'}, {verdict: block, surt: 'com,exa'}]"), "");
  ASSERT_EQ(remarks.size(), 2U);
  EXPECT_THAT(remarks.front(), HasSubstr("shows what it hides"));
  EXPECT_EQ(patterns("rules: [{verdict: block, surt: ['http://(org,a,www,)/x', 'org,a:8080)/y']}]"),
            "block org,a)/x; block org,a:8080)/y; ");
}

TEST(ForeignRulesTest, GroupsOfOutbackAreThoseOfTheSameMatter) {
  // The group may see it until 2020 alone: that is no policy of the rule that blocks.
  RuleList list =
      exported(list_of("groups: {staff: [alice]}\nrules: [{id: a, verdict: block, domain: a.org}, "
                       "{id: a-for-groups, verdict: allow, domain: a.org, groups: staff, "
                       "accessed: ..2020}]"));
  list.groups["staff"] = {"alice"};
  EXPECT_EQ(verdict(list, "http://a.org/", "20190101000000", {"alice", "viewer"}), "block");
  // Its partner is gone.
  const RuleList alone = exported(list_of("rules: [{id: a-for-groups, verdict: allow, domain: a.org, groups: staff}]"));
  EXPECT_EQ(alone.rules.size(), 2U);
}

TEST(ForeignRulesTest, TimesOfOutbackAreExact) {
  const RuleList list = list_of(
      "rules: [{id: a, verdict: block, url: 'http://a.org/', captured: ['20210101000000', '2015..2016'], "
      "accessed: ['2025', '2026']}]");
  // Both ends are outside of a period there, so it begins before its first instant.
  EXPECT_THAT(export_outback(list).rules, HasSubstr("2020-12-31T23:59:59.999Z"));
  EXPECT_THAT(export_outback(list).rules, HasSubstr("2021-01-01T00:00:00.999Z"));
  const RuleList again = exported(list);
  ASSERT_EQ(again.rules.size(), 4U);
  for (const char* const hidden : {"20210101000000", "20150101000000", "20161231235959"})
    EXPECT_EQ(verdict(again, "http://a.org/", hidden), "block") << hidden;
  for (const char* const shown : {"20210101000001", "20201231235959", "20141231235959", "20170101000000"})
    EXPECT_EQ(verdict(again, "http://a.org/", shown), "allow") << shown;
}

TEST(ForeignRulesTest, OutbackIsRefusedWithWords) {
  EXPECT_THAT(import_outback("{}", "[]").error().message, HasSubstr("no JSON array"));
  EXPECT_THAT(import_outback(kRules, "[]").error().message, HasSubstr("policy"));
  EXPECT_THAT(import_outback(R"([{"id":1}])", "[]").error().message, HasSubstr("urlPatterns"));
}

constexpr std::string_view kAclj =
    "org,httpbin)/anything/something - {\"access\": \"allow\", \"url\": \"http://httpbin.org/anything/something\"}\n"
    "org,httpbin)/anything### - {\"access\": \"exclude\", \"url\": \"http://httpbin.org/anything\"}\n"
    "org,httpbin)/anything - {\"access\": \"block\", \"user\": \"bob\"}\n"
    "org,example) - {\"access\": \"block\", \"after\": \"2010\", \"before\": \"2012\"}\n"
    "com,embargo, - {\"access\": \"allow_ignore_embargo\"}\n"
    "com,embargo) - {\"access\": \"exclude\", \"newer\": {\"weeks\": 2}}\n"
    "\n*, - {\"access\": \"allow\"}\n";

void expect_as_in_pywb(const RuleList& list) {
  EXPECT_EQ(verdict(list, "http://httpbin.org/anything/something", "2020"), "allow");
  EXPECT_EQ(verdict(list, "http://httpbin.org/anything", "2020"), "exclude");
  EXPECT_EQ(verdict(list, "http://httpbin.org/anything/x", "2020"), "allow");
  EXPECT_EQ(verdict(list, "http://httpbin.org/anything/x", "2020", {"bob", "viewer"}), "block");
  EXPECT_EQ(verdict(list, "http://example.org/", "20110101000000"), "block");
  EXPECT_EQ(verdict(list, "http://example.org/", "20130101000000"), "allow");
  EXPECT_EQ(verdict(list, "http://embargo.com/", "20260525000000"), "exclude");
  EXPECT_EQ(verdict(list, "http://embargo.com/", "20260101000000"), "allow");
}

TEST(ForeignRulesTest, AcljThereAndBack) {
  const auto imported = import_aclj(kAclj);
  ASSERT_TRUE(imported) << imported.error().message;
  expect_as_in_pywb(imported->list);
  const ExportedRules exported = export_aclj(imported->list);
  EXPECT_TRUE(exported.remarks.empty());
  // Longer keys stand before what they begin with.
  EXPECT_LT(exported.text.find("anything/something"), exported.text.find("anything - "));
  const auto again = import_aclj(exported.text);
  ASSERT_TRUE(again) << again.error().message << exported.text;
  expect_as_in_pywb(again->list);
}

TEST(ForeignRulesTest, AcljIsRefusedWithItsLine) {
  EXPECT_THAT(import_aclj("com,a)/ - {\"access\": \"allow\"}\ncom,b)/ nothing\n").error().message, HasSubstr("line 2"));
  EXPECT_THAT(import_aclj("com,a)/ - {\"access\": \"maybe\"}\n").error().message, HasSubstr("'maybe'"));
}

}  // namespace
}  // namespace caddis::viewing
