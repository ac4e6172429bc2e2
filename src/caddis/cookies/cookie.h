// A cookie as it is kept (RFC 6265, 5.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "caddis/base/clock.h"

namespace caddis::cookies {

// Recorded and not enforced: a crawl has no page in front of it from which a request could come across sites.
enum class SameSite : uint8_t { unset, none, lax, strict };

struct Cookie {
  std::string name, value;
  std::string domain;               // lower case, A-labels, without a leading dot
  std::string path;                 // begins with '/'
  std::optional<WallTime> expires;  // none: it lasts for the launch
  WallTime created, accessed;
  SameSite same_site = SameSite::unset;
  bool host_only = true;  // sent to `domain` itself, and to no host below it
  bool secure = false;    // sent over TLS alone
  bool http_only = false;
  bool secret = false;  // of the operator's: sent, and in no record of a request

  bool operator==(const Cookie&) const = default;
};

}  // namespace caddis::cookies
