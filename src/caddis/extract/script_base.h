// The folders that paths in a script stand below where they are none of the page's. Internal to extract; pure, any thread.
#pragma once

#include <string>
#include <string_view>

#include "caddis/extract/js_strings.h"
#include "caddis/url/url.h"

namespace caddis::extract {

// Drupal hands the settings of its site over to scripts: paths in them stand below this one. Empty for others.
std::string drupal_base(std::string_view script);

// Files that webpack or Vite put into an application, as its scripts name them: below the folder that it is served from.
class BuiltFiles {
 public:
  explicit BuiltFiles(std::string_view script);

  // `e.exports = n.p + "static/media/logo.6ce2.svg"`; the list behind __vite__mapDeps.
  bool names(const JsString& string) const;
  // The folder that `path` stands below: the one that the script says; the one that has the script and the path's first
  // folder in it (for a path without folders, the script's own); else the root of the page.
  url::Url folder_of(std::string_view path, const url::Url& script, const url::Url& page) const;

 private:
  std::string_view public_path_;  // of webpack: `n.p = "/app/"`; empty if it says none
  bool maps_files_;               // by __vite__mapDeps
};

}  // namespace caddis::extract
