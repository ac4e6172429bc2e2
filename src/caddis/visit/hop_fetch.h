// A fetch of a prerequisite, whose redirects may lead to other hosts: these are looked up, and asked for a permit, since
// the lease of the visit is not for them.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>

#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/fetch/http_fetcher.h"
#include "caddis/visit/step.h"

namespace caddis::visit {

struct LaneTools;
class Visit;

// Why there was no fetch at all.
struct HopFailure {
  enum class Why : uint8_t {
    stopped,     // the crawl stops, or the proxy that would have found the host is gone: as if it were not tried
    no_address,  // of the other host
    denied,      // the operator wants nothing of the other host
    busy,        // the other host may not be asked within a minute
  };
  Why why = Why::stopped;
  Error error = {};
};
using HopResult = std::expected<fetch::FetchOutcome, HopFailure>;

// Whether it is a URL that can be fetched.
bool can_be_fetched(const url::Url& url);

// Fetches the URL at hand, within a step of the name "fetch".
aio::Task<HopResult> fetch_hop(LaneTools& tools, Visit& visit, fetch::FetchSettings settings,
                               std::optional<fetch::FetchBody> body);

// Goes on with `next` (Visit::follow), in the step "fetch". The host is ours until the visit ends, and is given its pause
// between two requests all the same; another host to which it leads is asked for a permit by fetch_hop.
aio::Task<Result<Next>> follow_hop(LaneTools& tools, Visit& visit, std::optional<url::Url> next, char hop);

}  // namespace caddis::visit
