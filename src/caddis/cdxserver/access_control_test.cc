#include "caddis/cdxserver/access_control.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "caddis/base/time_format.h"
#include "caddis/io/memory_files.h"

namespace caddis::cdxserver {
namespace {

using nlohmann::json;

const WallTime kNow = *parse_timestamp("20260601120000");

class AccessControlTest : public ::testing::Test {
 protected:
  AccessControlTest() : access(*AccessControl::open(files, "i.access.json")) {}

  int64_t put(const json& rule) {
    const auto made = access->put_rules(rule.dump(), "anna", kNow);
    EXPECT_TRUE(made && made->is_new) << (made ? made->body : made.error().message);
    return made ? std::stoll(json::parse(made->body)["id"].get<std::string>()) : -1;
  }
  bool shows(const std::string& point, const std::string& url, const std::string& timestamp = "20200101000000") {
    const bool decided = json::parse(access->decision(point, url, timestamp, kNow).value())["allowed"];
    cdx::Capture capture;
    capture.url = url;
    capture.timestamp = timestamp;
    EXPECT_EQ(access->shown_at(point, kNow)(capture), decided);
    return decided;
  }

  io::MemoryFiles files;
  std::unique_ptr<AccessControl> access;
};

TEST_F(AccessControlTest, BeginsWithThreePolicies) {
  EXPECT_EQ(access->policies(),
            R"([{"id":0,"name":"Public","accessPoints":["public","staff"]},{"id":1,"name":"Staff Only",)"
            R"("accessPoints":["staff"]},{"id":2,"name":"No Access","accessPoints":[]}])");
  EXPECT_EQ(access->rules({}), "[]");
  EXPECT_TRUE(shows("public", "http://example.org/"));
}

TEST_F(AccessControlTest, TheLongestPatternDecidesAndThenTheLatestRule) {
  put({{"policyId", 1}, {"urlPatterns", {"*"}}, {"publicMessage", "staff alone"}});
  put({{"policyId", 0}, {"urlPatterns", {"*.open.gov.au"}}});
  put({{"policyId", 2}, {"urlPatterns", {"http://www.open.gov.au/Secret/*", "http://open.gov.au/page.htm"}}});
  EXPECT_FALSE(shows("public", "http://example.com/"));
  EXPECT_TRUE(shows("staff", "http://example.com/"));
  EXPECT_TRUE(shows("public", "https://a.open.gov.au/x"));
  EXPECT_FALSE(shows("staff", "https://open.gov.au/secret/a"));
  EXPECT_FALSE(shows("staff", "http://www.open.gov.au:80/page.htm"));
  EXPECT_TRUE(shows("public", "http://open.gov.au/page.html"));
  const auto told = json::parse(access->decision("public", "http://example.com/", "20200101000000", kNow).value());
  EXPECT_EQ(told["publicMessage"], "staff alone");
  EXPECT_EQ(told["rule"]["policyId"], 1);
  const auto later = put({{"policyId", 0}, {"urlPatterns", {"*"}}});
  EXPECT_TRUE(shows("public", "http://example.com/"));
  EXPECT_TRUE(access->remove_rule(later).value());
  EXPECT_FALSE(access->remove_rule(later).value());
  EXPECT_FALSE(shows("public", "http://example.com/"));
}

TEST_F(AccessControlTest, TimesOfCaptureAndAccessAndPeriods) {
  put({{"policyId", 2},
       {"urlPatterns", {"http://a.org/"}},
       {"captured", {{"start", "2015-08-01T01:00:00+1000"}, {"end", "2015-11-12T01:59:59+1100"}}}});
  EXPECT_FALSE(shows("staff", "http://a.org/", "20150901000000"));
  EXPECT_TRUE(shows("staff", "http://a.org/", "20150731145959"));  // a second before, in UTC
  EXPECT_TRUE(shows("staff", "http://a.org/", "20160101000000"));
  put({{"policyId", 2},
       {"urlPatterns", {"http://b.org/"}},
       {"accessed", {{"start", nullptr}, {"end", "2026-01-01T00:00:00Z"}}}});
  EXPECT_TRUE(shows("staff", "http://b.org/"));
  put({{"policyId", 2}, {"urlPatterns", {"http://c.org/"}}, {"period", {{"years", 1}, {"months", 1}}}});
  EXPECT_FALSE(shows("staff", "http://c.org/", "20250502120000"));
  EXPECT_TRUE(shows("staff", "http://c.org/", "20250430000000"));
}

TEST_F(AccessControlTest, WhatIsWrongIsToldAndChangesNothing) {
  for (const char* const bad :
       {R"({"policyId":9,"urlPatterns":["*"]})", R"({"policyId":0,"urlPatterns":["*"],"colour":1})",
        R"({"policyId":0,"urlPatterns":[1]})", "no JSON", R"([{"policyId":0,"urlPatterns":["*"]},3])",
        R"({"policyId":0,"urlPatterns":["*"],"captured":{"start":"soon"}})"})
    EXPECT_FALSE(access->put_rules(bad, "anna", kNow)) << bad;
  const auto wrong =
      access->put_rules(R"([{"policyId":0,"urlPatterns":["*.a.org/x","","*"]},{"policyId":0}])", "anna", kNow);
  ASSERT_TRUE(wrong && wrong->is_wrong);
  EXPECT_EQ(json::parse(wrong->body).size(), 3u);
  EXPECT_EQ(access->rules({}), "[]");
  EXPECT_FALSE(access->put_policies(R"({"name":"x","accessPoints":"public"})"));
}

TEST_F(AccessControlTest, PoliciesAreTakenTogetherOrNotAtAll) {
  const std::string former = access->policies();
  EXPECT_FALSE(access->put_policies(R"([{"name":"a","accessPoints":["a"]},{"name":"b"},3])"));
  EXPECT_FALSE(access->put_policies(R"([{"name":"a","accessPoints":["a"]},{"name":"b","accessPoints":"b"}])"));
  EXPECT_EQ(access->policies(), former);
  const auto put = access->put_policies(
      R"([{"id":1,"name":"Staff","accessPoints":["staff"]},{"id":7,"name":"a","accessPoints":["a"]},
          {"name":"b","accessPoints":["b"]}])");
  ASSERT_TRUE(put) << put.error().message;
  EXPECT_EQ(put->body, "[null,null,8]");
  EXPECT_FALSE(put->is_new);
  EXPECT_EQ(json::parse(access->policies()).size(), 5u);
  EXPECT_EQ(json::parse(*access->policy(1))["name"], "Staff");
  EXPECT_EQ(access->put_policies("[]")->body, "[]");
}

TEST_F(AccessControlTest, ManyQuestionsAreRefused) {
  const auto asked = [](size_t count) {
    json all = json::array();
    for (size_t i = 0; i < count; ++i) all.push_back({{"url", "http://a.org/"}, {"timestamp", "20200101000000"}});
    return all.dump();
  };
  const auto told = access->decisions("public", asked(10'000), kNow);
  ASSERT_TRUE(told) << told.error().message;
  EXPECT_EQ(json::parse(*told).size(), 10'000u);
  EXPECT_EQ(access->decisions("public", asked(10'001), kNow).error().code, ErrorCode::limit);
  // A long rule is in each of the answers.
  put({{"policyId", 0}, {"urlPatterns", {"*"}}, {"privateComment", std::string(100'000, 'x')}});
  EXPECT_TRUE(access->decisions("public", asked(10), kNow));
  EXPECT_EQ(access->decisions("public", asked(200), kNow).error().code, ErrorCode::limit);
}

TEST_F(AccessControlTest, DeepJsonIsRefused) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  const std::string policies = access->policies();
  for (const std::string& sent : {deep, R"({"name":)" + deep + R"(,"accessPoints":[]})", std::string(200'000, '['),
                                  R"({"policyId":0,"urlPatterns":["*"],"reason":)" + deep + "}"}) {
    EXPECT_EQ(access->put_policies(sent).error().code, ErrorCode::parse);
    EXPECT_EQ(access->put_rules(sent, "anna", kNow).error().code, ErrorCode::parse);
    EXPECT_EQ(access->decisions("public", sent, kNow).error().code, ErrorCode::parse);
  }
  EXPECT_FALSE(access->put_policies(R"({"name":["x"],"accessPoints":[]})"));
  EXPECT_EQ(access->policies(), policies);
}

TEST_F(AccessControlTest, APatternOfAFolderFitsNamesThatBeginAsIt) {
  put({{"policyId", 1}, {"urlPatterns", {"*"}}});
  put({{"policyId", 0}, {"urlPatterns", {"http://h.org/press/*"}}});
  EXPECT_TRUE(shows("public", "http://h.org/press/a"));
  EXPECT_TRUE(shows("public", "http://h.org/press"));
  EXPECT_TRUE(shows("public", "http://h.org/press-internal/x"));  // as in OutbackCDX: docs/index-server.md
  EXPECT_FALSE(shows("public", "http://h.org/pres/"));
}

TEST_F(AccessControlTest, IsKept) {
  const auto id = put({{"policyId", 1}, {"urlPatterns", {"*.example.org"}}, {"privateComment", "a \"letter\""}});
  const auto made = access->put_policies(R"({"name":"Reading room","accessPoints":["room"]})");
  ASSERT_TRUE(made && made->is_new);
  EXPECT_EQ(made->body, R"({"id":"3"})");
  // Its maker stays when it is changed.
  json rule = json::parse(*access->rule(id));
  EXPECT_EQ(rule["creator"], "anna");
  rule["policyId"] = 3;
  const auto changed = access->put_rules(rule.dump(), "bert", kNow);
  ASSERT_TRUE(changed && changed->body.empty());
  const std::string rules = access->rules({}), policies = access->policies();
  access = *AccessControl::open(files, "i.access.json");
  EXPECT_EQ(access->rules({}), rules);
  EXPECT_EQ(access->policies(), policies);
  EXPECT_EQ(json::parse(rules)[0]["creator"], "anna");
  EXPECT_EQ(json::parse(rules)[0]["modifier"], "bert");
  EXPECT_TRUE(shows("room", "http://example.org/"));
  EXPECT_FALSE(shows("staff", "http://example.org/"));
  // Numbers are not given twice.
  EXPECT_TRUE(access->remove_rule(id).value());
  access = *AccessControl::open(files, "i.access.json");
  EXPECT_GT(put({{"policyId", 1}, {"urlPatterns", {"*"}}}), id);
}

TEST_F(AccessControlTest, ListsInOrder) {
  put({{"policyId", 1}, {"urlPatterns", {"*.z.org"}}});
  put({{"policyId", 1}, {"urlPatterns", {"*.a.org"}}, {"reason", "Privacy"}});
  put({{"policyId", 0}, {"urlPatterns", {"*.x.com"}}, {"pinned", true}});
  const auto ids = [&](const AccessControl::RuleOrder& order) {
    std::string all;
    for (const auto& rule : json::parse(access->rules(order))) all += std::to_string(rule["id"].get<int>());
    return all;
  };
  EXPECT_EQ(ids({}), "012");
  EXPECT_EQ(ids({"", true, false}), "210");
  EXPECT_EQ(ids({"", false, true}), "210");
  EXPECT_EQ(ids({"privacy", false, false}), "1");
  EXPECT_NE(access->rules_csv({}).find("1,\"Staff Only\",\"*.a.org\",,,,,,,,,\"Privacy\",N,"), std::string::npos)
      << access->rules_csv({});
}

TEST(AccessControlFile, ThatCannotBeReadIsNotPassedOver) {
  io::MemoryFiles files;
  ASSERT_TRUE(files.write_atomically("i.access.json", "{\"rules\": 3}"));
  const auto opened = AccessControl::open(files, "i.access.json");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::corrupt);
}

}  // namespace
}  // namespace caddis::cdxserver
