#include "caddis/harvest/metadata_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/version.h"
#include "caddis/cdx/line.h"
#include "caddis/io/digest.h"
#include "caddis/io/text_lines.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/writer.h"

namespace caddis::harvest {
namespace {

constexpr size_t kPiece = 256 << 10;
constexpr size_t kMostWarcinfo = 1 << 20;
constexpr size_t kHeld = 1 << 20;  // of an index, before it goes to the disk
constexpr std::string_view kCdxHeader = " CDX N b a m s k r M S V g\n";

std::string type_of(std::string_view name) {
  if (name.ends_with(".gz")) return "application/gzip";
  if (name.ends_with(".yaml")) return "application/yaml";
  if (name.ends_with(".jsonl")) return "application/x-ndjson";
  if (name.ends_with(".json")) return "application/json";
  if (name.ends_with(".cxml") || name.ends_with(".xml")) return "text/xml";
  if (name.ends_with(".cdx")) return "application/x-cdx";
  if (name.ends_with(".csv")) return "text/csv";
  if (name.ends_with(".html")) return "text/html";
  return "text/plain";
}

struct Machine {
  std::string host, ip;
};

// As the crawl has it in the warcinfo record of a file.
std::optional<Machine> machine_in(io::Files& files, const std::string& path) {
  const auto file = files.open_read(path);
  if (!file) return std::nullopt;
  const auto first = warc::read_record_at(**file, 0);
  if (!first) return std::nullopt;
  const auto block = (*first)->read_all(kMostWarcinfo);
  if (!block) return std::nullopt;
  Machine machine;
  for (const std::string_view line : split(*block, '\n')) {
    if (line.starts_with("hostname: ")) machine.host = trim(line.substr(10));
    if (line.starts_with("ip: ")) machine.ip = trim(line.substr(4));
  }
  return machine.host.empty() ? std::nullopt : std::optional(std::move(machine));
}

Result<Machine> machine_of(io::Files& files, const MetadataSource& source) {
  TRY(const auto entries, files.list(source.launch.archive()));
  for (const io::DirectoryEntry& entry : entries)
    if (auto machine = machine_in(files, source.launch.archive() + "/" + entry.name)) return *std::move(machine);
  return Machine{source.host, source.ip};
}

class MetadataFile {
 public:
  MetadataFile(io::Files& files, std::unique_ptr<io::File> file, const MetadataSource& source, WallTime now,
               Random& random)
      : files_(files), file_(std::move(file)), source_(source), date_(rfc3339(now)), random_(random) {}

  Result<void> add_warcinfo(std::string_view name, const Machine& machine) {
    std::string block = fmt::format(
        "software: Caddis/{}\r\nformat: WARC File Format 1.1\r\n"
        "conformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n"
        "hostname: {}\r\n",
        kVersion, machine.host);
    if (!machine.ip.empty()) block += fmt::format("ip: {}\r\n", machine.ip);
    block += fmt::format("isPartOf: {}\r\n", source_.job);
    const std::string id = warc::record_id(random_);
    auto fields = warc::RecordFields::warcinfo(id, date_, name);
    fields.block_digest(io::digest_label(io::sha1(block)));
    return append(fields, block);
  }

  Result<void> add_text(const std::string& uri, std::string_view text) {
    const std::string id = warc::record_id(random_);
    auto fields = warc::RecordFields::resource(id, date_, uri, "text/plain");
    const std::string digest = io::digest_label(io::sha1(text));
    fields.payload_digest(digest).block_digest(digest);
    return append(fields, text);
  }

  Result<void> add_file(const std::string& uri, const std::string& path) {
    TRY(const auto file, files_.open_read(path));
    TRY(const uint64_t size, file->size());
    TRY(const std::string digest, digest_of(*file, size));
    const std::string id = warc::record_id(random_);
    auto fields = warc::RecordFields::resource(id, date_, uri, type_of(path));
    fields.payload_digest(digest).block_digest(digest);
    uint64_t at = 0;
    const warc::BlockSource read = [&](char* buffer, size_t room) -> Result<size_t> {
      const auto most = static_cast<size_t>(std::min<uint64_t>(room, size - at));
      if (most == 0) return 0;
      TRY(const size_t got, file->read_at(at, buffer, most));
      at += got;
      return got;
    };
    return warc::write_record(fields, size, read, warc::Compression::small,
                              [&](std::string_view bytes) { return file_->append(bytes); });
  }

