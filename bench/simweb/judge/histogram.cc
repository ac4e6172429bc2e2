#include "simweb/judge/histogram.h"

#include <algorithm>

#include "caddis/base/json_text.h"

namespace simweb {

void GapHistogram::add(int64_t gap) {
  smallest_ = count_ == 0 ? gap : std::min(smallest_, gap);
  ++count_;
  if (gap == 0) {
    ++concurrent_;
    return;
  }
  const auto edge = std::ranges::upper_bound(kEdges, gap / 1000);
  ++buckets_[static_cast<size_t>(edge - kEdges.begin())];
}

std::string GapHistogram::json() const {
  caddis::JsonObject under;
  for (size_t i = 0; i < kEdges.size(); ++i) under.add(std::to_string(kEdges[i]), buckets_[i]);
  caddis::JsonObject json;
  json.add("gaps", count_);
  if (count_ == 0)
    json.add_null("smallest_ms");
  else
    json.add("smallest_ms", static_cast<double>(smallest_) / 1000);
  json.add("concurrent", concurrent_).add_raw("under_ms", under.finish()).add("longer", buckets_.back());
  return json.finish();
}

}  // namespace simweb
