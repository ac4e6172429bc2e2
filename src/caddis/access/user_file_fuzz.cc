// A users file of anybody's: what is read is written back byte for byte.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/access/user_file.h"
#include "caddis/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto file = caddis::access::UserFile::parse(text)) CADDIS_CHECK(file->to_text() == text);
  return 0;
}
