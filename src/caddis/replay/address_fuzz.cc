// Addresses from anywhere: nothing crashes, and a URL once repaired stays as it is.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/replay/address.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto address = caddis::replay::parse_address(input);
  if (address) CADDIS_CHECK(!address->url.empty());
  const std::string header = caddis::replay::header_url(input);
  for (const char c : header) CADDIS_CHECK(static_cast<unsigned char>(c) > ' ');
  return 0;
}
