// Writing small things into a buffer that is known to be large enough: links are most of what an answer costs. Each
// gives the place behind what it wrote. Internal to the world.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "simweb/world/page.h"
#include "simweb/world/settings.h"

namespace simweb {

// Room for any numbered page's URL, host included.
inline constexpr size_t kMaxPut = 160;

inline char* put(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

inline char* put_decimal(char* at, uint64_t number) {
  char digits[20];
  char* begin = digits + sizeof digits;
  do *--begin = static_cast<char>('0' + number % 10);
  while ((number /= 10) != 0);
  return put(at, {begin, static_cast<size_t>(digits + sizeof digits - begin)});
}

inline char* put_base36(char* at, uint64_t number) {
  char digits[16];
  char* begin = digits + sizeof digits;
  do *--begin = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
  while ((number /= 36) != 0);
  return put(at, {begin, static_cast<size_t>(digits + sizeof digits - begin)});
}

// h3.s0.test
char* put_host_name(char* at, HostId id);
// http://h3.s0.test:18080
char* put_origin(char* at, const WebSettings& settings, HostId id, bool https);
// The path of a numbered page or a step.
char* put_numbered(char* at, const PageRef& page);

}  // namespace simweb
