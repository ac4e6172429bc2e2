#include "caddis/crawl/real_world.h"

#include <fmt/format.h>
#include <netdb.h>
#include <unistd.h>

#include "caddis/aio/host_name.h"
#include "caddis/aio/own_endpoints.h"
#include "caddis/base/random.h"
#include "caddis/fetch/dns_over_https.h"
#include "caddis/fetch/proxies.h"
#include "caddis/store/rocks_kv.h"

namespace caddis::crawl {
namespace {

// As Heritrix has it: the name that the system's resolver gives for the host's own one.
std::string full_host_name() {
  const std::string name = aio::host_name();
  if (name.contains('.')) return name;
  addrinfo wanted{};
  wanted.ai_flags = AI_CANONNAME;
  addrinfo* found = nullptr;
  if (::getaddrinfo(name.c_str(), nullptr, &wanted, &found) != 0) return name;
  const std::string full = found->ai_canonname == nullptr ? name : std::string(found->ai_canonname);
  ::freeaddrinfo(found);
  return full;
}

}  // namespace

RealWorld::RealWorld()
    : loop_(aio::make_loop(system_clock())), blocking_(aio::make_blocking(1)), sorting_(aio::make_blocking(1)) {}

RealWorld::~RealWorld() = default;

World RealWorld::parts() {
  return World{
      .files = io::real_files(),
      .clock = system_clock(),
      .open_kv = store::rocks_opener(),
      .loop = *loop_,
      .blocking = *blocking_,
      .sorting = sorting_.get(),
      .seed = system_seed(),
      .pid = std::to_string(::getpid()),
      .hostname = aio::host_name(),
      .full_hostname = full_host_name(),
      .address = aio::outgoing_address(),
      .make_lane = [this](unsigned number, const config::Settings& settings) { return make_lane(number, settings); },
      .lanes = aio::processor_count(),
      .find_server = fetch::find_server,
      .use = aio::process_use};
}

Result<visit::Lane::Parts> RealWorld::make_lane(unsigned number, const config::Settings& settings) {
  while (threads_.size() <= number) threads_.push_back(std::make_unique<aio::LoopThread>(system_clock()));
  aio::Loop& loop = threads_[number]->loop();
  TRY(auto resolver, fetch::make_resolver(loop, settings.dns));
  return visit::Lane::Parts{loop, aio::make_network(loop), std::move(resolver), 0};
}

void RealWorld::run(aio::Task<void> main, const std::function<bool(size_t lane)>& left) {
  for (const auto& thread : threads_) thread->start();
  aio::run_to_end(*loop_, std::move(main));
  for (size_t lane = 0; lane < threads_.size(); ++lane)
    if (!left(lane)) threads_[lane]->stop();
}

}  // namespace caddis::crawl
