#include "caddis/crawl/seen_log.h"

#include <memory>
#include <utility>

#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

// Begins another file when the present one is long enough, and lets go of what runs hold.
class Rotation final : public commit::StagedWrite {
 public:
  struct Facts {
    uint64_t held_rows, file_bytes, commits_kept;
    bool has_rows;  // the group adds some
  };
  explicit Rotation(Facts facts) : facts_(facts) {}

  Result<void> append(commit::GroupOutput& out) override {
    store::StreamSet& streams = out.streams();
    if (!streams.has_open(kSeenStream)) return {};
    if (facts_.has_rows && streams.committed_length(kSeenStream) >= facts_.file_bytes)
      TRY_VOID(streams.roll_log(kSeenStream));
    streams.release(kSeenStream, facts_.held_rows * sizeof(uint64_t), facts_.commits_kept);
    return {};
  }

 private:
  const Facts facts_;
};

}  // namespace

Result<void> SeenLog::open(store::StreamSet& streams) { return streams.open_stream(kSeenStream, path_); }

void SeenLog::on_new(std::span<const uint64_t> fingerprints) {
  for (const uint64_t fingerprint : fingerprints) store::append_fingerprint(rows_, fingerprint);
}

void SeenLog::stage(commit::CommitGroup& group) {
  if (const auto runs = seen_.stage()) group.batch().put(kMeta, kSeenRunsRow, *runs);
  const Rotation::Facts facts{seen_.held_rows(), seen_.log_file_bytes(), commits_kept_, !rows_.empty()};
  group.add(std::make_unique<Rotation>(facts));
  group.append(kSeenStream, std::exchange(rows_, {}));
}

void SeenLog::committed(commit::GroupNumber group) {
  (void)group;
  seen_.committed();
}

}  // namespace caddis::crawl
