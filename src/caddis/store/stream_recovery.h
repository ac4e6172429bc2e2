// What happens to the files of streams at the start, after any death. Private to store.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/store/orphans.h"
#include "caddis/store/stream_row.h"
#include "caddis/store/streams.h"

namespace caddis::store {

// Brings every file in line with its row: cut to its committed length, under the name its state asks for. Rows whose
// file is shorter get the state `lost` (in `rows` only: the caller commits that); but where `earlier` helps, all
// streams go back to one of these places instead, and rows of files begun since get the state `lost`. Then files of
// `owned_dirs` that belong to no row are moved to the orphans. All of it is durable when it returns, and may be
// repeated after dying at any point. `goes_back`: as in streams.h.
Result<RecoveryReport> recover_streams(io::Files& files, Orphans& orphans, std::vector<StreamRow>& rows,
                                       const std::vector<std::string>& owned_dirs,
                                       const std::function<bool(std::string_view path)>& keep,
                                       const std::vector<StreamEnds>& earlier, bool goes_back);

}  // namespace caddis::store
