#include "caddis/cdx/auto_index.h"

#include <utility>

#include "caddis/base/strings.h"
#include "caddis/cdx/indexer.h"
#include "caddis/cdx/journal.h"
#include "caddis/cdx/line.h"
#include "caddis/collection/archive_folders.h"

namespace caddis::cdx {
namespace {

constexpr uint64_t kMostNoted = 1ULL << 30;  // bytes of names
constexpr size_t kFilesALook = 1000;

}  // namespace

Result<void> AutoIndexer::read_noted() {
  if (std::exchange(has_read_, true) || !files_.exists(noted_path())) return {};
  TRY(const std::string text, files_.read_all(noted_path(), kMostNoted));
  // A line that does not end was cut by a death: that file is looked at once more.
  for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    noted_.emplace(text.substr(at, end - at));
  return {};
}

Result<void> AutoIndexer::note(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string text;
  for (const std::string& name : names) text += name + '\n';
  TRY(const auto file, files_.open_append(noted_path()));
  TRY_VOID(file->append(text));
  TRY_VOID(file->sync());
  for (const std::string& name : names) {
    noted_.insert(name);
    sizes_.erase(name);
  }
  return {};
}

// New files that have the size they had at the last look.
std::vector<AutoIndexer::Found> AutoIndexer::settled_files() {
  std::vector<Found> settled;
  std::map<std::string, uint64_t> sizes;
  for (const std::string& folder : collection::archive_folders(files_, layout_)) {
    const auto entries = files_.list(folder);
    if (!entries) continue;
    for (const auto& entry : *entries) {
      const bool is_new = !entry.is_directory && is_archive_name(entry.name) && !entry.name.ends_with(".open") &&
                          !noted_.contains(entry.name);
      if (!is_new) continue;
      const auto before = sizes_.find(entry.name);
      const bool is_settled = entry.size > 0 && before != sizes_.end() && before->second == entry.size;
      if (is_settled && settled.size() < kFilesALook)
        settled.push_back({entry.name, io::join_path(folder, entry.name)});
      sizes[entry.name] = entry.size;
    }
  }
  sizes_ = std::move(sizes);
  return settled;
}

// True if its first capture stands in an index already.
Result<bool> AutoIndexer::is_indexed(const Found& file) const {
  std::string first;
  const auto take_first = [&](std::string_view line) -> Result<void> {
    first = line;
    return fail(ErrorCode::cancelled, "one is enough");
  };
  const auto read = index_archive(files_, file.path, file.name, take_first);
  if (first.empty()) return read ? Result<bool>(false) : std::unexpected(read.error());
  TRY(const Capture capture, parse_line(first));
  TRY(const UrlCaptures known, index_.captures_of(capture.url));
  bool found = false;
  TRY_VOID(known.each([&](const Capture& one) {
    found = one.filename == capture.filename && one.offset == capture.offset;
    return !found && one.timestamp <= capture.timestamp;
  }));
  return found;
}

Result<AutoIndexer::Look> AutoIndexer::look() {
  TRY_VOID(read_noted());
  Look look;
  std::vector<std::string> names;
  const std::string part = index_path() + ".new.tmp";
  if (files_.exists(part)) TRY_VOID(files_.remove(part));
  for (const Found& file : settled_files()) {
    const auto known = is_indexed(file);
    if (!known) look.problems.push_back(file.path + ": " + known.error().message);
    if (known && *known) names.push_back(file.name);
    if (!known || *known) continue;
    TRY_VOID(files_.make_dirs(layout_.indexes()));
    TRY(const auto output, files_.open_append(part));
    const auto use = [&](std::string_view line) { return output->append(std::string(line) + '\n'); };
    const auto indexed = index_archive(files_, file.path, file.name, use);
    if (!indexed) {
      look.problems.push_back(file.path + ": " + indexed.error().message);
      continue;
    }
    names.push_back(file.name);
    for (const std::string& problem : indexed->problems) look.problems.push_back(file.path + ": " + problem);
    ++look.files;
    look.lines += indexed->lines;
  }
  if (look.lines > 0) {
    TRY(const uint64_t all, sort_files(files_, {index_path(), part}, index_path()));
    (void)all;
    TRY_VOID(files_.remove(part));
  }
  if (!names.empty()) TRY_VOID(files_.make_dirs(layout_.indexes()));
  TRY_VOID(note(names));
  return look;
}

}  // namespace caddis::cdx
