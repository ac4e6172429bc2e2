#include "caddis/harvest/harvest_info.h"

#include <gmock/gmock.h>

#include "caddis/base/time_format.h"
#include "caddis/harvest/templates.h"
#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;

class HarvestInfoOf : public ArchiveTest {};
CADDIS_ON_BOTH_DATABASES(HarvestInfoOf);

TEST_P(HarvestInfoOf, AJobThatWasTaken) {
  create({"a.example"});
  done([&](Connection& c) -> Result<void> {
    TRY(Template usual, find_template(c, "default"));
    usual.source += "archive: {operator: The Library}\n";
    return save_template(c, usual, edit());
  });
  Definition one;
  one.name = "a <b> & c";
  one.kind = "snapshot";
  one.limits = {20, 3000};
  one.audience = "law";
  define(one);
  activate_now(one.name);
  ASSERT_TRUE(generate(one.name).value());
  const auto job = got([&](Connection& c) { return take_job(c, "h1", {"SNAPSHOT"}, now()); });
  ASSERT_TRUE(job);
  for (int i = 0; i < 2; ++i) done([&](Connection& c) { return write_harvest_info(c, *job, "library.example"); });
  EXPECT_EQ(file(job->id, "harvestInfo.xml"),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<harvestInfo>\n  <version>0.6</version>\n  <jobId>1</jobId>\n"
            "  <channel>SNAPSHOT</channel>\n  <harvestNum>0</harvestNum>\n"
            "  <origHarvestDefinitionID>1</origHarvestDefinitionID>\n  <maxBytesPerDomain>3000</maxBytesPerDomain>\n"
            "  <maxObjectsPerDomain>20</maxObjectsPerDomain>\n  <orderXMLName>default</orderXMLName>\n"
            "  <orderXMLUpdateDate>" +
                rfc3339(clock.wall()) +
                "</orderXMLUpdateDate>\n"
                "  <origHarvestDefinitionName>a &lt;b&gt; &amp; c</origHarvestDefinitionName>\n"
                "  <harvestFilenamePrefix>1-1</harvestFilenamePrefix>\n  <jobSubmitDate>" +
                rfc3339(clock.wall()) +
                "</jobSubmitDate>\n  <performer>library.example</performer>\n  <operator>The Library</operator>\n  "
                "<audience>law</audience>\n"
                "</harvestInfo>\n");
  const std::string yaml = file(job->id, "crawl.yaml");
  EXPECT_THAT(yaml, ::testing::HasSubstr("\narchive:\n  info-fields:\n    - \"harvestInfo.version: 0.6\"\n"
                                         "    - \"harvestInfo.jobId: 1\"\n"));
  EXPECT_THAT(yaml, ::testing::HasSubstr("    - \"harvestInfo.origHarvestDefinitionName: a <b> & c\"\n"));
  EXPECT_THAT(yaml, ::testing::HasSubstr("    - \"harvestInfo.audience: law\"\n  prefix: "));
  EXPECT_EQ(yaml.find("harvestInfo.jobId"), yaml.rfind("harvestInfo.jobId")) << "once, however often it is taken";
}

}  // namespace
}  // namespace caddis::harvest
