// How often gaps of which length were seen: the distances between the end of an answer and the next request.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace simweb {

class GapHistogram {
 public:
  // In microseconds; 0: the next request came before the answer had ended.
  void add(int64_t gap);
  uint64_t count() const { return count_; }
  // The smallest gap, or -1 without any.
  int64_t smallest() const { return count_ == 0 ? -1 : smallest_; }
  // {"gaps":12,"smallest_ms":1.5,"concurrent":0,"under_ms":{"1":0,"2":3,...},"longer":1}
  std::string json() const;

 private:
  static constexpr std::array<int64_t, 15> kEdges = {1,   2,    5,    10,   20,    50,    100,  200,
                                                     500, 1000, 2000, 5000, 10000, 20000, 60000};  // ms
  std::array<uint64_t, kEdges.size() + 1> buckets_{};
  uint64_t count_ = 0;
  uint64_t concurrent_ = 0;
  int64_t smallest_ = 0;
};

}  // namespace simweb
