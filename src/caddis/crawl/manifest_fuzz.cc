// Manifests of checkpoints: whatever is read is written and read again as the same.
#include "caddis/base/check.h"
#include "caddis/crawl/checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::crawl;
  const auto read = parse_manifest({reinterpret_cast<const char*>(data), size});
  if (!read) return 0;
  const auto again = parse_manifest(format_manifest(*read));
  CADDIS_CHECK(again.has_value() && *again == *read);
  return 0;
}