  // All files of a folder, by name, but folders in it.
  Result<void> add_folder(std::string_view kind, const std::string& folder) {
    if (!files_.is_directory(folder)) return {};
    TRY(const auto entries, files_.list(folder));
    for (const io::DirectoryEntry& entry : entries)
      if (!entry.is_directory && !entry.is_link)
        TRY_VOID(add_file(uri_of(kind, entry.name), folder + "/" + entry.name));
    return {};
  }

  std::string uri_of(std::string_view kind, std::string_view name) const {
    return fmt::format("metadata://{}/crawl/{}/{}?heritrixVersion=caddis-{}&harvestid={}&jobid={}",
                       source_.organisation, kind, name, kVersion, source_.harvest, source_.job);
  }
  std::string made_uri(std::string_view name) const {
    return fmt::format("metadata://{}/crawl/setup/{}?majorversion=1&minorversion=0&harvestid={}&harvestnum={}&jobid={}",
                       source_.organisation, name, source_.harvest, source_.run, source_.job);
  }
  std::string index_uri(std::string_view warc) const {
    return fmt::format("metadata://{}/crawl/index/cdx?majorversion=2&minorversion=0&harvestid={}&jobid={}&filename={}",
                       source_.organisation, source_.harvest, source_.job, warc);
  }
  Result<void> sync() { return file_->sync(); }

 private:
  Result<void> append(const warc::RecordFields& fields, std::string_view block) {
    std::string bytes;
    warc::append_record(bytes, fields, {block}, warc::Compression::small);
    return file_->append(bytes);
  }

  static Result<std::string> digest_of(const io::File& file, uint64_t size) {
    io::Sha1 digest;
    std::string buffer(kPiece, '\0');
    for (uint64_t at = 0; at < size;) {
      TRY(const size_t got,
          file.read_at(at, buffer.data(), static_cast<size_t>(std::min<uint64_t>(kPiece, size - at))));
      if (got == 0) return fail(ErrorCode::io, "the file has become shorter");
      digest.update(std::string_view(buffer).substr(0, got));
      at += got;
    }
    return io::digest_label(digest.finish());
  }

  io::Files& files_;
  const std::unique_ptr<io::File> file_;
  const MetadataSource& source_;
  const std::string date_;
  Random& random_;
};

// Sorts the lines of the launch's index by archive file, into a file each.
class IndexParts {
 public:
  IndexParts(io::Files& files, std::string folder) : files_(files), folder_(std::move(folder)) {}

  Result<void> read(const std::string& index) {
    if (!files_.exists(index)) return {};
    TRY(const auto lines, io::TextLines::open(files_, index));
    for (;;) {
      TRY(const auto line, lines->next());
      if (!line) break;
      const auto capture = cdx::parse_line(*line);
      if (!capture) continue;  // a header
      std::string& last = last_.try_emplace(capture->filename, capture->timestamp).first->second;
      last = std::max(last, capture->timestamp);
      std::string& part = parts_.try_emplace(capture->filename, kCdxHeader).first->second;
      part += cdx::cdx11_line(*capture) + "\n";
      if (part.size() >= kHeld) TRY_VOID(write_out(capture->filename, part));
    }
    for (auto& [name, part] : parts_) TRY_VOID(write_out(name, part));
    return {};
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, part] : parts_) names.push_back(name);
    return names;
  }
  // The time of its last capture, in 14 digits or more; empty if it has none.
  std::string last_of(const std::string& name) const {
    const auto found = last_.find(name);
    return found == last_.end() ? std::string() : found->second;
  }
  std::string path_of(const std::string& name) const { return fmt::format("{}/{}.cdx", folder_, name); }

 private:
  Result<void> write_out(const std::string& name, std::string& part) {
    if (part.empty()) return {};
    TRY(const auto file, files_.open_append(path_of(name)));
    TRY_VOID(file->append(part));
    part.clear();
    return {};
  }

