// Whether a status says that its URL was captured. A refusal by FTP, SFTP or the file system has a number of FTP (RFC 959), as
// in Heritrix, and no record; the same number of HTTP is an answer with one. So its scheme decides.
//
// Pure functions; any thread.
#pragma once

#include <array>
#include <string_view>

#include "caddis/base/fetch_status.h"

namespace caddis {

// A server, or the file system, has refused the URL: "530" of a log-in, "550" of a file that is not there.
inline bool is_refusal(FetchStatus status, std::string_view url) {
  constexpr FetchStatus kFirst = 300, kLast = 999;
  constexpr std::array<std::string_view, 3> kSchemes = {"ftp:", "sftp:", "file:"};
  if (status < kFirst || status > kLast) return false;
  for (const std::string_view scheme : kSchemes)
    if (url.starts_with(scheme)) return true;
  return false;
}

inline bool is_captured(FetchStatus status, std::string_view url) {
  return is_success(status) && !is_refusal(status, url);
}

}  // namespace caddis
