#include "caddis/fetch/fetchers.h"

#include <utility>

namespace caddis::fetch {

Fetchers::Fetchers(http::Client& client, aio::Loop& loop, aio::Network& network, io::SpoolFolder& spools,
                   protocols::HostKeys& keys, std::string user_agent, const AddressPolicy* addresses)
    : client_(client),
      http_(client, loop.clock(), std::move(user_agent), addresses),
      resources_(loop, network, spools, keys, addresses) {}

void Fetchers::end(uint64_t ticket) {
  client_.end(ticket);
  resources_.wires().end(ticket);
}

void Fetchers::abort() {
  client_.abort();
  resources_.wires().abort();
}

void Fetchers::on_turn(std::function<void(uint64_t ticket)> call) {
  client_.on_turn(call);
  resources_.wires().on_turn(std::move(call));
}

}  // namespace caddis::fetch
