#include "caddis/access/client_address.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::access {
namespace {

// "203.0.113.5:4711" and "[2001:db8::5]:4711", as some proxies write them, without the port.
std::string_view without_port(std::string_view text) {
  if (text.starts_with('[')) return text.substr(1, text.find(']', 1) - 1);
  const size_t colon = text.find(':');
  const bool is_alone = colon != std::string_view::npos && text.find(':', colon + 1) == std::string_view::npos;
  return is_alone ? text.substr(0, colon) : text;
}

}  // namespace

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
      for (const std::string_view one : split(value, ',')) named.push_back(without_port(trim(one)));
  // Each proxy adds who has asked it behind the others; what a client writes stands in front.
  for (const std::string_view one : std::views::reverse(named)) {
    if (!url::parse_address(one)) break;
    address = one;
    if (!is_trusted(one)) break;
  }
  return address;
}

}  // namespace caddis::access
