// A line about a link: of scope.jsonl, one answer of the scope; of not-crawled.jsonl, why it was not queued
// (docs/formats/logs.md).
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/logs/json_log.h"
#include "caddis/logs/link_words.h"

namespace caddis::visit {

using logs::kAcceptedLink, logs::kDuplicateLink, logs::kRejectedLink;

// Borrowed for the call.
struct LinkLine {
  WallTime at;
  std::string_view url;
  std::string_view word;
  std::string_view hops, via, seed;
  std::string_view rule;      // that decided
  std::string_view key = {};  // by which it is known already
};

void append_link_line(std::string& lines, const logs::JsonFields& fields, const LinkLine& link);

}  // namespace caddis::visit
