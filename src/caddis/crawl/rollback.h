// Going back to a checkpoint: the state becomes what it was then, and whatever is newer is moved aside, never deleted:
// WARC files to `archive/after-<checkpoint>/`, all else to `state/after-<checkpoint>/` (docs/formats/checkpoint.md).
//
//   TRY(auto rollback, Rollback::begin(files, open_kv, launch, "nightly"));       // before the store is opened
//   … open the store …
//   TRY_VOID(rollback->move_later_files(*kv));                                     // before the streams are recovered
//   … recover the streams, with rollback->quarantine_dir() for what they cut …
//   TRY_VOID(rollback->finish());
//
// From the first step on the file `state/going-back` says what is being done: a process may die at any point, and the
// next one goes on with it. As long as it is there, the state is nothing that could be looked at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/io/files.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

class Rollback {
 public:
  // `wanted`: the name of a checkpoint, "latest", or "" for none; nothing is given back where nothing is to be done.
  // Where a process died while going back, that is gone on with, whatever is wanted: ErrorCode::conflict where it is
  // another checkpoint.
  static Result<std::optional<Rollback>> begin(io::Files& files, const store::KvOpener& open_kv,
                                               const collection::Launch& launch, const std::string& wanted);
  // Whether a process died while going back.
  static bool is_underway(io::Files& files, const collection::Launch& launch);

  Result<void> move_later_files(store::Kv& kv);
  Result<void> finish();

  const Checkpoint& checkpoint() const { return checkpoint_; }
  // The folder for what is newer.
  std::string quarantine_dir() const { return launch_.state() + "/" + quarantine_; }
  // Tells people what was done; captures until the checkpoint have serial numbers below `next_serial`.
  std::string summary(std::string_view next_serial) const;

 private:
  Rollback(io::Files& files, const collection::Launch& launch) : files_(&files), launch_(launch) {}
  Result<void> plan(const store::KvOpener& open_kv, const std::string& wanted);
  Result<void> read_plan();
  Result<void> find_later_files(const store::KvOpener& open_kv);
  Result<void> swap_folder(const std::string& name);
  Result<void> move_newer_checkpoints();
  Result<void> move_index();
  Result<void> bring_back_seen_parts();
  Result<void> move_later_actions(store::Kv& kv);
  Result<void> move_later_parts(store::Kv& kv, const std::string& stream, const std::string& path);
  Result<void> find_own_files(const std::string& folder);
  Result<void> move_archive_file(const std::string& name);
  Result<bool> is_of_this_launch(const std::string& path);

  io::Files* files_;
  collection::Launch launch_;
  Checkpoint checkpoint_;
  std::string quarantine_;          // base name of the folders for what is newer
  std::vector<std::string> later_;  // base names of WARC files that the state knew, older ones among them
  bool by_warcinfo_ = false;        // it could not be read: the files themselves say whose they are
  uint64_t moved_ = 0;              // WARC files
  uint64_t undone_ = 0;             // action files
};

}  // namespace caddis::crawl
