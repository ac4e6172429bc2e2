// Repairs the files of a crawl that does not run. The ordinary death is none of its business: opening a crawl knows that
// a file may be longer than is committed of it. A repair is for what no death does.
//
// Findings. Each file of a stream has a row that says how many of its bytes are committed (store/streams.h).
// A file that holds fewer was shortened by a disk that lied: it had said that these bytes were safe. A file that is not
// there at all, under none of its names, was taken away by people. A run of the seen-set each of whose blocks has a
// checksum may be missing, cut, or have bytes that were never written.
//
// Remedies.
//   * Files that people took: only they know what became of them, so they have to say it. If WARC files were moved, they
//     are asked for no more, and their captures stand. If they are lost, the index journal names what they held, and
//     that is captured again.
//   * Files that are short: the latest groups have undo rows (group_undo.h), which say where all streams stood before
//     each of them, and which visits ended in it. All streams go back to the latest place up to which nothing is missing,
//     and these visits are made again.
//   * Files that are short further back than that: they are closed at the end of their last whole record, line or row.
//     The index journal names the captures that stood behind, which are made again.
//   * Runs that are damaged: the state of the seen-set that the row had before is taken, as long as the log has what was
//     added since. If it has not, what can be read of the run is kept.
//
// Losses. Going back loses nothing but time: each visit is made again, its lines were taken back with it. What lies
// further back loses the captures of that time, though not their URLs, and lines of logs; lines of what is made again
// stand there twice. Known URLs that are lost with rows or blocks may be fetched again.
//
// Why it is safe to die in it. `inspect` only reads. `apply` first moves files that are given up to the orphans, then
// writes one synced batch: the rows of the streams and of the seen-set as they are from now on, what is to be visited
// again, and the words for the report. Before the batch, the next repair finds the same: a file among the orphans counts
// as one that the disk has lost, and a run that no row names is removed by whoever opens the set. After it, the files
// differ from their rows as after any death: the next opening cuts them. It also queues what is to be visited again, and
// erases these rows in the group that holds the URLs; until then they stay.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/io/files.h"
#include "caddis/repair/group_undo.h"
#include "caddis/repair/repair_plan.h"
#include "caddis/store/kv.h"

namespace caddis::repair {

// A crawl whose lock and store the caller holds.
struct Subject {
  io::Files& files;
  store::Kv& kv;
  collection::Launch launch;
  std::string orphans = launch.orphans();  // the folder for files that are given up
};

// Plans the repair. Reads every byte of the seen-set's runs, and of the index journal if captures are lost.
Result<RepairPlan> inspect(const Subject& subject, MissingFiles missing);
// Does it. Returns what was done, in sentences; nothing if nothing was to be done. ErrorCode::config or corrupt if only
// the operator can say how to go on.
Result<std::vector<std::string>> apply(const Subject& subject, const RepairPlan& plan);

// Losses that are not queued yet, in words that stand in the report of the crawl, too.
Result<std::vector<std::string>> losses_to_tell(store::Kv& kv);

// Captures that a repair takes back or gives up must not be originals of others. To forget all costs savings only.
Result<void> forget_digests(store::Kv& kv);

using NumberedGroup = std::pair<uint64_t, GroupUndo>;
// The groups that have undo rows from that number on, the oldest first.
Result<std::vector<NumberedGroup>> read_groups(store::Kv& kv, uint64_t first = 0);

}  // namespace caddis::repair
