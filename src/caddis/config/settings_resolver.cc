#include "caddis/config/settings_resolver.h"

#include <fmt/format.h>

#include "caddis/base/check.h"
#include "caddis/extract/plan.h"
#include "caddis/feeds/hop_path.h"
#include "caddis/geo/country_file.h"
#include "caddis/logins/accounts.h"
#include "caddis/logins/session_check.h"

namespace caddis::config {
namespace {

// The sheets that set something of one section, as YAML: they decide for which hosts its settings differ, and how.
template <class Section>
std::string sheets_with(const settings::Sheets& sheets) {
  settings::Sheets some;
  for (const settings::Sheet& sheet : sheets)
    if (sheet.values.touches(settings::schema_of<Section>())) some.push_back(sheet);
  return settings::to_yaml(some);
}

// Laid over a crawl that retires its hosts, and over one that does not, a sheet that sets it changes one of them.
bool sets_retire(const settings::Sheet& sheet) {
  if (!sheet.values.touches(settings::schema_of<frontier::OrderSettings>())) return false;
  for (const bool before : {false, true}) {
    frontier::OrderSettings alone;
    alone.retire = before;
    sheet.values.lay_over({settings::section(alone)});
    if (alone.retire != before) return true;
  }
  return false;
}

// The sheets that decide which hosts are retired. One that says what the crawl says counts, too: it may overrule
// another sheet.
std::string sheets_that_retire(const settings::Sheets& sheets) {
  settings::Sheets some;
  for (const settings::Sheet& sheet : sheets)
    if (sets_retire(sheet)) some.push_back(sheet);
  return settings::to_yaml(some);
}

HostRobots robots_of(const Settings& all) {
  const robots::RobotsSettings& settings = all.robots;
  const std::string custom = fmt::format("{}\n", fmt::join(settings.custom, "\n"));
  return {.policy = settings.policy,
          .unavailable = settings.unavailable,
          .spares_requisites = settings.requisites == robots::ForRequisites::ignore,
          .validity = settings.validity,
          .custom_text = custom,
          .custom = std::make_shared<const robots::Robots>(robots::Robots::parse(custom)),
          .agents = std::make_shared<const std::vector<std::string>>(settings.agents),
          .product_token = fetch::product_token(all.fetch)};
}

frontier::LoginRule login_rule(const logins::LoginSettings& login) {
  if (!login.has_user() || login.form.empty()) return {};
  return {.key = fmt::format("{}\n{}\n{}\n{}", login.site, login.form, login.user, login.password),
          .site = login.site,
          .page = login.form};
}

// Rules in files are read here: what is written in crawl.yaml is refused as soon as that is read.
Result<void> check_countries(const PipelineSettings& settings, const scope::SiteRules& rules) {
  if (!settings.countries.empty()) return {};
  for (const auto& rule : rules.list->rules())
    if (rule->asks("country"))
      return fail(ErrorCode::config,
                  fmt::format("scope.rules: '{}' needs a file for its condition 'country': name it by "
                              "pipeline.countries, as in /var/lib/GeoIP/GeoLite2-Country.mmdb",
                              rule->name()));
  return {};
}

}  // namespace

std::vector<std::string> proxies_named_by(const Settings& settings) {
  std::vector<std::string> proxies = {settings.fetch.proxy};
  for (const settings::Sheet& sheet : settings.sheets) {
    if (!sheet.values.touches(settings::schema_of<fetch::FetchSettings>())) continue;
    fetch::FetchSettings alone = settings.fetch;
    sheet.values.lay_over({settings::section(alone)});
    proxies.push_back(std::move(alone.proxy));
  }
  return proxies;
}

SettingsResolver::SettingsResolver(const Settings& settings, scope::SheetTimes times, WallTime now)
    : base_(settings),
      times_(std::move(times)),
      in_force_(times_.holding(now)),
      link_logs_(config::link_logs(settings.logs)),
      quotas_(sheets_with<frontier::QuotaSettings>(settings.sheets)) {
  for (const size_t sheet : in_force_) written_.push_back(settings.sheets[sheet]);
  quotas_ += sheets_that_retire(written_);
  base_.crawl.seeds.clear();
  base_.sheets.clear();
  base_.dns.hosts.clear();
  base_.politeness.groups.clear();
}

Result<std::shared_ptr<const SettingsResolver>> SettingsResolver::create(const Settings& settings,
                                                                         const scope::SiteRules& rules, WallTime now,
                                                                         const scope::ReadFile& read) {
  TRY(auto times, scope::SheetTimes::create(settings.sheets));
  std::shared_ptr<SettingsResolver> resolver(new SettingsResolver(settings, std::move(times), now));
  resolver->rules_ = std::make_shared<const scope::SiteRules>(rules);
  if (const std::string& path = settings.pipeline.countries; !path.empty()) {
    auto countries = geo::CountryFile::open(path);
    if (!countries) return pass(std::move(countries).error(), "pipeline.countries");
    resolver->countries_ = *std::move(countries);
  }
  TRY_VOID(check_countries(settings.pipeline, rules));
  TRY_VOID(read_guards(settings.pipeline, read, resolver->guards_));
  resolver->of_crawl_ = resolver->compose({});
  const settings::Sheets& sheets = resolver->written_;
  if (!sheets.empty()) {
    TRY(resolver->sheets_, scope::Sheets::create(sheets, settings.crawl.sheet_order, read));
  }
  for (size_t i = 0; i < sheets.size(); ++i) {
    const settings::Overlay& values = sheets[i].values;
    if (values.touches(settings::schema_of<PipelineSettings>())) {
      PipelineSettings alone = settings.pipeline;
      values.lay_over({settings::section(alone)});
      TRY_VOID(read_guards(alone, read, resolver->guards_));
    }
    if (values.touches(settings::schema_of<scope::ScopeSettings>())) {
      scope::ScopeSettings alone = settings.scope;
      values.lay_over({settings::section(alone)});
      TRY(auto compiled, scope::SiteRules::create(alone, {resolver->rules_.get()}, read));
      TRY_VOID(check_countries(settings.pipeline, compiled));
      resolver->rules_of_sheets_.emplace(i, std::move(compiled));
    }
    resolver->reach_.include(*resolver->compose({i})->host);
  }
  // A crawl without quotas may have sheets with them, and the other way round.
  resolver->reach_.quotas |= !resolver->quotas_.empty();
  return resolver;
}

std::optional<std::vector<size_t>> SettingsResolver::others_at(WallTime moment) const {
  std::vector<size_t> holding = times_.holding(moment);
  if (holding == in_force_) return {};
  return holding;
}

const EffectiveSettings& SettingsResolver::of(const scope::SheetSet& set) const {
  if (set.empty() || sheets_ == nullptr) return *of_crawl_;
  const std::lock_guard lock(mutex_);
  auto& effective = composed_[set];
  if (effective == nullptr) effective = compose(sheets_->members(set));
  return *effective;
}

// Cannot fail: every expression, rule and guard comes from the crawl or from one sheet, and was made with that. No file
// is read here.
std::unique_ptr<const EffectiveSettings> SettingsResolver::compose(const std::vector<size_t>& members) const {
  Settings settings = base_;
  auto effective = std::make_unique<EffectiveSettings>();
  std::vector<const scope::SiteRules*> compiled = {rules_.get()};
  bool is_ordered = false;
  for (const size_t member : members) {
    const settings::Sheet& sheet = written_[member];
    sheet.values.lay_over(sections_of(settings));
    effective->sheets.push_back(sheet.name);
    is_ordered |= sheet.values.touches(settings::schema_of<frontier::OrderSettings>());
    if (const auto rules = rules_of_sheets_.find(member); rules != rules_of_sheets_.end())
      compiled.push_back(&rules->second);
  }
  effective->scope = rules_;
  if (compiled.size() > 1) {
    auto rules = scope::SiteRules::create(settings.scope, compiled);
    CADDIS_CHECK(rules.has_value());
    effective->scope = std::make_shared<const scope::SiteRules>(*std::move(rules));
  }
  if (is_ordered) effective->order = std::make_shared<const frontier::OrderSettings>(settings.frontier);
  effective->fetch = settings.fetch;
  effective->cookies = settings.cookies;
  effective->extract = settings.extract;
  effective->links = std::make_shared<const extract::Plan>(settings.extract);
  effective->documents = settings.documents;
  effective->modules = settings.modules.sections;
  effective->pages = {settings.robots.noindex, settings.robots.noarchive, settings.robots.unavailable_after};
  effective->stores_walls = settings.walls.store;
  auto feed_hops = feeds::HopPath::create(settings.feeds.hop_path);
  CADDIS_CHECK(feed_hops.has_value());
  effective->feed_hops = *std::move(feed_hops);
  effective->dedup = settings.dedup;
  effective->countries = countries_;
  effective->archive = {settings.archive.prefix, settings.archive.compression, settings.archive.outlinks};
  effective->steps = StepRules::create(settings.pipeline, guards_, countries_);
  effective->robots = robots_of(settings);
  effective->login = {settings.logins, logins::SessionCheck::create(settings.logins.check),
                      std::make_shared<const logins::Accounts>(logins::Accounts::of(settings.logins))};
  effective->user_agent = fetch::user_agent(settings.fetch, settings.crawl.contact);
  auto again = frontier::Again::parse(settings.fetch.again);
  CADDIS_CHECK(again.has_value());
  effective->host = std::make_shared<const frontier::HostRules>(
      frontier::HostRules{settings.politeness, settings.frontier, settings.quota, *std::move(again),
                          settings.robots.policy != robots::RobotsPolicy::ignore, effective->robots.product_token,
                          effective->sheets, settings.fetch.proxy.empty(), login_rule(settings.logins)});
  return effective;
}

}  // namespace caddis::config
