// The errors of one module: each is that of the one link or visit at which it happened, and too many switch the module
// off. Its own sentences go the same way to the people who should know.
//
// Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace caddis::modules {

class ModuleErrors {
 public:
  explicit ModuleErrors(std::string module_name) : name_(std::move(module_name)) {}

  // So many switch it off; 0: none do.
  void set_most(int64_t most) { most_.store(most, std::memory_order_relaxed); }
  // `where`: "rule", "step"; `subject`: the URL at hand.
  void record(std::string_view where, std::string_view what, std::string_view subject);
  // A sentence of the module's own, which is no error.
  void say(std::string_view text);
  // A rule of the module does not hold then, a step and a listener do nothing.
  bool is_off() const { return is_off_.load(std::memory_order_relaxed); }
  // It is on again, and its errors are counted anew: it was mended.
  void reset();
  // Returns sentences about what happened since the last call; of many errors the first ones.
  std::vector<std::string> take();

 private:
  static constexpr size_t kTold = 20;  // between two calls of `take`

  const std::string name_;
  std::atomic<int64_t> most_ = 0;
  std::atomic<bool> is_off_ = false;
  std::mutex mutex_;
  uint64_t count_ = 0;
  std::vector<std::string> told_;
};

}  // namespace caddis::modules
