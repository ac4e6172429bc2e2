// The section `canonicalization`: by which keys a crawl and its index know URLs again (url/key_policy.h).
#pragma once

#include <string>

#include "caddis/base/error.h"
#include "caddis/settings/schema.h"
#include "caddis/url/key_policy.h"

namespace caddis::config {

struct CanonicalizationSettings {
  std::string crawl = "caddis/1";
  std::string index = "ia-surt/1";
};

// As they were compiled.
struct KeyPolicies {
  url::KeyPolicy crawl = url::KeyPolicy::caddis();
  url::KeyPolicy index = url::KeyPolicy::ia_surt();
};

// ErrorCode::config, with the name of the setting, if one of them is no policy.
Result<KeyPolicies> key_policies(const CanonicalizationSettings& settings);
// ErrorCode::config if they make other keys: they are fixed for all of a crawl.
Result<void> check_same_keys(const CanonicalizationSettings& before, const CanonicalizationSettings& after);

}  // namespace caddis::config

namespace caddis::settings {
template <>
const Schema& schema_of<config::CanonicalizationSettings>();
}  // namespace caddis::settings
