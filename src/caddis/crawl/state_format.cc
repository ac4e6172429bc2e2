#include "caddis/crawl/state_format.h"

#include <fmt/format.h>

#include "caddis/base/strings.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

// "caddis-crawl 9" is 9; 0 for what was never a format.
int64_t version_of(std::string_view format) {
  const size_t blank = format.rfind(' ');
  if (blank == std::string_view::npos || format.substr(0, blank) != kFormat.substr(0, kFormat.rfind(' '))) return 0;
  return parse_int(format.substr(blank + 1)).value_or(0);
}

}  // namespace

Result<void> check_format(std::string_view format, std::string_view where) {
  if (format == kFormat) return {};
  const int64_t found = version_of(format), known = version_of(kFormat);
  const std::string what =
      fmt::format("{} holds the state of a crawl in the format '{}'; this Caddis reads '{}'", where, format, kFormat);
  if (found == 0) return fail(ErrorCode::unsupported, what + ": it is no state that any Caddis wrote");
  if (found > known) return fail(ErrorCode::unsupported, what + ": it is newer. Use the version that wrote it");
  return fail(ErrorCode::unsupported,
              what +
                  ": it is older. Finish it with the version that began it, or begin a new crawl into the same "
                  "collection; where it wrote a recovery log, --recover takes over what was done and what was "
                  "still to do");
}

}  // namespace caddis::crawl
