#include "caddis/harvest/archived_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>

#include "caddis/base/strings.h"
#include "caddis/harvest/unpacked_job.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/source.h"

namespace caddis::harvest {
namespace {

struct MetadataFile {
  int64_t job = 0;
  int64_t serial = 0;
  std::string name;
};

// "12-metadata-1.warc.gz", or with the name of a collection before it, as NetarchiveSuite may write it.
std::optional<MetadataFile> metadata_file(std::string_view name) {
  if (!name.ends_with(".warc") && !name.ends_with(".warc.gz")) return std::nullopt;
  constexpr std::string_view kMiddle = "-metadata-";
  const size_t end = name.find(kMiddle);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view before = name.substr(0, end);
  const size_t dash = before.rfind('-');
  const auto job = parse_int(dash == std::string_view::npos ? before : before.substr(dash + 1));
  if (!job) return std::nullopt;
  const std::string_view behind = name.substr(end + kMiddle.size());
  return MetadataFile{*job, parse_int(behind.substr(0, behind.find('.'))).value_or(0), std::string(name)};
}

std::string launch_of(const std::vector<io::DirectoryEntry>& indexes, int64_t number) {
  const std::string begin = fmt::format("{}-", number);
  for (const io::DirectoryEntry& entry : indexes)
    if (entry.name.starts_with(begin) && entry.name.ends_with(".cdxj"))
      return entry.name.substr(0, entry.name.size() - 5);
  return std::to_string(number);
}

// Names in a metadata file may be those of strangers.
bool is_file_name(std::string_view name) {
  return !name.empty() && !name.starts_with('.') &&
         std::ranges::none_of(name, [](char c) { return c == '/' || static_cast<unsigned char>(c) < ' '; });
}

Result<void> copy_block(io::Files& files, warc::Record& record, const std::string& path) {
  TRY(const auto out, files.open_append(path));
  for (;;) {
    TRY(const std::string_view piece, record.read_block());
    if (piece.empty()) return {};
    TRY_VOID(out->append(piece));
  }
}

Result<void> lay_out_records(io::Files& files, const std::string& metadata_file, const collection::Launch& launch,
                             const WantedRecord& wanted) {
  TRY(const auto file, files.open_read(metadata_file));
  const warc::FileSource source(*file);
  warc::Reader reader(source);
  for (;;) {
    TRY(warc::Record* const record, reader.next());
    if (record == nullptr) return {};
    const auto address = record_address(record->header().target_uri());
    const bool is_of_launch = address && (address->kind == "logs" || address->kind == "reports");
    if (!is_of_launch || !is_file_name(address->name) || !wanted(address->kind, address->name)) continue;
    const std::string path = (address->kind == "logs" ? launch.logs() : launch.reports()) + "/" + address->name;
    if (files.exists(path)) continue;
    TRY_VOID(copy_block(files, *record, path));
  }
}

}  // namespace

Result<std::vector<ArchivedJob>> archived_jobs(io::Files& files, const collection::Layout& layout) {
  std::vector<ArchivedJob> jobs;
  if (!files.is_directory(layout.archive())) return jobs;
  TRY(const auto entries, files.list(layout.archive()));
  std::vector<io::DirectoryEntry> indexes;
  if (files.is_directory(layout.indexes())) {
    TRY(indexes, files.list(layout.indexes()));
  }
  std::vector<MetadataFile> found;
  for (const io::DirectoryEntry& entry : entries)
    if (auto file = entry.is_directory ? std::nullopt : metadata_file(entry.name)) found.push_back(*std::move(file));
  std::ranges::sort(found, {}, [](const MetadataFile& file) { return std::tie(file.job, file.serial, file.name); });
  for (const MetadataFile& file : found) {
    if (jobs.empty() || jobs.back().number != file.job) jobs.push_back({file.job, launch_of(indexes, file.job), {}});
    jobs.back().metadata_files.push_back(io::join_path(layout.archive(), file.name));
  }
  return jobs;
}

Result<collection::Launch> lay_out_launch(io::Files& files, const ArchivedJob& job, const std::string& folder,
                                          const WantedRecord& wanted) {
  collection::Launch launch{folder, job.launch};
  TRY_VOID(files.make_dirs(launch.logs()));
  TRY_VOID(files.make_dirs(launch.reports()));
  for (const std::string& metadata_file : job.metadata_files) {
    TRY_VOID(lay_out_records(files, metadata_file, launch, wanted));
  }
  return launch;
}

}  // namespace caddis::harvest
