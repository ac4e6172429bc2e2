#include "caddis/crawl/seen_tasks.h"

#include "caddis/aio/blocking.h"
#include "caddis/base/log.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/store/seen.h"

namespace caddis::crawl {
namespace {

constexpr Duration kRetry = std::chrono::seconds(2);

}  // namespace

aio::Task<void> SeenTasks::run() {
  while (!lifecycle_.has_ended() && !committer_.is_fatal()) {
    store::SeenTask* const task = seen_.next_task();
    if (task == nullptr) {
      co_await changed_.wait();
      continue;
    }
    Result<bool> stepped;
    std::function<void()> work = [&] { stepped = task->step(); };
    co_await blocking_.run(loop_, std::move(work));
    seen_.settle(stepped);
    if (stepped) {
      changed_.notify();
      if (on_step_) on_step_();
    } else if (stepped.error().code == ErrorCode::corrupt) {
      committer_.fail(stepped.error());
    } else {
      log_warn("crawl", "{}; it is tried again", stepped.error().message);
      co_await aio::sleep_for(loop_, kRetry);
    }
  }
}

}  // namespace caddis::crawl
