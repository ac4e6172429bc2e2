// Where the collections of a folder lie, apart from opening them: for servers that look again and again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/replay/collection.h"

namespace caddis::replay {

// The collections and packages in a folder of them, and the folder itself if it has archive files; `path` alone if it is a
// collection or a file. ErrorCode::not_found if there is none of all these.
Result<std::vector<std::string>> collection_paths(io::Files& files, const std::string& path);

// As open_collections, those at these paths.
Result<std::vector<std::unique_ptr<Collection>>> open_collections_at(io::Files& files, const Clock& clock,
                                                                     const std::vector<std::string>& paths,
                                                                     const std::string& launch,
                                                                     const std::string& sources);

}  // namespace caddis::replay
