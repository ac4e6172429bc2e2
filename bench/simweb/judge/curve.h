// What a crawl has gained over time: distinct pages and their mass (PageRank or its stand-in), in intervals that double
// as time passes, so that any crawl takes the same memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace simweb {

class Curve {
 public:
  // `time` in microseconds since the start, never less than before.
  void add(int64_t time, double mass);
  uint64_t pages() const { return pages_; }
  double mass() const { return mass_; }
  // When so many pages had come, between two intervals in proportion; nothing where they never did.
  std::optional<double> mass_at(double pages) const;
  // About `points` points, [{"seconds":1.5,"pages":10,"mass":0.25}, ...]; mass as share of `whole_mass`.
  std::string json(size_t points, double whole_mass) const;

 private:
  static constexpr size_t kIntervals = 1024;
  struct Interval {
    uint64_t pages = 0;
    double mass = 0;
  };
  std::vector<Interval> intervals_;
  int64_t width_ = 1000;  // microseconds
  uint64_t pages_ = 0;
  double mass_ = 0;
};

}  // namespace simweb
