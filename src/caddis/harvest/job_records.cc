#include "caddis/harvest/job_records.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <utility>

#include "caddis/base/strings.h"
#include "caddis/cdx/sorted_file.h"
#include "caddis/io/text_lines.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/source.h"

namespace caddis::harvest {
namespace {

constexpr size_t kLongestLine = 64 * 1024;  // of an answer

// Where the last line begins whose place is known, up to `line`, and which it is.
Result<std::pair<uint64_t, uint64_t>> place_before(io::Files& files, const std::string& log, uint64_t line) {
  TRY(const auto file, files.open_read(log + ".places"));
  TRY(const uint64_t size, file->size());
  const uint64_t place = std::min(line / kLinesAPlace, size / 8);
  if (place == 0) return std::pair<uint64_t, uint64_t>(0, 0);
  char bytes[8];
  TRY(const size_t got, file->read_at((place - 1) * 8, bytes, sizeof bytes));
  if (got < sizeof bytes) return fail(ErrorCode::corrupt, log + ".places is cut: remove its folder");
  uint64_t offset = 0;
  for (int i = 8; i-- > 0;) offset = offset << 8 | static_cast<unsigned char>(bytes[i]);
  return std::pair(offset, place * kLinesAPlace);
}

}  // namespace

Result<std::vector<JobRecord>> list_records(io::Files& files, const UnpackedJob& job) {
  TRY(const std::string text, files.read_all(job.folder + "/records"));
  std::vector<JobRecord> records;
  for (const std::string_view line : split(text, '\n')) {
    const auto fields = split(line, '\t');
    if (fields.size() != 5) continue;
    JobRecord record{std::string(fields[0]), std::string(fields[1])};
    record.bytes = static_cast<uint64_t>(parse_int(fields[2]).value_or(0));
    record.offset = static_cast<uint64_t>(parse_int(fields[3]).value_or(0));
    if (fields[4] != "-") record.unpacked = fmt::format("{}/{}", job.folder, fields[4]);
    records.push_back(std::move(record));
  }
  return records;
}

Result<JobRecord> find_record(io::Files& files, const UnpackedJob& job, std::string_view kind, std::string_view name) {
  TRY(auto records, list_records(files, job));
  for (JobRecord& record : records)
    if (record.kind == kind && record.name == name) return std::move(record);
  return fail(ErrorCode::not_found, fmt::format("the job has kept no {} '{}'", kind == "logs" ? "log" : kind, name));
}

Result<std::string> read_job_record(io::Files& files, const UnpackedJob& job, const JobRecord& record, uint64_t most) {
  if (record.bytes > most)
    return fail(ErrorCode::limit,
                fmt::format("{} has {} bytes; {} are the most: take it out of {} (caddis warc extract)", record.name,
                            record.bytes, most, io::base_name(job.metadata_file)));
  TRY(const auto file, files.open_read(job.metadata_file));
  const warc::FileSource source(*file);
  warc::Reader reader(source, {.read_size = 64 << 10, .resync = false}, record.offset);
  // Several records may share a gzip member, and so its offset.
  for (;;) {
    TRY(warc::Record* const found, reader.next());
    if (found == nullptr || found->offset() != record.offset) break;
    const auto address = record_address(found->header().target_uri());
    if (address && address->kind == record.kind && address->name == record.name) return found->read_all(most);
  }
  return fail(ErrorCode::corrupt, fmt::format("{} is not at offset {} of {}, which has changed: remove {}", record.name,
                                              record.offset, job.metadata_file, job.folder));
}

Result<LinePage> search_log(io::Files& files, const UnpackedJob& job, std::string_view log, const LineQuery& query) {
  const re2::RE2 pattern(query.match, re2::RE2::Quiet);
  if (!pattern.ok()) return fail(ErrorCode::parse, fmt::format("'{}' is no pattern: {}", query.match, pattern.error()));
  TRY(const JobRecord record, find_record(files, job, "logs", log));
  TRY(const auto place, place_before(files, record.unpacked, query.after));
  auto [offset, number] = place;
  TRY(const auto lines, io::TextLines::open(files, record.unpacked));
  lines->keep_returns();
  lines->begin_at(offset);
  LinePage page;
  for (uint64_t looked_at = 0;; ++number) {
    TRY(const auto line, lines->next());
    if (!line) return page;
    if (number < query.after) continue;
    if (looked_at >= query.most_bytes) break;
    looked_at += line->size() + 1;
    const bool fits =
        query.match.empty() || re2::RE2::PartialMatch(re2::StringPiece(line->data(), line->size()), pattern);
    if (!fits) continue;
    if (page.lines.size() == query.limit) break;
    page.lines.emplace_back(line->substr(0, kLongestLine));
  }
  page.next = number;
  return page;
}

Result<MissedPage> missed_urls(io::Files& files, const UnpackedJob& job, const MissedQuery& query) {
  TRY(const auto file,
      cdx::SortedFile::open(files, job.folder + (query.with_links ? "/missed-all" : "/missed-embedded")));
  uint64_t at = file->begin();
  // Behind the URL's own line, in which a tab follows.
  if (!query.after.empty()) {
    TRY(at, file->lower_bound(query.after + "\n"));
  }
  MissedPage page;
  for (std::string line; at < file->size();) {
    TRY(at, file->read_line(at, line));
    const auto fields = split(line, '\t');
    if (fields.size() != 4) continue;
    if (page.urls.size() == query.limit) {
      page.has_more = true;
      break;
    }
    page.urls.push_back(
        {std::string(fields[0]), std::string(fields[1]), parse_int(fields[2]).value_or(0), std::string(fields[3])});
  }
  return page;
}

}  // namespace caddis::harvest
