// All that a crawl needs of a frontier, for each of its three kinds of callers. Whatever implements this can run a
// crawl: `Frontier` does, and in tests one that holds everything in memory.
#pragma once

#include "caddis/frontier/url_ledger.h"
#include "caddis/frontier/url_source.h"

namespace caddis::frontier {

class FetchPermits;
class FrontierAdmin;

class CrawlFrontier : public UrlSource, public UrlLedger {
 public:
  // For those who look and operate.
  virtual FrontierAdmin& admin() = 0;
  // For those who fetch without a lease.
  virtual FetchPermits& permits() = 0;
};

}  // namespace caddis::frontier
