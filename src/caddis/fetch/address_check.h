// Whether a fetch may go to where it would.
#pragma once

#include "caddis/aio/network.h"
#include "caddis/fetch/address_policy.h"
#include "caddis/fetch/fetcher.h"

namespace caddis::fetch {

// Whether it may not, which the outcome then says. Behind a proxy a name is the proxy's to look up, and only an address
// in the URL is asked about; the proxy itself is the operator's choice. `server`: whom to connect to, without a proxy.
bool is_refused(const AddressPolicy& addresses, const FetchRequest& request, const aio::Endpoint& server,
                FetchOutcome& outcome);

}  // namespace caddis::fetch
