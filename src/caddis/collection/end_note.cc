#include "caddis/collection/end_note.h"

namespace caddis::collection {

// A file without bytes can be made on most disks that are full.
void note_end(io::Files& files, const Launch& launch, std::string_view why) {
  const auto note = files.open_append(launch.end_note());
  if (!note || !(*note)->truncate(0) || !(*note)->append(why)) return;
  (void)(*note)->sync();
  (void)files.sync_dir(launch.state());
}

std::optional<std::string> noted_end(io::Files& files, const Launch& launch) {
  if (!files.exists(launch.end_note())) return std::nullopt;
  return files.read_all(launch.end_note()).value_or("");
}

}  // namespace caddis::collection
