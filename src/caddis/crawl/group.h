// A group of finished visits on its way to disk, and the writer that puts it there (docs/architecture.md, "The commit
// protocol"): append to all streams → sync → one synced batch. Nothing of a group reaches the key-value store before
// its bytes are on disk.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "caddis/archive/settings.h"
#include "caddis/archive/warcinfo.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/base/random.h"
#include "caddis/crawl/collection.h"
#include "caddis/crawl/group_undo.h"
#include "caddis/store/kv.h"
#include "caddis/store/streams.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

struct Group {
  std::vector<visit::Capture> captures;
  std::string log, errors, progress, pages;
  std::string seen;                 // rows of the fingerprint log
  uint64_t seen_held = 0;           // so many of its rows are no more needed in it
  uint64_t seen_file = UINT64_MAX;  // a file of it that is as long as this is followed by another
  std::string recovery;             // lines of the recovery log, where one is written
  UndoEntries visits;
  store::Batch batch;
  uint64_t frontier_stage = 0;
  uint64_t memory = 0;
  bool closes_files = false;  // the crawl ends: no WARC file stays open

  bool empty() const {
    return captures.empty() && log.empty() && errors.empty() && progress.empty() && pages.empty() && batch.empty() &&
           !closes_files;
  }
};

// Owned by the committer; runs on a thread that may block.
class GroupWriter {
 public:
  struct Names {
    std::string pid, host;
  };
  // The latest groups, whose rows are kept: numbers [first, next), at most `most` of them. A write of a second each or
  // 4 MB: what they hold is more than any disk or machine holds back.
  struct Recorded {
    uint64_t first = 1, next = 1, most = 64;
  };
  GroupWriter(store::StreamSet& streams, store::Kv& kv, const Launch& launch, const archive::ArchiveSettings& settings,
              const archive::Provenance& provenance, Names names, const Clock& clock, Random& random,
              uint64_t next_serial, const Recorded& recorded)
      : streams_(streams),
        kv_(kv),
        launch_(launch),
        settings_(settings),
        provenance_(provenance),
        names_(std::move(names)),
        clock_(clock),
        random_(random),
        serial_(next_serial),
        recorded_(recorded) {}

  // What became of the attempt to write a group.
  enum class Fate {
    committed,
    try_again,  // nothing of it is on disk; the same group may be written again
    unknown,    // the store failed while writing: only dying and recovering tells
  };
  struct Outcome {
    Fate fate = Fate::committed;
    Error error;
  };
  Outcome write(Group& group);

 private:
  Result<void> append_all(Group& group);
  Result<void> tend_seen_log(const Group& group);
  Result<void> append_capture(const visit::Capture& capture, std::string& cdx);
  std::string next_name(WallTime now);
  Result<void> roll();
  void record(Group& group);

  store::StreamSet& streams_;
  store::Kv& kv_;
  const Launch launch_;
  const archive::ArchiveSettings settings_;
  const archive::Provenance provenance_;
  const Names names_;
  const Clock& clock_;
  Random& random_;
  uint64_t serial_;
  Recorded recorded_;
  bool store_failed_ = false;
};

}  // namespace caddis::crawl
