// One moment of each client is kept: that at which all it has sent is paid for. Each request puts it off by its price; a
// request that would put it off further than what may be sent at once costs is refused.
#include "caddis/replay/request_limits.h"

#include <algorithm>

#include "caddis/url/address_block.h"

namespace caddis::replay {
namespace {

constexpr size_t kMostClients = 50'000;

std::string client_of(std::string_view address) {
  auto parsed = url::parse_address(address);
  if (!parsed) return std::string(address);
  // ::ffff:192.0.2.1 is an IPv4 address.
  const bool is_ipv4 = std::all_of(parsed->begin(), parsed->begin() + 5, [](uint16_t piece) { return piece == 0; });
  if (!is_ipv4) std::fill(parsed->begin() + 4, parsed->end(), uint16_t{0});
  return {reinterpret_cast<const char*>(parsed->data()), parsed->size() * sizeof(uint16_t)};
}

}  // namespace

Duration RequestLimits::take(std::string_view address, SteadyTime now) {
  if (per_minute_ == 0) return Duration();
  const Duration price = Duration(std::chrono::minutes(1)) / per_minute_;
  const Duration room = price * std::max(at_once_, 1u);
  if (clients_.size() >= kMostClients) forget_quiet(now);
  Client& client = clients_[client_of(address)];
  const SteadyTime full = std::max(client.full, now) + price;
  if (full - now > room) {
    ++refused_;
    return full - now - room;
  }
  client.full = full;
  return Duration();
}

void RequestLimits::forget_quiet(SteadyTime now) {
  std::erase_if(clients_, [&](const auto& entry) { return entry.second.full <= now; });
  // All are at it: an attack with many addresses, against which this is no help.
  if (clients_.size() >= kMostClients) clients_.clear();
}

}  // namespace caddis::replay
