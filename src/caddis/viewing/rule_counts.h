// How often each rule of a file has decided, counted as long as a process lives. A count is the rule's, not the file's: a
// rule that stays when the file is read anew, or one that comes back, goes on where it was.
//
// Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace caddis::viewing {

struct RuleList;

using RuleCount = std::atomic<uint64_t>;

class RuleCounts {
 public:
  // Gives each rule of the list its count: that of the rule of the same id, else of one that says the same under another
  // id, or under none, else a new one. No two rules of a list have the same.
  void give_to(RuleList& list);

 private:
  struct Known {
    std::string id;
    size_t content;  // a digest of what the rule says
    std::shared_ptr<RuleCount> count;
  };

  std::mutex mutex_;
  std::vector<Known> known_;  // those of the last list, then rules that are gone, the latest first
};

}  // namespace caddis::viewing
