// What no single row of a table can check: section by section, then each sheet as if it alone held. The
// sheets of a file are checked as soon as it is read, since the file is known there.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/config/policy_use.h"
#include "caddis/config/settings.h"
#include "caddis/frontier/again.h"
#include "caddis/frontier/slots.h"
#include "caddis/modules/frontier_module.h"
#include "caddis/modules/policy_module.h"
#include "caddis/scope/rule.h"
#include "caddis/scope/rules.h"
#include "caddis/scope/sheet_times.h"
#include "caddis/scope/sheets.h"

namespace caddis::config {
namespace {

// Values that came into the structs by another way than the tables.
Result<void> validate_texts(const Settings& settings) {
  for (const settings::ConstSection& section : sections_of(settings)) {
    for (const settings::Field& field : section.schema->fields()) {
      if (field.row.check == settings::free_text) continue;
      const settings::Value value = field.get(section.object);
      std::vector<std::string> texts;
      if (const auto* text = std::get_if<std::string>(&value)) texts.push_back(*text);
      if (const auto* items = std::get_if<std::vector<std::string>>(&value)) texts = *items;
      for (const std::string& text : texts)
        if (auto sound = field.check(text); !sound)
          return pass(std::move(sound).error(), fmt::format("{}.{}", section.schema->name(), field.name));
    }
  }
  return {};
}

Result<void> validate_policies(const Settings& settings) {
  const frontier::OrderSettings& order = settings.frontier;
  if (!order.module.empty())
    if (auto found = modules::FrontierModule::find(order.module); !found)
      return pass(std::move(found).error(), "frontier.module");
  if (!order.policy.empty()) {
    if (auto found = modules::PolicyModule::find(order.policy); !found)
      return pass(std::move(found).error(), "frontier.policy");
    return {};
  }
  if (const std::string_view asks = setting_that_asks_policy(settings); !asks.empty())
    return fail(ErrorCode::config,
                fmt::format("{}: module needs frontier.policy, the name of a loaded module with a policy", asks));
  return {};
}

// Files that rules name may have gone since: what they ask for is seen when they are read (SettingsResolver::create).
Result<void> validate_countries(const Settings& settings) {
  if (!settings.pipeline.countries.empty()) return {};
  for (const std::string& text : settings.scope.rules) {
    if (!text.contains("country")) continue;
    const auto rule = scope::Rule::parse(text, scope::read_no_file);
    if (rule && rule->asks("country"))
      return fail(ErrorCode::config, fmt::format("scope.rules: '{}' needs a file: name it by pipeline.countries, as in "
                                                 "/var/lib/GeoIP/GeoLite2-Country.mmdb",
                                                 text));
  }
  return {};
}

Result<void> validate_logs(const LogSettings& settings) {
  constexpr int64_t kLeastFile = 1000;  // bytes
  if (settings.roll_size > 0 && settings.roll_size < kLeastFile)
    return fail(ErrorCode::config,
                fmt::format("logs.roll-size: {} would begin a file with nearly every line: 1KB is the least, 100MB is "
                            "usual, 0 is for never",
                            settings.roll_size));
  const bool writes = std::ranges::find(settings.write, "not-crawled") != settings.write.end();
  if (writes || !settings.rejected_links) return {};
  return fail(ErrorCode::config,
              "logs.rejected-links writes into not-crawled.jsonl: name not-crawled in logs.write, too");
}

// Only the step reads what a page asks for.
Result<void> validate_page_policy(const Settings& settings) {
  const robots::RobotsSettings& robots = settings.robots;
  const auto leaves_out = [](robots::WhenSaid when) { return when == robots::WhenSaid::leave_out; };
  if (!leaves_out(robots.noindex) && !leaves_out(robots.noarchive) && !leaves_out(robots.unavailable_after)) return {};
  const std::vector<std::string>& steps = settings.pipeline.url;
  if (std::ranges::find(steps, "directives") != steps.end()) return {};
  return fail(
      ErrorCode::config,
      "robots: noindex, noarchive and unavailable-after leave nothing out without the step 'directives': name it "
      "in pipeline.url, before records");
}

Result<void> validate_cookies(const cookies::CookieSettings& settings) {
  if (settings.load.empty() || settings.load != settings.save) return {};
  return fail(ErrorCode::config, "cookies.save would overwrite cookies.load: name another file");
}

Result<void> validate_sections(const Settings& settings) {
  if (auto loaded = load_modules(settings); !loaded) return pass(std::move(loaded).error(), "modules.load");
  TRY_VOID(validate_texts(settings));
  TRY_VOID(validate(settings.crawl));
  TRY_VOID(key_policies(settings.canonicalization));
  TRY_VOID(scope::validate(settings.scope));
  TRY_VOID(validate_countries(settings));
  TRY_VOID(validate_logs(settings.logs));
  TRY_VOID(validate_cookies(settings.cookies));
  TRY_VOID(fetch::validate(settings.fetch));
  TRY_VOID(logins::validate(settings.logins));
  TRY_VOID(feeds::validate(settings.feeds));
  if (auto again = frontier::Again::parse(settings.fetch.again); !again)
    return pass(std::move(again).error(), "fetch.again");
  if (settings.politeness.min_delay > settings.politeness.max_delay)
    return fail(ErrorCode::config, "politeness: min-delay is longer than max-delay");
  TRY_VOID(frontier::PolitenessGroups::create(settings.politeness));
  TRY_VOID(validate_policies(settings));
  TRY_VOID(robots::validate(settings.robots));
  TRY_VOID(validate_page_policy(settings));
  TRY_VOID(archive::validate(settings.archive));
  TRY_VOID(validate_writers(settings.pipeline, settings.archive));
  return validate(settings.pipeline);
}

// A sheet with times begins and ends to hold while the crawl runs, again and again.
Result<void> validate_times(const settings::Sheet& sheet) {
  if (sheet.times.empty()) return {};
  static const std::pair<std::string_view, std::string_view> kFixed[] = {
      {"frontier", "order"}, {"politeness", "labels"}, {"politeness", "buckets"}};
  for (const settings::Overlay::Entry& entry : sheet.values.entries()) {
    const std::pair name(entry.schema->name(), entry.field->name);
    if (name.first == "quota")
      return fail(ErrorCode::config,
                  fmt::format("quota.{} is for all of the time: no sheet with times can set it", name.second));
    if (!entry.field->live() || std::ranges::find(kFixed, name) != std::end(kFixed))
      return fail(ErrorCode::config,
                  fmt::format("{}.{} cannot change while a crawl runs: no sheet with times can set it", name.first,
                              name.second));
  }
  return {};
}

Result<void> validate_sheet(const Settings& base, const scope::SiteRules& base_rules, const settings::Sheet& sheet) {
  TRY_VOID(validate_times(sheet));
  Settings alone = base;
  sheet.values.lay_over(sections_of(alone));
  TRY_VOID(validate_sections(alone));
  TRY_VOID(scope::validate(alone.scope));
  TRY([[maybe_unused]] const auto rules, scope::SiteRules::create(alone.scope, {&base_rules}, scope::read_no_file));
  const bool is_opic = alone.frontier.order == frontier::UrlOrder::opic;
  if (is_opic != (base.frontier.order == frontier::UrlOrder::opic))
    return fail(ErrorCode::config, "frontier.order: opic is an order of the whole crawl, or of none of it");
  return {};
}

Result<void> validate_sheets(const Settings& settings) {
  if (settings.sheets.empty()) return {};
  TRY([[maybe_unused]] const auto sheets,
      scope::Sheets::create(settings.sheets, settings.crawl.sheet_order, scope::read_no_file));
  TRY([[maybe_unused]] const auto times, scope::SheetTimes::create(settings.sheets));
  TRY(const auto base_rules, scope::SiteRules::create(settings.scope, {}, scope::read_no_file));
  Settings base = settings;
  base.sheets.clear();
  base.crawl.seeds.clear();
  for (const settings::Sheet& sheet : settings.sheets) {
    if (auto named = settings::check_sheet_name(sheet.name); !named)
      return pass(std::move(named).error(), "sheet '" + sheet.name + "'");
    if (auto sound = validate_sheet(base, base_rules, sheet); !sound)
      return pass(std::move(sound).error(), "sheet '" + sheet.name + "'");
  }
  return {};
}

}  // namespace

Result<void> load_settings(std::string_view yaml, std::string_view file_name, Settings& into) {
  const settings::FirstSection first = modules_first(into);
  TRY_VOID(settings::load_yaml(yaml, file_name, sections_of(into), &into.sheets, &first));
  return validate_laid(into, file_name);
}

Result<void> validate_laid(const Settings& settings, std::string_view file_name) {
  if (!validate_sections(settings)) return {};
  if (auto sound = validate_sheets(settings); !sound) return pass(std::move(sound).error(), file_name);
  return {};
}

Result<void> validate(const Settings& settings) {
  TRY_VOID(validate_sections(settings));
  return validate_sheets(settings);
}

}  // namespace caddis::config
