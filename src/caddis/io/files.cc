// What all Files share: whole files and path arithmetic.
#include "caddis/io/files.h"

#include <algorithm>

namespace caddis::io {

namespace {
constexpr size_t kReadStep = 1 << 20;
}

Result<std::string> Files::read_all(const std::string& path, uint64_t limit) {
  TRY(const auto file, open_read(path));
  TRY(const uint64_t size, file->size());
  const auto too_large = [&] {
    return fail(ErrorCode::limit, path + " is larger than the " + std::to_string(limit) + " bytes allowed here");
  };
  if (size > limit) return too_large();
  // The size is a hint only: files of /proc have none, and others may still grow.
  std::string bytes(size + 1, '\0');
  size_t filled = 0;
  while (true) {
    TRY(const size_t got, file->read_at(filled, bytes.data() + filled, bytes.size() - filled));
    if (got == 0) break;
    filled += got;
    if (filled > limit) return too_large();
    if (filled == bytes.size()) bytes.resize(filled + kReadStep);
  }
  bytes.resize(filled);
  return bytes;
}

namespace {

Result<void> replace_file(Files& files, std::unique_ptr<File> temporary, const std::string& path,
                          std::string_view bytes) {
  TRY_VOID(temporary->truncate(0));  // an earlier attempt may have died here
  TRY_VOID(temporary->append(bytes));
  TRY_VOID(temporary->sync());
  temporary.reset();
  TRY_VOID(files.rename(path + ".tmp", path));
  return files.sync_dir(parent_path(path));
}

}  // namespace

Result<void> Files::write_atomically(const std::string& path, std::string_view bytes) {
  TRY(auto temporary, open_append(path + ".tmp"));
  return replace_file(*this, std::move(temporary), path, bytes);
}

Result<void> Files::write_atomically_private(const std::string& path, std::string_view bytes) {
  TRY(auto temporary, open_append_private(path + ".tmp"));
  return replace_file(*this, std::move(temporary), path, bytes);
}

std::string join_path(std::string_view folder, std::string_view name) {
  if (folder.empty()) return std::string(name);
  std::string path(folder);
  if (path.back() != '/') path += '/';
  return path.append(name);
}

std::string parent_path(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(path.substr(0, std::max<size_t>(slash, 1)));
}

std::string_view base_name(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

}  // namespace caddis::io
