// Host names as people read them: "xn--bcher-kva.example" is "bücher.example". Names that are made to be taken for
// others are told. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace caddis::text {

enum class HostDoubt : uint8_t {
  none,
  mixed_scripts,  // letters of scripts that no language writes together
  look_alike,     // letters of another script that look like Latin ones throughout
};

struct HostDisplay {
  std::string text;  // in Unicode; as it was if it cannot be shown so
  HostDoubt doubt = HostDoubt::none;
};

HostDisplay display_host(std::string_view host);

// A URL with its host in Unicode, and with percent-encoded UTF-8 in path and query decoded where that is safe to read
// (no ASCII, blanks, control or direction characters are made of it).
struct UrlDisplay {
  std::string text;
  HostDisplay host;
};
UrlDisplay display_url(std::string_view url);

}  // namespace caddis::text
