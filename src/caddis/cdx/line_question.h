// Which captures somebody is going to look for: what a source is asked that has its lines elsewhere.
#pragma once

#include <string>

namespace caddis::cdx {

enum class MatchType { exact, prefix, host, domain, range };

struct LineQuestion {
  std::string url;  // empty if only a key is known
  std::string key;
  MatchType match = MatchType::exact;
};

}  // namespace caddis::cdx
