// The remains of a recording, at its end and after a death: its index in the place of its journal, and no state.
//
// Under the lock of the collection; blocks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/io/files.h"
#include "caddis/store/kv.h"
#include "caddis/url/key_policy.h"

namespace caddis::recording {

// The file by which the folder of a launch is known as that of a recording.
std::string note_of(const collection::Launch& launch);

// Sorts the journal into the index, adds the pages to those of the collection, and removes the state.
Result<void> leave_index(io::Files& files, const collection::Launch& launch, const url::KeyPolicy& index_key);

// Ends recordings of the collection that died: what is committed of them stays, everything else goes to
// `<launch>/orphans`. One whose files are not as its store says is left as it is, and told of.
Result<void> end_dead_recordings(io::Files& files, const store::KvOpener& open_kv, const std::string& collection,
                                 std::vector<std::string>& notices);

}  // namespace caddis::recording
