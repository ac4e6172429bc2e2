#include "caddis/crawl/real_world.h"

#include <unistd.h>

#include <array>

#include "caddis/base/random.h"
#include "caddis/store/rocks_kv.h"

namespace caddis::crawl {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "localhost";
  return name.data();
}

}  // namespace

RealWorld::RealWorld(unsigned lanes) : loop_(aio::make_loop(system_clock())), blocking_(aio::make_blocking(1)) {
  const unsigned count = lanes != 0 ? lanes : aio::processor_count();
  for (unsigned i = 0; i < count; ++i) threads_.push_back(std::make_unique<aio::LoopThread>(system_clock()));
}

RealWorld::~RealWorld() = default;

World RealWorld::parts() {
  return World{.files = io::real_files(),
               .clock = system_clock(),
               .open_kv = store::rocks_opener(),
               .loop = *loop_,
               .blocking = *blocking_,
               .seed = system_seed(),
               .pid = std::to_string(::getpid()),
               .hostname = host_name(),
               .make_lane = [this](unsigned number, const CrawlSettings& settings) { return make_lane(number, settings); },
               .lanes = static_cast<unsigned>(threads_.size())};
}

Result<Lane::Parts> RealWorld::make_lane(unsigned number, const CrawlSettings& settings) {
  aio::Loop& loop = threads_[number]->loop();
  dns::Settings names;
  names.servers = settings.name_servers;
  names.hosts = settings.hosts;
  TRY(auto resolver, dns::make_resolver(loop, names));
  return Lane::Parts{loop, aio::make_network(loop), std::move(resolver), std::nullopt, 0};
}

void RealWorld::run(aio::Task<void> main) {
  for (const auto& thread : threads_) thread->start();
  aio::run_to_end(*loop_, std::move(main));
  for (const auto& thread : threads_) thread->stop();
}

}  // namespace caddis::crawl
