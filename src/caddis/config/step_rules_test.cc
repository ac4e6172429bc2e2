// Guards that ask for the country of the server's address, by a file of countries.
#include "caddis/config/step_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/time_format.h"
#include "caddis/config/settings_resolver.h"
#include "caddis/geo/mmdb_testing.h"
#include "caddis/io/files.h"
#include "support/testdata.h"

namespace caddis::config {
namespace {

using ::testing::HasSubstr;

class StepRulesTest : public ::testing::Test {
 protected:
  Result<std::shared_ptr<const SettingsResolver>> resolver(const std::string& pipeline) {
    Settings settings;
    const auto loaded = load_settings("pipeline: " + pipeline + "\n", "crawl.yaml", settings);
    EXPECT_TRUE(loaded) << loaded.error().message;
    EXPECT_TRUE(validate(settings));
    return SettingsResolver::create(settings, *scope::SiteRules::create(settings.scope), WallTime());
  }
  static bool lets_run(const SettingsResolver& resolver, std::string_view address, WallTime at = {}) {
    const url::Url url = *url::Url::parse("http://example.org/");
    const scope::Answer answer{.status = 200, .address = address};
    return resolver.of_crawl().steps->lets_run("records", {.url = url, .answer = &answer, .at = at});
  }
  testing::TempDir folder_;
};

TEST_F(StepRulesTest, GuardsAskForTheCountry) {
  const std::string path = folder_ / "countries.mmdb";
  ASSERT_TRUE(io::real_files().write_atomically(
      path, testing::country_file({{{192, 0, 2, 0}, 24, "AT"}, {{198, 51, 100, 0}, 24, "DE"}})));
  const auto some = resolver("{countries: " + path + ", guard: ['records: country at ch']}");
  ASSERT_TRUE(some) << some.error().message;
  EXPECT_TRUE(lets_run(**some, "192.0.2.1"));
  EXPECT_FALSE(lets_run(**some, "198.51.100.1"));
  EXPECT_FALSE(lets_run(**some, "203.0.113.1"));
  EXPECT_FALSE(lets_run(**some, ""));
  const auto others = resolver("{countries: " + path + ", guard: ['records: not country AT']}");
  EXPECT_FALSE(lets_run(**others, "192.0.2.1"));
  EXPECT_TRUE(lets_run(**others, "203.0.113.1"));
}

TEST_F(StepRulesTest, AFileThatIsNotThereIsRefused) {
  const auto refused = resolver("{countries: /nowhere/c.mmdb, guard: ['records: country AT']}");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("pipeline.countries: /nowhere/c.mmdb: no file of countries"));
}

TEST_F(StepRulesTest, RulesOfAFileThatAskForTheCountryNeedAFileOfCountries) {
  const std::string inner = folder_ / "inner.rules", outer = folder_ / "outer.rules";
  ASSERT_TRUE(io::real_files().write_atomically(inner, "reject not country AT\n"));
  ASSERT_TRUE(io::real_files().write_atomically(outer, "accept all\nrules @" + inner + "\n"));
  const std::string rules = "{rules: ['rules @" + outer + "']}";
  for (const std::string& yaml :
       {"scope: " + rules, "sheets: {a: {sites: [a.test], settings: {scope: " + rules + "}}}"}) {
    Settings settings;
    ASSERT_TRUE(load_settings(yaml + "\n", "crawl.yaml", settings));
    ASSERT_TRUE(validate(settings));
    const auto refused = SettingsResolver::create(settings, *scope::SiteRules::create(settings.scope), WallTime());
    ASSERT_FALSE(refused) << yaml;
    EXPECT_THAT(refused.error().message, HasSubstr("name it by pipeline.countries"));
  }
}

TEST_F(StepRulesTest, GuardsAskForTheTime) {
  const auto by_day = resolver("{guard: ['records: time mon..fri 08:00..18:00 Europe/Vienna']}");
  EXPECT_TRUE(lets_run(**by_day, "", parse_w3c_date("2026-11-23T07:00:00Z").value()));
  EXPECT_FALSE(lets_run(**by_day, "", parse_w3c_date("2026-11-23T17:00:00Z").value()));
}

}  // namespace
}  // namespace caddis::config
