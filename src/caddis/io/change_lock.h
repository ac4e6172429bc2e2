// The lock of a file that people and programs change: one at a time, and whoever comes too early is told who has it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::io {

// Holds `lock_path` while somebody changes `path`; `what` says for others what is done: "a change of the users". This process
// is named besides. ErrorCode::conflict, with what to do, if another process has it. Any thread; it does not wait.
Result<std::unique_ptr<FileLock>> lock_for_change(Files& files, const std::string& path, const std::string& lock_path,
                                                  std::string_view what);

}  // namespace caddis::io
