#include "caddis/crawl/effective_settings.h"

#include <fmt/format.h>

#include "caddis/base/check.h"

namespace caddis::crawl {
namespace {

// What decides for which hosts there are settings of one section, and which.
template <class Section>
std::string part_of(const settings::Sheets& sheets) {
  settings::Sheets some;
  for (const settings::Sheet& sheet : sheets)
    if (sheet.values.touches(settings::schema_of<Section>())) some.push_back(sheet);
  return settings::to_yaml(some);
}

}  // namespace

SettingsResolver::SettingsResolver(const Settings& settings)
    : base_(settings),
      written_(settings.sheets),
      quotas_(part_of<frontier::QuotaSettings>(settings.sheets)) {
  base_.crawl.seeds.clear();
  base_.sheets.clear();
  base_.crawl.hosts.clear();
  base_.politeness.groups.clear();
}

Result<std::shared_ptr<const SettingsResolver>> SettingsResolver::create(const Settings& settings,
                                                                         const scope::SiteRules& rules) {
  std::shared_ptr<SettingsResolver> book(new SettingsResolver(settings));
  book->rules_ = rules;
  book->of_crawl_ = book->compose({});
  if (settings.sheets.empty()) return book;
  TRY(book->sheets_, scope::Sheets::create(settings.sheets));
  for (size_t i = 0; i < settings.sheets.size(); ++i) {
    const settings::Overlay& values = settings.sheets[i].values;
    if (values.touches(settings::schema_of<scope::ScopeSettings>())) {
      scope::ScopeSettings alone = settings.scope;
      values.lay_over({settings::section(alone)});
      TRY(auto compiled, scope::SiteRules::create(alone, {&book->rules_}));
      book->rules_of_sheets_.emplace(i, std::move(compiled));
    }
    book->reach_.include(*book->compose({i})->host);
  }
  // A crawl without quotas may have sheets with them, and the other way round.
  book->reach_.quotas |= !book->quotas_.empty();
  return book;
}

const EffectiveSettings& SettingsResolver::of(const scope::SheetSet& set) const {
  if (set.empty() || sheets_ == nullptr) return *of_crawl_;
  const std::lock_guard lock(mutex_);
  auto& site = composed_[set];
  if (site == nullptr) site = compose(sheets_->members(set));
  return *site;
}

// Cannot fail: every expression comes from the crawl or from one sheet, and was read when that was checked.
std::unique_ptr<const EffectiveSettings> SettingsResolver::compose(const std::vector<size_t>& members) const {
  Settings settings = base_;
  auto site = std::make_unique<EffectiveSettings>();
  std::vector<const scope::SiteRules*> compiled = {&rules_};
  bool is_ordered = false;
  for (const size_t member : members) {
    const settings::Sheet& sheet = written_[member];
    sheet.values.lay_over(settings.sections());
    site->sheets.push_back(sheet.name);
    is_ordered |= sheet.values.touches(settings::schema_of<frontier::OrderSettings>());
    if (const auto rules = rules_of_sheets_.find(member); rules != rules_of_sheets_.end())
      compiled.push_back(&rules->second);
  }
  if (compiled.size() > 1) {
    auto rules = scope::SiteRules::create(settings.scope, compiled);
    CADDIS_CHECK(rules.has_value());
    site->scope = std::make_shared<const scope::SiteRules>(*std::move(rules));
  }
  if (is_ordered) site->order = std::make_shared<const frontier::OrderSettings>(settings.frontier);
  site->fetch = settings.fetch;
  site->extract = settings.extract;
  site->robots = settings.crawl.robots;
  site->robots_unavailable = settings.crawl.robots_unavailable;
  site->robots_validity = settings.crawl.robots_validity;
  site->custom_robots_text = fmt::format("{}\n", fmt::join(settings.crawl.robots_custom, "\n"));
  site->custom_robots = std::make_shared<const robots::Robots>(robots::Robots::parse(site->custom_robots_text));
  site->robots_agents = std::make_shared<const std::vector<std::string>>(settings.crawl.robots_agents);
  site->user_agent = fetch::user_agent(settings.fetch, settings.crawl.contact);
  site->product_token = fetch::product_token(settings.fetch);
  auto again = frontier::Again::parse(settings.fetch.again);
  CADDIS_CHECK(again.has_value());
  site->host = std::make_shared<const frontier::HostRules>(
      frontier::HostRules{settings.politeness, settings.frontier, settings.quota, *std::move(again),
                          settings.crawl.robots != RobotsChoice::ignore, site->product_token, site->sheets});
  return site;
}

void follow_sheets(frontier::Frontier::Options& options, std::optional<SettingsCache>& sites) {
  const SettingsResolver& book = sites->book();
  if (book.sheets() == nullptr) return;
  options.reach = book.reach();
  options.sheet_quotas = book.quotas();
  options.rules_of = [&sites](const std::string& host) {
    const EffectiveSettings& site = sites->of_host(host);
    return site.sheets.empty() ? nullptr : site.host;
  };
}

}  // namespace caddis::crawl
