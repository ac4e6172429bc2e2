// Sorts the index journal in segments while the crawl runs (cdx/journal_segments.h), so that others can read the index of
// any size, and little is left to do at the end.
//
// Belongs to the crawl's loop; segments are made where blocking is allowed.
#pragma once

#include <string>

#include "caddis/aio/event.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/cdx/journal_segments.h"

namespace caddis::aio {
class Blocking;
}  // namespace caddis::aio
namespace caddis::commit {
class Committer;
}  // namespace caddis::commit

namespace caddis::crawl {

class Lifecycle;
struct CrawlState;
struct World;

class IndexSegments {
 public:
  // All of it must outlive them.
  IndexSegments(const World& world, CrawlState& state, const Lifecycle& lifecycle, const commit::Committer& committer);

  // Drops segments of a journal that was longer once. To be called before anything is committed; may block.
  Result<void> open();
  // Runs until the crawl has ended.
  aio::Task<void> run();
  // To be notified when something was committed, and when the crawl has ended.
  aio::Event& changed() { return changed_; }

 private:
  bool is_over() const;
  Result<bool> extend() const;

  const World& world_;
  CrawlState& state_;
  const Lifecycle& lifecycle_;
  const commit::Committer& committer_;
  const std::string journal_;
  aio::Event changed_;
};

}  // namespace caddis::crawl
