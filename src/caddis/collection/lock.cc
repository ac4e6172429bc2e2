#include "caddis/collection/lock.h"

#include <fmt/format.h>

#include "caddis/collection/layout.h"

namespace caddis::collection {

Result<std::unique_ptr<io::FileLock>> lock_collection(io::Files& files, const std::string& collection,
                                                      std::string_view note) {
  const Layout layout(collection);
  TRY_VOID(files.make_dirs(layout.crawls()));
  auto lock = files.lock(layout.lock_file(), note);
  if (!lock && lock.error().code == ErrorCode::conflict)
    return fail(
        ErrorCode::conflict,
        fmt::format("another crawl is running in {}, or a command works on its state ({}); see 'caddis status {}', or "
                    "choose another --collection",
                    collection, lock.error().message, collection));
  return lock;
}

}  // namespace caddis::collection
