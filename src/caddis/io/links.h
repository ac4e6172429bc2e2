// Symbolic links, and trees that may hold some. Only of the operating system's files.
//
// Any thread.
#pragma once

#include <string>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::io {

// Makes `path` a link to `target`, as it is written. A link that is there is replaced atomically; ErrorCode::conflict if
// something else has that name.
Result<void> make_link(const std::string& target, const std::string& path);
// The whole path without links and dots. ErrorCode::not_found if there is no such file.
Result<std::string> real_path(const std::string& path);
// The path of the file that is to be written in place of `path`: the one to which a link leads, so that the link stays one;
// else `path` itself, also where there is no file yet. ErrorCode::config if a link leads to no file.
Result<std::string> written_path(Files& files, const std::string& path);
// Removes a file, or a folder with all in it. Links are removed, and never followed.
Result<void> remove_tree(const std::string& path);

}  // namespace caddis::io
