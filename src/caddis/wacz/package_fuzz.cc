// Packages of strangers: whatever the bytes are, they are read within them, or refused.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/io/memory_files.h"
#include "caddis/wacz/datapackage.h"
#include "caddis/wacz/package_files.h"
#include "caddis/wacz/validate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)caddis::wacz::parse_datapackage(bytes);
  (void)caddis::wacz::parse_digest(bytes);
  (void)caddis::wacz::parse_member_place(bytes);
  (void)caddis::wacz::parse_page_line(bytes);
  caddis::io::MemoryFiles files;
  if (!files.write_atomically("a.wacz", bytes)) return 0;
  (void)caddis::wacz::validate_package(files, "a.wacz");
  const auto inside = caddis::wacz::PackageFiles::open(files, "a.wacz");
  if (!inside) return 0;
  const auto entries = (*inside)->list("a.wacz");
  if (!entries) return 0;
  for (const auto& entry : *entries) (void)(*inside)->read_all("a.wacz/" + entry.name, 1 << 20);
  return 0;
}
