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
