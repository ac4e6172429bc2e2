// What of the path of a visit can be changed, and what is refused with which way out.
#include "caddis/config/pipeline_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/config/settings.h"
#include "caddis/config/steps.h"
#include "support/testdata.h"

namespace caddis::config {
namespace {

using ::testing::HasSubstr;

std::string refusal(std::string_view yaml) {
  Settings settings;
  const auto loaded = load_settings(yaml, "crawl.yaml", settings);
  if (!loaded) return loaded.error().message;
  const auto sound = validate(settings);
  return sound ? "" : sound.error().message;
}

TEST(PipelineSettings, WhatWorksIsTaken) {
  for (const char* yaml :
       {"pipeline: {url: [precondition, fetch, records]}",
        "pipeline: {url: [precondition, preselect, fetch, records, decode, extract, links]}",
        "pipeline: {disable: [preselect, extract, links]}", "pipeline: {disable: [decode, extract]}",
        "pipeline: {guard: ['extract: mime ^text/', 'records: not status 500..599', 'preselect: domain test and hops < "
        "5']}",
        "sheets: {a: {sites: [a.test], settings: {pipeline: {disable: [links], guard: ['records: mime ^image/']}}}}"})
    EXPECT_EQ(refusal(yaml), "") << yaml;
}

TEST(PipelineSettings, WhatCannotWorkIsRefusedWithTheWayOut) {
  const std::pair<const char*, const char*> bad[] = {
      {"url: [precondition, decode, fetch, records]", "decode stands before fetch, and needs what fetch has made"},
      {"url: [precondition, fetch, extract, records]",
       "extract needs decode before it: add decode, or leave extract out"},
      {"url: [precondition, fetch, decode, extract, links, records]", "links stands before records"},
      {"url: [precondition, fetch]", "records is missing: without it nothing is archived"},
      {"url: [precondition, records]", "fetch is missing"},
      {"url: [fetch, records]", "robots.policy: ignore lets it allow everything"},
      {"url: [fetch, precondition, records]", "what robots.txt forbids is not to be fetched: put it before fetch"},
      {"url: [precondition, fetch, fetch, records]", "fetch stands there twice"},
      {"url: [precondition, fetsh, records]", "there is no step 'fetsh'; did you mean 'fetch'?"},
      {"disable: [records]", "records cannot be disabled"},
      {"disable: [decode]", "disable extract, too"},
      {"disable: [dedupe]", "there is no step 'dedupe'"},
      {"guard: ['extract mime text']", "is no guard: write STEP: CONDITION"},
      {"guard: ['extract: size 5']", "there is no condition 'size'"},
      {"guard: ['extract: not mime']", "says nothing to compare with"},
      {"guard: ['extract: seeds host']", "a guard cannot ask for the seeds' hosts"},
      {"guard: ['extract: mime (']", "is no RE2 expression"},
      {"guard: ['extract: country AT']", "country needs a file: name it by pipeline.countries"},
      {"guard: ['extract: country Austria']", "'Austria' is no code of a country: write two letters"},
      {"countries: GeoLite2-Country.mmdb", "give the whole path of the file"},
      {"guard: ['extrac: mime html']", "did you mean 'extract'?"},
      {"disable: [body]", "there is no step 'body'"},
      {"guard: ['body: seeds host']", "a guard cannot ask for the seeds' hosts"},
      {"guard: ['fetch: host a']", "fetch has no guard"},
      {"guard: ['preselect: status 200']", "nothing of the answer is known there"},
  };
  for (const auto& [line, why] : bad) EXPECT_THAT(refusal(std::string("pipeline: {") + line + "}"), HasSubstr(why));
  EXPECT_THAT(refusal("sheets: {a: {sites: [a.test], settings: {pipeline: {disable: [fetch]}}}}"),
              HasSubstr("scope.exclude keeps URLs from being fetched"));
  EXPECT_THAT(refusal("sheets: {a: {sites: [a.test], settings: {pipeline: {url: [fetch]}}}}"), HasSubstr("url"));
}

TEST(Steps, StandInTheDocsAsInTheTable) {
  EXPECT_EQ(testing::read_file(testing::source_path("docs/steps.md")), steps_markdown())
      << "run: caddis schema --steps > docs/steps.md";
}

TEST(Steps, AreFoundByNameAndInTheOrderOfVisits) {
  EXPECT_EQ(default_steps(), PipelineSettings().url);
  EXPECT_TRUE(validate(PipelineSettings())) << "the order of the table works";
  for (const std::string& name : step_names()) EXPECT_TRUE(find_step(name)) << name;
  EXPECT_FALSE(find_step("body")) << "no step, though it may be guarded";
  EXPECT_EQ(find_step("extract")->traits.reads, "decode");
}

}  // namespace
}  // namespace caddis::config
