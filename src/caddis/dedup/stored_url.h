// A URL as the digest index stores it: its scheme as a number, so that the same page of http and https stand together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace caddis::dedup {

struct StoredUrl {
  uint8_t scheme;  // 0 "http://", 1 "https://", 2 for what begins otherwise and is kept whole
  std::string_view rest;
};

inline StoredUrl split_url(std::string_view url) {
  if (url.starts_with("http://")) return {0, url.substr(7)};
  if (url.starts_with("https://")) return {1, url.substr(8)};
  return {2, url};
}

inline std::string join_url(uint8_t scheme, std::string_view rest) {
  constexpr std::string_view kSchemes[] = {"http://", "https://", ""};
  return std::string(kSchemes[scheme < 2 ? scheme : 2]).append(rest);
}

}  // namespace caddis::dedup
