#include "caddis/visit/redirect_chain.h"

#include <algorithm>
#include <ranges>

#include "caddis/frontier/bytes.h"

namespace caddis::visit {
namespace {

constexpr std::string_view kName = "redirects";
constexpr uint8_t kVersion = 1;

}  // namespace

// Whatever else the bytes may be, a URL is not lost for them.
RedirectChain RedirectChain::of(const frontier::Candidate& candidate) {
  RedirectChain chain;
  const auto bytes = candidate.attributes.find(kName);
  if (!bytes) return chain;
  frontier::Reader in(*bytes);
  if (in.u8() != kVersion) return chain;
  chain.walls = in.varint();
  while (in.ok() && !in.at_end() && chain.hops.size() < kMostHops) {
    Hop hop;
    hop.fingerprint = in.be64();
    hop.cookie = in.be64();
    if (in.ok()) chain.hops.push_back(hop);
  }
  return chain;
}

void RedirectChain::put_into(frontier::Candidate& candidate) const {
  std::string bytes(1, static_cast<char>(kVersion));
  frontier::put_varint(bytes, walls);
  for (const Hop& hop : hops) {
    frontier::put_be64(bytes, hop.fingerprint);
    frontier::put_be64(bytes, hop.cookie);
  }
  candidate.attributes.set(kName, std::move(bytes));
}

void RedirectChain::add(Hop hop) {
  if (hops.size() == kMostHops) hops.erase(hops.begin());
  hops.push_back(hop);
}

const RedirectChain::Hop* RedirectChain::find(uint64_t fingerprint) const {
  for (const Hop& hop : hops | std::views::reverse)
    if (hop.fingerprint == fingerprint) return &hop;
  return nullptr;
}

}  // namespace caddis::visit
