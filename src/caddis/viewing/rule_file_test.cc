// The grammar of the file, and its changes as text.
#include "caddis/viewing/rule_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "caddis/base/clock.h"
#include "caddis/io/memory_files.h"
#include "caddis/viewing/rule_json.h"
#include "caddis/viewing/rule_store.h"

namespace caddis::viewing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kFile = R"(# of the library
version: 1
default: block
message: Ask the library.   # for all
groups:
  staff: [alice, "bob b"]
rules:
  # a takedown
  - id: one
    verdict: exclude
    url: [http://example.com/a, http://example.com/b]
    captured: ["2010..2012-06", "..2005"]
    message: Taken down
    comment: a letter of 2012
  - verdict: allow
    domain: example.org
    networks: [10.0.0.0/8, 2001:db8::1]
    newer: 1y
    priority: -3
)";

TEST(RuleFileTest, ReadsAndWrites) {
  const auto list = parse_rules(kFile, "f");
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->fallback, Verdict::block);
  EXPECT_EQ(list->message, "Ask the library.");
  ASSERT_EQ(list->rules.size(), 2U);
  EXPECT_EQ(list->rules[0].subjects.size(), 2U);
  EXPECT_EQ(list->rules[0].captured.size(), 2U);
  EXPECT_EQ(list->rules[1].id, "line-15");
  EXPECT_EQ(list->rules[1].priority, -3);
  EXPECT_EQ(list->groups.at("staff").back(), "bob b");
  const auto again = parse_rules(format_rules(*list), "g");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(format_rules(*again), format_rules(*list));
  EXPECT_EQ(rules_json(*again), rules_json(*list));
  EXPECT_TRUE(parse_rules("", "empty"));
}

TEST(RuleFileTest, SaysWhatIsWrongAndWhere) {
  const std::pair<const char*, const char*> cases[] = {
      {"rules:\n  - verdict: deny\n    all: true\n", "f:2: 'deny' is no verdict"},
      {"rules:\n  - url: x\n", "f:2: a rule without verdict"},
      {"rules:\n  - verdict: block\n", "about nothing"},
      {"rules:\n  - {verdict: block, all: true, capturd: 2010}\n", "'captured' is"},
      {"rules:\n  - {verdict: block, all: true, captured: 2012..2010}\n", "ends before it begins"},
      {"rules:\n  - {verdict: block, all: true, newer: 3 moons}\n", "no length of time"},
      {"rules:\n  - {verdict: block, all: true, networks: 10.0.0.300}\n", "10.0.0.300"},
      {"rules:\n  - {id: a, verdict: block, all: true}\n  - {id: a, verdict: block, all: true}\n",
       "f:3: there is a rule 'a'"},
      {"version: 2\n", "version 2 is not known"},
      {"ruls: []\n", "'rules' is"},
      {"rules: {a: b}\n", "'rules' is a list"},
      {"rules: [", "f:1"},
  };
  for (const auto& [text, words] : cases) {
    const auto list = parse_rules(text, "f");
    ASSERT_FALSE(list) << text;
    EXPECT_THAT(list.error().message, HasSubstr(words));
  }
}

Rule new_rule(const std::string& id) {
  Rule rule;
  rule.id = id;
  rule.subjects.push_back({Subject::Kind::url, "http://new.org/\"x\""});
  rule.reason = "a court: \"no\"\n# of law";
  return rule;
}

TEST(RuleFileTest, RulesComeAndGoAndTheRestStays) {
  const auto more = with_rules(kFile, "f", {new_rule("two"), new_rule("three")});
  ASSERT_TRUE(more) << more.error().message;
  EXPECT_THAT(*more, HasSubstr("# a takedown"));
  EXPECT_THAT(*more, HasSubstr("# for all"));
  const auto list = parse_rules(*more, "f");
  ASSERT_TRUE(list);
  ASSERT_EQ(list->rules.size(), 4U);
  EXPECT_EQ(list->rules[2].reason, "a court: \"no\"\n# of law");
  EXPECT_EQ(with_rules(*more, "f", {new_rule("two")}).error().code, ErrorCode::conflict);
  const auto less = without_rule(*more, "f", "one");
  ASSERT_TRUE(less) << less.error().message;
  EXPECT_EQ(parse_rules(*less, "f")->rules.size(), 3U);
  EXPECT_THAT(*less, Not(HasSubstr("Taken down")));
  const auto two = without_rule(*less, "f", "three");
  ASSERT_TRUE(two) << two.error().message;
  EXPECT_EQ(without_rule(*two, "f", "three").error().code, ErrorCode::not_found);
}

