#include "caddis/io/change_lock.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

namespace caddis::io {

Result<std::unique_ptr<FileLock>> lock_for_change(Files& files, const std::string& path, const std::string& lock_path,
                                                  std::string_view what) {
  auto held = files.lock(lock_path, fmt::format("process {}, {}", ::getpid(), what));
  if (!held && held.error().code == ErrorCode::conflict)
    return fail(ErrorCode::conflict,
                fmt::format("{} is being changed by somebody else just now: try again in a moment, and if it stays so, "
                            "end that process ({})",
                            path, held.error().message));
  if (!held) return pass(std::move(held).error(), path);
  return held;
}

}  // namespace caddis::io
