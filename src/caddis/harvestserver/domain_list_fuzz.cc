// Lists of domains that people upload.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/harvestserver/domain_list.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto list = caddis::harvestserver::read_domain_list(text))
    for (const auto& one : list->domains) CADDIS_CHECK(!one.name.empty() && one.line > 0);
  return 0;
}
