// What the code around a string of a script says of it. Internal to extract; pure, any thread.
#pragma once

#include "caddis/extract/js_strings.h"
#include "caddis/extract/plan.h"

namespace caddis::extract {

enum class Claim {
  none,
  likely,  // `x.src = "…"`, `fetch("…")`, `url: "…"`: a URL if it looks like one
  url,     // `location.href = "…"`: whatever it looks like
};

Claim claim_of(const JsString& string, const ScriptRules& rules);

// `import("…")`, `from "…"`, `import.meta.resolve("…")`, `importScripts("…")`: beside the script itself.
bool is_import(const JsString& string);
// `new URL("…", import.meta.url)`: the same.
bool is_beside_script(const JsString& string);
// `mod: "…"`: a module, whose name may have a slash and end like a file ("lodash/fp.js").
bool names_module(const JsString& string);
// `x == "…"`, `x.indexOf("…")`, `case "…"`: something is held against it.
bool is_compared(const JsString& string);
// `JSON.parse("…")` and the like: its text holds strings of its own.
bool holds_strings(const JsString& string);

// Has `string` stand where the argument before it does, if that only says how: `open("GET", "…")`,
// `setAttribute("src", "…")`.
void pass_on_place(const JsString& previous, JsString& string);

}  // namespace caddis::extract