  io::Files& files_;
  const std::string folder_;
  std::map<std::string, std::string> parts_, last_;
};

// "2026-01-02T03:04:05Z"
std::string time_of(std::string_view timestamp) {
  if (timestamp.size() < 14) return "-";
  return fmt::format("{}-{}-{}T{}:{}:{}Z", timestamp.substr(0, 4), timestamp.substr(4, 2), timestamp.substr(6, 2),
                     timestamp.substr(8, 2), timestamp.substr(10, 2), timestamp.substr(12, 2));
}

// The date of its first record; "-" if it has none.
std::string opened_at(io::Files& files, const std::string& path) {
  const auto file = files.open_read(path);
  if (!file) return "-";
  const auto first = warc::read_record_at(**file, 0);
  if (!first) return "-";
  const auto date = (*first)->header().date();
  return date ? rfc3339(*date) : "-";
}

// A file is closed by the last capture in it: what follows are records of the crawl itself.
Result<std::string> archive_report(io::Files& files, const MetadataSource& source, const IndexParts& parts) {
  std::string report = "[ARCHIVEFILE] [Opened] [Closed] [Size]\n";
  TRY(const auto entries, files.list(source.launch.archive()));
  for (const io::DirectoryEntry& entry : entries) {
    if (entry.is_directory) continue;
    const std::string opened = opened_at(files, source.launch.archive() + "/" + entry.name);
    const std::string last = parts.last_of(entry.name);
    report += fmt::format("{} {} {} {}\n", entry.name, opened, last.empty() ? opened : time_of(last), entry.size);
  }
  return report;
}

Result<void> add_made_setup(io::Files& files, const MetadataSource& source, MetadataFile& made) {
  for (const std::string_view name : {"aliases", "duplicatereductionjobs"}) {
    const std::string path = fmt::format("{}/{}.txt", source.setup, name);
    std::string text;
    if (files.exists(path)) {
      TRY(text, files.read_all(path));
    }
    TRY_VOID(made.add_text(made.made_uri(name), text));
  }
  return {};
}

}  // namespace

std::string metadata_name(int64_t job) { return fmt::format("{}-metadata-1.warc.gz", job); }

Result<void> write_metadata_file(io::Files& files, const std::string& path, const std::string& scratch,
                                 const MetadataSource& source, WallTime now, Random& random) {
  // A file that a process before this one has begun is begun anew.
  if (files.exists(path)) TRY_VOID(files.remove(path));
  TRY_VOID(files.make_dirs(scratch));
  TRY(const auto left, files.list(scratch));
  for (const io::DirectoryEntry& entry : left) TRY_VOID(files.remove(scratch + "/" + entry.name));
  TRY(auto file, files.open_append(path));
  MetadataFile made(files, std::move(file), source, now, random);
  TRY(const Machine machine, machine_of(files, source));
  TRY_VOID(made.add_warcinfo(io::base_name(path), machine));
  TRY_VOID(add_made_setup(files, source, made));
  for (const std::string& name : source.setup_files)
    TRY_VOID(made.add_file(made.uri_of("setup", name), source.setup + "/" + name));
  // As the crawl keeps it: without passwords.
  if (files.exists(source.launch.settings_file()))
    TRY_VOID(made.add_file(made.uri_of("setup", "crawl.yaml"), source.launch.settings_file()));
  TRY_VOID(made.add_folder("reports", source.launch.reports()));
  IndexParts parts(files, scratch);
  TRY_VOID(parts.read(source.launch.index()));
  TRY(const std::string report, archive_report(files, source, parts));
  TRY_VOID(made.add_text(made.uri_of("reports", "archivefiles-report.txt"), report));
  TRY_VOID(made.add_folder("logs", source.launch.logs()));
  for (const std::string& name : parts.names()) TRY_VOID(made.add_file(made.index_uri(name), parts.path_of(name)));
  TRY_VOID(made.sync());
  return files.sync_dir(io::parent_path(path));
}

}  // namespace caddis::harvest
