// A line of scope.jsonl: one answer of the scope (docs/formats/logs.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/logs/json_log.h"

namespace caddis::visit {

struct LaneTools;

// Borrowed for the call.
struct ScopeAnswer {
  WallTime at;
  std::string_view url;
  bool is_accepted = false;
  std::string_view hops, via, seed;
  std::string_view rule;  // that decided
};

// The fields that scope.jsonl has; nothing if it is not written.
std::optional<logs::JsonFields> logged_answers(const LaneTools& tools);

void append_scope_line(std::string& lines, const logs::JsonFields& fields, const ScopeAnswer& answer);

}  // namespace caddis::visit
