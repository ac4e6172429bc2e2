#include "caddis/frontier/identity.h"

#include "caddis/base/hash.h"

namespace caddis::frontier {

uint16_t Identity::partition(std::string_view host) const {
  return static_cast<uint16_t>(siphash(host, key0, key1) % kPartitions);
}

uint64_t Identity::fingerprint(std::string_view crawl_key, uint16_t partition) const {
  return (static_cast<uint64_t>(partition) << 54) | (siphash(crawl_key, key1, key0) >> 10);
}

std::string origin_of(const url::Url& url) {
  std::string origin(url.protocol());
  origin += "//";
  origin += url.host();
  return origin;
}

}  // namespace caddis::frontier
