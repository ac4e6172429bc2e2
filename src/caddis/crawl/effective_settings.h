// What holds for a URL or a host: the settings of the crawl with the sheets laid over them that hold there. Composed
// once for each set of sheets; after that, reading a setting is reading a field.
//
//   SettingsResolver   the sheets and what they compose to: one for a crawl, any thread
//   SettingsCache      what one thread has looked up in it: a look-up takes no lock, but for the first one of each set
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caddis/crawl/settings.h"
#include "caddis/frontier/frontier.h"
#include "caddis/robots/robots.h"
#include "caddis/scope/rules.h"
#include "caddis/scope/sheets.h"
#include "caddis/url/url.h"

namespace caddis::crawl {

// Immutable. What is of a host is taken from the site of the host, whatever URL of it is at hand.
struct EffectiveSettings {
  std::vector<std::string> sheets;  // their names, the later counts
  // By URL.
  fetch::FetchSettings fetch;
  extract::Options extract;
  std::shared_ptr<const scope::SiteRules> scope;         // null: those of the crawl
  std::shared_ptr<const frontier::OrderSettings> order;  // null: those of the crawl
  // By host.
  std::shared_ptr<const frontier::HostRules> host;
  RobotsChoice robots = RobotsChoice::obey;
  WhenRobotsUnavailable robots_unavailable = WhenRobotsUnavailable::disallow;
  Duration robots_validity{};
  std::string custom_robots_text;
  std::shared_ptr<const robots::Robots> custom_robots;
  std::shared_ptr<const std::vector<std::string>> robots_agents;
  std::string user_agent;     // as sent
  std::string product_token;  // of which robots.txt speaks

  bool obeys_nofollow() const { return robots != RobotsChoice::ignore && robots != RobotsChoice::robots_txt_only; }
};

class SettingsResolver {
 public:
  // Settings that `validate` has found sound; `rules` are those of the crawl's scope.
  static Result<std::shared_ptr<const SettingsResolver>> create(const Settings& settings,
                                                                const scope::SiteRules& rules);

  // Null where there are no sheets.
  const scope::Sheets* sheets() const { return sheets_.get(); }
  // Where no sheet holds.
  const EffectiveSettings& of_crawl() const { return *of_crawl_; }
  // As long as the book.
  const EffectiveSettings& of(const scope::SheetSet& set) const;
  // For the frontier: what sheets ask for at most, and what they say of quotas.
  const frontier::RulesSummary& reach() const { return reach_; }
  const std::string& quotas() const { return quotas_; }

 private:
  struct Hash {
    size_t operator()(const scope::SheetSet& set) const {
      return size_t{set.group} * 0x9E3779B97F4A7C15u ^ set.matched;
    }
  };
  friend class SettingsCache;

  explicit SettingsResolver(const Settings& settings);
  std::unique_ptr<const EffectiveSettings> compose(const std::vector<size_t>& members) const;

  Settings base_;  // without what may be long and is of no site
  settings::Sheets written_;
  std::unique_ptr<const scope::Sheets> sheets_;
  scope::SiteRules rules_;
  std::map<size_t, scope::SiteRules> rules_of_sheets_;  // of those that say something of the scope
  std::unique_ptr<const EffectiveSettings> of_crawl_;
  frontier::RulesSummary reach_;
  std::string quotas_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<scope::SheetSet, std::unique_ptr<const EffectiveSettings>, Hash> composed_;
};

// Belongs to one thread.
class SettingsCache {
 public:
  explicit SettingsCache(std::shared_ptr<const SettingsResolver> book) : book_(std::move(book)) {}

  const EffectiveSettings& of(const url::Url& url) {
    return book_->sheets() == nullptr ? book_->of_crawl() : look_up(book_->sheets()->of(url));
  }
  const EffectiveSettings& of_host(std::string_view host) {
    return book_->sheets() == nullptr ? book_->of_crawl() : look_up(book_->sheets()->of_host(host));
  }
  const SettingsResolver& book() const { return *book_; }
  std::shared_ptr<const SettingsResolver> shared_book() const { return book_; }

 private:
  const EffectiveSettings& look_up(const scope::SheetSet& set) {
    if (set.empty()) return book_->of_crawl();
    const EffectiveSettings*& site = known_[set];
    if (site == nullptr) site = &book_->of(set);
    return *site;
  }

  std::shared_ptr<const SettingsResolver> book_;
  std::unordered_map<scope::SheetSet, const EffectiveSettings*, SettingsResolver::Hash> known_;
};

// Lets a frontier follow the sheets; `sites` must outlive it, and may be filled anew.
void follow_sheets(frontier::Frontier::Options& options, std::optional<SettingsCache>& sites);

}  // namespace caddis::crawl
