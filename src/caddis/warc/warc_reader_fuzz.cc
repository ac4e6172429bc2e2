// Any bytes: read as an archive file, with digests checked, in small and in large steps, which must tell the same
// records.
#include <cstdint>
#include <vector>

#include "caddis/base/check.h"
#include "caddis/warc/check.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/views.h"

namespace {

using namespace caddis::warc;

std::vector<uint64_t> offsets(const MemorySource& source, size_t read_size) {
  Reader reader(source, {.max_header = 8192, .read_size = read_size});
  std::vector<uint64_t> found;
  for (;;) {
    const auto record = reader.next();
    CADDIS_CHECK(record.has_value());
    if (*record == nullptr) return found;
    found.push_back((*record)->offset());
    if (const auto payload = read_payload(**record, 1 << 20)) (void)decode_payload(*payload, 1 << 20);
    CADDIS_CHECK((*record)->finish().has_value());
    view((*record)->header());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const MemorySource source({reinterpret_cast<const char*>(data), size});
  CADDIS_CHECK(offsets(source, 4096) == offsets(source, 1 << 20));
  CADDIS_CHECK(check_file(source, [](const Finding&) {}).has_value());
  return 0;
}
