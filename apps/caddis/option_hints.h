// Words of wget and browsertrix that people try here, and what says the same to `caddis crawl`.
#pragma once

#include <span>
#include <string_view>

namespace caddis::cli {

struct OptionHint {
  std::string_view option;   // "--level", or "-l"
  std::string_view tool;     // whose it is
  std::string_view instead;  // what to write here, or why nothing has to be
};

std::span<const OptionHint> option_hints();
// Null if nobody is known to have such an option.
const OptionHint* hint_for(std::string_view option);

}  // namespace caddis::cli
