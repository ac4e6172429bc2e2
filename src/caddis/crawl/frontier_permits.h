// The frontier's permits for fetches without a lease, for lanes on other threads: what they ask is carried to the
// crawl's loop, and answered from there.
//
// Any thread may call it; it is made and destroyed on the crawl's loop. What is asked after that gets no answer: the
// lanes have come back by then.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "caddis/aio/loop.h"
#include "caddis/visit/host_permits.h"

namespace caddis::frontier {
class FetchPermits;
}
namespace caddis::commit {
class Committer;
}

namespace caddis::crawl {

class FrontierPermits final : public visit::HostPermits {
 public:
  struct Hooks {
    std::function<bool()> may_begin;  // no fetch begins while the crawl is paused
    std::function<void()> released;   // a visit may begin
  };
  // All of it must outlive this. If the frontier fails, so does the committer: it may have changed half of something.
  FrontierPermits(aio::Loop& loop, frontier::FetchPermits& permits, commit::Committer& committer, Hooks hooks);
  ~FrontierPermits() override;

  void acquire(Wish wish, std::function<void(Result<Answer>)> answer) override;
  void release(uint64_t permit, const frontier::FetchCost& cost) override;

 private:
  struct Desk;  // belongs to the crawl's loop

  aio::Loop& loop_;
  std::shared_ptr<Desk> desk_;
};

}  // namespace caddis::crawl
