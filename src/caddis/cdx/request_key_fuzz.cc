// Bodies of requests of any type: their keys are bounded.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/cdx/request_key.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  for (const std::string_view type :
       {"application/json", "multipart/form-data; boundary=--", "text/plain", "application/x-www-form-urlencoded", ""})
    CADDIS_CHECK(caddis::cdx::key_body(type, input).size() <= caddis::cdx::kMostKeyBody);
  return 0;
}
