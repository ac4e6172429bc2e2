#include "caddis/scope/scope.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <shared_mutex>

#include "caddis/scope/hops.h"
#include "caddis/scope/pattern_list.h"
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

struct Scope::Rules {
  explicit Rules(const ScopeSettings& from) : settings(from), seeds(from.kind), found_seeds(from.kind) {}

  ScopeSettings settings;
  PatternList include, exclude, useless;
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
    return std::ranges::find(settings.schemes, scheme) != settings.schemes.end();
  }

  // Whether any rule takes the URL in, whatever speaks against it.
  Decision find_ground(const Candidate& candidate, std::string_view url) const;
  // Whether a trap rule or an exclusion throws out what was taken in.
  Decision find_objection(const Candidate& candidate, std::string_view url) const;
};

Decision Scope::Rules::find_ground(const Candidate& candidate, std::string_view url) const {
  Decision ground = reject("out-of-scope");
  if (std::string_view found = find_seed(candidate.url); !found.empty())
    ground = accept(kind_name(settings.kind), found);
  else if (std::string_view pattern = include.find(url); !pattern.empty())
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

Decision Scope::Rules::find_objection(const Candidate& candidate, std::string_view url) const {
  if (!candidate.is_seed) {
    const std::string_view path = candidate.url.pathname();
    const int64_t depth = path_depth(path);
    if (depth > settings.max_path_depth) return reject("max-path-depth");
    if (depth > settings.max_path_repetitions) {
      if (auto run = repeated_segments(path, settings.max_path_repetitions); !run.empty())
        return reject("max-path-repetitions");
    }
    if (auto pattern = useless.find(url); !pattern.empty()) return reject("useless-paths", pattern);
  }
  if (auto pattern = exclude.find(url); !pattern.empty()) return reject("exclude", pattern);
  return accept("");
}

Result<std::unique_ptr<Scope>> Scope::create(const ScopeSettings& settings, const std::vector<url::Url>& seeds) {
  auto rules = std::make_unique<Rules>(settings);
  TRY(rules->include, PatternList::create("include", settings.include));
  TRY(rules->exclude, PatternList::create("exclude", settings.exclude));
  TRY(rules->useless, PatternList::create("useless-paths", settings.useless_paths));
  for (const url::Url& seed : seeds) rules->seeds.add(seed);
  return std::unique_ptr<Scope>(new Scope(std::move(rules)));
}

Scope::Scope(std::unique_ptr<Rules> rules) : rules_(std::move(rules)) {}
Scope::~Scope() = default;

const ScopeSettings& Scope::settings() const { return rules_->settings; }

Decision Scope::decide(const Candidate& candidate) const {
  if (candidate.hop_path.ends_with('P')) return accept("prerequisite");
  if (!rules_->has_scheme(candidate.url.scheme())) return reject("schemes", candidate.url.scheme());
  const std::string_view url = candidate.url.without_fragment();
  if (url.size() > static_cast<size_t>(rules_->settings.max_url_length)) return reject("max-url-length");

  const Decision ground = candidate.is_seed ? accept("seed") : rules_->find_ground(candidate, url);
  if (!ground.accepted) return ground;
  const Decision objection = rules_->find_objection(candidate, url);
  return objection.accepted ? ground : objection;
}

bool Scope::becomes_seed(const Candidate& target) const {
  const std::string_view letters = hop_letters(target.hop_path);
  return rules_->settings.seed_redirects && !letters.empty() &&
         letters.size() == static_cast<size_t>(count_hops(target.hop_path)) &&
         std::ranges::all_of(letters, [](char hop) { return hop == 'R'; });
}

void Scope::add_seed(const url::Url& seed) {
  const std::unique_lock lock(rules_->found_mutex);
  rules_->found_seeds.add(seed);
  rules_->has_found_seeds.store(true, std::memory_order_release);
}

}  // namespace caddis::scope
