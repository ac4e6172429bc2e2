// The knowledge of a payload that steps hand to the one that writes its records. It goes with the document: that of a
// redirect is none of its target.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "caddis/dedup/history.h"
#include "caddis/dedup/original.h"

namespace caddis::visit {

// A capture that a server was asked about: whether the document has changed since.
struct AskedAbout {
  dedup::StoredCapture capture;
};

struct KnownPayload {
  std::optional<dedup::Match> match;     // nothing for one that is new
  std::optional<std::string> row_key{};  // by which later visits find one that is new
  bool is_unchanged = false;             // as the server says
};

}  // namespace caddis::visit
