#include "caddis/scope/sheets.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/scope/site.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/surt.h"

namespace caddis::scope {
namespace {

// What is of a whole host would never count.
Result<void> check_hosts(const settings::Sheet& sheet, const std::vector<std::string>& prefixes) {
  const auto& entries = sheet.values.entries();
  const auto of_host = std::ranges::find_if(entries, [](const auto& entry) { return entry.field->per_host(); });
  if (of_host != entries.end() && !sheet.when.empty())
    return fail(
        ErrorCode::config,
        fmt::format("{}.{} counts for whole hosts, and 'when' asks of single URLs: give that setting to a sheet "
                    "without 'when'",
                    of_host->schema->name(), of_host->field->name));
  if (of_host == entries.end() || prefixes.empty() || std::ranges::any_of(prefixes, covers_hosts)) return {};
  return fail(ErrorCode::config,
              fmt::format("{}.{} counts for whole hosts, but all sites of the sheet are parts of one: give it a host, "
                          "such as example.org",
                          of_host->schema->name(), of_host->field->name));
}

// The conditions that ask of nothing but the URL.
constexpr std::string_view kOfUrl[] = {"scheme",     "host",       "domain",           "surt", "class-key", "url",
                                       "url-length", "path-depth", "path-repetitions", "file"};

const SeedBook& no_seeds() {
  static const SeedBook none({}, {});
  return none;
}

}  // namespace

Result<Sheets::Asked> Sheets::asked_by(const settings::Sheet& sheet, const ReadFile& read) {
  Asked asked;
  TRY(asked.urls, PatternList::create("urls", sheet.urls));
  if (sheet.when.empty()) return asked;
  auto when = Predicate::parse(sheet.when, Verdict::accept, read);
  if (!when) return pass(std::move(when).error(), fmt::format("when: '{}'", sheet.when));
  for (const RuleKind* kind : when->kinds())
    if (std::ranges::find(kOfUrl, kind->name) == std::end(kOfUrl))
      return fail(
          ErrorCode::config,
          fmt::format("when: '{}' asks of more than the URL, which is all that a sheet goes by: write one of {}",
                      kind->name, fmt::join(kOfUrl, ", ")));
  asked.when = *std::move(when);
  return asked;
}

bool Sheets::Asked::holds(std::string_view text, const url::Url* url) const {
  if (!urls.empty() && urls.find(text).empty()) return false;
  return !when || (url != nullptr && when->match({.url = *url}, no_seeds()).has_value());
}

Result<std::unique_ptr<const Sheets>> Sheets::create(const settings::Sheets& sheets, settings::SheetOrder order,
                                                     const ReadFile& read) {
  std::unique_ptr<Sheets> made(new Sheets());
  std::map<std::string, std::vector<size_t>> sites;
  sites[""];
  for (size_t index = 0; index < sheets.size(); ++index) {
    const settings::Sheet& sheet = sheets[index];
    const std::string name = fmt::format("sheet '{}'", sheet.name);
    std::vector<std::string> prefixes;
    for (const std::string& site : sheet.sites) {
      auto some = site_prefixes(site);
      if (!some) return pass(std::move(some).error(), fmt::format("{}: site '{}'", name, site));
      prefixes.insert(prefixes.end(), some->begin(), some->end());
    }
    if (auto checked = check_hosts(sheet, prefixes); !checked) return pass(std::move(checked).error(), name);
    if (prefixes.empty()) prefixes.emplace_back();
    for (const std::string& prefix : prefixes) sites[prefix].push_back(index);
    auto asked = asked_by(sheet, read);
    if (!asked) return pass(std::move(asked).error(), name);
    made->asked_.push_back(*std::move(asked));
  }
  TRY_VOID(made->build(std::move(sites), sheets, order));
  return std::unique_ptr<const Sheets>(std::move(made));
}

// In order, a prefix stands behind all with which it begins.
Result<void> Sheets::build(std::map<std::string, std::vector<size_t>> sites, const settings::Sheets& sheets,
                           settings::SheetOrder order) {
  std::map<std::vector<size_t>, uint32_t> known = {{{}, 0}};
  groups_.emplace_back();
  for (auto& [surt, own] : sites) {
    size_t parent = prefixes_.empty() ? 0 : prefixes_.size() - 1;
    while (!prefixes_.empty() && !surt.starts_with(prefixes_[parent].surt)) parent = prefixes_[parent].parent;
    std::ranges::sort(own);
    own.erase(std::ranges::unique(own).begin(), own.end());
    std::vector<size_t> all;
    if (!prefixes_.empty()) all = groups_[prefixes_[parent].group].sheets;
    // The sheets of the longer prefix stand last.
    std::erase_if(all, [&own](size_t sheet) { return std::ranges::binary_search(own, sheet); });
    all.insert(all.end(), own.begin(), own.end());
    if (order == settings::SheetOrder::written) std::ranges::sort(all);
    const auto [group, is_new] = known.try_emplace(all, static_cast<uint32_t>(groups_.size()));
    prefixes_.push_back({surt, parent, group->second});
    if (!is_new) continue;
    Group made{std::move(all), {}};
    std::ranges::copy_if(made.sheets, std::back_inserter(made.asking), [&](size_t i) { return !asked_[i].empty(); });
    if (made.asking.size() > kMostWithUrls)
      return fail(
          ErrorCode::config,
          fmt::format("sheet '{}': more than {} sheets with urls or when are for the same site; put some together",
                      sheets[made.asking.back()].name, kMostWithUrls));
    groups_.push_back(std::move(made));
  }
  return {};
}

SheetSet Sheets::of(const url::Url& url) const { return find(url::heritrix_surt(url), url.without_fragment(), &url); }

SheetSet Sheets::of_host(std::string_view host) const {
  if (host == url::kFilesHost) return find("file:///", "file:///", nullptr);
  return find(url::surt_prefix_of_host(host) + "/", fmt::format("http://{}/", host), nullptr);
}

// Whatever `surt` begins with is, of all that stand not behind it, the last, or the last begins with it, too.
SheetSet Sheets::find(std::string_view surt, std::string_view text, const url::Url* url) const {
  const auto behind = std::ranges::upper_bound(prefixes_, surt, {},
                                               [](const Prefix& prefix) -> std::string_view { return prefix.surt; });
  size_t found = static_cast<size_t>(behind - prefixes_.begin()) - 1;
  while (!surt.starts_with(prefixes_[found].surt)) found = prefixes_[found].parent;
  SheetSet set{prefixes_[found].group, 0};
  const Group& group = groups_[set.group];
  for (size_t i = 0; i < group.asking.size(); ++i)
    if (asked_[group.asking[i]].holds(text, url)) set.matched |= uint32_t{1} << i;
  if (set.matched == 0 && group.asking.size() == group.sheets.size()) return {};
  return set;
}

std::vector<size_t> Sheets::members(const SheetSet& set) const {
  const Group& group = groups_[set.group];
  std::vector<size_t> members;
  size_t next = 0;
  for (const size_t sheet : group.sheets) {
    const bool asks = next < group.asking.size() && group.asking[next] == sheet;
    if (!asks || (set.matched >> next & 1) != 0) members.push_back(sheet);
    if (asks) ++next;
  }
  return members;
}

}  // namespace caddis::scope
