// Which attributes of which elements hold URLs, and for what they are fetched: one table, from the HTML and SVG
// standards and what browsers did before them.
#pragma once

#include <string_view>

#include "caddis/html/tokenizer.h"

namespace caddis::replay {

enum class LinkKind {
  none,
  navigation,  // a person follows it
  frame,
  script,
  style,
  image,
  other,
  image_set,  // srcset
  other_set,
  by_rel,  // <link href>: by its rel and as
  base,
  refresh,     // <meta content> with http-equiv=refresh
  style_text,  // style=""
  document,    // srcdoc
  parameter,   // <param value>: only where it is an absolute URL
  ping,        // must not be sent from an archive
  drop,        // the attribute must have no effect
  no_script,   // the type of a script whose text must not be acted upon
};

// `tag` tells other attributes of the element. Names are lower case, as the tokenizer gives them.
LinkKind link_kind(const html::Token& tag, std::string_view attribute);
// Whether pages select elements by this attribute: where its value becomes an address, an attribute with kAsWritten in front
// of its name keeps what the page wrote (css.cc and web/replay/client/elements.js ask for that one).
bool is_selected_by(std::string_view attribute);
inline constexpr std::string_view kAsWritten = "archived-";
// What a <link> is fetched for.
LinkKind kind_of_link_element(const html::Token& tag);

}  // namespace caddis::replay
