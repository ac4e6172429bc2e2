#include "caddis/config/settings_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "caddis/base/time_format.h"
#include "caddis/scope/scope.h"

namespace caddis::config {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

url::Url parsed(std::string_view text) { return *url::Url::parse(text); }

std::shared_ptr<const SettingsResolver> resolver_of(std::string_view yaml, WallTime now = {}) {
  Settings settings;
  const auto loaded = load_settings(yaml, "crawl.yaml", settings);
  EXPECT_TRUE(loaded) << loaded.error().message;
  const auto rules = *scope::SiteRules::create(settings.scope);
  return *SettingsResolver::create(settings, rules, now);
}

std::string error_of(std::string_view yaml) {
  Settings settings;
  const auto loaded = load_settings(yaml, "crawl.yaml", settings);
  return loaded ? "" : loaded.error().message;
}

TEST(SettingsResolver, WithoutSheetsAllAreTheCrawl) {
  const auto resolver = resolver_of("fetch: {accept: text/x}");
  SettingsCache cache(resolver);
  EXPECT_EQ(resolver->sheets(), nullptr);
  const EffectiveSettings& found = cache.of(parsed("http://example.org/"));
  EXPECT_EQ(&found, &cache.of_host("other.org"));
  EXPECT_EQ(found.fetch.accept, "text/x");
  EXPECT_EQ(found.scope.get(), &resolver->rules());
  EXPECT_EQ(found.order, nullptr);
  EXPECT_EQ(found.host->politeness.min_delay, 3s);
}

TEST(SettingsResolver, AProxyLooksUpTheNamesOfItsHosts) {
  constexpr std::string_view kProxies = R"(
fetch: {proxy: "http://all.test:1"}
sheets:
  near: {sites: [near.org], settings: {fetch: {proxy: ""}}}
  far: {sites: [far.org], settings: {fetch: {proxy: "http://far.test:2"}}}
  slow: {sites: [far.org], settings: {fetch: {total-timeout: 9s}}})";
  SettingsCache cache(resolver_of(kProxies));
  EXPECT_EQ(cache.of_host("www.far.org").fetch.proxy, "http://far.test:2");
  EXPECT_FALSE(cache.of_host("www.far.org").host->resolves_names);
  EXPECT_TRUE(cache.of_host("near.org").host->resolves_names);
  EXPECT_FALSE(cache.of_host("other.org").host->resolves_names);
  Settings settings;
  ASSERT_TRUE(load_settings(kProxies, "crawl.yaml", settings));
  EXPECT_THAT(proxies_named_by(settings),
              ElementsAre("http://all.test:1", "", "http://far.test:2", "http://all.test:1"));
  EXPECT_THAT(error_of("sheets: {x: {sites: [a.org], settings: {fetch: {proxy: 'ftp://x:1'}}}}"),
              HasSubstr("fetch.proxy is no URL of a proxy"));
  EXPECT_THAT(error_of("sheets: {x: {sites: ['http://a.org/b/'], settings: {fetch: {proxy: 'http://x:1'}}}}"),
              HasSubstr("proxy"));
  EXPECT_THAT(error_of("sheets: {x: {sites: [a.org], settings: {scope: {rules: ['reject country AT']}}}}"),
              HasSubstr("name it by pipeline.countries"));
}

constexpr std::string_view kYaml = R"(
politeness: {min-delay: 5s, url-retries: 7}
scope: {exclude: [/never/]}
sheets:
  slow:
    sites: [example.org]
    settings:
      politeness: {min-delay: 9s}
      fetch: {accept: text/slow, total-timeout: 9s}
      robots: {policy: custom, custom: ["User-agent: *", "Disallow: /x"]}
  deep:
    sites: ["https://example.org/deep/"]
    settings:
      scope: {max-hops: 2}
      fetch: {accept: text/deep}
      frontier: {base-precedence: 5}
  pdf:
    urls: ['\.pdf$']
    settings: {fetch: {max-length: 1MB}}
)";

