#include "caddis/store/file_chores.h"

namespace caddis::store {

void FileChores::count_commit() {
  std::erase_if(removals_, [this](Removal& removal) {
    if (removal.commits > 0) return --removal.commits, false;
    (void)files_.remove(removal.path);
    return true;
  });
}

Result<void> FileChores::finish_renamings() {
  while (!renamings_.empty()) {
    const auto& [from, to] = renamings_.front();
    if (files_.exists(from)) {
      if (files_.exists(to))
        return fail(ErrorCode::conflict, "cannot rename " + from + ": somebody else has made " + to + "; move it away");
      TRY_VOID(files_.rename(from, to));
    }
    TRY_VOID(files_.sync_dir(io::parent_path(to)));
    renamings_.erase(renamings_.begin());
  }
  return {};
}

}  // namespace caddis::store
