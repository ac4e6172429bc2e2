#include "caddis/crawl/repeat_tallies.h"

#include <fmt/format.h>

#include "caddis/base/strings.h"

namespace caddis::crawl {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"url", "canonical", "digest", "looked-up", "unchanged"};

uint64_t number(std::string_view text) { return static_cast<uint64_t>(parse_int(text).value_or(0)); }

}  // namespace

void RepeatTallies::count(const visit::LogEntry& entry) {
  if (!entry.is_looked_up && !entry.is_unchanged()) return;
  tallies_[entry.is_unchanged() ? kUnchanged : kLookedUp].add(entry.size);
  if (entry.is_repeated()) tallies_[static_cast<size_t>(entry.facts.revisit->likeness)].add(entry.size);
  is_dirty_ = true;
}

Tally RepeatTallies::repeated() const {
  Tally sum;
  for (size_t likeness = 0; likeness < kLookedUp; ++likeness) {
    sum.urls += tallies_[likeness].urls;
    sum.bytes += tallies_[likeness].bytes;
  }
  return sum;
}

void RepeatTallies::stage(store::Batch& batch, store::Family family) {
  if (!is_dirty_) return;
  for (size_t i = 0; i < kNames.size(); ++i)
    batch.put(family, kRow + std::string(kNames[i]), fmt::format("{} {}", tallies_[i].urls, tallies_[i].bytes));
  is_dirty_ = false;
}

void RepeatTallies::load(std::string_view name, std::string_view value) {
  const size_t blank = value.find(' ');
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name && blank != std::string_view::npos)
      tallies_[i] = {number(value.substr(0, blank)), number(value.substr(blank + 1))};
}

}  // namespace caddis::crawl
