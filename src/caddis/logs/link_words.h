// The words of lines about links: of scope.jsonl, and of not-crawled.jsonl for links that were not queued
// (docs/formats/logs.md). They are no outcome of a visit, and have no number in crawl.log.
//
// Pure functions; any thread.
#pragma once

#include <string_view>

#include "caddis/logs/json_line.h"

namespace caddis::logs {

inline constexpr std::string_view kAcceptedLink = "accepted", kRejectedLink = "rejected", kDuplicateLink = "duplicate";

// Whether the line is about a link, and no visit ended with it.
inline bool is_about_link(const JsonLine& line) {
  const std::string_view status = line.raw("status");
  return status == "\"rejected\"" || status == "\"duplicate\"" || status == "\"accepted\"";
}

}  // namespace caddis::logs
