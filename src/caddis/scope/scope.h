// Whether a URL belongs to the crawl, and which rule says so.
//
// The rules are asked in their order, and the last one that says something decides (rule_list.h). They are those of the
// setting `scope.rules`. If there is none, the other settings of the section stand for a list with the outcome of
// Heritrix's default sequence (shorthand.cc), and each of its rules has the name of its setting:
//   reject  out-of-scope               everything
//   accept  include, page|prefix|host|domain|any
//   reject  max-hops
//   accept  embed                      the hops since the last page (L, S or M) are embeds, redirects and guesses, and
//                                      not too many
//   reject  useless-paths, max-path-repetitions, max-path-depth
//   accept  seed                       a person named it
//   reject  exclude, restrict-to, max-redirects, max-url-length, schemes, minus-lines
// What another URL asks for that is in scope (the last hop is P: DNS, robots.txt) is accepted whatever they say, by
// `prerequisite`. If no rule says anything, a URL is out of scope.
//
// `decide` may be called from any thread, also while another calls `add_seed`. It costs less than 0.1 µs, and a scan of the
// URL for the patterns together. A Scope is built once from settings and seeds. Rules that differ between sites, or that
// have changed since, come with the candidate (rules.h, sheets.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/scope/candidate.h"
#include "caddis/scope/rules.h"
#include "caddis/scope/scope_settings.h"
#include "caddis/url/url.h"

namespace caddis::scope {

// `rule` is valid as long as the process, `detail` as long as the Scope, and the candidate's URL and rules.
struct Decision {
  bool accepted = false;
  std::string_view rule;
  std::string_view detail;  // the pattern, prefix, host or domain that matched, where the rule has several
};

class Scope {
 public:
  // Fails on a rule or an expression that is none, and names it. `also`: how else than by the rules of the settings
  // sheets look for seeds.
  static Result<std::unique_ptr<Scope>> create(const ScopeSettings& settings, const std::vector<url::Url>& seeds,
                                               const std::vector<ScopeKind>& also = {},
                                               const ReadFile& read = read_rule_file);

  Decision decide(const Candidate& candidate) const;

  // Whether the target of a redirect becomes a seed (settings seed-redirects and max-seed-redirects): a chain of
  // redirects from a seed, and not a long one. Not if people have ended that seed, or the target as one.
  bool becomes_seed(const Candidate& target) const;
  // Widens the scope by one more seed. Seeds are for the caller to keep across restarts. Any thread.
  void add_seed(const url::Url& seed) { seeds_.add(seed); }
  // Seeds end: the URLs that they alone let in are out of scope when all three steps are done (seed_book.h). Any thread.
  void leave(const url::Url& seed) { seeds_.leave(seed); }
  void keep(const url::Url& seed) { seeds_.keep(seed); }
  void settle() { seeds_.settle(); }
  // A seed that had ended before any was added.
  void note_ended(const url::Url& seed) { seeds_.note_ended(seed); }
  bool has_ended(std::string_view seed) const { return seeds_.has_ended(seed); }
  // The same as `add_seed` by a SURT prefix, for all that begins with it: "http://(org,example,".
  void widen(std::string_view prefix) { seeds_.widen(prefix); }
  // Leaves out what begins with it, unless rules ask for `minus-lines` themselves, and accept it after all. URLs that
  // wait are asked again.
  void narrow(std::string_view prefix) {
    seeds_.narrow(prefix);
    mark_changed();
  }
  // So many more are to come: there is room for them at once.
  void reserve_seeds(size_t more) { seeds_.reserve(more); }

  const ScopeSettings& settings() const { return rules_.settings; }
  // Those where no sheet says otherwise.
  const SiteRules& rules() const { return rules_; }

  // URLs may wait that earlier rules have accepted. Any thread.
  bool has_changed() const { return changes() != 0; }
  // How often that happened in this launch.
  uint64_t changes() const { return changes_.load(std::memory_order_relaxed); }
  void mark_changed() { changes_.fetch_add(1, std::memory_order_relaxed); }
  // Lets rules that come with candidates look for seeds by these kinds, too. All seeds of the crawl are to be added
  // again, before such rules come.
  void look_for(const std::vector<ScopeKind>& kinds);
  bool looks_for(ScopeKind kind) const { return seeds_.knows(kind); }

  // A sentence for people: "rejected by max-hops: 21 hops from the seed, 20 are allowed".
  std::string explain(const Candidate& candidate) const;

  // One rule's answer.
  struct Answered {
    const Rule* rule = nullptr;
    Ruling ruling;
    std::string reason;  // empty if it says nothing
  };
  // The answers of all rules, in their order.
  std::vector<Answered> explain_rules(const Candidate& candidate) const;

 private:
  Scope(SiteRules rules, const std::vector<ScopeKind>& kinds, const std::vector<url::Url>& seeds)
      : rules_(std::move(rules)), seeds_(kinds, seeds) {}
  const RuleList& list_of(const Candidate& candidate) const {
    return candidate.rules != nullptr ? *candidate.rules->list : *rules_.list;
  }

  const SiteRules rules_;
  SeedBook seeds_;
  std::atomic<uint64_t> changes_ = 0;
};

}  // namespace caddis::scope
