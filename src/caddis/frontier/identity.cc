#include "caddis/frontier/identity.h"

#include "caddis/base/hash.h"

namespace caddis::frontier {

uint16_t Identity::partition(std::string_view host) const {
  return static_cast<uint16_t>(siphash(host, key.k0, key.k1) % kPartitions);
}

uint64_t Identity::url_hash(std::string_view url) const { return siphash(url, ~key.k0, key.k1) | 1; }

uint64_t Identity::url_mark(std::string_view url, uint16_t partition) const {
  return store::fingerprint(url.substr(0, url.find('#')), partition, {key.k0, ~key.k1});
}

std::string origin_of(const url::Url& url) {
  std::string origin(url.protocol());
  origin += "//";
  origin += url.host();
  return origin;
}

bool has_robots(std::string_view origin) { return origin.starts_with("http://") || origin.starts_with("https://"); }

}  // namespace caddis::frontier
