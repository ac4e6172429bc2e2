// The files that a job is made of: the settings of its crawl, its seeds, and what its metadata file tells of how it was made.
//
//   crawl.yaml       what the job decides, laid over the template and the overrides of its configurations
//   template.yaml    the template as it was when the job was made; and the files that it names
//   overrides.yaml   settings of the configurations, if they have any
//   seeds.txt        a seed a line
//   aliases.txt      "alias domain" a line
//   seed-domains.txt    "other domain" a line: seeds of the domain's configuration are on the other one, which the job has not
//   duplicatereductionjobs.txt    numbers of the jobs whose payloads are not stored again, behind commas
//
// Pure, any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/job_splitter.h"
#include "caddis/harvest/templates.h"

namespace caddis::harvest {

// Stands in files of a job for the folder that a harvester gives it.
inline constexpr std::string_view kJobFolder = "/folder-of-the-job";

inline constexpr std::string_view kSeedDomains = "seed-domains.txt";

struct SiteLogin {
  std::string domain, url, realm, username, password;
};

// Expressions that leave out URLs of these domains alone.
struct DomainTraps {
  std::vector<std::string> patterns, domains;
};

struct JobParts {
  int64_t job = 0, definition = 0, run = 0;
  std::string definition_name, audience;
  JobPlan plan;
  int64_t max_seconds = 0;
  int64_t max_silence = 0, max_idle = 0;  // seconds without a byte, or a visit, after which the crawl ends; 0: none
  std::string contact;                    // under which site owners reach the archive; empty: the template's
  Template from;
  std::vector<std::string> seeds;
  std::vector<std::string> excluded;  // expressions: those of the template, and traps that hold for all domains
  std::vector<std::string> rules;     // of the scope, as the template has them
  std::vector<DomainTraps> traps;
  // Domains of seeds that are no domains of the job, behind the domain whose configuration has the seeds.
  std::map<std::string, std::vector<std::string>> seed_domains;
  std::vector<SiteLogin> logins;
  std::vector<std::pair<std::string, std::string>> aliases;  // of domains of the job
  std::vector<int64_t> earlier_jobs;
};

// The crawl.yaml of a job as that of another one, which takes its place.
std::string renumbered(std::string crawl_yaml, int64_t from, int64_t to, int64_t definition);

// The settings without a section of their own, one that begins a line.
std::string without_section(std::string yaml, std::string_view section);
// The crawl.yaml of a job with what was changed while it ran (JobCare::live_settings): a crawl that begins anew has its limits and
// traps from the start.
std::string with_live_settings(std::string crawl_yaml, std::string_view live_settings);

// The settings that a sheet of a crawl is to have: "quota.seed-domain-bytes=…" a line.
struct SheetChange {
  std::string sheet, settings;
};
// The sheets of a job's domains whose configurations allow less than the job did when it was made, as live settings change them.
// They lie over the settings of the crawl, so that the limits there do not hold for such domains. None if no limit is changed.
std::vector<SheetChange> live_limits_of_sheets(std::string_view crawl_yaml, std::string_view live_settings);

// The crawl.yaml of a job with these further fields of its warcinfo records ("NAME: VALUE") in place of those it has.
std::string with_info_fields(std::string crawl_yaml, const std::vector<std::string>& fields);

// "12-3": with it the names of the job's archive files begin.
std::string file_prefix(int64_t job, int64_t definition);
std::vector<TemplateFile> job_files_of(const JobParts& parts);

}  // namespace caddis::harvest
