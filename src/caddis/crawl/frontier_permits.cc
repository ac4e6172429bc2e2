#include "caddis/crawl/frontier_permits.h"

#include <map>
#include <utility>

#include "caddis/commit/committer.h"
#include "caddis/frontier/fetch_permits.h"
#include "caddis/frontier/politeness.h"

namespace caddis::crawl {

struct FrontierPermits::Desk {
  frontier::FetchPermits& permits;
  commit::Committer& committer;
  const Clock& clock;
  std::function<void()> released;
  std::map<uint64_t, frontier::FetchPermit> out;
  uint64_t last = 0;

  Result<Answer> acquire(const Wish& wish) {
    auto asked = permits.acquire(wish.host, wish.address, wish.lease);
    if (!asked) {
      committer.fail(asked.error());
      return std::unexpected(std::move(asked).error());
    }
    Answer answer;
    if (asked->permit) {
      out.emplace(++last, *std::move(asked->permit));
      answer.permit = last;
    } else {
      answer.wait = asked->ask_again - clock.steady();
    }
    return answer;
  }

  void release(uint64_t permit, Duration fetch_time, uint64_t bytes) {
    permits.release(out.extract(permit).mapped(), {.fetch_time = fetch_time, .bytes = bytes});
    released();
  }
};

FrontierPermits::FrontierPermits(aio::Loop& loop, frontier::FetchPermits& permits, commit::Committer& committer,
                                 std::function<void()> released)
    : loop_(loop), desk_(std::make_shared<Desk>(Desk{permits, committer, loop.clock(), std::move(released), {}, 0})) {}

FrontierPermits::~FrontierPermits() = default;

void FrontierPermits::acquire(Wish wish, std::function<void(Result<Answer>)> answer) {
  loop_.post([desk = std::weak_ptr(desk_), wish = std::move(wish), answer = std::move(answer)] {
    if (const auto open = desk.lock()) answer(open->acquire(wish));
  });
}

void FrontierPermits::release(uint64_t permit, Duration fetch_time, uint64_t bytes) {
  loop_.post([desk = std::weak_ptr(desk_), permit, fetch_time, bytes] {
    if (const auto open = desk.lock()) open->release(permit, fetch_time, bytes);
  });
}

}  // namespace caddis::crawl
