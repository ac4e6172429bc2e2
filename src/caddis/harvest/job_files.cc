#include "caddis/harvest/job_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/config/settings_file.h"
#include "caddis/logins/accounts.h"

namespace caddis::harvest {
namespace {

// A text of YAML, which takes strings of JSON.
std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string list_of(std::string_view name, const std::vector<std::string>& items, std::string_view indent) {
  if (items.empty()) return {};
  std::string yaml = fmt::format("{}{}:\n", indent, name);
  for (const std::string& item : items) yaml += fmt::format("{}  - {}\n", indent, quoted(item));
  return yaml;
}

std::string quota_of(const Limits& limits, std::string_view indent) {
  std::string yaml;
  if (limits.objects != kNoLimit) yaml += fmt::format("{}seed-domain-successes: {}\n", indent, limits.objects);
  if (limits.bytes != kNoLimit) yaml += fmt::format("{}seed-domain-bytes: {}\n", indent, limits.bytes);
  return yaml;
}

constexpr std::string_view kLimitSheet = "harvest-limits-";

Limits lower_of(const Limits& a, const Limits& b) {
  return {lower_limit(a.objects, b.objects), lower_limit(a.bytes, b.bytes)};
}

// Domains whose configurations allow less than the job does, with one sheet for all of the same limits.
// Its name has those of the configurations, by which its settings follow a limit of the job that is changed.
std::string limit_sheets(const JobParts& parts) {
  const JobPlan& plan = parts.plan;
  std::map<std::pair<int64_t, int64_t>, std::vector<std::string>> groups;
  for (const Candidate& member : plan.members) {
    if (lower_of(member.limits, plan.limits) == plan.limits) continue;
    std::vector<std::string>& domains = groups[{member.limits.objects, member.limits.bytes}];
    domains.push_back(member.domain_name);
    if (const auto others = parts.seed_domains.find(member.domain_name); others != parts.seed_domains.end())
      domains.insert(domains.end(), others->second.begin(), others->second.end());
  }
  std::string yaml;
  for (const auto& [limits, domains] : groups) {
    yaml += fmt::format("  {}{}-{}:\n", kLimitSheet, limits.first, limits.second);
    yaml += list_of("sites", domains, "    ");
    const Limits lower = lower_of({limits.first, limits.second}, plan.limits);
    yaml += "    settings:\n      quota:\n" + quota_of(lower, "        ");
  }
  return yaml;
}

// A rule takes words that stand in it for its own: blanks are written otherwise, which URLs do not have anyway.
std::string reject_rule(std::string_view pattern) {
  std::string rule = pattern.starts_with('@') ? "reject url [@]" : "reject url ";
  for (const char c : pattern.substr(pattern.starts_with('@') ? 1 : 0)) rule += c == ' ' ? "\\x20" : std::string(1, c);
  return rule;
}

// A list of a sheet replaces that of the crawl, so traps are rules behind its own: what is left out everywhere stays so.
std::string trap_sheets(const JobParts& parts) {
  std::string yaml;
  size_t number = 0;
  for (const DomainTraps& traps : parts.traps) {
    std::vector<std::string> rules = parts.rules;
    for (const std::string& pattern : traps.patterns) rules.push_back(reject_rule(pattern));
    yaml += fmt::format("  harvest-traps-{}:\n", ++number) + list_of("sites", traps.domains, "    ");
    yaml += "    settings:\n      scope:\n" + list_of("rules", rules, "        ");
  }
  return yaml;
}

// The logins of one domain: a sheet for all, since a list of a later sheet replaces that of an earlier one.
std::string login_sheet(std::string_view domain, const std::vector<const SiteLogin*>& logins) {
  std::string yaml = fmt::format("    sites: [{0}]\n    settings:\n      logins:\n        site: {0}\n", quoted(domain));
  std::set<std::string_view> realms;
  std::vector<std::string> accounts;
  for (const SiteLogin* const login : logins) {
    if (!realms.insert(login->realm).second) continue;
    const logins::Account account{login->realm, login->username, login->password};
    if (!login->realm.empty()) {
      // One of an old or imported domain: a crawl would refuse it, and all of the job with it.
      const auto read = logins::parse_account(logins::to_text(account));
      if (!read || *read != account) continue;
      accounts.push_back(config::literal(logins::to_text(account)));
      continue;
    }
    yaml += fmt::format("        user: {}\n        password: {}\n", quoted(login->username),
                        quoted(config::literal(login->password)));
    // A login with a realm is one of HTTP; without it the URL is that of a page with a form.
    if (!login->url.empty()) yaml += fmt::format("        form: {}\n", quoted(login->url));
  }
  return yaml + list_of("realms", accounts, "        ");
}

std::string login_sheets(const std::vector<SiteLogin>& logins) {
  std::map<std::string_view, std::vector<const SiteLogin*>> sites;
  for (const SiteLogin& login : logins) sites[login.domain].push_back(&login);
  std::string yaml;
  size_t number = 0;
  for (const auto& [domain, those] : sites)
    yaml += fmt::format("  harvest-login-{}:\n{}", ++number, login_sheet(domain, those));
  return yaml;
}

std::string crawl_yaml(const JobParts& parts) {
  const bool has_overrides = !trim(parts.plan.overrides).empty();
  std::string yaml = fmt::format("# Job {} of the harvest {}, run {}.\nextends: [./template.yaml{}]\n", parts.job,
                                 parts.definition_name, parts.run, has_overrides ? ", ./overrides.yaml" : "");
  yaml += fmt::format("crawl:\n  seeds: []\n  seed-files: [{}]\n", quoted(fmt::format("{}/seeds.txt", kJobFolder)));
  if (!parts.contact.empty()) yaml += fmt::format("  contact: {}\n", quoted(parts.contact));
  if (!parts.excluded.empty()) yaml += "scope:\n" + list_of("exclude", parts.excluded, "  ");
  yaml += "limits:\n  at-limit: end\n";
  if (parts.max_seconds > 0) yaml += fmt::format("  max-time: {}s\n", parts.max_seconds);
  if (parts.max_silence > 0) yaml += fmt::format("  max-silence: {}s\n", parts.max_silence);
  if (parts.max_idle > 0) yaml += fmt::format("  max-idle: {}s\n", parts.max_idle);
  if (const std::string quota = quota_of(parts.plan.limits, "  "); !quota.empty()) yaml += "quota:\n" + quota;
  yaml +=
      fmt::format("archive:\n  prefix: {}\n  is-part-of: {}\n  description: {}\n",
                  quoted(file_prefix(parts.job, parts.definition)), quoted(std::to_string(parts.job)),
                  quoted(fmt::format("job {} of the harvest {}, run {}", parts.job, parts.definition_name, parts.run)));
  if (!parts.audience.empty()) yaml += fmt::format("  audience: {}\n", quoted(parts.audience));
  const std::string sheets = limit_sheets(parts) + trap_sheets(parts) + login_sheets(parts.logins);
  if (!sheets.empty()) yaml += "sheets:\n" + sheets;
  return yaml;
}

// Puts lines before a section of the job's settings; at the end if it is not there.
std::string with_lines(std::string yaml, std::string_view lines, std::string_view before) {
  const size_t at = yaml.find(fmt::format("\n{}:\n", before));
  return yaml.insert(at == std::string::npos ? yaml.size() : at + 1, lines);
}

std::string with_max_time(std::string yaml, std::string_view time) {
  constexpr std::string_view kMaxTime = "\n  max-time: ", kBefore = "\n  at-limit: end";
  if (const size_t at = yaml.find(kMaxTime); at != std::string::npos)
    yaml.erase(at, std::min(yaml.find('\n', at + 1), yaml.size()) - at);
  const size_t at = yaml.find(kBefore);
  const std::string line = fmt::format("{}{}", kMaxTime, time);
  return at == std::string::npos ? yaml : yaml.insert(at + kBefore.size(), line);
}

// The limits that live settings have, if they have any.
std::optional<Limits> limits_in(std::string_view live_settings) {
  std::optional<Limits> limits;
  const auto take = [&](std::string_view line, std::string_view name, int64_t Limits::* limit) {
    if (!line.starts_with(name)) return;
    if (!limits) limits.emplace();
    const int64_t value = parse_int(line.substr(name.size())).value_or(0);
    (*limits).*limit = value == 0 ? kNoLimit : value;
  };
  for (const std::string_view line : split(live_settings, '\n')) {
    take(line, "quota.seed-domain-successes=", &Limits::objects);
    take(line, "quota.seed-domain-bytes=", &Limits::bytes);
  }
  return limits;
}

// A sheet of limits in the job's settings, and where its quotas stand there.
struct LimitSheet {
  std::string name;
  Limits own;  // of the configurations
  size_t begin = 0, end = 0;
};

// Returns the next one behind `from`.
std::optional<LimitSheet> next_limit_sheet(std::string_view yaml, size_t from) {
  constexpr std::string_view kQuota = "\n      quota:\n", kIndent = "        ";
  const size_t at = yaml.find(fmt::format("\n  {}", kLimitSheet), from);
  const size_t colon = at == std::string_view::npos ? at : yaml.find(':', at);
  const size_t quota = colon == std::string_view::npos ? colon : yaml.find(kQuota, colon);
  if (quota == std::string_view::npos) return std::nullopt;
  LimitSheet sheet{std::string(yaml.substr(at + 3, colon - at - 3)), {}, quota + kQuota.size(), quota + kQuota.size()};
  while (yaml.substr(sheet.end).starts_with(kIndent))
    sheet.end = std::min(yaml.find('\n', sheet.end), yaml.size() - 1) + 1;
  // The first number may have a minus sign of its own.
  const std::string_view numbers = std::string_view(sheet.name).substr(kLimitSheet.size());
  const size_t dash = numbers.find('-', 1);
  if (dash == std::string_view::npos) return sheet;
  sheet.own = {parse_int(numbers.substr(0, dash)).value_or(kNoLimit),
               parse_int(numbers.substr(dash + 1)).value_or(kNoLimit)};
  return sheet;
}

// The lower of both holds for each domain.
std::string with_limits_of_sheets(std::string yaml, const Limits& limits) {
  size_t from = 0;
  while (const auto sheet = next_limit_sheet(yaml, from)) {
    const std::string quota = quota_of(lower_of(sheet->own, limits), "        ");
    if (!quota.empty()) yaml.replace(sheet->begin, sheet->end - sheet->begin, quota);
    from = sheet->begin;
  }
  return yaml;
}

}  // namespace

std::vector<SheetChange> live_limits_of_sheets(std::string_view crawl_yaml, std::string_view live_settings) {
  std::vector<SheetChange> changes;
  const auto limits = limits_in(live_settings);
  if (!limits) return changes;
  const auto number = [](int64_t limit) { return limit == kNoLimit ? 0 : limit; };
  size_t from = 0;
  while (const auto sheet = next_limit_sheet(crawl_yaml, from)) {
    const Limits lower = lower_of(sheet->own, *limits);
    changes.push_back({sheet->name, fmt::format("quota.seed-domain-successes={}\nquota.seed-domain-bytes={}\n",
                                                number(lower.objects), number(lower.bytes))});
    from = sheet->begin;
  }
  return changes;
}

std::string without_section(std::string yaml, std::string_view section) {
  const std::string begin = fmt::format("\n{}:\n", section);
  const size_t at = yaml.find(begin);
  if (at == std::string::npos) return yaml;
  size_t end = at + begin.size();
  while (end < yaml.size() && yaml[end] == ' ') end = std::min(yaml.find('\n', end), yaml.size() - 1) + 1;
  return yaml.erase(at + 1, end - at - 1);
}

std::string with_live_settings(std::string crawl_yaml, std::string_view live_settings) {
  constexpr std::string_view kExclude = "scope.exclude=", kQuota = "quota.", kTime = "limits.max-time=";
  std::vector<std::string> excluded;
  bool excludes_others = false;
  std::string quota;
  for (const std::string_view line : split(live_settings, '\n')) {
    if (line.starts_with(kExclude)) excludes_others = true;
    if (line.starts_with(kExclude) && line != kExclude) excluded.emplace_back(line.substr(kExclude.size()));
    if (line.starts_with(kTime)) crawl_yaml = with_max_time(std::move(crawl_yaml), line.substr(kTime.size()));
    const size_t is = line.find('=');
    if (line.starts_with(kQuota) && is != std::string_view::npos)
      quota += fmt::format("  {}: {}\n", line.substr(kQuota.size(), is - kQuota.size()), line.substr(is + 1));
  }
  if (excludes_others) crawl_yaml = without_section(std::move(crawl_yaml), "scope");
  if (!excluded.empty())
    crawl_yaml = with_lines(std::move(crawl_yaml), "scope:\n" + list_of("exclude", excluded, "  "), "limits");
  if (!quota.empty())
    crawl_yaml = with_lines(without_section(std::move(crawl_yaml), "quota"), "quota:\n" + quota, "archive");
  const auto limits = limits_in(live_settings);
  return limits ? with_limits_of_sheets(std::move(crawl_yaml), *limits) : crawl_yaml;
}

std::string with_info_fields(std::string crawl_yaml, const std::vector<std::string>& fields) {
  constexpr std::string_view kSection = "\narchive:\n", kName = "  info-fields:\n";
  size_t at = crawl_yaml.find(kSection);
  if (at == std::string::npos) return crawl_yaml;
  at += kSection.size();
  if (crawl_yaml.substr(at).starts_with(kName)) {
    size_t end = at + kName.size();
    while (end < crawl_yaml.size() && crawl_yaml.compare(end, 6, "    - ") == 0)
      end = std::min(crawl_yaml.find('\n', end), crawl_yaml.size() - 1) + 1;
    crawl_yaml.erase(at, end - at);
  }
  return crawl_yaml.insert(at, list_of("info-fields", fields, "  "));
}

std::string file_prefix(int64_t job, int64_t definition) { return fmt::format("{}-{}", job, definition); }

std::string renumbered(std::string crawl_yaml, int64_t from, int64_t to, int64_t definition) {
  const auto change = [&](const std::string& before, const std::string& after) {
    if (const size_t at = crawl_yaml.find(before); at != std::string::npos)
      crawl_yaml.replace(at, before.size(), after);
  };
  const auto prefix = [&](int64_t job) { return fmt::format("  prefix: {}\n", quoted(file_prefix(job, definition))); };
  const auto part = [](int64_t job) { return fmt::format("  is-part-of: {}\n", quoted(std::to_string(job))); };
  change(fmt::format("# Job {} of", from), fmt::format("# Job {} of", to));
  change(prefix(from), prefix(to));
  change(part(from), part(to));
  change(fmt::format("job {} of the harvest", from), fmt::format("job {} of the harvest", to));
  return crawl_yaml;
}

std::vector<TemplateFile> job_files_of(const JobParts& parts) {
  std::vector<TemplateFile> files = parts.from.files;
  files.push_back({"template.yaml", parts.from.yaml});
  files.push_back({"crawl.yaml", crawl_yaml(parts)});
  files.push_back({"seeds.txt", fmt::format("{}\n", fmt::join(parts.seeds, "\n"))});
  if (!trim(parts.plan.overrides).empty()) files.push_back({"overrides.yaml", parts.plan.overrides});
  std::string aliases;
  for (const auto& [alias, domain] : parts.aliases) aliases += fmt::format("{} {}\n", alias, domain);
  if (!aliases.empty()) files.push_back({"aliases.txt", aliases});
  std::string others;
  for (const auto& [domain, elsewhere] : parts.seed_domains)
    for (const std::string& other : elsewhere) others += fmt::format("{} {}\n", other, domain);
  if (!others.empty()) files.push_back({std::string(kSeedDomains), others});
  if (!parts.earlier_jobs.empty())
    files.push_back({"duplicatereductionjobs.txt", fmt::format("{}\n", fmt::join(parts.earlier_jobs, ","))});
  return files;
}

}  // namespace caddis::harvest
