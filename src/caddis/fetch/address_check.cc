#include "caddis/fetch/address_check.h"

#include <string>
#include <utility>
#include <vector>

#include "caddis/base/fetch_status.h"

namespace caddis::fetch {

bool is_refused(const AddressPolicy& addresses, const FetchRequest& request, const aio::Endpoint& server,
                FetchOutcome& outcome) {
  static const std::vector<std::string> none;
  const std::string to = request.proxy != nullptr ? address_in(request.url) : server.address;
  if (to.empty()) {
    if (!addresses.stays()) return false;
    outcome.status = status::kAddressRefused;
    outcome.error = "no contact is named, and the proxy leads to other machines: resume the crawl with --contact";
    return true;
  }
  auto why = addresses.refusal({to, server.port}, request.allowed != nullptr ? *request.allowed : none);
  if (!why) return false;
  outcome.status = status::kAddressRefused;
  outcome.error = *std::move(why);
  outcome.refused_address = to;
  return true;
}

}  // namespace caddis::fetch
