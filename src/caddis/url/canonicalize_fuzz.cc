// Any bytes through every policy: no crash, and the key of a parsed URL is the key of its text.
#include <cstdint>

#include "caddis/base/check.h"
#include "caddis/url/canonicalize.h"
#include "caddis/url/surt.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::url;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto url = Url::parse(input);
  static const std::vector<KeyPolicy> kPolicies = {
      KeyPolicy::caddis(), KeyPolicy::parse("exact").value(), KeyPolicy::parse("heritrix").value(),
      KeyPolicy::parse("ssurt").value(), KeyPolicy::parse("semantic +index-document +strip-www").value()};
  for (const KeyPolicy& policy : kPolicies) {
    const auto key = canonicalize(policy, input);
    CADDIS_CHECK(key.has_value() == url.has_value());
    if (url) CADDIS_CHECK(crawl_key(policy, *url).value() == *key);
  }
  if (const auto key = surt(input)) CADDIS_CHECK(!key->empty());
  static const KeyPolicy kAggressive = KeyPolicy::parse("owb-aggressive").value();
  (void)canonicalize(kAggressive, input);
  static const KeyPolicy kOutback = KeyPolicy::parse("outback").value();
  (void)canonicalize(kOutback, input);
  if (url) {
    const std::string once = crawl_key(kPolicies[1], *url).value();
    CADDIS_CHECK(canonicalize(kPolicies[1], once).value() == once);
  }
  SurtPrefixSet prefixes;
  if (!prefixes.add_line(input)) return 0;
  CADDIS_CHECK(prefixes.size() <= 1);
  return 0;
}
