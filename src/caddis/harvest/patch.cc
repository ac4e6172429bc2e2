#include "caddis/harvest/patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "caddis/base/strings.h"
#include "caddis/harvest/domain_name.h"
#include "caddis/harvest/domains.h"
#include "caddis/harvest/job_files.h"
#include "caddis/harvest/jobs.h"
#include "caddis/harvest/live_settings.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Values;

constexpr size_t kMostUrls = 100'000;
constexpr size_t kMostProblems = 1000;

// Laid over the template: the URLs themselves, and what they embed.
constexpr std::string_view kPatchSettings = "scope:\n  max-hops: 0\n";

// The first line that begins with "extends: [" names one file more.
std::string extending(std::string yaml, std::string_view file) {
  const size_t begin = yaml.find("\nextends: [");
  const size_t end = begin == std::string::npos ? begin : yaml.find("]\n", begin);
  if (end != std::string::npos) yaml.insert(end, fmt::format(", ./{}", file));
  return yaml;
}

}  // namespace

Result<int64_t> patch_job(Connection& c, int64_t id, const std::vector<std::string>& urls, const Edit& edit) {
  TRY(const Job job, find_job(c, id));
  if (job.state < JobState::done)
    return fail(ErrorCode::conflict,
                fmt::format("job {} is {}: a job is patched when it has ended", id, name_of(job.state)));
  if (urls.empty() || urls.size() > kMostUrls)
    return fail(ErrorCode::config, fmt::format("a patch has 1 to {} URLs", kMostUrls));
  const std::string list = fmt::format("{}\n", fmt::join(urls, "\n"));
  TRY_VOID(check_seeds(list));
  const auto seeds = crawlable_seeds(list);
  TRY(const auto yaml, crawl_yaml_of(c, job));
  TRY(const int64_t made,
      c.number("INSERT INTO jobs (definition_id, run, channel_id, state, template_id, template_name, overrides, "
               "max_objects, max_bytes, max_seconds, expected, configurations, seed_count, created, harvester, wish, "
               "patches, harvest_error, harvest_details, upload_error, upload_details, command, exit, latest, verdict, "
               "verdict_note, objects, bytes) SELECT definition_id, run, channel_id, 'NEW', template_id, "
               "template_name, overrides, -1, -1, max_seconds, CAST(? AS BIGINT), 0, CAST(? AS BIGINT), "
               "CAST(? AS BIGINT), '', '', id, '', '', '', '', '', '', '', '', '', 0, 0 FROM jobs WHERE id = ? "
               "RETURNING id",
               Values(seeds.size(), seeds.size(), edit.now, id)));
  TRY_VOID(c.execute(
      "INSERT INTO job_files (job_id, name, text) SELECT CAST(? AS BIGINT), name, text FROM job_files "
      "WHERE job_id = ? AND name NOT IN ('seeds.txt', 'crawl.yaml', 'patch.yaml', 'duplicatereductionjobs.txt')",
      Values(made, id)));
  // No limit of a domain counts: the URLs are few, and were chosen.
  const std::string patched =
      extending(without_section(
                    renumbered(with_live_settings(yaml, job.care.live_settings), id, made, job.definition_id), "quota"),
                "patch.yaml");
  TRY_VOID(c.execute("INSERT INTO job_files (job_id, name, text) VALUES (?, 'patch.yaml', ?)",
                     Values(made, kPatchSettings)));
  TRY_VOID(c.execute("INSERT INTO job_files (job_id, name, text) VALUES (?, 'seeds.txt', ?)",
                     Values(made, fmt::format("{}\n", fmt::join(seeds, "\n")))));
  TRY_VOID(c.execute("INSERT INTO job_files (job_id, name, text) VALUES (?, 'crawl.yaml', ?)", Values(made, patched)));
  TRY_VOID(c.execute("INSERT INTO job_files (job_id, name, text) VALUES (?, 'duplicatereductionjobs.txt', ?)",
                     Values(made, fmt::format("{}\n", id))));
  TRY_VOID(copy_added_traps(c, id, made));
  TRY_VOID(record_change(c, edit, "job", std::to_string(id),
                         fmt::format("is patched by job {} with {} URLs", made, seeds.size())));
  return made;
}

namespace {

// Configurations of the job by domain.
Result<std::map<std::string, std::string>> members_of(Connection& c, int64_t job) {
  std::map<std::string, std::string> members;
  TRY_VOID(
      c.each("SELECT d.name, g.name FROM job_configurations m JOIN configurations g ON g.id = m.configuration_id "
             "JOIN domains d ON d.id = m.domain_id WHERE m.job_id = ?",
             Values(job), [&](const sql::Row& row) { members[row.text(0)] = row.text(1); }));
  return members;
}

// Returns how many there were not.
Result<int64_t> add_seeds(Connection& c, const std::string& name, const std::string& configuration,
                          const std::vector<std::string>& urls, const std::string& called, const Edit& edit) {
  TRY(Domain domain, find_domain(c, name));
  auto list = std::ranges::find(domain.seed_lists, called, &SeedList::name);
  if (list == domain.seed_lists.end()) list = domain.seed_lists.insert(list, SeedList{called, "", ""});
  int64_t added = 0;
  for (const std::string& url : urls) {
    const auto there = live_seeds(list->seeds);
    if (std::ranges::count(there, url) > 0) continue;
    if (!list->seeds.empty() && !list->seeds.ends_with('\n')) list->seeds += '\n';
    list->seeds += url + "\n";
    ++added;
  }
  for (Configuration& one : domain.configurations)
    if (one.name == configuration && std::ranges::count(one.seed_lists, called) == 0) one.seed_lists.push_back(called);
  TRY_VOID(save_domain(c, domain, edit));
  return added;
}

}  // namespace

Result<CollectedSeeds> collect_seeds(Connection& c, int64_t job, const std::vector<std::string>& urls,
                                     const std::string& list, const Edit& edit) {
  if (urls.size() > kMostUrls) return fail(ErrorCode::config, fmt::format("at most {} URLs at once", kMostUrls));
  TRY_VOID(check_name(list, "list of seeds"));
  TRY_VOID(find_job(c, job));
  TRY(const auto members, members_of(c, job));
  CollectedSeeds collected;
  const auto problem = [&](std::string text) {
    if (collected.problems.size() < kMostProblems) collected.problems.push_back(std::move(text));
  };
  std::map<std::string, std::vector<std::string>> by_domain;
  for (const std::string& given : urls) {
    const std::string url(trim(given));
    const auto good = check_seed(url);
    const auto domain = good ? domain_of_url(url) : std::unexpected(good.error());
    if (!domain)
      problem(domain.error().message);
    else if (!members.contains(*domain))
      problem(fmt::format("{}: the job has no domain {}", url, *domain));
    else
      by_domain[*domain].push_back(url);
  }
  for (const auto& [domain, seeds] : by_domain) {
    TRY(const int64_t added, add_seeds(c, domain, members.at(domain), seeds, list, edit));
    collected.added += added;
  }
  TRY_VOID(record_change(c, edit, "job", std::to_string(job),
                         fmt::format("{} URLs that it has missed became seeds", collected.added)));
  return collected;
}

}  // namespace caddis::harvest
