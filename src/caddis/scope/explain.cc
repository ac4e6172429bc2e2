#include <fmt/format.h>

#include "caddis/scope/hops.h"
#include "caddis/scope/scope.h"
#include "caddis/scope/traps.h"

namespace caddis::scope {
namespace {

std::string reason(const ScopeSettings& settings, const Candidate& candidate, const Decision& decision) {
  const std::string_view rule = decision.rule;
  const Transclusion run = count_transclusion(candidate.hop_path);
  if (rule == "prerequisite") return "another URL that is in scope asks for it";
  if (rule == "seed") return "it is a seed";
  if (rule == "embed")
    return fmt::format("a page in scope needs it, {} hop{} away", run.hops, run.hops == 1 ? "" : "s");
  if (rule == "any") return "everything is in scope";
  if (rule == "page" || rule == "prefix" || rule == "host" || rule == "domain")
    return fmt::format("'{}' is a seed's", decision.detail);
  if (rule == "include" || rule == "exclude" || rule == "useless-paths")
    return fmt::format("'{}' is found in it", decision.detail);
  if (rule == "schemes") return fmt::format("'{}' is none of {}", decision.detail, fmt::join(settings.schemes, ", "));
  if (rule == "max-hops")
    return fmt::format("{} hops from the seed, {} are allowed", count_hops(candidate.hop_path), settings.max_hops);
  if (rule == "max-redirects")
    return fmt::format("{} redirects in a row, {} are allowed", count_redirects(candidate.hop_path),
                       settings.max_redirects);
  if (rule == "max-transitive-hops") {
    return fmt::format("not among the seeds' own, and {} embeds away from a page that is, {} are allowed",
                       run.transitive, settings.max_transitive_hops);
  }
  if (rule == "max-speculative-hops") {
    return fmt::format("not among the seeds' own, and {} of the hops to it are guesses, {} are allowed",
                       run.speculative, settings.max_speculative_hops);
  }
  if (rule == "max-url-length") {
    return fmt::format("{} characters, {} are allowed", candidate.url.without_fragment().size(),
                       settings.max_url_length);
  }
  if (rule == "max-path-depth") {
    return fmt::format("{} slashes in its path, {} are allowed", path_depth(candidate.url.pathname()),
                       settings.max_path_depth);
  }
  if (rule == "max-path-repetitions") {
    return fmt::format("'{}' stands more than {} times in a row",
                       repeated_segments(candidate.url.pathname(), settings.max_path_repetitions),
                       settings.max_path_repetitions);
  }
  return "no seed, include rule or page in scope leads to it";
}

}  // namespace

std::string Scope::explain(const Candidate& candidate, const Decision& decision) const {
  return fmt::format("{} by {}: {}", decision.accepted ? "accepted" : "rejected", decision.rule,
                     reason(candidate.rules != nullptr ? candidate.rules->settings : settings(), candidate, decision));
}

}  // namespace caddis::scope
