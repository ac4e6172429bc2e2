#include "caddis/crawl/index_segments.h"

#include <functional>
#include <utility>

#include "caddis/aio/blocking.h"
#include "caddis/base/log.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/world.h"
#include "caddis/store/streams.h"

namespace caddis::crawl {
namespace {

// Between two looks at a journal that has grown.
constexpr Duration kPause = std::chrono::seconds(1);

Result<store::LogParts> committed_journal(CrawlState& state) {
  return store::committed_parts(*state.kv, kStreams, kCdxStream, state.launch.collection);
}

}  // namespace

IndexSegments::IndexSegments(const World& world, CrawlState& state, const Lifecycle& lifecycle,
                             const commit::Committer& committer)
    : world_(world),
      state_(state),
      lifecycle_(lifecycle),
      committer_(committer),
      journal_(state.launch.cdx_journal()),
      changed_(world.loop) {}

Result<void> IndexSegments::open() {
  TRY(const store::LogParts parts, committed_journal(state_));
  return cdx::drop_segments(state_.files, journal_, parts);
}

bool IndexSegments::is_over() const { return lifecycle_.has_ended() || committer_.is_fatal(); }

Result<bool> IndexSegments::extend() const {
  TRY(const store::LogParts parts, committed_journal(state_));
  return cdx::extend_segments(state_.files, journal_, parts, {.size = world_.index_segment});
}

aio::Task<void> IndexSegments::run() {
  SteadyTime next = world_.clock.steady();
  bool is_told = false;
  while (!is_over()) {
    if (world_.clock.steady() < next) {
      co_await changed_.wait();
      continue;
    }
    Result<bool> extended;
    std::function<void()> work = [&] { extended = extend(); };
    // Groups must not wait for it.
    aio::Blocking& worker = world_.sorting != nullptr ? *world_.sorting : world_.blocking;
    co_await worker.run(world_.loop, std::move(work));
    next = world_.clock.steady() + kPause;
    if (extended) {
      is_told = false;
      if (*extended) next = world_.clock.steady();
    } else if (!std::exchange(is_told, true)) {
      log_warn("crawl", "the index of the crawl so far is not sorted: {}; it is tried again", extended.error().message);
    }
  }
}

}  // namespace caddis::crawl
