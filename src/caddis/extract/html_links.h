// Links in HTML, by element and attribute. Internal to extract.
#pragma once

#include <string>
#include <string_view>

#include "caddis/extract/link_sink.h"
#include "caddis/extract/plan.h"
#include "caddis/robots/page_directives.h"

namespace caddis::extract {

// What a page says about itself beside its links.
struct PageFacts {
  std::string title;
  robots::PageDirectives directives;  // of its meta elements
  bool nofollow = false;
};

struct PageRules {
  const Options& options;
  const ScriptRules& script;
  bool obeys_nofollow = true;           // by <meta name=robots>
  bool nofollow = false;                // the response has said so
  std::string_view product_token = {};  // the crawl's name
};

// `source` is the page in an encoding that keeps markup (caddis/text/encoding.h): only what is used of it is converted.
// Also for SVG, whose links are those of the same elements.
PageFacts extract_html(std::string_view source, std::string_view encoding, const PageRules& rules, LinkSink& sink);

// Markup inside something else (a feed's item): its links, all of hop `speculative` and that context.
void extract_markup(std::string_view source, std::string_view context, LinkSink& sink);

}  // namespace caddis::extract
