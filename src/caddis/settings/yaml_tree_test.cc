#include "caddis/settings/yaml_tree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caddis::settings {
namespace {

using ::testing::HasSubstr;

std::string error_of(std::string_view text, const YamlLimits& limits = {}) {
  const auto tree = YamlTree::parse(text, limits);
  return tree ? "" : fmt::format("{}: {}", tree.error().line, tree.error().reason);
}

TEST(YamlTree, HoldsWhatStandsInTheFile) {
  const auto tree = YamlTree::parse("a:\n  - one\n  - 'two'\nb: ~\nc: {d: 5, ? [x] : y}\n");
  ASSERT_TRUE(tree.has_value());
  const YamlNode& root = tree->root();
  ASSERT_EQ(root.entries(), 3u);
  EXPECT_EQ(root.name(0).text(), "a");
  ASSERT_TRUE(root.value(0).is_sequence());
  ASSERT_EQ(root.value(0).items().size(), 2u);
  EXPECT_EQ(root.value(0).items()[1]->text(), "two");
  EXPECT_EQ(root.value(0).items()[1]->line(), 3);
  EXPECT_TRUE(root.value(1).is_null());
  EXPECT_EQ(root.value(2).value(0).text(), "5");
  EXPECT_TRUE(root.value(2).name(1).is_sequence());
  EXPECT_TRUE(YamlTree::parse("")->root().is_null());
  EXPECT_EQ(YamlTree::parse("--- a\n--- b\n")->root().text(), "a");
}

TEST(YamlTree, AliasesStandForWhatTheyName) {
  const auto tree = YamlTree::parse("a: &x [1, &y 2]\nb: *x\nc: *y\n");
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(tree->root().value(1).items()[1]->text(), "2");
  EXPECT_EQ(tree->root().value(2).text(), "2");
  EXPECT_EQ(error_of("a: &x [1, *x]\n"), "1: an alias stands within what it repeats");
  EXPECT_THAT(error_of("a: *x\n"), HasSubstr("anchor"));
}

TEST(YamlTree, AliasesCostWhatTheyStandFor) {
  // Each line ten times the one before: a billion in all.
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i)
    laughs +=
        fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  EXPECT_THAT(error_of(laughs), HasSubstr("7: more than 2000000 values"));

  // One long text and many aliases of it, which no count of nodes would stop.
  std::string quadratic = "a: &a " + std::string(100'000, 'x') + "\nb: [";
  for (int i = 0; i < 100'000; ++i) quadratic += "*a, ";
  EXPECT_THAT(error_of(quadratic + "*a]\n"), HasSubstr("2: more than 64000000 bytes"));

  // One long list and many aliases of it.
  std::string lists = "a: &a [";
  for (int i = 0; i < 5000; ++i) lists += "x, ";
  lists += "x]\nb: [";
  for (int i = 0; i < 5000; ++i) lists += "*a, ";
  EXPECT_THAT(error_of(lists + "*a]\n"), HasSubstr("2: more than 2000000 values"));
}

TEST(YamlTree, CountsWhatIsThereWithoutAliasesToo) {
  EXPECT_EQ(error_of("[a, b, c]\n", {.nodes = 4}), "");
  EXPECT_THAT(error_of("[a, b, c, d]\n", {.nodes = 4}), HasSubstr("more than 4 values"));
  EXPECT_EQ(error_of("[aa, bb]\n", {.bytes = 4}), "");
  EXPECT_THAT(error_of("[aa, bbb]\n", {.bytes = 4}), HasSubstr("more than 4 bytes"));
}

TEST(YamlTree, ErrorsSayWhatToDo) {
  const std::pair<const char*, const char*> kErrors[] = {
      {"crawl:\n  name: [a\n", "a list that [ begins has no ] at its end"},
      {"crawl:\n  name: {a\n", "a map that { begins has no } at its end"},
      {"crawl:\n\tname: a\n", "2: it is indented by a tab: indent it with blanks"},
      {"crawl:\n  name: a\n \tcontact: a\n", "3: it is indented by a tab"},
      {"crawl:\n  name: a: b\n", "2: a colon where none may be: put a value that has one into quotes"},
      {"crawl:\n  name: a\n contact: b\n", "3: it does not stand below the line that it belongs to: indent"},
      {"crawl:\n  name: @a\n", "2: unknown token: this is no YAML; put a value that has signs in it into quotes"}};
  for (const auto& [text, words] : kErrors) EXPECT_THAT(error_of(text), HasSubstr(words)) << text;
}

TEST(YamlTree, AChainOfAliasesIsNotDeep) {
  std::string chain = "a0: &a0 [x]\n";
  for (int i = 1; i < 1500; ++i) chain += fmt::format("a{0}: &a{0} [*a{1}]\n", i, i - 1);
  EXPECT_EQ(error_of(chain), "");
}

}  // namespace
}  // namespace caddis::settings
