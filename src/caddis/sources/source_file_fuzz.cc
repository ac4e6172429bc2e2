// Files of sources.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/sources/source_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto list = sources::parse_sources(text, "sources.yaml");
  if (!list) CADDIS_CHECK(list.error().message.starts_with("sources.yaml:"));
  return 0;
}
