#include "simweb/judge/curve.h"

#include <algorithm>

#include "caddis/base/json_text.h"

namespace simweb {

void Curve::add(int64_t time, double mass) {
  while (time / width_ >= static_cast<int64_t>(kIntervals)) {
    for (size_t i = 0; i < intervals_.size(); ++i) {
      const Interval interval = intervals_[i];
      if (i % 2 == 0) {
        intervals_[i / 2] = interval;
      } else {
        intervals_[i / 2].pages += interval.pages;
        intervals_[i / 2].mass += interval.mass;
      }
    }
    intervals_.resize((intervals_.size() + 1) / 2);
    width_ *= 2;
  }
  const auto at = static_cast<size_t>(time / width_);
  if (at >= intervals_.size()) intervals_.resize(at + 1);
  ++intervals_[at].pages;
  intervals_[at].mass += mass;
  ++pages_;
  mass_ += mass;
}

std::optional<double> Curve::mass_at(double pages) const {
  double before = 0, mass = 0;
  for (const Interval& interval : intervals_) {
    const auto more = static_cast<double>(interval.pages);
    if (more > 0 && before + more >= pages) return mass + interval.mass * std::max(0.0, pages - before) / more;
    before += more;
    mass += interval.mass;
  }
  return {};
}

std::string Curve::json(size_t points, double whole_mass) const {
  const size_t step = std::max<size_t>(1, (intervals_.size() + points - 1) / points);
  std::string out = "[";
  uint64_t pages = 0;
  double mass = 0;
  for (size_t i = 0; i < intervals_.size(); ++i) {
    pages += intervals_[i].pages;
    mass += intervals_[i].mass;
    if ((i + 1) % step != 0 && i + 1 != intervals_.size()) continue;
    caddis::JsonObject point;
    point.add("seconds", static_cast<double>(static_cast<int64_t>(i + 1) * width_) / 1e6)
        .add("pages", pages)
        .add("mass", whole_mass > 0 ? mass / whole_mass : 0.0);
    if (out.size() > 1) out += ',';
    out += point.finish();
  }
  return out + "]";
}

}  // namespace simweb
