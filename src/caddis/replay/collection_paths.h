// Where the collections of a folder lie, apart from opening them: for servers that look again and again.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::replay {

// The collections and packages in a folder of them, and the folder itself if it has archive files; `path` alone if it is a
// collection or a file. ErrorCode::not_found if there is none of all these.
Result<std::vector<std::string>> collection_paths(io::Files& files, const std::string& path);
// The same of a folder that may have none of all these. An error if it is not there, or cannot be read.
Result<std::vector<std::string>> collections_in(io::Files& files, const std::string& folder);

// Addresses, access rules and keys are told apart by the name of the collection. ErrorCode::config if two of the paths would
// give one name; it tells which.
Result<void> refuse_equal_names(const std::vector<std::string>& paths);

}  // namespace caddis::replay
