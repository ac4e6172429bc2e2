#include "caddis/frontier/importance.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "caddis/frontier/order.h"

namespace caddis::frontier {
namespace {

constexpr double kUnit = 1;
constexpr double kDamping = 0.85;
constexpr int kAgainPerVisit = 2;
// What a page costs besides its links: its places in the map and the queues.
constexpr uint64_t kPageBytes = 128;
constexpr int kUnitLevel = 40;  // of a cash of 1 to 2
constexpr int kLowest = kLevels - 2;

uint64_t bytes_of(std::span<const uint64_t> links) { return kPageBytes + links.size_bytes(); }

}  // namespace

void Importance::visited(uint64_t page, std::span<const uint64_t> links, double least) {
  const double cash = std::max(table_.take(page), least) + kUnit;
  share(links, cash);
  keep(page, links);
  for (int i = 0; i < kAgainPerVisit && !due_.empty(); ++i) {
    const auto found = kept_.find(due_.front());
    due_.pop_front();
    if (found == kept_.end()) continue;
    Kept& again = found->second;
    again.is_due = false;
    share(again.links, std::exchange(again.cash, 0));
  }
}

void Importance::share(std::span<const uint64_t> links, double cash) {
  const double each = kDamping * cash / static_cast<double>(std::max<size_t>(1, links.size()));
  for (const uint64_t link : links) {
    const auto found = kept_.find(link);
    if (found == kept_.end()) {
      table_.add(link, each);
      continue;
    }
    Kept& page = found->second;
    page.cash += each;
    if (page.cash < kUnit || page.is_due) continue;
    page.is_due = page.was_given = true;
    due_.push_back(link);
  }
}

void Importance::keep(uint64_t page, std::span<const uint64_t> links) {
  if (links.empty() || bytes_of(links) > most_bytes_) return;
  const auto [at, is_new] = kept_.try_emplace(page);
  if (!is_new) return;  // fetched again: what it links to is much the same
  at->second.links.assign(links.begin(), links.end());
  bytes_ += bytes_of(links);
  order_.push_back(page);
  forget_some();
}

// Who was given nothing since it was looked at last goes; not more than a few are looked at for each that is kept.
void Importance::forget_some() {
  constexpr int kMostLooks = 8;
  for (int looks = 0; bytes_ > most_bytes_ && !order_.empty(); ++looks) {
    const uint64_t page = order_.front();
    order_.pop_front();
    const auto found = kept_.find(page);
    if (std::exchange(found->second.was_given, false) && looks < kMostLooks) {
      order_.push_back(page);
      continue;
    }
    bytes_ -= bytes_of(found->second.links);
    kept_.erase(found);
  }
}

unsigned level_of_cash(double cash) {
  if (!(cash > 0)) return kLowest;
  return static_cast<unsigned>(std::clamp(kUnitLevel - std::ilogb(cash), 0, kLowest));
}

double cash_of_level(unsigned level) {
  return level >= kLowest ? 0 : std::ldexp(1.0, kUnitLevel - static_cast<int>(level));
}

}  // namespace caddis::frontier
