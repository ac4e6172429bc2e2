#include "caddis/crawl/mirror_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <set>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"

namespace caddis::crawl {
namespace {

// Hidden, and outside of every host's folder.
// Other processes may mirror into the same folder.
std::string temporary_name(const std::string& folder, size_t number) {
  return fmt::format("{}/.new-{}-{}", folder, ::getpid(), number);
}

const visit::Written* copy_for(const visit::Capture& capture, size_t writer) {
  for (const visit::Written& copy : capture.copies)
    if (copy.writer == writer) return &copy;
  return nullptr;
}

}  // namespace

Result<std::string> MirrorFiles::place_for(std::string_view path) {
  std::string folder = folder_;
  const std::vector<std::string_view> parts = split(path, '/');
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    folder = io::join_path(folder, parts[i]);
    while (files_.exists(folder) && !files_.is_directory(folder)) folder += ".dir";
  }
  TRY_VOID(files_.make_dirs(folder));
  std::string place = io::join_path(folder, parts.back());
  while (files_.is_directory(place)) place += ".file";
  return place;
}

Result<MirrorFiles::Begun> MirrorFiles::begin(const std::string& path, const io::Spool& document, size_t number) {
  TRY(std::string place, place_for(path));
  std::string temporary = temporary_name(folder_, number);
  if (files_.exists(temporary)) TRY_VOID(files_.remove(temporary));
  TRY(const auto file, files_.open_append(temporary));
  TRY_VOID(document.for_each([&](std::string_view bytes) { return file->append(bytes); }));
  TRY_VOID(file->sync());
  return Begun{std::move(place), std::move(temporary)};
}

// Each is synced before it gets its name, and each folder once, behind them.
Result<void> MirrorFiles::write(const std::vector<const visit::Capture*>& captures, size_t writer, std::string& list) {
  std::set<std::string> folders;
  std::string lines;
  TRY_VOID(files_.make_dirs(folder_));
  for (size_t i = 0; i < captures.size(); ++i) {
    const visit::Capture& capture = *captures[i];
    const visit::Written* const copy = copy_for(capture, writer);
    if (copy == nullptr) continue;
    TRY(const Begun begun, begin(copy->path, copy->records.bytes, i));
    TRY_VOID(files_.rename(begun.temporary, begun.path));
    folders.insert(io::parent_path(begun.path));
    JsonObject line;
    line.add("path", begun.path.substr(folder_.size() + 1)).add("url", capture.url);
    line.add("date", rfc3339_millis(capture.date)).add("digest", capture.digest);
    line.add("size", copy->records.bytes.size());
    lines += line.finish();
    lines += '\n';
  }
  for (const std::string& folder : folders) TRY_VOID(files_.sync_dir(folder));
  list += lines;
  return {};
}

}  // namespace caddis::crawl
