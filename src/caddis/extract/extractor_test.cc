#include "caddis/extract/extractor.h"

#include <gmock/gmock.h>

#include <set>

#include "caddis/extract/extract.h"
#include "caddis/extract/plan.h"
#include "caddis/settings/schema.h"
#include "support/testdata.h"

namespace caddis::extract {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> names_of(const std::vector<std::string>& items) {
  std::vector<std::string> names;
  for (const Extractor* const extractor : chosen_extractors(items)) names.emplace_back(extractor->name);
  return names;
}

TEST(Extractors, HaveNamesOfTheirOwnAndSentences) {
  std::set<std::string_view> names;
  for (const Extractor& extractor : extractors()) {
    EXPECT_TRUE(names.insert(extractor.name).second) << extractor.name;
    EXPECT_TRUE(extractor.doc.ends_with('.')) << extractor.name;
    EXPECT_EQ(find_extractor(extractor.name), &extractor);
  }
  EXPECT_EQ(find_extractor("no-such"), nullptr);
}

TEST(Extractors, AreChosenByName) {
  EXPECT_THAT(names_of({"css", "html", "css"}), ElementsAre("css", "html"));
  EXPECT_THAT(names_of({}), IsEmpty());
  const std::vector<std::string> usual = usual_extractors();
  EXPECT_EQ(names_of(usual), usual);
  auto changed = usual;
  std::erase(changed, "css");
  changed.emplace_back("universal");
  EXPECT_EQ(names_of({"-css", "+universal"}), changed);
}

TEST(Extractors, AreRefusedIfThereIsNone) {
  const settings::Field& field = *settings::schema_of<Options>().find("extractors");
  EXPECT_TRUE(field.check("html"));
  EXPECT_TRUE(field.check("-html"));
  const auto refused = field.check("htm");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              HasSubstr("there is no extractor 'htm': there are http, robots, sitemaps, html,"));
}

TEST(Extractors, CountWhatEachHasFound) {
  const Extracted found = extract(
      {.url = "http://h/", .content_type = "text/html", .body = "<a href=/a><a href=/b><a href=/c>"}, {.max_links = 2});
  ASSERT_EQ(found.work.size(), 3U);
  EXPECT_EQ(found.work[0].extractor->name, "http");
  EXPECT_EQ(found.work[0].links, 0U);
  EXPECT_EQ(found.work[1].extractor->name, "html");
  EXPECT_EQ(found.work[1].links, 2U);
  EXPECT_EQ(found.work[1].dropped, 1U);
  EXPECT_EQ(found.work[2].extractor->name, "favicon");
  EXPECT_EQ(found.work[2].dropped, 1U);
}

TEST(Extractors, RunInTheirOrderAndOnlyThoseThatAreChosen) {
  const Document page = {.url = "http://h/", .content_type = "text/html", .body = "<a href=/a>"};
  const Extracted found = extract(page, {.extractors = {"favicon", "html"}});
  ASSERT_EQ(found.links.size(), 2U);
  EXPECT_EQ(found.links[0].url(), "http://h/favicon.ico");
  EXPECT_THAT(extract(page, {.extractors = {"css"}}).links, IsEmpty());
}

// If the extractor of a kind of XML is off, it is read like any other XML.
TEST(Extractors, ForAnyXmlReadWhatNoOtherHasRead) {
  const Document feed = {.url = "http://h/",
                         .content_type = "application/rss+xml",
                         .body = "<rss><channel><link>http://x.org/a</link></channel></rss>"};
  EXPECT_EQ(extract(feed, {}).links.at(0).hop, Hop::navlink);
  EXPECT_EQ(extract(feed, {.extractors = {"-feeds"}}).links.at(0).hop, Hop::speculative);
}

TEST(Extractors, HaveAPageThatIsCurrent) {
  EXPECT_EQ(testing::read_file(testing::source_path("docs/extractors.md")), extractors_markdown())
      << "run: caddis schema --extractors > docs/extractors.md";
}

}  // namespace
}  // namespace caddis::extract
