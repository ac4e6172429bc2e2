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

// "- http://example.org/": an item of a list in a text that was pasted, which is not meant to leave the site out.
bool is_bullet(std::string_view line);
inline constexpr std::string_view kBulletAdvice =
    "is - a bullet? Write the URL alone; to leave out what begins with it, write - and the URL without a blank, as in "
    "-http://(org,example,";
// Returns nothing for another line, for one that names no prefix, and for a bullet.
std::optional<ScopeLine> parse_scope_line(std::string_view line);

}  // namespace caddis::config
