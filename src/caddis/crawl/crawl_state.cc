#include "caddis/crawl/crawl_state.h"

#include "caddis/crawl/follow_sheets.h"

#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {

Result<void> CrawlState::replace_settings(config::Settings wanted, const scope::SiteRules& rules, WallTime now) {
  TRY(auto snapshot, make_snapshot(std::move(wanted), rules, now, settings.rule_files().reader()));
  effective.emplace(snapshot->resolver);
  settings.replace(std::move(snapshot));
  return {};
}

namespace {

Result<void> make_modules(const config::Settings& settings, frontier::Frontier::Options& options) {
  const frontier::OrderSettings& order = settings.frontier;
  if (!order.policy.empty()) {
    TRY(options.sources.policy, modules::PolicyModule::create(order.policy, settings.modules.sections));
  }
  if (!order.module.empty()) {
    TRY(options.sources.module, modules::FrontierModule::create(order.module, settings.modules.sections));
  }
  return {};
}

}  // namespace

Result<frontier::Frontier::Options> frontier_options(CrawlState& state) {
  const config::Settings& settings = state.settings.now();
  frontier::Frontier::Options options{settings.politeness, settings.frontier, state.identity,
                                      fetch::product_token(settings.fetch),
                                      settings.robots.policy != robots::RobotsPolicy::ignore};
  options.resolve_names = settings.fetch.proxy.empty();
  options.hosts_in_memory = hosts_in_memory(settings);
  options.quota = settings.quota;
  options.importance_memory = state.settings.memory().importance;
  TRY(options.again, frontier::Again::parse(settings.fetch.again));
  TRY_VOID(make_modules(settings, options));
  follow_sheets(options, state.effective);
  return options;
}

Result<std::map<std::string, std::string, std::less<>>> rows_of(store::Kv& kv, std::string_view prefix) {
  std::map<std::string, std::string, std::less<>> found;
  const auto rows = kv.cursor(kMeta);
  for (rows->seek(prefix); rows->valid() && rows->key().starts_with(prefix); rows->next())
    found.emplace(rows->key().substr(prefix.size()), rows->value());
  TRY_VOID(rows->status());
  return found;
}

}  // namespace caddis::crawl
