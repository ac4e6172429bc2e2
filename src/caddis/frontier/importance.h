// How important URLs are, found while crawling: adaptive on-line page importance (Abiteboul, Preda, Cobena 2003).
//
// A visit of a page earns it a unit of cash; with what it was given before it shares that among the pages it links to,
// less what goes back to all pages alike (15 %, which all have in common and which is therefore not kept). So the cash
// of a URL that waits comes to be proportional to its PageRank among the pages known. What is given to pages that were
// visited already would lie there: for pages that are given much, links are kept, and as soon as such a page has a unit
// again it shares it again, without a fetch, at most two pages a visit.
//
// Memory is bounded by the number given: two thirds are a CashTable (its error is told there), one third are links of
// visited pages, 8 bytes each; those of pages that are given least are forgotten, and what is given to them after that
// goes nowhere. Nothing is on disk: after a restart the line in which a URL stands says how much it had, to a power of
// two; links of the pages visited before are not known any more, and the cash they had is lost.
//
// URLs are known by Identity::url_hash. Not thread-safe: part of the frontier.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "caddis/frontier/cash_table.h"

namespace caddis::frontier {

class Importance {
 public:
  explicit Importance(uint64_t bytes) : table_(bytes / 3 * 2), most_bytes_(bytes / 3) {}

  // The page was visited, and links to these, each named once. `least`: what it had at least, as far as its line says.
  void visited(uint64_t page, std::span<const uint64_t> links, double least);
  // The cash of a URL that was not visited yet.
  double of(uint64_t url) const { return table_.of(url); }

  struct Memory {
    uint64_t table = 0, links = 0;  // bytes, at most
    uint64_t pages = 0;             // whose links are kept
  };
  Memory memory() const { return {table_.entries() * 8, bytes_, kept_.size()}; }

 private:
  struct Kept {
    std::vector<uint64_t> links;
    double cash = 0;
    bool is_due = false;     // among `due_`
    bool was_given = false;  // a unit or more, since it was looked at for being forgotten
  };
  void share(std::span<const uint64_t> links, double cash);
  void keep(uint64_t page, std::span<const uint64_t> links);
  void forget_some();

  CashTable table_;
  const uint64_t most_bytes_;
  uint64_t bytes_ = 0;
  std::unordered_map<uint64_t, Kept> kept_;
  std::deque<uint64_t> order_;  // of those that are kept, the one to be looked at first first
  std::deque<uint64_t> due_;    // that have a unit again
};

// Levels of the order of importance: 0 is the most important, a level for each power of two. kLevels - 1 stays free.
unsigned level_of_cash(double cash);
// The least cash of a level.
double cash_of_level(unsigned level);

}  // namespace caddis::frontier
