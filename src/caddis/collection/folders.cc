#include "caddis/collection/folders.h"

namespace caddis::collection {

Result<void> clone_file(io::Files& files, const std::string& from, const std::string& to, bool link) {
  if (link && files.link(from, to)) return {};
  TRY(const auto source, files.open_read(from));
  TRY(const uint64_t size, source->size());
  // It may be a second name of the source.
  if (files.exists(to)) TRY_VOID(files.remove(to));
  TRY(const auto target, files.open_append(to));
  TRY_VOID(read_pieces(files, from, size, [&](std::string_view piece) { return target->append(piece); }));
  return target->sync();
}

Result<void> clone_folder(io::Files& files, const std::string& from, const std::string& to) {
  remove_tree(files, to);
  TRY_VOID(files.make_dirs(to));
  TRY(const auto entries, files.list(from));
  for (const io::DirectoryEntry& entry : entries) {
    if (entry.is_directory) continue;
    const bool is_fixed = entry.name.ends_with(".sst") || entry.name.ends_with(".run");
    TRY_VOID(clone_file(files, io::join_path(from, entry.name), io::join_path(to, entry.name), is_fixed));
  }
  return files.sync_dir(to);
}

Result<void> move_path(io::Files& files, const std::string& from, const std::string& to) {
  TRY_VOID(files.rename(from, to));
  TRY_VOID(files.sync_dir(io::parent_path(to)));
  return files.sync_dir(io::parent_path(from));
}

void remove_tree(io::Files& files, const std::string& folder) {
  const auto entries = files.list(folder);
  if (!entries) return;
  for (const io::DirectoryEntry& entry : *entries) {
    const std::string path = io::join_path(folder, entry.name);
    if (entry.is_directory)
      remove_tree(files, path);
    else
      (void)files.remove(path);
  }
  (void)files.remove(folder);
}

}  // namespace caddis::collection
