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
  Hooks hooks;
  std::map<uint64_t, frontier::FetchPermit> out;
  uint64_t last = 0;

  Result<Answer> acquire(const Wish& wish) {
    constexpr Duration kPaused = std::chrono::seconds(1);
    if (!hooks.may_begin()) return Answer{.permit = std::nullopt, .wait = kPaused};
    auto asked = permits.acquire(wish.host, wish.address, wish.lease);
    if (!asked) {
      committer.fail(asked.error());
      return std::unexpected(std::move(asked).error());
    }
    Answer answer;
    answer.is_blocked = asked->is_blocked;
    if (asked->permit) {
      out.emplace(++last, *std::move(asked->permit));
      answer.permit = last;
    } else {
      answer.wait = asked->ask_again - clock.steady();
    }
    return answer;
  }

  void release(uint64_t permit, const frontier::FetchCost& cost) {
    permits.release(out.extract(permit).mapped(), cost);
    hooks.released();
  }
};

FrontierPermits::FrontierPermits(aio::Loop& loop, frontier::FetchPermits& permits, commit::Committer& committer,
                                 Hooks hooks)
    : loop_(loop), desk_(std::make_shared<Desk>(Desk{permits, committer, loop.clock(), std::move(hooks), {}, 0})) {}

FrontierPermits::~FrontierPermits() = default;

void FrontierPermits::acquire(Wish wish, std::function<void(Result<Answer>)> answer) {
  loop_.post([desk = std::weak_ptr(desk_), wish = std::move(wish), answer = std::move(answer)] {
    if (const auto open = desk.lock()) answer(open->acquire(wish));
  });
}

void FrontierPermits::release(uint64_t permit, const frontier::FetchCost& cost) {
  loop_.post([desk = std::weak_ptr(desk_), permit, cost] {
    if (const auto open = desk.lock()) open->release(permit, cost);
  });
}

}  // namespace caddis::crawl
