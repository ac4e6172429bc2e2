#include "version_line.h"

#include <fmt/format.h>

#include <string_view>

#include "caddis/base/version.h"

namespace caddis::cli {

// The commit that was built, in a source of its own, which is made at each build (cmake/Commit.cmake).
extern const std::string_view kCommit;

std::string version_line() {
  return kCommit.empty() ? fmt::format("caddis {}", kVersion) : fmt::format("caddis {} ({})", kVersion, kCommit);
}

}  // namespace caddis::cli
