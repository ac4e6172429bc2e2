#include "simweb/world/page.h"

#include <array>

namespace simweb {

std::string_view to_string(Kind kind) {
  constexpr std::array<std::string_view, kKinds> kNames = {
      "html",          "hidden",        "hidden_query",  "shown",
      "image",         "style",         "script",        "pdf",
      "feed",          "redirect",      "redirect_host", "redirect_chain",
      "redirect_loop", "not_found",     "server_error",  "too_many",
      "unavailable",   "length_long",   "length_short",  "truncated",
      "reset",         "hang",          "drip",          "bad_head",
      "huge_head",     "endless",       "gzip_bomb",     "charset_conflict",
      "chain_step",    "loop_step",     "robots",        "robots_target",
      "favicon",       "sitemap_index", "sitemap",       "trap_calendar",
      "trap_session",  "trap_path",     "trap_shop",     "trap_host",
      "trap_missing",  "login_form",    "login_welcome", "unknown"};
  static_assert(!kNames.back().empty());
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace simweb
