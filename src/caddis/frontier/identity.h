// The place of a URL (partition, origin) and the number by which it is known again (fingerprint).
//
// Partition function, number and key are drawn once per crawl and fixed in its state for ever: partitions are part of
// every key on disk and, later, the unit of movement between machines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/random.h"
#include "caddis/store/seen.h"
#include "caddis/url/url.h"

namespace caddis::frontier {

inline constexpr unsigned kPartitions = 1024;

struct Identity {
  store::FingerprintKey key;

  static Identity draw(Random& random) {
    const uint64_t k0 = random.next();
    return {{k0, random.next()}};
  }

  // 0 to 1023, by host: all origins of a host are neighbours.
  uint16_t partition(std::string_view host) const;
  // The number by which the seen-set knows a crawl key.
  uint64_t fingerprint(std::string_view crawl_key, uint16_t partition) const {
    return store::fingerprint(crawl_key, partition, key);
  }
  // By what the seen-set knows a URL as it stands, beside its key (UrlLedger::mark). `url` without a fragment.
  uint64_t url_mark(std::string_view url, uint16_t partition) const;
  // By what a URL as it stands (WHATWG href) is known in memory; never 0.
  uint64_t url_hash(std::string_view url) const;
};

// Scheme, host and port, as a queue is named: "https://example.org", "http://example.org:8080".
std::string origin_of(const url::Url& url);
// Whether such an origin may have a robots.txt: HTTP alone has one (RFC 9309).
bool has_robots(std::string_view origin);

}  // namespace caddis::frontier
