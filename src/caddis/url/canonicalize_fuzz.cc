// Any bytes through every policy: no crash, and the key of a parsed URL is the key of its text.
#include <cstdint>

#include "caddis/base/check.h"
#include "caddis/url/canonicalize.h"
#include "caddis/url/surt.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::url;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto url = Url::parse(input);
  for (const Policy policy : {Policy::caddis, Policy::exact, Policy::heritrix, Policy::ssurt}) {
    const auto key = canonicalize(policy, input);
    CADDIS_CHECK(key.has_value() == url.has_value());
    if (url) CADDIS_CHECK(crawl_key(policy, *url).value() == *key);
  }
  if (const auto key = surt(input)) CADDIS_CHECK(!key->empty());
  if (url) {
    const std::string once = crawl_key(Policy::exact, *url).value();
    CADDIS_CHECK(canonicalize(Policy::exact, once).value() == once);
  }
  SurtPrefixSet prefixes;
  if (!prefixes.add_line(input)) return 0;
  CADDIS_CHECK(prefixes.size() <= 1);
  return 0;
}
