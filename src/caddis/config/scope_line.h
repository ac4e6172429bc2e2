// Lines among seeds that are no seeds, but change the scope, as in Heritrix's lists: "+http://(org,example," widens it by
// a SURT prefix, "-http://(org,example,)/private/" narrows it. URLs and hosts stand for the prefix that they imply.
// docs/formats/seeds.md. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace caddis::config {

struct ScopeLine {
  bool narrows = false;
  std::string prefix;
  bool operator==(const ScopeLine&) const = default;
};

// Returns nothing for another line, and for one that names no prefix.
std::optional<ScopeLine> parse_scope_line(std::string_view line);

}  // namespace caddis::config
