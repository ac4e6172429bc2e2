// The contexts of links that stand in no attribute, as Heritrix has them.
#pragma once

#include <string_view>

#include "caddis/documents/document.h"

namespace caddis::documents {

constexpr std::string_view context_of(LinkKind kind) {
  switch (kind) {
    case LinkKind::navigation:
      return "=NAVLINK_MISC";
    case LinkKind::embed:
      return "=EMBED_MISC";
    case LinkKind::speculative:
      return "=SPECULATIVE_MISC";
  }
  return {};
}

}  // namespace caddis::documents
