#include "caddis/warcstore/archive_files.h"

#include <algorithm>
#include <utility>

#include "caddis/archive/arc.h"
#include "caddis/archive/file_names.h"
#include "caddis/archive/packing_strength.h"
#include "caddis/base/log.h"
#include "caddis/collection/archive_folders.h"
#include "caddis/collection/layout.h"
#include "caddis/warcstore/rows.h"

namespace caddis::warcstore {
namespace {

std::string begun_row(uint64_t serial) { return std::string(kBegunRow) + std::to_string(serial); }

}  // namespace

std::string begun_path(const std::string& archive, const std::string& kept) {
  if (kept.starts_with('/')) return kept;
  return io::join_path(kept.contains('/') ? io::parent_path(archive) : archive, kept);
}

std::string kept_path(const std::string& archive, const std::string& path) {
  if (io::parent_path(path) == archive) return std::string(io::base_name(path));
  const std::string collection = io::parent_path(archive) + "/";
  return path.starts_with(collection) ? path.substr(collection.size()) : path;
}

ArchiveFiles::ArchiveFiles(Options options, const Clock& clock, Random& random)
    : options_(std::move(options)),
      archive_(collection::Layout(options_.collection).archive()),
      clock_(clock),
      random_(random),
      committed_serial_(options_.next_serial) {}

Result<void> ArchiveFiles::begin(commit::GroupOutput& out, const ArchiveForm& form, const Kind& kind) {
  const WallTime now = clock_.wall();
  const std::string path = next_path(out.streams(), form, kind, now);
  const std::string name(io::base_name(path)), folder = io::parent_path(path);
  if (folders_.contains(folder) && !options_.files->is_directory(folder))
    return fail(ErrorCode::not_found, folder + " is not there any more: make it, or bring its disk back");
  if (folder != archive_) {
    TRY_VOID(options_.files->make_dirs(folder));
    TRY_VOID(collection::remember_archive_folder(*options_.files, collection::Layout(options_.collection), folder));
  }
  folders_.insert(folder);
  // The archive is shared with other crawls: should we die before the commit, this row says that the file was ours.
  store::Batch begun;
  begun.put(kMeta, begun_row(serial_), kept_path(archive_, path));
  TRY_VOID(out.write_ahead(begun));
  begun_[kind.stream] = {path, now, kind.prefix, serial_};
  begun_to_ = std::max(begun_to_, ++serial_);
  log_info("commit", "begins {}", name);
  TRY_VOID(out.streams().roll_stream(kind.stream, path, collection::kOpenSuffix));
  TRY_VOID(out.streams().append(kind.stream, front_of(form, kind, name, now)));
  return {};
}

std::string ArchiveFiles::front_of(const ArchiveForm& form, const Kind& kind, std::string_view name, WallTime now) {
  // It is written once, at little cost.
  const warc::Compression compression = archive::compression_of(kind.packing, false);
  if (kind.writer == archive::WriterKind::arc)
    return archive::arc_version_block(form.provenance, form.settings, name, now, compression);
  const archive::RecordForm record{compression, form.settings.warc_version, form.settings.digest, kind.dictionary};
  std::string front;
  if (kind.dictionary != nullptr) front = io::dictionary_frame(kind.dictionary->bytes());
  return front + archive::make_warcinfo(form.provenance, form.settings, name, now, record, random_).bytes;
}

bool ArchiveFiles::is_old(const store::StreamSet& streams, std::string_view stream, const ArchiveForm& form) {
  if (form.settings.max_file_age == Duration(0) || !streams.has_open(stream)) return false;
  const std::string path = streams.path(stream);
  auto begun = begun_.find(stream);
  // One of before the crawl was resumed is as old as that.
  if (begun == begun_.end() || begun->second.path != path)
    begun = begun_.insert_or_assign(std::string(stream), Begun{path, clock_.wall(), std::nullopt, 0}).first;
  return clock_.wall() - begun->second.at >= form.settings.max_file_age;
}

bool ArchiveFiles::has_other_prefix(const store::StreamSet& streams, const Kind& kind) const {
  const auto begun = begun_.find(kind.stream);
  return begun != begun_.end() && begun->second.path == streams.path(kind.stream) && begun->second.prefix &&
         *begun->second.prefix != kind.prefix;
}

std::vector<std::string> ArchiveFiles::folders_of(const ArchiveForm& form, const Kind& kind) const {
  const collection::Layout layout(options_.collection);
  if (!kind.folder.empty()) return {layout.within(kind.folder)};
  std::vector<std::string> folders = {archive_};
  for (const std::string& folder : form.settings.folders) folders.push_back(layout.within(folder));
  return folders;
}

// A template without a time makes the names of an earlier crawl again: those are passed over, in whichever folder they
// are, since an index names files without their folders.
std::string ArchiveFiles::next_path(const store::StreamSet& streams, const ArchiveForm& form, const Kind& kind,
                                    WallTime now) {
  const std::vector<std::string> folders = folders_of(form, kind);
  const std::string ending = archive::file_ending(kind.writer, kind.packing);
  std::vector<std::string> known =
      collection::archive_folders(*options_.files, collection::Layout(options_.collection));
  known.insert(known.end(), folders.begin(), folders.end());
  for (;; ++serial_) {
    if (left_.contains(serial_)) continue;  // its row tells of another file
    const archive::NameParts parts{kind.prefix,        now,          serial_, options_.pid, form.provenance.hostname,
                                   options_.full_host, options_.port};
    const std::string name = archive::archive_file_name(form.settings.name_template, parts, ending);
    const bool is_taken = std::ranges::any_of(known, [&](const std::string& folder) {
      return streams.is_taken(io::join_path(folder, name), collection::kOpenSuffix);
    });
    if (!is_taken) return io::join_path(folders[serial_ % folders.size()], name);
  }
}

void ArchiveFiles::leave(std::string_view stream) {
  const auto begun = begun_.find(stream);
  if (begun != begun_.end() && begun->second.serial >= committed_serial_ && begun->second.serial < serial_)
    left_.insert(begun->second.serial);
}

void ArchiveFiles::seal(store::Batch& batch) {
  for (uint64_t begun = committed_serial_; begun < begun_to_; ++begun)
    if (!left_.contains(begun)) batch.erase(kMeta, begun_row(begun));
  batch.put(kMeta, kSerialRow, std::to_string(serial_));
  committed_serial_ = serial_;
}

}  // namespace caddis::warcstore
