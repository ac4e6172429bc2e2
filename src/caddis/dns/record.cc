#include "caddis/base/time_format.h"
#include "caddis/dns/resolver.h"

namespace caddis::dns {

std::string dns_record_body(const Answer& answer, WallTime when) {
  std::string body = timestamp14(when) + "\n";
  for (const std::string& record : answer.records) {
    body += record;
    body += '\n';
  }
  return body;
}

}  // namespace caddis::dns
