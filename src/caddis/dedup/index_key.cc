#include "caddis/dedup/index_key.h"

#include "caddis/cdx/line.h"
#include "caddis/url/key_policy.h"

namespace caddis::dedup {

namespace {

std::string key_of(std::string_view url) { return cdx::index_key(url); }

}  // namespace

IndexKey standard_index_key() { return {url::KeyPolicy::ia_surt().record(), key_of}; }

}  // namespace caddis::dedup
