// What can be asked of a host: the kinds of page, and the name of one of them (PageRef), which stands for a path and is
// found from it without a look-up.
#pragma once

#include <cstdint>
#include <string_view>

namespace simweb {

enum class Kind : uint8_t {
  // Numbered pages of a host, 0 to HostFacts::pages - 1. The tree of a host leads to each of them.
  html,
  hidden,        // forbidden by a prefix rule; html where the host's robots.txt has no rules
  hidden_query,  // forbidden by a wildcard rule
  shown,         // below a forbidden prefix, but allowed by a longer rule
  image,
  style,
  script,
  pdf,
  feed,
  redirect,        // to a page of the host
  redirect_host,   // to the home page of another host
  redirect_chain,  // over 2 to 5 steps to a page of the host
  redirect_loop,   // of 1 to 3 URLs
  not_found,
  server_error,  // 500, always
  too_many,      // 429 with Retry-After once or twice, then a page
  unavailable,   // 503, the same
  length_long,   // Content-Length says more than comes
  length_short,  // Content-Length says less than comes
  truncated,
  reset,
  hang,
  drip,
  bad_head,
  huge_head,
  endless,
  gzip_bomb,
  charset_conflict,
  // What a host has besides.
  chain_step,     // `part` 1.. of the chain that page `number` begins
  loop_step,      // the same of a loop
  robots,         // /robots.txt
  robots_target,  // where it is redirected to
  favicon,
  sitemap_index,
  sitemap,        // `number` 0..
  trap_calendar,  // `number`: month
  trap_session,   // `number`: page, `part`: session
  trap_path,      // `number`: depth
  trap_shop,      // `number`: combination of filters and sorting
  trap_host,      // home page of wildcard subdomain `number`
  trap_missing,   // answers 200 for whatever is not there; `number`: hash of the path
  login_form,     // of a host whose pages want a session (doors.h)
  login_welcome,  // where it leads whoever has filled it in
  unknown,        // answered with 404
};
inline constexpr int kKinds = static_cast<int>(Kind::unknown) + 1;

// The kind's name, as settings, reports and the oracle's reasons have it.
std::string_view to_string(Kind kind);

constexpr bool is_numbered(Kind kind) { return kind <= Kind::charset_conflict; }
constexpr bool is_trap(Kind kind) { return kind >= Kind::trap_calendar && kind <= Kind::trap_missing; }
// The answer changes with the attempt: whoever answers has to count requests of this page.
constexpr bool counts_attempts(Kind kind) {
  return kind == Kind::too_many || kind == Kind::unavailable || kind == Kind::robots;
}

using HostId = uint64_t;

struct PageRef {
  Kind kind = Kind::unknown;
  uint64_t number = 0;
  uint32_t part = 0;

  bool operator==(const PageRef&) const = default;
};

}  // namespace simweb
