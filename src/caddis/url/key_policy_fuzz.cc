// Any bytes as the notation of a key policy: what is read is written and read again as the same policy, and makes keys
// of anything.
#include <cstdint>

#include "caddis/base/check.h"
#include "caddis/url/canonicalize.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::url;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto policy = KeyPolicy::parse(input);
  if (!policy) {
    CADDIS_CHECK(!policy.error().message.empty());
    return 0;
  }
  const auto again = KeyPolicy::parse(policy->notation());
  CADDIS_CHECK(again.has_value() && *again == *policy && again->notation() == policy->notation());
  const auto list = KeyPolicy::parse("own/1: " + policy->steps());
  CADDIS_CHECK(list.has_value() && *list == *policy);
  for (const char* url : {"https://www.example.org:8080/a/index.html?utm_source=x&sid=1#top", "dns:example.org", "x"}) {
    (void)canonicalize(*policy, url, "2011");
    (void)explain_key(*policy, url);
  }
  CADDIS_CHECK(!policy->periods().empty());
  return 0;
}
