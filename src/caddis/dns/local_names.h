// What is answered without asking a name server: address literals, localhost, fixed hosts.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/dns/resolver.h"

namespace caddis::dns {

// Lower case, without the root's dot, IPv6 without brackets.
std::string normal_host(std::string_view host);

// `text` as an address, IPv6 in its shortest form; nothing where it is none.
std::optional<Address> parse_address(const std::string& text);

class LocalNames {
 public:
  // `hosts`: "name=address[,address]".
  static Result<LocalNames> create(const std::vector<std::string>& hosts);
  // `host` is normal.
  std::optional<std::vector<Address>> find(const std::string& host) const;

 private:
  std::unordered_map<std::string, std::vector<Address>> fixed_;
};

}  // namespace caddis::dns
