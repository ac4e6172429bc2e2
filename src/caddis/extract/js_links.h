// Links in scripts and JSON. Internal to extract.
#pragma once

#include <string_view>

#include "caddis/extract/link_sink.h"

namespace caddis::extract {

enum class ScriptKind {
  inline_script,  // in a page: relative URLs resolve against its base
  module_file,    // a file of its own: relative URLs resolve against the page that loads it, imports against the file
  json,
};

// Adds the strings of `script` that are surely URLs: absolute ones anywhere; paths from the root where they end in an
// extension of the web; relative paths only where the code says what they are (`x.src = "…"`, `location.href = "…"`,
// `import "…"`). `via` is the page that loads a script file, or null where nobody knows.
void extract_javascript(std::string_view script, ScriptKind kind, const url::Url* via, LinkSink& sink);

}  // namespace caddis::extract
