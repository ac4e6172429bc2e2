#include "caddis/access/client_address.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::access {

Result<ClientAddress> ClientAddress::create(const std::vector<std::string>& proxies) {
  ClientAddress clients;
  for (const std::string& text : proxies) {
    TRY(auto block, url::AddressBlock::parse(text));
    clients.proxies_.push_back(std::move(block));
  }
  return clients;
}

bool ClientAddress::is_trusted(std::string_view address) const {
  const auto parsed = url::parse_address(address);
  return parsed && std::ranges::any_of(proxies_, [&](const auto& block) { return url::stands_in(block, *parsed); });
}

std::string ClientAddress::of(const http::ServerRequest& request) const {
  std::string address = request.remote.address;
  if (!is_trusted(address)) return address;
  std::vector<std::string_view> named;
  for (const auto& [name, value] : request.headers)
    if (equals_ignore_case(name, "x-forwarded-for"))
      for (const std::string_view one : split(value, ',')) named.push_back(trim(one));
  // Each proxy adds who has asked it behind the others; what a client writes stands in front.
  for (const std::string_view one : std::views::reverse(named)) {
    if (!url::parse_address(one)) break;
    address = one;
    if (!is_trusted(one)) break;
  }
  return address;
}

}  // namespace caddis::access
