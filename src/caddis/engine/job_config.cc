#include "caddis/engine/job_config.h"

#include <fmt/format.h>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/config/profiles.h"
#include "caddis/config/seeds.h"
#include "caddis/config/settings_file.h"
#include "caddis/crawl/launch_seeds.h"
#include "caddis/heritrix/importer.h"
#include "caddis/io/links.h"

namespace caddis::engine {
namespace {

constexpr size_t kMostFindings = 200;  // of an import, in job.log; import.txt has all

// The text with the name of a file that was made for a moment as people know it.
std::string with_own_name(std::string text, const std::string& made, const std::string& own) {
  for (size_t at = text.find(made); at != std::string::npos; at = text.find(made, at + own.size()))
    text.replace(at, made.size(), own);
  return text;
}

bool is_about_contact(const config::Remark& remark) {
  return remark.sheet.empty() && remark.setting == "crawl.contact";
}
// Remarks on what may be set later.
bool is_to_come(const config::Remark& remark) { return remark.setting == "crawl.seeds" || is_about_contact(remark); }

constexpr std::string_view kNoSeeds =
    "nothing to crawl: name at least one URL in crawl.seeds, or a file of them in crawl.seed-files, or a site in "
    "feeds.sites";
constexpr std::string_view kNoContact =
    "crawl.contact is not set, and a contact is needed, so that site owners can reach you: write 'contact: …', a web "
    "page "
    "or a mail address, below 'crawl:' into crawl.yaml";

// Seeds and contact, judged as the launch does it, in the words of a job. Missing ones are warnings.
std::vector<config::Remark> remarks_at_launch(const config::Settings& settings) {
  using settings::Severity;
  config::SeedProblems problems;
  const std::vector<url::Url> seeds = crawl::usable_seeds(settings.crawl, problems);
  const bool has_lists = !settings.crawl.seed_files.empty();
  const bool has_seeds =
      crawl::check_has_seeds(seeds, has_lists || settings.feeds.waits_for_polls(), problems).has_value();
  std::vector<config::Remark> remarks;
  if (!has_seeds && problems.empty()) remarks.push_back({Severity::warning, "crawl.seeds", "", std::string(kNoSeeds)});
  for (const std::string& problem : problems.told())
    remarks.push_back({has_seeds ? Severity::info : Severity::warning, "crawl.seeds", "", "crawl.seeds: " + problem});
  // The contact that lists need is known when they are read; of a job without seeds these are told first.
  const bool knows_hosts = !seeds.empty() || (has_seeds && !has_lists);
  for (config::Remark& remark : config::remarks_on(settings, seeds.empty() || !config::only_loopback(seeds))) {
    if (is_about_contact(remark)) {
      if (!knows_hosts) continue;
      if (settings.crawl.contact.empty()) remark.text = kNoContact;
    }
    remarks.push_back(std::move(remark));
  }
  return remarks;
}

// The first profile that ships behind "extends:".
std::string extended_profile(std::string_view yaml) {
  bool is_inside = false;
  for (const std::string_view line : split(yaml, '\n')) {
    if (line.starts_with("extends:"))
      is_inside = true;
    else if (!line.empty() && line[0] != ' ' && line[0] != '-' && line[0] != '#')
      is_inside = false;
    if (!is_inside) continue;
    std::string words(line.starts_with("extends:") ? line.substr(8) : line);
    for (char& c : words)
      if (!is_alnum(c) && c != '-' && c != '_' && c != '.' && c != '/') c = ' ';
    for (const std::string_view word : split(words, ' '))
      if (!word.empty() && config::find_profile(word)) return std::string(word);
  }
  return {};
}

}  // namespace

std::string settings_file_of(const JobFolder& folder) {
  return folder.is_cxml() ? folder.imported() + "/crawl.yaml" : folder.yaml();
}

Result<config::Settings> load_settings_of(io::Files& files, const JobFolder& folder) {
  config::Settings settings;
  TRY_VOID(config::load_settings_file(files, settings_file_of(folder), settings));
  return settings;
}

ConfigFindings check_config(const JobWorld& world, const std::string& yaml_file) {
  ConfigFindings findings;
  config::Settings settings;
  if (const auto own = world.own_settings ? world.own_settings(settings) : Result<void>(); !own) {
    findings.errors.push_back(own.error().message);
    return findings;
  }
  if (const auto loaded = config::load_settings_file(world.files, yaml_file, settings); !loaded) {
    findings.errors.push_back(loaded.error().message);
    return findings;
  }
  if (const auto valid = config::validate(settings); !valid) findings.errors.push_back(valid.error().message);
  findings.remarks = remarks_at_launch(settings);
  for (const config::Remark& remark : findings.remarks)
    if (remark.severity != settings::Severity::info && !is_to_come(remark)) findings.errors.push_back(remark.text);
  return findings;
}

std::vector<std::string> obstacles_in(const ConfigFindings& findings) {
  std::vector<std::string> all = findings.errors;
  for (const config::Remark& remark : findings.remarks)
    if (remark.severity != settings::Severity::info && is_to_come(remark)) all.push_back(remark.text);
  return all;
}

Result<ConfigFindings> check_text(const JobWorld& world, const JobFolder& folder, std::string_view yaml) {
  // Beside the others, since it may extend files by their paths from here.
  const std::string made = fmt::format("{}/.check-{:x}.yaml", folder.path(), std::hash<std::string_view>()(yaml));
  TRY_VOID(world.files.write_atomically_private(made, yaml));
  ConfigFindings findings = check_config(world, made);
  TRY_VOID(world.files.remove(made));
  for (std::string& error : findings.errors) error = with_own_name(std::move(error), made, folder.yaml());
  return findings;
}

Result<std::vector<std::string>> import_cxml(io::Files& files, const JobFolder& folder) {
  TRY(const heritrix::ImportSource source, heritrix::import_source_of_file(files, folder.cxml()));
  TRY(const heritrix::Imported imported, heritrix::import_configuration(source, folder.imported()));
  TRY_VOID(io::remove_tree(folder.imported()));
  TRY_VOID(heritrix::write_import(files, folder.imported(), imported));
  const heritrix::ImportReport& report = imported.report;
  std::vector<std::string> lines;
  for (const heritrix::ImportItem& item : report.items())
    if (item.fate == heritrix::Fate::without && item.whole == heritrix::kNoItem && lines.size() < kMostFindings)
      lines.push_back(fmt::format("without equivalent: {} (line {}): {}", item.path, item.line, item.said));
  lines.push_back(
      fmt::format("imported {}: {} taken over, {} differently, {} without equivalent; imported/import.txt names each",
                  io::base_name(folder.cxml()), report.count(heritrix::Fate::taken),
                  report.count(heritrix::Fate::differently), report.count(heritrix::Fate::without)));
  if (!imported.open_question.empty()) return fail(ErrorCode::config, imported.open_question);
  return lines;
}

Result<ConfigDifference> compare_with_profile(io::Files& files, const JobFolder& folder) {
  TRY(const config::Settings own, load_settings_of(files, folder));
  TRY(const std::string yaml, files.read_all(settings_file_of(folder)));
  ConfigDifference difference{extended_profile(yaml), {}};
  config::Settings base;
  if (!difference.profile.empty()) TRY_VOID(config::load_settings_file(files, difference.profile, "", base));
  base.modules = own.modules;  // they decide which sections there are
  for (const settings::Change& change :
       settings::diff(config::sections_of(std::as_const(base)), config::sections_of(own))) {
    const std::string name = change.section + "." + change.name;
    difference.lines.push_back(fmt::format("-{} = {}", name, fmt::join(split(change.before, '\n'), ", ")));
    difference.lines.push_back(fmt::format("+{} = {}", name, fmt::join(split(change.after, '\n'), ", ")));
  }
  return difference;
}

std::string new_config(std::string_view base, const std::vector<std::string>& urls) {
  std::string yaml = "# Settings of this job. caddis schema lists all there are.\n";
  if (!base.empty()) yaml += fmt::format("extends: {}\n", base);
  if (urls.empty()) return yaml;
  yaml += "crawl:\n  seeds:\n";
  for (const std::string& url : urls) {
    yaml += "    - ";
    append_json_string(yaml, url);
    yaml += '\n';
  }
  return yaml;
}

}  // namespace caddis::engine
