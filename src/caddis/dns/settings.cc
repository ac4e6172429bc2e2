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
          field<&S::over_https>(
              "over-https",
              "The URL of a server that is asked over HTTPS (RFC 8484) in place of `servers`, as in "
              "https://dns.example/dns-query. Its own name is looked up by the system; its certificate has to be "
              "trusted.",
              {.flags = kLive, .check = dns::check_https_server, .heritrix = "fetchDns.dnsOverHttpServer"}),
      });
  return schema;
}

}  // namespace caddis::settings
