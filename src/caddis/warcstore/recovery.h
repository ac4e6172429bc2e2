// The start of a store after a death, as far as its archive files go: how all streams are cut, and which files in shared
// folders are this store's own.
//
//   TRY(const auto plan, inspect_streams(files, kv, streams, launch));
//   TRY_VOID(streams.apply(plan));
//   TRY_VOID(settle_begun_files(kv));
//
// Before anything is committed. Blocks.
#pragma once

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/io/files.h"
#include "caddis/store/kv.h"
#include "caddis/store/streams.h"

namespace caddis::warcstore {

// The plan for the streams of that launch. Of what lies in folders of archive files, it moves only what the store had
// begun away.
Result<store::StreamPlan> inspect_streams(io::Files& files, store::Kv& kv, const store::StreamSet& streams,
                                          const collection::Launch& launch);
// The plan has been applied: no file is begun and not committed any more.
Result<void> settle_begun_files(store::Kv& kv);

}  // namespace caddis::warcstore
