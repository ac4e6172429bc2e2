#include "caddis/frontier/cash_table.h"

#include <algorithm>

#include "caddis/base/check.h"

namespace caddis::frontier {
namespace {

// Not of the lowest bit, which is set in every mark; the highest say which line it is.
uint32_t tag_of(uint64_t key) { return static_cast<uint32_t>(key >> 1); }

}  // namespace

CashTable::CashTable(uint64_t bytes) : lines_(std::max<uint64_t>(1, bytes / sizeof(Line))) {
  // Pages of it that were never written to cost nothing: it is not cleared here.
  static_assert(sizeof(Line) == 64);
  table_.reset(static_cast<Line*>(std::calloc(lines_, sizeof(Line))));
  CADDIS_CHECK(table_ != nullptr);
}

CashTable::Line& CashTable::line_of(uint64_t key) const {
  return table_[static_cast<size_t>(static_cast<unsigned __int128>(key) * lines_ >> 64)];
}

double CashTable::of(uint64_t key) const {
  for (const Entry& entry : line_of(key).entries)
    if (entry.cash > 0 && entry.tag == tag_of(key)) return entry.cash;
  return 0;
}

void CashTable::add(uint64_t key, double cash) {
  const auto more = static_cast<float>(cash);
  if (!(more > 0)) return;
  Line& line = line_of(key);
  Entry* least = &line.entries[0];
  for (Entry& entry : line.entries) {
    if (entry.cash > 0 && entry.tag == tag_of(key)) {
      entry.cash += more;
      return;
    }
    if (entry.cash < least->cash) least = &entry;
  }
  if (least->cash <= 0) {
    *least = {tag_of(key), more};
    return;
  }
  const float paid = std::min(least->cash, more);
  for (Entry& entry : line.entries) entry.cash -= paid;
  if (more > paid) *least = {tag_of(key), more - paid};
}

double CashTable::take(uint64_t key) {
  for (Entry& entry : line_of(key).entries) {
    if (entry.cash <= 0 || entry.tag != tag_of(key)) continue;
    const double cash = entry.cash;
    entry.cash = 0;
    return cash;
  }
  return 0;
}

}  // namespace caddis::frontier
