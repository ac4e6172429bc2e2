// Links in scripts and JSON. Internal to extract.
#pragma once

#include <string_view>

#include "caddis/extract/link_sink.h"
#include "caddis/extract/plan.h"

namespace caddis::extract {

enum class ScriptKind {
  inline_script,  // in a page: relative URLs resolve against its base
  script_file,    // a file of its own: relative URLs resolve against the page that loads it, imports against the file
  page_json,      // in a page: as an inline script
  json_file,      // relative URLs resolve against itself
};

// The place of a script, and by which rules its strings are judged.
struct ScriptPlace {
  ScriptKind kind = ScriptKind::inline_script;
  const url::Url* via = nullptr;  // the page that loads a script file; null where nobody knows
  const ScriptRules& rules;
};

// Adds the strings of `script` that are surely URLs: absolute ones anywhere; paths from the root where they end in an
// extension of the web, or where the code says what they are (`x.src = "…"`, `location.href = "…"`, `fetch("…")`);
// relative paths there, too, and in the scripts of a page where they end in an extension. Of strings that hold markup,
// styles or JSON, what these hold.
void extract_javascript(std::string_view script, const ScriptPlace& place, LinkSink& sink);

// Adds the source map that a script or style sheet names: in its last comment, or its header (SourceMap).
void extract_source_map(const Document& document, LinkSink& sink);

}  // namespace caddis::extract
