#include "caddis/harvest/edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/harvest/templates.h"
#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(FieldChangesTest, TellWhatStoodBeforeAndAfter) {
  FieldChanges changes;
  changes.add("comments", "a", "a");
  EXPECT_TRUE(changes.is_empty());
  EXPECT_EQ(changes.to_json(), "[]");
  changes.add("comments", "a", "b");
  changes.add("most objects", int64_t{-1}, int64_t{5});
  changes.add("active", true, false);
  EXPECT_EQ(changes.to_json(), R"([{"name":"comments","before":"a","after":"b"},)"
                               R"({"name":"most objects","before":"-1","after":"5"},)"
                               R"({"name":"active","before":"yes","after":"no"}])");
}

TEST(FieldChangesTest, OfListsTheLinesThatWentAndCame) {
  FieldChanges changes;
  changes.add("seeds", "http://a/\nhttp://b/\nhttp://c/\n", "http://a/\nhttp://c/\nhttp://d/\n");
  EXPECT_EQ(changes.to_json(), R"([{"name":"seeds","before":"http://b/","after":"http://d/"}])");
  FieldChanges order;
  order.add("seeds", "a\nb", "b\na");
  EXPECT_EQ(order.to_json(), R"([{"name":"seeds","before":"a\nb","after":"b\na"}])");
}

TEST(FieldChangesTest, ShowNoSecretsAndCutLongTexts) {
  FieldChanges changes;
  changes.add_secret("password", "sesame", "sesame");
  EXPECT_TRUE(changes.is_empty());
  changes.add_secret("password", "", "sesame");
  changes.add("comments", "", std::string(999, 'x') + "\xc3\xa9 and so on");
  EXPECT_THAT(changes.to_json(), AllOf(HasSubstr(R"~("before":"","after":"(hidden)")~"), Not(HasSubstr("sesame")),
                                       HasSubstr("xxx… (1011 bytes)\"")));
}

class ChangesOf : public ArchiveTest {
 protected:
  std::string fields(const std::string& kind, const std::string& name) {
    return got([&](Connection& c) { return changes_of(c, kind, name, 1); }).at(0).fields;
  }
};
CADDIS_ON_BOTH_DATABASES(ChangesOf);

TEST_P(ChangesOf, ADomain) {
  create({"a.example"});
  Domain one = domain("a.example");
  one.comments = "a library";
  one.seed_lists[0].seeds += "\nhttp://a.example/news\n";
  one.seed_lists[0].was = one.seed_lists[0].name;
  one.seed_lists[0].name = "all";
  one.configurations[0].limits.bytes = 5;
  one.configurations[0].overrides = "fetch: {proxy: 'http://user:sesame@proxy.example:3128'}";
  one.credentials.push_back({"door", "http://a.example/", "realm", "user", "open", ""});
  save(one);
  const std::string told = fields("domain", "a.example");
  EXPECT_THAT(told, HasSubstr(R"~({"name":"comments","before":"","after":"a library"})~"));
  EXPECT_THAT(told, HasSubstr(R"~({"name":"seeds all: name","before":"defaultseeds","after":"all"})~"));
  EXPECT_THAT(told, HasSubstr(R"~("after":"http://a.example/news"})~"));
  EXPECT_THAT(told,
              HasSubstr(R"~({"name":"configuration defaultconfig: most bytes","before":"1000000000","after":"5"})~"));
  EXPECT_THAT(told, HasSubstr(R"~({"name":"configuration defaultconfig: settings","before":"","after":"(hidden)"})~"));
  EXPECT_THAT(told, HasSubstr(R"~({"name":"credential door: password","before":"","after":"(hidden)"})~"));
  EXPECT_THAT(told, AllOf(Not(HasSubstr("sesame")), Not(HasSubstr("open"))));
  one = domain("a.example");
  one.credentials[0].password = "";
  one.configurations[0].overrides = "";
  save(one);
  EXPECT_EQ(fields("domain", "a.example"),
            R"~([{"name":"configuration defaultconfig: settings","before":"(hidden)","after":""}])~");
}

TEST_P(ChangesOf, AHarvestAndItsPlans) {
  snapshot("all", {kNoLimit, 1000});
  Definition one = definition("all");
  one.limits.bytes = 2000;
  one.audience = "law";
  define(one);
  EXPECT_EQ(
      fields("harvest", "all"),
      R"~([{"name":"audience","before":"","after":"law"},{"name":"most bytes","before":"1000","after":"2000"}])~");
  done([&](Connection& c) -> Result<void> {
    TRY(NamedSchedule daily, find_schedule(c, "daily"));
    daily.schedule.frequency.minute = 0;
    daily.schedule.frequency.hour = 3;
    return save_schedule(c, daily, edit());
  });
  EXPECT_EQ(fields("schedule", "daily"),
            R"~([{"name":"minute","before":"","after":"0"},{"name":"hour","before":"","after":"3"}])~");
  done([&](Connection& c) -> Result<void> {
    TRY(Channel focused, find_channel(c, "FOCUSED"));
    focused.comments = "papers";
    return save_channel(c, focused, edit());
  });
  EXPECT_EQ(fields("channel", "FOCUSED"),
            R"~([{"name":"comments","before":"selective harvests and events","after":"papers"}])~");
  done([&](Connection& c) -> Result<void> {
    TRY(Template usual, find_template(c, "default"));
    usual.source += "# and no more\n";
    return save_template(c, usual, edit());
  });
  EXPECT_EQ(fields("template", "default"), R"~([{"name":"settings","before":"(hidden)","after":"(hidden)"}])~");
}

TEST_P(ChangesOf, AVerdict) {
  create({"a.example"});
  snapshot("all", {});
  ASSERT_TRUE(generate("all").value());
  const int64_t job = run_next({});
  done([&](Connection& c) { return set_verdict(c, job, "rejected", "no pictures", edit()); });
  EXPECT_EQ(
      fields("job", std::to_string(job)),
      R"~([{"name":"verdict","before":"","after":"rejected"},{"name":"note","before":"","after":"no pictures"}])~");
}

}  // namespace
}  // namespace caddis::harvest
