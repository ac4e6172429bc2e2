// Lines of dumps of databases.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/harvest/pg_dump.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::harvest;
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  if (const auto block = copy_block_of(line)) CADDIS_CHECK(!block->columns.empty());
  const auto fields = copy_fields_of(line);
  size_t bytes = 0;
  for (const auto& field : fields) bytes += field ? field->size() : 0;
  CADDIS_CHECK(bytes <= line.size());
  return 0;
}
