#include "caddis/frontier/precedences.h"

#include <gtest/gtest.h>

#include "caddis/frontier/frontier_fixture.h"
#include "caddis/io/memory_files.h"

namespace caddis::frontier {
namespace {

constexpr Identity kIdentity{{1, 2}};

Result<Precedences> load(std::string_view text, uint64_t memory = 1 << 20) {
  io::MemoryFiles files;
  EXPECT_TRUE(files.write_atomically("list", text));
  return Precedences::load(files, "list", kIdentity, memory);
}

TEST(Precedences, OfTheUrlsListed) {
  const auto list = load("# first\n\nhttp://a/ 3\r\nHTTP://B.example:80/x?y=1#z\t127\nhttps://c/a b   0\nhttp://d/ 62");
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->size(), 4u);
  EXPECT_EQ(list->of(kIdentity.url_hash("http://a/")), 3u);
  EXPECT_EQ(list->of(kIdentity.url_hash("http://b.example/x?y=1")), 62u);
  EXPECT_EQ(list->of(kIdentity.url_hash("https://c/a%20b")), 0u);
  EXPECT_EQ(list->of(kIdentity.url_hash("http://d/")), 62u);
  EXPECT_EQ(list->of(kIdentity.url_hash("http://e/")), std::nullopt);
}

TEST(Precedences, TheSameLineTwiceIsNoHarm) { EXPECT_EQ(load("http://a/ 3\nhttp://a/ 3\n")->size(), 1u); }

TEST(Precedences, AByteOrderMarkIsNoPartOfTheFirst) {
  EXPECT_EQ(load("\xEF\xBB\xBFhttp://a/ 3\nhttp://b/ 4\n")->of(kIdentity.url_hash("http://a/")), 3u);
}

TEST(Precedences, AnEmptyFileListsNothing) {
  EXPECT_EQ(load("")->size(), 0u);
  EXPECT_EQ(load("")->of(kIdentity.url_hash("http://a/")), std::nullopt);
}

TEST(Precedences, BadLinesAreTold) {
  struct {
    const char* text;
    const char* told;
  } const cases[] = {
      {"http://a/ 1\nhttp://a/\n", "line 2: it has no precedence"},
      {"http://a/ -1", "line 1: '-1' is no precedence"},
      {"http://a/ 128", "line 1: '128' is no precedence"},
      {"http://a/ high", "'high' is no precedence"},
      {"\n#\nexample.org 3", "line 3: it does not begin with an http or https URL"},
      {"ftp://a/ 3", "it does not begin with an http or https URL"},
      {" 3", "it has no precedence"},
      {"http://a/ 3\nhttp://u:pw@b/ 1\nhttp://u:pw@b/ 2", "two precedences"},
  };
  for (const auto& one : cases) {
    const auto list = load(one.text);
    ASSERT_FALSE(list) << one.text;
    EXPECT_NE(list.error().message.find(one.told), std::string::npos) << list.error().message;
    EXPECT_NE(list.error().message.find("frontier.precedences: list"), std::string::npos) << list.error().message;
    EXPECT_EQ(list.error().message.find("pw@"), std::string::npos) << list.error().message;
  }
  EXPECT_NE(load("http://a/" + std::string(100'000, 'x') + " 1").error().message.find("longer"), std::string::npos);
}

TEST(Precedences, AFileThatIsNotThereIsAMatterOfSettings) {
  io::MemoryFiles files;
  const auto list = Precedences::load(files, "list", kIdentity, 1000);
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code, ErrorCode::config);
}

TEST(Precedences, NoMoreThanTheMemoryHolds) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "http://a/" + std::to_string(i) + " 1\n";
  EXPECT_EQ(load(text, 800)->size(), 100u);
  const auto refused = load(text, 792);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::limit);
  EXPECT_NE(refused.error().message.find("line 100: 99 URLs"), std::string::npos) << refused.error().message;
}

TEST(Precedences, LongFilesAreReadInPieces) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "http://a/" + std::to_string(i) + " " + std::to_string(i % 63) + "\n";
  const auto list = load(text);
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->size(), 50'000u);
  for (int i = 0; i < 50'000; i += 777)
    EXPECT_EQ(list->of(kIdentity.url_hash("http://a/" + std::to_string(i))), static_cast<unsigned>(i % 63));
}

class PrecedencesTest : public FrontierTest {
 protected:
  void open_with(std::string_view text) {
    options_.politeness.delay = Duration(0);
    options_.obey_robots = options_.resolve_names = false;
    options_.sources.precedences = std::make_shared<const Precedences>(*load(text));
    reopen();
  }
};

TEST_F(PrecedencesTest, OthersHaveTheBasePrecedence) {
  options_.order.base_precedence = 5;
  open_with("http://a/2 9\nhttp://a/3 1\nhttp://a/4 5\n");
  add({scheduled("http://a/1", "L"), scheduled("http://a/2", "L"), scheduled("http://a/3", "L"),
       scheduled("http://a/4", "L"), scheduled("http://a/seed")});
  EXPECT_EQ(run_dry(),
            (std::vector<std::string>{"http://a/seed", "http://a/3", "http://a/1", "http://a/4", "http://a/2"}));
}

// A crawl that is resumed with another list: it counts for what is found from then on.
TEST_F(PrecedencesTest, AnotherListCountsFromTheNextStart) {
  options_.order.base_precedence = 5;
  open_with("http://a/2 1\n");
  add({scheduled("http://a/1", "L"), scheduled("http://a/2", "L")});
  commit();
  open_with("http://a/1 0\nhttp://a/4 1\n");
  add({scheduled("http://a/3", "L"), scheduled("http://a/4", "L")});
  EXPECT_EQ(run_dry(), (std::vector<std::string>{"http://a/2", "http://a/4", "http://a/1", "http://a/3"}));
}

TEST_F(PrecedencesTest, CountInEveryOrder) {
  options_.order.order = UrlOrder::hops;
  open_with("http://a/far 0\n");
  add({scheduled("http://a/near", "L"), scheduled("http://a/far", "LLLL")});
  EXPECT_EQ(run_dry(), (std::vector<std::string>{"http://a/far", "http://a/near"}));
}

}  // namespace
}  // namespace caddis::frontier
