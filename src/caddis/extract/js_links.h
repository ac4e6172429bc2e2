// Links in scripts and JSON. Internal to extract.
#pragma once

#include <string_view>

#include "caddis/extract/link_sink.h"
#include "caddis/extract/plan.h"

namespace caddis::extract {

enum class ScriptKind {
  inline_script,  // in a page: relative URLs resolve against its base
  module_file,    // a file of its own: relative URLs resolve against the page that loads it, imports against the file
  json,
};

// The place of a script, and by which rules its strings are judged.
struct ScriptPlace {
  ScriptKind kind = ScriptKind::inline_script;
  const url::Url* via = nullptr;  // the page that loads a script file; null where nobody knows
  const ScriptRules& rules;
};

// Adds the strings of `script` that are surely URLs: absolute ones anywhere; paths from the root where they end in an
// extension of the web; relative paths only where the code says what they are (`x.src = "…"`, `location.href = "…"`,
// `import "…"`). JSON in a string (`JSON.parse("…")`) is read as JSON.
void extract_javascript(std::string_view script, const ScriptPlace& place, LinkSink& sink);

// Adds the source map that a script or style sheet names: in its last comment, or its header (SourceMap).
void extract_source_map(const Document& document, LinkSink& sink);

}  // namespace caddis::extract
