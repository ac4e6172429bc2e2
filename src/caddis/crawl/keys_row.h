// The row by which a state knows the key policies of its crawl: the hashes of their steps. By another version of Caddis a policy
// may have other steps under the same name; the URLs that are known would then not be known again.
#pragma once

#include <string>

#include "caddis/base/error.h"
#include "caddis/config/canonicalization_settings.h"
#include "caddis/io/files.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

// "<hash of the crawl key> <hash of the index key>"
std::string keys_row(const config::KeyPolicies& keys);
// ErrorCode::unsupported if the row of the state has other hashes than the policies that `settings` name.
Result<void> check_keys_row(store::Kv& kv, const config::CanonicalizationSettings& settings);

// The policy of the journal stands beside it, for those who read it while the crawl runs.
Result<void> note_journal_policy(io::Files& files, const std::string& journal, const url::KeyPolicy& policy);

}  // namespace caddis::crawl
