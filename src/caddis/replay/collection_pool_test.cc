// Collections that come and go while a server runs: the others stay open as they are.
#include "caddis/replay/collection_pool.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "caddis/replay/served_rules.h"
#include "caddis/replay/wayback_fixture.h"
#include "support/testdata.h"

namespace caddis::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Collections = std::vector<std::shared_ptr<Collection>>;

class CollectionPoolTest : public ::testing::Test {
 protected:
  void make(const std::string& name, int captures = 1) {
    ASSERT_TRUE(files.make_dirs(at(name) + "/archive"));
    ArchiveMaker made;
    for (int i = 0; i < captures; ++i)
      made.response("http://example.org/" + std::to_string(i), "20200101000000", http_ok("text/html", "x"));
    ASSERT_TRUE(files.write_atomically(at(name) + "/archive/x.warc.gz", made.bytes()));
  }
  std::string at(const std::string& name) const { return folder / name; }
  Collections open(const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(at(name));
    auto opened = open_these(collection_identities(files, paths));
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? *std::move(opened) : Collections();
  }
  Result<Collections> open_these(const CollectionIdentities& wanted) {
    return pool.open(wanted, [&](Collection& collection) -> Result<void> {
      prepared.push_back(collection.name());
      return {};
    });
  }
  static uint64_t captures(Collection& collection) { return collection.index().size()->captures; }
  void replace(const std::string& name, int captures) {
    std::filesystem::rename(at(name), at("former-" + name));
    make(name, captures);
  }

  testing::TempDir folder;
  io::Files& files = io::real_files();
  ManualClock clock;
  CollectionPool pool{files, clock, "", ""};
  std::vector<std::string> prepared;
};

TEST_F(CollectionPoolTest, OpensOnlyWhatIsNewAndClosesOnlyWhatIsGone) {
  make("a");
  make("b");
  make("c");
  Collections first = open({"a", "b"});
  ASSERT_EQ(first.size(), 2U);
  const std::weak_ptr<Collection> gone = first[1];
  Collections second = open({"a", "c"});
  ASSERT_EQ(second.size(), 2U);
  EXPECT_EQ(first[0], second[0]);
  EXPECT_THAT(prepared, ElementsAre("a", "b", "c"));
  EXPECT_FALSE(gone.expired()) << "an answer under way may read it";
  first.clear();
  EXPECT_TRUE(gone.expired());
  // One that was closed is opened anew.
  EXPECT_EQ(open({"a", "b"})[0], second[0]);
  EXPECT_THAT(prepared, ElementsAre("a", "b", "c", "b"));
}

TEST_F(CollectionPoolTest, AnotherFolderOfTheSameNameIsOpenedAnew) {
  make("a");
  make("b");
  const Collections first = open({"a", "b"});
  replace("b", 2);
  const Collections second = open({"a", "b"});
  ASSERT_EQ(second.size(), 2U);
  EXPECT_EQ(first[0], second[0]);
  EXPECT_NE(first[1], second[1]);
  EXPECT_EQ(captures(*second[1]), 2U);
}

TEST_F(CollectionPoolTest, WhatIsBeingReplacedStaysAsItIs) {
  make("a");
  make("b");
  CollectionIdentities wanted = collection_identities(files, {at("a"), at("b")});
  const Collections first = open_these(wanted).value();
  replace("b", 1);  // of two captures that are to come
  make("c");
  wanted[at("c")] = collection_identity(files, at("c"));
  const Collections second = open_these(wanted).value();
  ASSERT_EQ(second.size(), 3U);
  EXPECT_EQ(second[1], first[1]);
  make("b", 2);
  const Collections third = open({"a", "b", "c"});
  EXPECT_EQ(captures(*third[1]), 2U);
  EXPECT_THAT(prepared, ElementsAre("a", "b", "c", "b"));
}

TEST_F(CollectionPoolTest, WhatCannotBeOpenedTakesNothingFromTheOthers) {
  make("a");
  const Collections first = open({"a"});
  EXPECT_FALSE(open_these(collection_identities(files, {at("a"), at("none.wacz")})));
  EXPECT_EQ(open({"a"})[0], first[0]);
  const auto equal = open_these(collection_identities(files, {at("a"), at("a.warc.gz")}));
  ASSERT_FALSE(equal);
  EXPECT_THAT(equal.error().message, HasSubstr("give one of them another name"));
}

TEST_F(CollectionPoolTest, RulesOfWhatStaysGoOn) {
  make("a");
  make("b");
  make("c");
  ASSERT_TRUE(files.write_atomically(at("a") + "/access.yaml", "default: block\n"));
  ASSERT_TRUE(files.write_atomically(at("b") + "/access.yaml", "default: block\n"));
  ASSERT_TRUE(files.write_atomically(at("all.yaml"), "rules: []\n"));
  const Collections first = open({"a", "b"});
  const auto rules = ServedRules::open(files, clock, at("all.yaml"), first);
  ASSERT_TRUE(rules);
  EXPECT_FALSE(see(*first[0], rules->get(), {})
                   .collection->index()
                   .captures_of("http://example.org/0")
                   ->closest("2020", 1)
                   ->size());
  const uint64_t blocked = (*rules)->counts().blocked;
  EXPECT_GT(blocked, 0U);
  replace("b", 1);
  // A file that cannot be used now changes nothing for what stays.
  ASSERT_TRUE(files.write_atomically(at("a") + "/access.yaml", "rules: [{"));
  const Collections second = open({"a", "b", "c"});
  const auto later = ServedRules::open(files, clock, at("all.yaml"), second, *rules);
  ASSERT_TRUE(later) << later.error().message;
  EXPECT_EQ((*later)->store("a"), (*rules)->store("a"));
  EXPECT_EQ((*later)->store(""), (*rules)->store(""));
  EXPECT_NE((*later)->store("b"), (*rules)->store("b"));
  EXPECT_TRUE((*later)->store("b")->rules()->is_empty()) << "they were of another folder";
  EXPECT_NE((*later)->store("c"), nullptr);
  EXPECT_EQ((*later)->counts().blocked, blocked);
}

}  // namespace
}  // namespace caddis::replay
