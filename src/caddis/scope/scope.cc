#include "caddis/scope/scope.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <shared_mutex>

#include "caddis/scope/hops.h"
#include "caddis/scope/seeds.h"
#include "caddis/scope/traps.h"

namespace caddis::scope {
namespace {

std::string_view kind_name(ScopeKind kind) {
  switch (kind) {
    case ScopeKind::page:
      return "page";
    case ScopeKind::prefix:
      return "prefix";
    case ScopeKind::host:
      return "host";
    case ScopeKind::domain:
      return "domain";
    case ScopeKind::any:
      return "any";
  }
  return "";
}

constexpr Decision accept(std::string_view rule, std::string_view detail = {}) { return {true, rule, detail}; }
constexpr Decision reject(std::string_view rule, std::string_view detail = {}) { return {false, rule, detail}; }

}  // namespace

struct Scope::Parts {
  explicit Parts(SiteRules of_crawl)
      : rules(std::move(of_crawl)), seeds(rules.settings.kind), found_seeds(rules.settings.kind) {}

  const SiteRules rules;
  SeedIndex seeds;  // those of the start: read without a lock

  // Those that the crawl found; hardly ever any, and the flag tells without touching the lock.
  std::atomic<bool> has_found_seeds = false;
  mutable std::shared_mutex found_mutex;
  SeedIndex found_seeds;

  std::string_view find_seed(const url::Url& url) const {
    std::string_view found = seeds.find(url);
    if (found.empty() && has_found_seeds.load(std::memory_order_acquire)) {
      const std::shared_lock lock(found_mutex);
      found = found_seeds.find(url);
    }
    return found;
  }

  bool has_scheme(std::string_view scheme) const {
    return std::ranges::find(rules.settings.schemes, scheme) != rules.settings.schemes.end();
  }

  // Whether any rule takes the URL in, whatever speaks against it.
  Decision find_ground(const Candidate& candidate, const SiteRules& site, std::string_view url) const;
  // Whether a trap rule or an exclusion throws out what was taken in.
  static Decision find_objection(const Candidate& candidate, const SiteRules& site, std::string_view url);
};

Decision Scope::Parts::find_ground(const Candidate& candidate, const SiteRules& site, std::string_view url) const {
  const ScopeSettings& settings = site.settings;
  Decision ground = reject("out-of-scope");
  if (std::string_view found = find_seed(candidate.url); !found.empty())
    ground = accept(kind_name(rules.settings.kind), found);
  else if (std::string_view pattern = site.include->find(url); !pattern.empty())
    ground = accept("include", pattern);
  if (ground.accepted && count_hops(candidate.hop_path) <= settings.max_hops) return ground;

  const Transclusion run = count_transclusion(candidate.hop_path);
  if (run.hops > 0) {
    if (run.speculative > settings.max_speculative_hops)
      return reject(ground.accepted ? "max-hops" : "max-speculative-hops");
    if (run.transitive > settings.max_transitive_hops)
      return reject(ground.accepted ? "max-hops" : "max-transitive-hops");
    return accept("embed");
  }
  return ground.accepted ? reject("max-hops") : ground;
}

Decision Scope::Parts::find_objection(const Candidate& candidate, const SiteRules& site, std::string_view url) {
  const ScopeSettings& settings = site.settings;
  if (!candidate.is_seed) {
    const std::string_view path = candidate.url.pathname();
    const int64_t depth = path_depth(path);
    if (depth > settings.max_path_depth) return reject("max-path-depth");
    if (depth > settings.max_path_repetitions) {
      if (auto run = repeated_segments(path, settings.max_path_repetitions); !run.empty())
        return reject("max-path-repetitions");
    }
    if (auto pattern = site.useless->find(url); !pattern.empty()) return reject("useless-paths", pattern);
  }
  if (auto pattern = site.exclude->find(url); !pattern.empty()) return reject("exclude", pattern);
  return accept("");
}

Result<std::unique_ptr<Scope>> Scope::create(const ScopeSettings& settings, const std::vector<url::Url>& seeds) {
  TRY(SiteRules rules, SiteRules::create(settings));
  auto parts = std::make_unique<Parts>(std::move(rules));
  for (const url::Url& seed : seeds) parts->seeds.add(seed);
  return std::unique_ptr<Scope>(new Scope(std::move(parts)));
}

Scope::Scope(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Scope::~Scope() = default;

const SiteRules& Scope::rules() const { return parts_->rules; }

Decision Scope::decide(const Candidate& candidate) const {
  if (candidate.hop_path.ends_with('P')) return accept("prerequisite");
  if (!parts_->has_scheme(candidate.url.scheme())) return reject("schemes", candidate.url.scheme());
  const SiteRules& site = candidate.rules != nullptr ? *candidate.rules : parts_->rules;
  const std::string_view url = candidate.url.without_fragment();
  if (url.size() > static_cast<size_t>(site.settings.max_url_length)) return reject("max-url-length");
  if (count_redirects(candidate.hop_path) > site.settings.max_redirects) return reject("max-redirects");

  const Decision ground = candidate.is_seed ? accept("seed") : parts_->find_ground(candidate, site, url);
  if (!ground.accepted) return ground;
  const Decision objection = Parts::find_objection(candidate, site, url);
  return objection.accepted ? ground : objection;
}

bool Scope::becomes_seed(const Candidate& target) const {
  const std::string_view letters = hop_letters(target.hop_path);
  const int64_t hops = count_hops(target.hop_path);
  const bool is_shown = letters.size() == static_cast<size_t>(hops);
  return settings().seed_redirects && is_shown && hops > 0 && hops <= settings().max_seed_redirects &&
         count_redirects(letters) == hops;
}

void Scope::add_seed(const url::Url& seed) {
  const std::unique_lock lock(parts_->found_mutex);
  parts_->found_seeds.add(seed);
  parts_->has_found_seeds.store(true, std::memory_order_release);
}

}  // namespace caddis::scope
