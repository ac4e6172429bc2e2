// Files of rules on a disk: links to them, and who holds their locks.
#include "caddis/viewing/rule_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "caddis/base/clock.h"
#include "caddis/viewing/rule_file.h"
#include "support/testdata.h"

namespace caddis::viewing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class LinkedRulesTest : public ::testing::Test {
 protected:
  LinkedRulesTest() {
    for (const char* const name : {"a", "b", "rules/a", "rules/b"}) EXPECT_TRUE(files.make_dirs(folder / name));
    for (const std::string name : {"a", "b"}) {
      EXPECT_TRUE(files.write_atomically(folder / ("rules/" + name + "/access.yaml"), text_of(name + "1")));
      std::filesystem::create_symlink("../rules/" + name + "/access.yaml", link(name));
    }
  }
  static std::string text_of(const std::string& id) {
    return "rules:\n  - {id: " + id + ", verdict: block, all: true}\n";
  }
  std::string link(const std::string& name) const { return folder / (name + "/access.yaml"); }
  Result<void> add(RuleStore& store, const std::string& id) {
    return store.change({"ann", "192.0.2.1", "api", "rule " + id}, [&](const std::string& text) {
      return with_rules(text, store.path(), {*parse_rule("{id: " + id + ", verdict: exclude, host: a.org}", "a test")});
    });
  }
  static std::vector<std::string> ids(const RuleStore& store) {
    std::vector<std::string> ids;
    for (const Rule& rule : store.rules()->list().rules) ids.push_back(rule.id);
    return ids;
  }
  std::string content(const std::string& path) { return files.read_all(folder / path).value_or("nothing"); }

  caddis::testing::TempDir folder;
  io::Files& files = io::real_files();
  ManualClock clock;
};

TEST_F(LinkedRulesTest, AChangeIsWrittenBehindTheLink) {
  RuleStore a(files, clock, link("a")), b(files, clock, link("b"));
  ASSERT_TRUE(a.refresh());
  ASSERT_TRUE(b.refresh());
  const auto changed = add(b, "more");
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_THAT(ids(a), ElementsAre("a1"));
  EXPECT_THAT(ids(b), ElementsAre("b1", "more"));
  EXPECT_TRUE(std::filesystem::is_symlink(link("a")));
  EXPECT_TRUE(std::filesystem::is_symlink(link("b")));
  EXPECT_THAT(content("rules/b/access.yaml"), AllOf(HasSubstr("b1"), HasSubstr("more")));
  EXPECT_EQ(content("rules/a/access.yaml"), text_of("a1"));
  // The record is that of the collection.
  EXPECT_THAT(content("b/access.yaml.audit.log"), HasSubstr("rule more"));
}

TEST_F(LinkedRulesTest, ALinkToAnotherFileOfTheSameSizeAndTimeIsFollowed) {
  const std::string first = folder / "rules/a/access.yaml", second = folder / "rules/b/access.yaml";
  std::filesystem::last_write_time(second, std::filesystem::last_write_time(first));
  RuleStore store(files, clock, link("a"));
  ASSERT_TRUE(store.refresh());
  EXPECT_THAT(ids(store), ElementsAre("a1"));
  std::filesystem::remove(link("a"));
  std::filesystem::create_symlink(second, link("a"));
  ASSERT_TRUE(store.refresh());
  EXPECT_THAT(ids(store), ElementsAre("b1"));
}

TEST_F(LinkedRulesTest, ALinkToNoFileIsToldAndStays) {
  std::filesystem::remove(folder / "rules/a/access.yaml");
  RuleStore store(files, clock, link("a"));
  const auto changed = add(store, "more");
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, ErrorCode::config);
  EXPECT_THAT(changed.error().message,
              AllOf(HasSubstr(link("a")), HasSubstr("../rules/a/access.yaml, where no file is")));
  EXPECT_TRUE(std::filesystem::is_symlink(link("a")));
}

TEST_F(LinkedRulesTest, WhoeverHoldsTheLockIsNamed) {
  RuleStore store(files, clock, link("a")), other(files, clock, folder / "rules/a/access.yaml");
  const auto changed = store.change({"ann", "192.0.2.1", "api", "a takedown"}, [&](const std::string& text) {
    const auto refused = add(other, "more");
    EXPECT_FALSE(refused);
    if (refused) return Result<std::string>(text);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_THAT(refused.error().message,
                AllOf(HasSubstr("rules/a/access.yaml is being changed by somebody else"), HasSubstr("process "),
                      HasSubstr("by ann from 192.0.2.1 (api: a takedown)"), HasSubstr("try again in a moment")));
    return Result<std::string>(text);
  });
  EXPECT_TRUE(changed);
  // A folder that is none is no lock that is held.
  ASSERT_TRUE(files.write_atomically(folder / "file", "x"));
  RuleStore none(files, clock, folder / "file/access.yaml");
  const auto refused = add(none, "more");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, Not(HasSubstr("somebody else")));
}

}  // namespace
}  // namespace caddis::viewing
