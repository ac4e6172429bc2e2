// A URL as rules look at it: besides its own key, those of what it speaks of. A capture of "dns:www.example.com" is one of
// that host, and "urn:thumbnail:https://example.com/" one of that page.
//
// Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caddis::viewing {

struct CapturedUrl {
  std::string url;                // as it was captured
  std::vector<std::string> keys;  // by the policy ia-surt; a rule about one of them is about the URL
};

// `key`: the one under which it is looked for; empty: its own.
CapturedUrl captured_url(std::string_view url, std::string_view key = {});

}  // namespace caddis::viewing