TEST(SettingsResolver, TheLaterSheetCountsFieldByField) {
  SettingsCache cache(resolver_of(kYaml));
  const EffectiveSettings& elsewhere = cache.of(parsed("http://other.net/"));
  EXPECT_THAT(elsewhere.sheets, IsEmpty());
  EXPECT_EQ(elsewhere.host->politeness.min_delay, 5s);

  const EffectiveSettings& deep = cache.of(parsed("http://example.org/deep/a"));
  EXPECT_THAT(deep.sheets, ElementsAre("slow", "deep"));
  EXPECT_EQ(deep.fetch.accept, "text/deep");
  EXPECT_EQ(deep.fetch.total_timeout, 9s);
  EXPECT_EQ(deep.fetch.max_length, 0);
  EXPECT_EQ(deep.scope->settings.max_hops, 2);
  EXPECT_EQ(deep.scope->settings.exclude, std::vector<std::string>{"/never/"});
  EXPECT_EQ(deep.order->base_precedence, 5);
  EXPECT_EQ(&deep, &cache.of(parsed("https://EXAMPLE.org/DEEP/b"))) << "composed once";

  EXPECT_THAT(cache.of(parsed("http://www.example.org/deep/a.pdf")).sheets, ElementsAre("slow", "pdf"));

  const EffectiveSettings& host = cache.of_host("example.org");
  EXPECT_THAT(host.sheets, ElementsAre("slow"));
  EXPECT_EQ(host.host->politeness.min_delay, 9s);
  EXPECT_EQ(host.host->politeness.url_retries, 7);
  EXPECT_EQ(host.robots.policy, robots::RobotsPolicy::custom);
  EXPECT_FALSE(host.robots.custom->verdict("caddis", "/x").allowed);
  EXPECT_EQ(host.order, nullptr);
}

TEST(SettingsResolver, WhatSheetsAskForAtMost) {
  const auto resolver = resolver_of(R"(
sheets:
  a: {sites: [a.org], settings: {politeness: {set-aside: 3d}}}
  b: {sites: [b.org], settings: {politeness: {host-budget: 5}, quota: {host-bytes: 1MB}}}
)");
  EXPECT_EQ(resolver->reach().longest_wait, std::chrono::hours(72));
  EXPECT_TRUE(resolver->reach().host_budgets);
  EXPECT_TRUE(resolver->reach().quotas);
  EXPECT_FALSE(resolver->reach().domain_hosts);
  EXPECT_THAT(resolver->quotas(), HasSubstr("b.org"));
  EXPECT_THAT(resolver->quotas(), ::testing::Not(HasSubstr("a.org")));
}

// What is followed changes with each sheet that sets `retire`, though it says what the crawl says: it may overrule others.
TEST(SettingsResolver, SheetsThatRetireAreFollowed) {
  const std::string closed = "frontier: {retire: true}\n";
  const std::string shut = "  shut: {sites: [example.org], settings: {frontier: {retire: true}}}\n";
  const std::string open = "  open: {sites: [www.example.org], settings: {frontier: {retire: false}}}\n";
  const std::string other = "  other: {sites: [www.example.org], settings: {frontier: {error-penalty: 3}}}\n";
  const auto followed = [](const std::string& yaml) { return resolver_of(yaml)->quotas(); };
  EXPECT_NE(followed("sheets:\n" + shut), followed("sheets:\n" + shut + open));
  EXPECT_NE(followed(closed + "sheets:\n" + open), followed(closed + "sheets:\n" + open + shut));
  EXPECT_EQ(followed("sheets:\n" + shut), followed("sheets:\n" + shut + other));

  const auto resolver = resolver_of("sheets:\n" + shut + open);
  EXPECT_TRUE(SettingsCache(resolver).of(parsed("http://example.org/")).host->order.retire);
  EXPECT_FALSE(SettingsCache(resolver).of(parsed("http://www.example.org/")).host->order.retire);
}

WallTime at(std::string_view date) { return parse_w3c_date(date).value(); }

constexpr std::string_view kTimes = R"(
sheets:
  night: {times: ["22:00..06:00 Europe/Vienna"], settings: {politeness: {delay: 1s}}}
  slow: {sites: [a.org], settings: {politeness: {delay: 9s}}}
  holiday: {sites: [a.org], times: ["2026-12-24..2026-12-26"], settings: {politeness: {set-aside: 3d}}}
)";

TEST(SettingsResolver, SheetsHoldAtTheirTimes) {
  const auto by_day = resolver_of(kTimes, at("2026-11-23T12:00:00Z"));
  EXPECT_THAT(SettingsCache(by_day).of_host("a.org").sheets, ElementsAre("slow"));
  EXPECT_THAT(SettingsCache(by_day).of_host("b.org").sheets, IsEmpty());
  EXPECT_NE(by_day->reach().longest_wait, std::chrono::hours(72)) << "it does not hold";
  const auto by_night = resolver_of(kTimes, at("2026-12-24T23:00:00Z"));
  EXPECT_THAT(SettingsCache(by_night).of_host("a.org").sheets, ElementsAre("night", "slow", "holiday"));
  EXPECT_EQ(SettingsCache(by_night).of(parsed("http://b.org/x")).host->politeness.delay, 1s);
  EXPECT_EQ(by_night->reach().longest_wait, std::chrono::hours(72));
  EXPECT_FALSE(by_day->others_at(at("2026-11-23T20:59:59Z")));
  EXPECT_THAT(*by_day->others_at(at("2026-11-23T21:00:00Z")), ElementsAre(0, 1));
  EXPECT_THAT(*by_night->others_at(at("2026-12-25T12:00:00Z")), ElementsAre(1, 2));
}

