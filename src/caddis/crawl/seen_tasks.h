// Writes what the seen-set has to write, in small steps between the groups; at once if the crawl waits for it.
//
// Belongs to the crawl's loop; the steps run where blocking is allowed.
#pragma once

#include <functional>

#include "caddis/aio/event.h"
#include "caddis/aio/task.h"

namespace caddis::aio {
class Blocking;
}  // namespace caddis::aio
namespace caddis::store {
class SeenSet;
}  // namespace caddis::store

namespace caddis::commit {
class Committer;
}  // namespace caddis::commit

namespace caddis::crawl {

class Lifecycle;

class SeenTasks {
 public:
  // All of it must outlive them.
  SeenTasks(aio::Loop& loop, aio::Blocking& blocking, store::SeenSet& seen, const Lifecycle& lifecycle,
            commit::Committer& committer)
      : loop_(loop), blocking_(blocking), seen_(seen), lifecycle_(lifecycle), committer_(committer), changed_(loop) {}

  // Runs until the crawl has ended.
  aio::Task<void> run();
  // To be notified when there may be something to write. Notified at every step.
  aio::Event& changed() { return changed_; }
  // Called after every step: who waited for the seen-set can go on.
  void on_step(std::function<void()> call) { on_step_ = std::move(call); }

 private:
  aio::Loop& loop_;
  aio::Blocking& blocking_;
  store::SeenSet& seen_;
  const Lifecycle& lifecycle_;
  commit::Committer& committer_;
  aio::Event changed_;
  std::function<void()> on_step_;
};

}  // namespace caddis::crawl
