// All that crawl.yaml can say: the sections together, each with its struct and table in the module that reads it.
//
//   Settings settings;
//   TRY_VOID(load_settings_file(files, "crawl.yaml", settings));       // settings_file.h
//   TRY_VOID(validate(settings));
//
// Plain values, without locks: what several threads read is a copy that nobody changes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/archive/settings.h"
#include "caddis/config/crawl_settings.h"
#include "caddis/config/limit_settings.h"
#include "caddis/config/notice_settings.h"
#include "caddis/config/pipeline_settings.h"
#include "caddis/config/reading_settings.h"
#include "caddis/config/request_settings.h"
#include "caddis/dedup/settings.h"
#include "caddis/frontier/quota_settings.h"
#include "caddis/frontier/settings.h"
#include "caddis/modules/modules_settings.h"
#include "caddis/scope/scope_settings.h"
#include "caddis/settings/yaml.h"

namespace caddis::config {

struct Settings : ReadingSettings, NoticeSettings {
  CrawlSettings crawl;
  scope::ScopeSettings scope;
  LimitSettings limits;
  robots::RobotsSettings robots;
  frontier::PolitenessSettings politeness;
  frontier::OrderSettings frontier;
  frontier::QuotaSettings quota;
  CanonicalizationSettings canonicalization;
  dns::Settings dns;
  fetch::FetchSettings fetch;
  cookies::CookieSettings cookies;
  logins::LoginSettings logins;
  PipelineSettings pipeline;
  dedup::DedupSettings dedup;
  archive::ArchiveSettings archive;
  MemorySettings memory;
  CheckpointSettings checkpoint;
  modules::ModulesSettings modules;
  settings::Sheets sheets;  // what holds for parts of the web: settings_resolver.h
};

// In the order of crawl.yaml; those of loaded modules come last. They borrow from the settings.
settings::Sections sections_of(Settings& settings);
settings::ConstSections sections_of(const Settings& settings);

// All tables, in the order of crawl.yaml, with those of the modules that the settings name; for `caddis schema`.
std::vector<const settings::Schema*> settings_schemas(const Settings& settings = {});

// Loads the modules that the settings name, unless they are loaded. Their sections are among all sections from then on.
Result<void> load_modules(const Settings& settings);

// The section `modules` is read before all others, as it decides which others there are. Borrows the settings.
settings::FirstSection modules_first(Settings& into);
// Both lists of files.
std::vector<std::string> join_modules(std::vector<std::string> files, const std::vector<std::string>& more);

// Lays settings as they were written over `into`; their sheets replace those there were. Files of people: settings_file.h.
Result<void> load_settings(std::string_view yaml, std::string_view file_name, Settings& into);
// Lays what `settings_yaml` wrote with Secrets::only over what it wrote without.
Result<void> load_secrets(std::string_view yaml, std::string_view file_name, Settings& into);
std::string settings_yaml(const Settings& settings, settings::Secrets secrets = settings::Secrets::hide);

// Checks the sheets of settings that were laid over others. As long as a section itself is wrong, it finds nothing: what
// comes behind the file may put that right.
Result<void> validate_laid(const Settings& settings, std::string_view file_name);

// Checks what no single row can: contradictions between settings, templates, patterns; of each sheet, too, as if it
// alone held.
Result<void> validate(const Settings& settings);

// ErrorCode::config if the modules are others: they belong to the crawl.
Result<void> check_same_modules(const Settings& before, const Settings& after);
// For resuming: the changes if all of them are of live settings, in sheets, too; otherwise an error that names the
// others.
Result<std::vector<settings::Change>> allowed_changes(const Settings& before, const Settings& after);

}  // namespace caddis::config
