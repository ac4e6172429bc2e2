// How an archive presents itself: what an operator puts into a folder (docs/branding.md tells of it).
//
//   theme.json                 {"name": "…", "colours": {"accent": "#22577a"}, "dark": {"accent": "#7fc8e8"}}
//   logo.svg, logo.png         beside the name
//   header.html, footer.html   HTML at the head and foot of every page
//   style.css                  rules after ours
//   <template>.html            in place of a template of web/pages
//
// A plain value.
#pragma once

#include <map>
#include <string>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::pages {

struct Theme {
  std::string name = "Caddis";
  std::string logo, logo_type;  // bytes and media type; empty: none
  std::string header, footer;   // HTML
  std::string style;            // CSS: the colours, and the rules of style.css
  std::map<std::string, std::string, std::less<>> templates;
};

// ErrorCode::config or parse with the file, if something in it cannot be used.
Result<Theme> read_theme(io::Files& files, const std::string& folder);

}  // namespace caddis::pages
