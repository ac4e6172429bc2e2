#include "caddis/frontier/identity.h"

#include "caddis/base/hash.h"

namespace caddis::frontier {

uint16_t Identity::partition(std::string_view host) const {
  return static_cast<uint16_t>(siphash(host, key.k0, key.k1) % kPartitions);
}

uint64_t Identity::url_hash(std::string_view url) const { return siphash(url, ~key.k0, key.k1) | 1; }

std::string origin_of(const url::Url& url) {
  std::string origin(url.protocol());
  origin += "//";
  origin += url.host();
  return origin;
}

}  // namespace caddis::frontier
