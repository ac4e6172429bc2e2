// Names of domains, lists of seeds and crawler traps, as people upload them.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/harvest/domain_name.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::harvest;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto name = domain_name_of(text)) {
    // A name is its own name, and one that a URL leads to.
    CADDIS_CHECK(domain_name_of(*name).value() == *name);
    CADDIS_CHECK(domain_of_url(first_seed_of(*name)).value() == *name);
    (void)shown_domain(*name);
  }
  if (check_seeds(text)) CADDIS_CHECK(crawlable_seeds(text).size() == live_seeds(text).size());
  for (const std::string& seed : crawlable_seeds(text)) CADDIS_CHECK(check_seeds(seed));
  (void)trap_patterns(text);
  return 0;
}
