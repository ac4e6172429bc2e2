#include "caddis/io/checksum.h"

#include <libdeflate.h>

namespace caddis::io {

uint32_t crc32(std::string_view bytes, uint32_t before) { return libdeflate_crc32(before, bytes.data(), bytes.size()); }

}  // namespace caddis::io
