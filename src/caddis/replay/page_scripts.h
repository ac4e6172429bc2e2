// The scripts in a page: elements, handlers of events, and links with code. Pure, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/html/tokenizer.h"
#include "caddis/replay/link_rewriter.h"

namespace caddis::replay {

enum class PageScript {
  none,  // data, or a script of a kind that no browser runs
  classic,
  module,
  import_map,
};

// The kind of script that stands in a <script>.
PageScript page_script(const html::Token& tag);
// Returns nothing if it stays as it is.
std::optional<std::string> rewrite_page_script(std::string_view text, PageScript kind, const LinkRewriter& links);

// Whether an attribute's value is code: onclick="…", href="javascript:…".
bool holds_code(const html::Attribute& attribute);
std::optional<std::string> rewrite_code(std::string_view value, const LinkRewriter& links);

// The beginning of a worker's script: it loads the client from the address `client`, which shows the worker as if at its own URL.
std::string worker_begin(Modifier modifier, std::string_view script, std::string_view client);

}  // namespace caddis::replay
