// The folders in which archive files of a collection lie: its own, and further ones that `archive.folders` or a writer
// names. Those are listed in archive-folders.txt, a line for each, so that replay and tools find the files.
//
// Any thread; one process at a time writes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/layout.h"
#include "caddis/io/files.h"

namespace caddis::collection {

// The collection's own folder comes first. A list that cannot be read counts as empty, and is told of in the log.
std::vector<std::string> archive_folders(io::Files& files, const Layout& layout);
// Durable when it returns.
Result<void> remember_archive_folder(io::Files& files, const Layout& layout, const std::string& folder);

// Where an archive file that an index names may lie, the likeliest place first: in one of the folders, there as one that
// is still written, or in the collection itself.
std::vector<std::string> places_of_archive(io::Files& files, const Layout& layout, std::string_view file_name);

}  // namespace caddis::collection
