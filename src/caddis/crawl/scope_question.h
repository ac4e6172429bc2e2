// The verdict of a crawl's scope on a URL, rule by rule, as it is while the crawl runs: with the rules that hold now, and
// with all its seeds.
//
// Belongs to the crawl's loop.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::crawl {

struct CrawlState;

struct ScopeQuestion {
  std::string url, via;
  std::string hops;  // a letter a hop; empty: a link on a seed
  std::string source_seed;
  bool is_seed = false;
};

struct ScopeAnswer {
  struct Rule {
    std::string rule, name;
    std::string verdict;  // "accept", "reject", or "-" if it says nothing
    std::string reason;
  };
  std::string url;
  bool accepted = false;
  std::string rule, detail, explanation;
  std::vector<std::string> sheets;
  std::vector<Rule> rules;
};

// ErrorCode::parse or config if the URL or the hops are none.
Result<ScopeAnswer> explain_scope(CrawlState& state, const ScopeQuestion& question, WallTime now);

}  // namespace caddis::crawl
