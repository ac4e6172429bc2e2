#include "caddis/dedup/index_key.h"

#include "caddis/cdx/line.h"
#include "caddis/url/canonicalize.h"

namespace caddis::dedup {

IndexKey standard_index_key() { return {url::policy_rules(url::Policy::ia_surt), cdx::index_key}; }

}  // namespace caddis::dedup
