// Any bytes as job.yaml: what is read is written and read again to the same.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/engine/job_record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const auto record = engine::parse_record({reinterpret_cast<const char*>(data), size});
  if (!record || record->ticket == 0) return 0;
  const auto again = engine::parse_record(engine::format_record(*record));
  CADDIS_CHECK(again.has_value() && *again == *record);
  return 0;
}
