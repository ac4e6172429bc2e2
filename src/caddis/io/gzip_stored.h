// Gzip members whose large part is stored as it is (RFC 1951, 3.2.4): bodies that are compressed already cost a copy
// and a checksum. Internal to io.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace caddis::io {

// Appends one member over the concatenation of `parts`: what stands before the largest of them is packed as fields, the
// rest is stored. Where the largest is small, or stands at the front, all is packed.
void append_stored_member(std::string& out, std::span<const std::string_view> parts);

// The same piece by piece, all of it stored.
class StoredMember {
 public:
  void write(std::string_view bytes, std::string& out);
  // Appends the trailer; another member may follow.
  void finish(std::string& out);

 private:
  bool begun_ = false;
  uint32_t crc_ = 0, length_ = 0;  // both modulo 2^32
};

}  // namespace caddis::io
