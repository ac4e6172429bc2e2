// Where a lane leaves the results of its visits, and the crawl's loop collects them: all that have come since it last
// looked travel as one message. Any thread.
#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "caddis/visit/visit_result.h"

namespace caddis::visit {

class ResultBox {
 public:
  // `notify` is called, on the thread that puts, when the box was empty.
  explicit ResultBox(std::function<void()> notify) : notify_(std::move(notify)) {}

  void put(VisitResult result) {
    bool was_empty = false;
    {
      const std::lock_guard lock(mutex_);
      was_empty = results_.empty();
      results_.push_back(std::move(result));
    }
    if (was_empty) notify_();
  }

  // Returns all that is in it, in the order in which it came.
  std::vector<VisitResult> collect() {
    const std::lock_guard lock(mutex_);
    return std::exchange(results_, {});
  }

 private:
  const std::function<void()> notify_;
  std::mutex mutex_;
  std::vector<VisitResult> results_;
};

}  // namespace caddis::visit