TEST(SettingsResolver, SheetsWithConditionsHoldForUrls) {
  SettingsCache cache(
      resolver_of("crawl: {sheet-order: most-specific}\n"
                  "sheets:\n"
                  "  a: {sites: [a.org], settings: {fetch: {accept: text/a}}}\n"
                  "  pictures: {when: file images, settings: {fetch: {accept: image/x}}}\n"));
  EXPECT_EQ(cache.of(parsed("http://b.org/x.png")).fetch.accept, "image/x");
  EXPECT_THAT(cache.of(parsed("http://a.org/x.png")).sheets, ElementsAre("pictures", "a"));
  EXPECT_EQ(cache.of(parsed("http://a.org/x.png")).fetch.accept, "text/a");
  EXPECT_THAT(cache.of(parsed("http://b.org/x")).sheets, IsEmpty());
}

TEST(SettingsResolver, LanesShareWhatIsComposed) {
  const auto resolver = resolver_of(kYaml);
  std::vector<const EffectiveSettings*> found(4);
  std::vector<std::thread> lanes;
  for (const EffectiveSettings*& site : found)
    lanes.emplace_back([&resolver, &site] {
      SettingsCache cache(resolver);
      for (int i = 0; i < 100; ++i) site = &cache.of(parsed("http://example.org/deep/" + std::to_string(i)));
    });
  for (std::thread& lane : lanes) lane.join();
  EXPECT_THAT(found, ::testing::Each(found.front()));
}

TEST(SettingsResolver, EachSheetMustBeSound) {
  const auto refused = [](std::string_view sheet) {
    return error_of("sheets:\n  gentle: " + std::string(sheet) + "\n");
  };
  EXPECT_THAT(refused("{times: '8..18', settings: {politeness: {delay: 1s}}}"),
              StartsWith("crawl.yaml: sheet 'gentle': times: '8..18' is no span of time"));
  EXPECT_THAT(refused("{times: 'mon', settings: {quota: {host-bytes: 1MB}}}"),
              HasSubstr("quota.host-bytes is for all of the time: no sheet with times can set it"));
  EXPECT_THAT(refused("{times: 'mon', settings: {frontier: {order: hops}}}"),
              HasSubstr("frontier.order cannot change while a crawl runs: no sheet with times can set it"));
  EXPECT_THAT(refused("{when: 'file images', settings: {politeness: {delay: 1s}}}"),
              HasSubstr("sheet 'gentle': politeness.delay counts for whole hosts, and 'when' asks of single URLs"));
  EXPECT_EQ(refused("{sites: a.org, settings: {politeness: {min-delay: 1h}}}"),
            "crawl.yaml: sheet 'gentle': politeness: min-delay is longer than max-delay");
  EXPECT_THAT(refused("{sites: a.org, settings: {robots: {policy: first-named}}}"),
              StartsWith("crawl.yaml: sheet 'gentle': robots.policy: this policy needs robots.agents"));
  EXPECT_THAT(refused("{sites: a.org, settings: {scope: {exclude: ['(']}}}"),
              HasSubstr("exclude: '(' is no RE2 expression"));
  EXPECT_THAT(refused("{sites: a.org, settings: {fetch: {headers: [bad]}}}"),
              HasSubstr("sheet 'gentle': headers: the value, which is a secret"));
  EXPECT_THAT(refused("{sites: a.org, settings: {fetch: {again: [bad]}}}"), HasSubstr("sheet 'gentle': fetch.again"));
  EXPECT_THAT(refused("{sites: a.org, settings: {frontier: {order: opic}}}"), HasSubstr("order of the whole crawl"));
  EXPECT_THAT(refused("{sites: 'http://a.org/x/', settings: {politeness: {delay: 1s}}}"),
              HasSubstr("politeness.delay counts for whole hosts"));
  EXPECT_THAT(refused("{sites: '*.a.org', settings: {politeness: {delay: 1s}}}"),
              StartsWith("crawl.yaml: sheet 'gentle': site '*.a.org': it is neither a host"));
  EXPECT_THAT(refused("{sites: a.org, settings: {limits: {max-documents: 1}}}"),
              HasSubstr("limits.max-documents is one for the whole crawl"));
}

TEST(SettingsResolver, StandInTheSettingsThatAreKept) {
  Settings settings, again;
  ASSERT_TRUE(load_settings(kYaml, "crawl.yaml", settings));
  ASSERT_TRUE(load_settings(settings_yaml(settings), "kept.yaml", again));
  EXPECT_EQ(settings.sheets, again.sheets);
  EXPECT_TRUE(allowed_changes(settings, again)->empty());
  EXPECT_EQ(settings_yaml(Settings()).find("sheets:"), std::string::npos);
}

}  // namespace
}  // namespace caddis::config
