// The world as it is: threads, sockets, c-ares, files, RocksDB. Everything that a crawl runs on outside of tests.
//
//   RealWorld world;
//   TRY(auto crawl, Launcher::open(world.parts(), options));
//   world.run(crawl->run() …)
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/loop_thread.h"
#include "caddis/crawl/world.h"

namespace caddis::crawl {

class RealWorld {
 public:
  RealWorld();
  // Its crawl must be gone before the world.
  ~RealWorld();

  World parts();
  aio::Loop& loop() { return *loop_; }
  // Starts the lanes' threads, runs the loop on this thread until `main` has ended, and stops the threads, but for
  // those of lanes that were `left` behind: they go on until the process ends, and so must this object.
  void run(aio::Task<void> main, const std::function<bool(size_t lane)>& left);

 private:
  Result<visit::Lane::Parts> make_lane(unsigned number, const config::Settings& settings);

  std::unique_ptr<aio::Loop> loop_;
  std::unique_ptr<aio::Blocking> blocking_, sorting_;
  std::vector<std::unique_ptr<aio::LoopThread>> threads_;  // one a lane
};

}  // namespace caddis::crawl
