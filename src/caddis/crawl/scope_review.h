// Asks all URLs that wait anew when the rules of the scope have changed (scope.waiting: at-once): in parts of some
// milliseconds, beside the crawl, which has the loop for most of the time. What is out of scope goes, on record with -5000
// and the rule. It begins anew if the rules change once more, and whenever the crawl is resumed.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/frontier/candidate.h"

namespace caddis::crawl {

struct CrawlParts;
struct CrawlState;
struct World;

struct ReviewProgress {
  bool is_running = false;
  uint64_t asked = 0, left_out = 0;  // URLs, of the review that runs or was the last
};

class ScopeReview {
 public:
  // All of it must outlive the review.
  ScopeReview(const World& world, CrawlState& state, CrawlParts& parts) : world_(world), state_(state), parts_(parts) {}

  // Whether there is something to review; true once, until `run` has ended.
  bool is_due();
  aio::Task<void> run();
  const ReviewProgress& progress() const { return progress_; }

 private:
  // The rule by which a URL that waits is out of scope now; empty if it is not.
  std::string_view rule_against(const frontier::Candidate& candidate) const;
  // The next part. False if that was the last.
  Result<bool> step(std::string& cursor);

  const World& world_;
  CrawlState& state_;
  CrawlParts& parts_;
  ReviewProgress progress_;
  uint64_t reviewed_ = 0;  // the number of changes that the last whole review knew
};

}  // namespace caddis::crawl
