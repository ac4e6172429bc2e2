// The rules by which URLs are known again, and the function that follows them. An index tells its rules, so that nobody
// searches it by others.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/url/key_policy.h"

namespace caddis::dedup {

struct IndexKey {
  std::string rules;                                // name, version, steps and hash (url::KeyPolicy::record)
  std::function<std::string(std::string_view)> of;  // the key of a URL; any thread
  bool has_periods = false;                         // keys in an index may be those of a period; `of` knows of none
  std::string notation;                             // of the policy, as --key-policy takes it

  // Whether an index that tells these rules has the same keys: by their hashes.
  bool makes_keys_of(std::string_view rules_of_index) const;
};

IndexKey index_key_by(const url::KeyPolicy& policy);
// ia-surt, the key of CDXJ indexes unless people choose another.
IndexKey standard_index_key();
// By the rules that an index tells. ErrorCode::unsupported if this version has not all of their steps.
Result<IndexKey> index_key_of(std::string_view rules);

}  // namespace caddis::dedup
