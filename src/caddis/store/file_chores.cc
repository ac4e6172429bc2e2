#include "caddis/store/file_chores.h"

namespace caddis::store {

void FileChores::count_commit() {
  std::erase_if(removals_, [this](Removal& removal) {
    if (removal.commits > 0) return --removal.commits, false;
    (void)files_.remove(removal.path);
    return true;
  });
}

void FileChores::remove_now() {
  for (const Removal& removal : removals_) (void)files_.remove(removal.path);
  removals_.clear();
}

Result<void> FileChores::finish(const Renaming& renaming) {
  const auto& [from, to] = renaming;
  if (files_.exists(from)) {
    if (files_.exists(to))
      return fail(ErrorCode::conflict, "cannot rename " + from + ": somebody else has made " + to + "; move it away");
    TRY_VOID(files_.rename(from, to));
  }
  return files_.sync_dir(io::parent_path(to));
}

Result<void> FileChores::finish_renamings() {
  Result<void> outcome;
  std::erase_if(renamings_, [&](const Renaming& renaming) {
    auto finished = finish(renaming);
    const bool is_done = finished.has_value();
    if (!is_done) outcome = std::move(finished);
    return is_done;
  });
  return outcome;
}

}  // namespace caddis::store
