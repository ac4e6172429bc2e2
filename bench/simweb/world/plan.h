// What follows from the settings and is worked out once. Internal to the world.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simweb/world/page.h"
#include "simweb/world/settings.h"

namespace simweb {

// Children of an inner page in the tree of a host.
inline constexpr uint64_t kFan = 24;
// Hosts below one hub, and hubs below a hub. Hub hosts are those whose number is a multiple of kHubHosts.
inline constexpr uint64_t kHubHosts = 32;
inline constexpr uint64_t kHubFan = 8;
inline constexpr uint64_t kMaxLinks = 600;

struct Plan {
  explicit Plan(const WebSettings& settings);

  uint64_t pages(HostId host) const;

  double zipf = 0, zipf_factor = 0;  // pages of host h: zipf_factor / (h + 1)^zipf
  double total_pages = 0;            // about
  uint64_t min_pages = 1;
  double log2_hosts = 0;
  uint64_t addresses = 1;
  double size_mu = 0, links_mu = 0;
  // The kind of a page that is no inner one, by 12 bits of its draw.
  static constexpr int kLeafBits = 12;
  std::array<Kind, 1 << kLeafBits> leaf;
};

}  // namespace simweb
