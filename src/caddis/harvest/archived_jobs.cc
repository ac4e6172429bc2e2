#include "caddis/harvest/archived_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "caddis/base/strings.h"
#include "caddis/harvest/unpacked_job.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/source.h"

namespace caddis::harvest {
namespace {

// "12-metadata-1.warc.gz", or with the name of a collection before it, as NetarchiveSuite may write it.
std::optional<int64_t> job_of_metadata(std::string_view name) {
  if (!name.ends_with(".warc") && !name.ends_with(".warc.gz")) return std::nullopt;
  const size_t end = name.find("-metadata-");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view before = name.substr(0, end);
  const size_t dash = before.rfind('-');
  return parse_int(dash == std::string_view::npos ? before : before.substr(dash + 1));
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

}  // namespace

Result<std::vector<ArchivedJob>> archived_jobs(io::Files& files, const collection::Layout& layout) {
  std::vector<ArchivedJob> jobs;
  if (!files.is_directory(layout.archive())) return jobs;
  TRY(const auto entries, files.list(layout.archive()));
  std::vector<io::DirectoryEntry> indexes;
  if (files.is_directory(layout.indexes())) {
    TRY(indexes, files.list(layout.indexes()));
  }
  for (const io::DirectoryEntry& entry : entries)
    if (const auto number = entry.is_directory ? std::nullopt : job_of_metadata(entry.name))
      jobs.push_back({*number, launch_of(indexes, *number), io::join_path(layout.archive(), entry.name)});
  std::ranges::sort(jobs, {}, [](const ArchivedJob& job) { return std::pair(job.number, job.metadata_file); });
  return jobs;
}

Result<collection::Launch> lay_out_launch(io::Files& files, const ArchivedJob& job, const std::string& folder,
                                          const WantedRecord& wanted) {
  const collection::Launch launch{folder, job.launch};
  TRY_VOID(files.make_dirs(launch.logs()));
  TRY_VOID(files.make_dirs(launch.reports()));
  TRY(const auto file, files.open_read(job.metadata_file));
  const warc::FileSource source(*file);
  warc::Reader reader(source);
  for (;;) {
    TRY(warc::Record* const record, reader.next());
    if (record == nullptr) return launch;
    const auto address = record_address(record->header().target_uri());
    const bool is_of_launch = address && (address->kind == "logs" || address->kind == "reports");
    if (!is_of_launch || !is_file_name(address->name) || !wanted(address->kind, address->name)) continue;
    const std::string path = (address->kind == "logs" ? launch.logs() : launch.reports()) + "/" + address->name;
    if (files.exists(path)) continue;
    TRY_VOID(copy_block(files, *record, path));
  }
}

}  // namespace caddis::harvest