TEST(RuleFileTest, EveryWayToWriteAList) {
  for (const char* text :
       {"", "# nothing\n", "default: allow\n", "rules: []\n", "rules:\n", "rules: []\ndefault: allow\n",
        "rules:\n- verdict: block\n  all: true\n", "rules:\n      - verdict: block\n        all: true\n",
        "rules:\n  - verdict: block\n    all: true\nmessage: x", "rules:\n  - {verdict: block, all: true}"}) {
    const auto more = with_rules(text, "f", {new_rule("two")});
    ASSERT_TRUE(more) << text << more.error().message;
    const auto list = parse_rules(*more, "f");
    ASSERT_TRUE(list) << *more;
    EXPECT_EQ(list->rules.back().id, "two");
    const auto back = without_rule(*more, "f", "two");
    ASSERT_TRUE(back) << *more << back.error().message;
  }
  // In one line, a rule cannot be put in without writing the rest anew.
  EXPECT_THAT(with_rules("rules: [{verdict: block, all: true}]\n", "f", {new_rule("two")}).error().message,
              HasSubstr("change it by hand"));
}

// Somebody is faster: `meanwhile` is done after the file was opened, once.
class InterruptedFiles final : public io::MemoryFiles {
 public:
  Result<std::unique_ptr<io::File>> open_read(const std::string& path) override {
    auto file = MemoryFiles::open_read(path);
    if (meanwhile) std::exchange(meanwhile, nullptr)();
    return file;
  }
  std::function<void()> meanwhile;
};

TEST(RuleStoreTest, WhatWasReadBeforeAChangeDoesNotUndoIt) {
  InterruptedFiles files;
  ManualClock clock;
  RuleStore store(files, clock, "access.yaml");
  ASSERT_TRUE(store.refresh());
  ASSERT_TRUE(files.write_atomically("access.yaml", "rules: [{id: old, verdict: block, all: true}]"));
  files.meanwhile = [&] {
    const auto changed = store.change({"ann", "192.0.2.1", "session", "takedown"}, [](const std::string&) {
      return Result<std::string>(
          "rules: [{id: takedown, verdict: exclude, all: true}, {id: b, verdict: block, all: true}]");
    });
    EXPECT_TRUE(changed) << changed.error().message;
  };
  ASSERT_TRUE(store.refresh());
  ASSERT_EQ(store.rules()->list().rules.size(), 2U);
  EXPECT_EQ(store.rules()->list().rules.front().id, "takedown");
}

TEST(RuleStoreTest, FollowsItsFileAndKeepsARecord) {
  io::MemoryFiles files;
  ManualClock clock;
  RuleStore store(files, clock, "c/access.yaml");
  ASSERT_TRUE(store.refresh());
  EXPECT_TRUE(store.rules()->is_empty());
  ASSERT_TRUE(store.change({"alice", "192.0.2.1", "api", "rule two"},
                           [](const std::string& text) { return with_rules(text, "f", {new_rule("two")}); }));
  EXPECT_EQ(store.rules()->list().rules.size(), 1U);
  RuleStore other(files, clock, "c/access.yaml");
  other.refresh_now_and_then();
  EXPECT_EQ(other.rules()->list().rules.size(), 1U);
  // A file that cannot be used changes nothing, and is told.
  ASSERT_TRUE(files.write_atomically("c/access.yaml", "rules: [{verdict: none}]"));
  other.refresh_now_and_then();
  EXPECT_EQ(other.problem(), "");  // it was looked at within this second
  clock.advance(std::chrono::seconds(2));
  other.refresh_now_and_then();
  EXPECT_THAT(other.problem(), HasSubstr("'none' is no verdict"));
  EXPECT_EQ(other.rules()->list().rules.size(), 1U);
  ASSERT_TRUE(files.remove("c/access.yaml"));
  clock.advance(std::chrono::seconds(2));
  other.refresh_now_and_then();
  EXPECT_THAT(other.problem(), HasSubstr("is gone"));
  EXPECT_EQ(other.rules()->list().rules.size(), 1U);
  ASSERT_TRUE(files.write_atomically("c/access.yaml", "default: block\n"));
  clock.advance(std::chrono::seconds(2));
  other.refresh_now_and_then();
  EXPECT_EQ(other.problem(), "");
  EXPECT_EQ(other.rules()->list().fallback, Verdict::block);
  const auto record = files.read_all("c/access.yaml.audit.log");
  ASSERT_TRUE(record);
  EXPECT_THAT(*record, HasSubstr("\"who\":\"alice\""));
  EXPECT_THAT(*record, HasSubstr("rules read anew"));
  const auto refused = store.change({"alice", "", "api", "x"}, [](const std::string&) { return "rules: ["; });
  EXPECT_FALSE(refused);
}

}  // namespace
}  // namespace caddis::viewing
