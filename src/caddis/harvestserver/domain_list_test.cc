#include "caddis/harvestserver/domain_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caddis::harvestserver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> names_in(std::string_view text) {
  const auto list = read_domain_list(text);
  EXPECT_TRUE(list) << list.error().message;
  EXPECT_THAT(list->wrong, IsEmpty());
  std::vector<std::string> names;
  for (const ListedDomain& one : list->domains) names.push_back(one.name);
  return names;
}

TEST(DomainList, IsANameALine) {
  EXPECT_THAT(names_in("a.example\r\n# a remark\n\n  B.example \n\"c.example\"\nbücher.example,,\na.example"),
              ElementsAre("a.example", "b.example", "c.example", "xn--bcher-kva.example"));
  EXPECT_THAT(names_in(""), IsEmpty());
}

TEST(DomainList, TellsWhatIsWrongByLine) {
  const auto list = read_domain_list("a.example\n\"q-one.example\",\"1000\"\nco.uk\nb.example");
  ASSERT_TRUE(list);
  EXPECT_THAT(list->domains, SizeIs(2));
  ASSERT_THAT(list->wrong, SizeIs(2));
  EXPECT_EQ(list->wrong[0].line, 2);
  EXPECT_EQ(list->wrong[0].text, "q-one.example");
  EXPECT_THAT(list->wrong[0].why, HasSubstr("'1000' stands in no column"));
  EXPECT_EQ(list->wrong[1].line, 3);
}

TEST(DomainList, HasColumnsThatItsFirstLineNames) {
  for (const std::string separator : {",", ";", "\t"}) {
    std::string text =
        "\xEF\xBB\xBF"
        R"(Domain|seeds|"Byte limit"|max_objects|template|comments
a.example|"http://a.example/
http://www.a.example/x"|1000|-1|other|"a ""large"" library, with; news"
b.example|||||
)";
    for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|')) text.replace(at, 1, separator);
    const auto list = read_domain_list(text);
    ASSERT_TRUE(list) << list.error().message;
    EXPECT_THAT(list->wrong, IsEmpty()) << separator;
    ASSERT_THAT(list->domains, SizeIs(2)) << separator;
    const ListedDomain& one = list->domains[0];
    EXPECT_EQ(one.seeds, "http://a.example/\nhttp://www.a.example/x\n");
    EXPECT_EQ(one.max_bytes, 1000);
    EXPECT_EQ(one.max_objects, -1);
    EXPECT_EQ(one.template_name, "other");
    EXPECT_EQ(one.comments, "a \"large\" library, with; news");
    EXPECT_EQ(list->domains[1].line, 4);
    EXPECT_FALSE(list->domains[1].has_more());
  }
}

TEST(DomainList, RefusesColumnsThatItDoesNotKnow) {
  EXPECT_THAT(read_domain_list("domain,owner\n").error().message, HasSubstr("no column 'owner'"));
  EXPECT_THAT(read_domain_list("domain,seeds,seeds\n").error().message, HasSubstr("twice"));
}

TEST(DomainList, ChecksCells) {
  const auto list = read_domain_list(
      "domain,max_bytes,seeds\na.example,many,\nb.example,-2,\nc.example,,mailto:x\nd.example,1,,more\n\"e.example,1");
  ASSERT_TRUE(list);
  EXPECT_THAT(list->domains, IsEmpty());
  std::vector<std::string> told;
  for (const WrongLine& one : list->wrong) told.push_back(one.why);
  EXPECT_THAT(told, ElementsAre(HasSubstr("'many' is no limit"), HasSubstr("'-2' is no limit"), HasSubstr("no URL"),
                                HasSubstr("'more' stands in no column"), HasSubstr("not closed")));
}

}  // namespace
}  // namespace caddis::harvestserver
