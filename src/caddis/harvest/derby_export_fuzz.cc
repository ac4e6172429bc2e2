// Tables that Derby has exported.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/harvest/derby_export.h"
#include "caddis/io/memory_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  io::MemoryFiles files;
  CADDIS_CHECK(files.make_dirs("/t").has_value());
  CADDIS_CHECK(files.write_atomically("/t/domains.csv", {reinterpret_cast<const char*>(data), size}).has_value());
  size_t bytes = 0;
  (void)harvest::each_exported_row(
      files, "/t", "domains",
      [&](const harvest::DumpRow& row) -> Result<void> {
        CADDIS_CHECK(row.is_whole() && row.line() > 0);
        bytes += row.text("name").size();
        return {};
      },
      [](int64_t) {});
  CADDIS_CHECK(bytes <= size);
  return 0;
}
