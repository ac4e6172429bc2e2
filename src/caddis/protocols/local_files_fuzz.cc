// A path of this machine, from whatever a URL has: it is absolute, and leads nowhere but down.
#include "caddis/protocols/local_files.h"

#include <cstddef>
#include <cstdint>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto path = caddis::protocols::local_path({reinterpret_cast<const char*>(data), size});
  if (!path) return 0;
  CADDIS_CHECK(path->starts_with('/') && !path->contains('\0'));
  for (const std::string_view name : caddis::split(*path, '/')) CADDIS_CHECK(name != "." && name != "..");
  return 0;
}
