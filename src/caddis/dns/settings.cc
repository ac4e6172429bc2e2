#include "caddis/dns/settings.h"

namespace caddis::settings {

template <>
const Schema& schema_of<dns::Settings>() {
  using S = dns::Settings;
  static const Schema schema(
      "dns", "How host names become addresses.",
      {
          field<&S::servers>("servers", "Addresses (with port) of DNS servers; empty: those of the system.",
                             {.flags = kLive, .check = dns::check_server}),
          field<&S::hosts>("hosts", "Fixed addresses, \"name=address[,address]\", asked before DNS.",
                           {.flags = kLive, .check = dns::check_fixed_host}),
      });
  return schema;
}

}  // namespace caddis::settings
