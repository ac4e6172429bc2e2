// What an attribute of HTML may hold, by its name. Internal to extract.
#pragma once

#include <cstdint>
#include <string_view>

namespace caddis::extract {

enum class AttributeRole : uint8_t {
  none,
  href,        // a link, of what kind says the element
  navigation,  // cite
  action,      // of a form
  embed,       // src and its like: one URL
  candidates,  // srcset and its like
  lazy,        // data-src and its like: one URL, or several separated by ", "
  resource,    // data, classid, code, archive: resolved against codebase
  codebase,
  value,
  flashvars,
  style,    // or a property of one (SVG)
  handler,  // onclick …
  srcdoc,
  ping,              // URLs separated by spaces
  maybe,             // data-bg and its like: a URL if it looks like one
  maybe_candidates,  // of a name that ends in "srcset": those that look like a URL
  data,              // any other data attribute
  content,           // of a property
  item_id,           // the name of an item
};

// `name` in lower case.
AttributeRole attribute_role(std::string_view name);

}  // namespace caddis::extract
