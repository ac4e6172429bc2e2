// Rewrites a captured script so that it runs as if on its origin. A tokenizer (script_lexer.h) that keeps count of the
// brackets finds the places; a browser is told at run time what the values there are. Nothing else changes.
//
// In browsers almost everything that tells a page where it is can be given another value by the client script. Only
// `location` and `top` cannot (HTML Standard: LegacyUnforgeable), and what follows from where a script stands: `eval`,
// `import`, the window that calls postMessage. Expressions with these names are passed through a function of the client
// (web/replay/client/runtime.js), which gives the page's own view where the value is the real one, and the value itself
// where it is anything else. So it does no harm if the name is that of a variable or a property of the page's own:
//
//   location                  _caddis.l(location)
//   location = x              _caddis.t(v=>location=v,location).v = x
//   a.b.location              _caddis.o(a.b).location                  also top, eval, postMessage(
//   window[x]                 window[_caddis.k(window,x)]
//   const {location} = window const {location} = _caddis.d(window)
//   eval(x)                   eval(_caddis.e(eval,x))                  still a direct call
//   import(x), import.meta    import(_caddis.i("<base>",x)), _caddis.m(import.meta)
//   import "/x.js"            import "<address>"
//
// Names that are declared, keys, labels, parameters and patterns stay. A script whose brackets do not fit, or that is
// broken otherwise, stays as it is. What is rewritten twice is as if rewritten once. Pure, linear time but for sorting
// the edits, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/replay/link_rewriter.h"

namespace caddis::replay {

enum class ScriptKind {
  classic,
  module,         // at its own address: relative imports lead to where they should
  inline_module,  // in a page, whose address is that of a page
};

// `links` has the URL of the script, or of its page, as its base, and the time asked for. Nothing if nothing changes.
std::optional<std::string> rewrite_script(std::string_view source, ScriptKind kind, const LinkRewriter& links);

// The addresses in an import map (HTML Standard, "import maps"). Nothing if it is none.
std::optional<std::string> rewrite_import_map(std::string_view json, const LinkRewriter& links);

}  // namespace caddis::replay
