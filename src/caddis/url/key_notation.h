// From the notation of a key policy to its steps, as far as words can say it. Internal to the module.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/url/key_rules.h"

namespace caddis::url {

// A policy that ships. What it does never changes under its version.
struct ShippedPolicy {
  std::string_view name;
  int version;
  std::string_view steps;
};
const std::vector<ShippedPolicy>& shipped_policies();

struct ReadNotation {
  std::string label;     // "caddis/1"
  std::string notation;  // in its normal form
  std::vector<KeyStep> steps;
};
// ErrorCode::config for what is wrong; the error tells what, where, and what there is.
Result<ReadNotation> read_notation(std::string_view notation);

// "whatwg-parse strip-fragment …"
std::string write_steps(const std::vector<KeyStep>& steps);

}  // namespace caddis::url
