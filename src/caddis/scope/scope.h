// Whether a link belongs to the crawl, and which rule says so.
//
// Rules, in the order in which they decide (the outcome is that of Heritrix's default sequence, the cheap ones first):
//   accepted  prerequisite            the last hop is P (DNS, robots.txt): asked for by a URL that is in scope
//   rejected  schemes, max-url-length, max-redirects
//   accepted  seed                    unless `exclude` matches
//   rejected  max-path-depth, max-path-repetitions, useless-paths, exclude
//   accepted  page|prefix|host|domain|any, include       if the hops are not more than max-hops
//   accepted  embed                   the hops since the last page (L, S or M) are embeds, redirects and guesses, and
//                                     not too many
//   rejected  max-hops, max-transitive-hops, max-speculative-hops, or out-of-scope
// Seeds pass the trap rules (a person named them), but not `exclude`. The name of a rule is that of its setting where
// it has one.
//
// `decide` may be called from any thread, also while another calls `add_seed`. It costs about 0.1 µs, and a scan of the
// URL for the patterns together. A Scope is built once from settings and seeds; changed settings mean a new Scope. What
// may differ between sites comes with the candidate (rules.h, sheets.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/scope/rules.h"
#include "caddis/scope/scope_settings.h"
#include "caddis/url/url.h"

namespace caddis::scope {

// A link as it was found; borrowed for the call.
struct Candidate {
  const url::Url& url;
  std::string_view hop_path =
      {};  // from the seed, one letter a hop, this link's own last: "LLE"; "25+LLE" stands for 28 hops
  std::string_view via = {};  // the page it was found on
  bool is_seed = false;
  const SiteRules* rules = nullptr;  // what sheets say of the URL's site; null: the rules of the crawl
};

// The views live as long as the Scope and the candidate's rules.
struct Decision {
  bool accepted = false;
  std::string_view rule;
  std::string_view detail;  // the pattern, prefix, host or domain that matched, where the rule has several
};

class Scope {
 public:
  // Fails on a pattern that is no RE2 expression, and names it.
  static Result<std::unique_ptr<Scope>> create(const ScopeSettings& settings, const std::vector<url::Url>& seeds);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  Decision decide(const Candidate& candidate) const;

  // Whether the target of a redirect becomes a seed (settings seed-redirects and max-seed-redirects): a chain of
  // redirects from a seed, and not a long one.
  bool becomes_seed(const Candidate& target) const;
  // Widens the scope by one more seed. Seeds found in the course of a crawl are for the caller to keep across restarts.
  void add_seed(const url::Url& seed);

  const ScopeSettings& settings() const { return rules().settings; }
  // Those where no sheet says otherwise.
  const SiteRules& rules() const;

  // A sentence for people: "rejected by max-hops: 21 hops from the seed, 20 are allowed".
  std::string explain(const Candidate& candidate, const Decision& decision) const;

 private:
  struct Parts;
  explicit Scope(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace caddis::scope
