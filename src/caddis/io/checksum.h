// The CRC-32 of gzip and PNG (ISO 3309): finds damage, not malice.
#pragma once

#include <cstdint>
#include <string_view>

namespace caddis::io {

// `before` is the checksum of the bytes in front of these.
uint32_t crc32(std::string_view bytes, uint32_t before = 0);

}  // namespace caddis::io
