// Examples of what each condition says, as data: tests run them, and docs/rules.md shows them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace caddis::scope {

struct RuleCase {
  std::string_view condition;  // as rules write it: "hops > 2"
  std::string_view url;
  bool holds = false;
  std::string_view hops = "L", via = {};
  bool is_seed = false;
  std::string_view source_seed = {};
  // The answer; none if the status is 0: then the address may be known.
  int status = 0;
  std::string_view mime = {};
  int64_t length = -1;
  bool is_identical = false;
  std::string_view address = {};
  std::string_view at = {};  // the moment at which it is asked, as RFC 3339
};

// The seed of all cases, and a line with - in the list that names it.
inline constexpr std::string_view kSeedOfCases = "https://www.example.co.uk/docs/start.html";
inline constexpr std::string_view kMinusLineOfCases = "http://(uk,co,example,www,)/docs/private/";

std::span<const RuleCase> rule_cases();

}  // namespace caddis::scope
