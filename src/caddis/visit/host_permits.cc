#include "caddis/visit/host_permits.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "caddis/aio/event.h"
#include "caddis/visit/lane_tools.h"

namespace caddis::visit {
namespace {

// Two visits may wait for each other's hosts: not all wait for equally long, so that one of them gets its turn.
Duration longest_wait(uint64_t lease) { return std::chrono::seconds(30 + lease * 7 % 31); }

// The answer of the other thread; lives until both sides have let go of it.
struct Mail {
  explicit Mail(aio::Loop& loop) : arrived(loop) {}
  aio::Event arrived;
  std::optional<Result<HostPermits::Answer>> answer;
};

aio::Task<Result<HostPermits::Answer>> ask(LaneTools& tools, HostPermits::Wish wish) {
  const auto mail = std::make_shared<Mail>(tools.loop);
  std::function<void(Result<HostPermits::Answer>)> deliver = [mail, &loop = tools.loop](const auto& answer) {
    loop.post([mail, answer] {
      mail->answer = answer;
      mail->arrived.notify();
    });
  };
  tools.context.permits.acquire(std::move(wish), std::move(deliver));
  while (!mail->answer) co_await mail->arrived.wait();
  co_return *std::move(mail->answer);
}

}  // namespace

aio::Task<Result<uint64_t>> wait_for_permit(LaneTools& tools, HostPermits::Wish wish) {
  const SteadyTime latest = tools.loop.clock().steady() + longest_wait(wish.lease);
  while (!tools.is_aborted) {
    auto answer = co_await ask(tools, wish);
    if (!answer) co_return std::unexpected(std::move(answer).error());
    if (answer->permit) co_return *answer->permit;
    if (answer->is_blocked) co_return fail(ErrorCode::denied, wish.host + " is blocked by the operator");
    if (tools.loop.clock().steady() + answer->wait > latest)
      co_return fail(ErrorCode::timeout, wish.host + ", to which it redirects, may not be asked yet");
    co_await tools.pause(answer->wait);
  }
  co_return fail(ErrorCode::cancelled, "the crawl is stopped");
}

}  // namespace caddis::visit
