// The slots of visits whose URLs are tried again, until they are. In the lane's memory: bounded, and empty after a
// restart. Belongs to one lane.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>

#include "caddis/frontier/lease.h"
#include "caddis/visit/slots.h"

namespace caddis::visit {

class KeptSlots {
 public:
  static constexpr size_t kMost = 10'000;  // URLs; the slots of others are dropped

  // Keeps what is to be kept of a visit that has ended so.
  void keep(const frontier::Disposition& disposition, Slots& slots) {
    if (slots.empty() || !is_tried_again(disposition)) return;
    Slots kept = slots.extract_kept();
    if (!kept.empty() && by_url_.size() < kMost)
      by_url_.insert_or_assign(disposition.lease.candidate.url, std::move(kept));
  }
  // Returns what was kept for the URL, and forgets it.
  Slots restore(const std::string& url) {
    if (by_url_.empty()) return {};
    auto found = by_url_.extract(url);
    return found.empty() ? Slots() : std::move(found.mapped());
  }

 private:
  static bool is_tried_again(const frontier::Disposition& disposition) {
    return disposition.verdict != frontier::Verdict::settled;
  }

  std::unordered_map<std::string, Slots> by_url_;
};

}  // namespace caddis::visit
