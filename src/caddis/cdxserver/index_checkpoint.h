// A copy of an index as it is now, with its access rules beside it, to be served as an index of another folder.
#pragma once

#include <string>

#include "caddis/base/error.h"
#include "caddis/cdxserver/index_folder.h"
#include "caddis/io/files.h"

namespace caddis::cdxserver {

// Makes the copy at `path`, a folder that is not there yet; the rules stand at access_file_of(path). They are of a moment
// after that of the captures, and are there before the folder is: no checkpoint has open access points. If something fails,
// what was made so far is removed, or the error names the folder to delete.
//
// Any thread, but one call at a time for a path; it blocks. ErrorCode::conflict if there is one, or one that was broken off.
Result<void> make_index_checkpoint(io::Files& files, const ServedIndex& index, const std::string& path);

}  // namespace caddis::cdxserver
