// Lines of index files that cannot be parsed, and are passed over by searches: each is told once in the log, with its file
// and place, however often searches meet it and the file grows. Each index has its own, and a server has one for all its
// indexes and its whole life.
//
// Any thread. A bounded number is remembered; further ones are neither told nor counted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>

#include "caddis/base/error.h"

namespace caddis::cdx {

class BrokenLines {
 public:
  static constexpr size_t kMost = 100'000;

  // A line of that file was not parsed, for that reason. If it is broken and was not known, `place` is asked where it
  // stands ("byte 17"; empty: it is not known), and it is told.
  void note(std::string_view file, std::string_view line, const Error& why, const std::function<std::string()>& place);
  // From now on all that is noted here is noted in these instead. Not in a circle.
  void hand_over_to(std::shared_ptr<BrokenLines> others);
  // Different ones since the beginning: it never falls.
  uint64_t count() const;

 private:
  std::shared_ptr<BrokenLines> handed_over_to() const;
  bool is_new(std::string_view file, std::string_view line);

  mutable std::mutex mutex_;
  std::shared_ptr<BrokenLines> others_;
  std::unordered_set<size_t> known_;  // hashes of file and line
};

// Whether a line that was not parsed is broken; else it is no capture (a header), or hidden.
inline bool is_broken_line(const Error& why) { return why.code != ErrorCode::not_found; }

}  // namespace caddis::cdx
