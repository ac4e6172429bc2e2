// What the `rel` of a link says about its target, for <link> and for the Link header. Internal to extract.
#pragma once

#include <string_view>

namespace caddis::extract {

struct LinkRelation {
  enum class Kind {
    ignored,     // nothing to fetch: preconnect, pingback, no relation at all
    navigation,  // another page: canonical, next, alternate
    embed,       // a part of this page: stylesheet, icon, preload
  };
  Kind kind = Kind::ignored;
  std::string_view name;  // the relation that decided, lower case; only for `embed`
};

LinkRelation link_relation(std::string_view rel);

}  // namespace caddis::extract
