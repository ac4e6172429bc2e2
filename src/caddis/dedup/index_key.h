// The rules by which URLs are known again, and the function that follows them. An index tells its rules, so that nobody
// searches it by others.
#pragma once

#include <string>
#include <string_view>

namespace caddis::dedup {

struct IndexKey {
  std::string rules;                    // name, version and steps (url::KeyPolicy::record)
  std::string (*of)(std::string_view);  // the key of a URL; any thread
};

// The key of CDXJ indexes: ia-surt.
IndexKey standard_index_key();

}  // namespace caddis::dedup
