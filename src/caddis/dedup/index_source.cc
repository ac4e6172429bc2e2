// Lines of CDXJ and CDX, and the originals of other digest indexes.
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/flat_json.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/line.h"
#include "caddis/dedup/digest_index.h"
#include "caddis/dedup/sources.h"
#include "caddis/io/text_lines.h"

namespace caddis::dedup {
namespace {

int status_number(std::string_view text) {
  const auto number = parse_int(text);
  return number && *number > 0 && *number < 1000 ? static_cast<int>(*number) : 0;
}

// The members of a CDXJ line that matter here; cdx::parse_line keeps all of them, and takes twice as long.
struct CdxjMembers {
  std::string mime, digest;
  int status = 0;
  bool refers = false;  // it tells the place of an original: the capture is none

  bool take(std::string_view json, Original& original) {
    cdx::FlatJson members(json);
    while (members.next()) {
      const std::string_view name = members.name();
      const std::string_view value = members.is_string() ? members.text() : members.raw();
      if (name == "url") original.url = value;
      if (name == "mime") mime = value;
      if (name == "digest") digest = value;
      if (name == "status") status = status_number(value);
      if (name == "etag") original.etag = value;
      if (name == "modified") original.last_modified = value;
      if (name == "orig.filename") refers = !value.empty() && value != "-";
    }
    return members.error().empty();
  }
};

Result<void> take_cdxj(std::string_view line, bool has_keys, Intake& intake) {
  const size_t first = line.find(' ');
  const size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos) return intake.unreadable(), Result<void>();
  const auto date = parse_timestamp(line.substr(first + 1, second - first - 1));
  CdxjMembers members;
  Original original;
  if (!date || !members.take(line.substr(second + 1), original)) return intake.unreadable(), Result<void>();
  if (members.mime == cdx::kRevisitMime || members.refers) return intake.unresolved(), Result<void>();
  original.date = *date;
  const std::string_view key = has_keys ? line.substr(0, first) : std::string_view();
  return intake.capture({original, members.digest, members.status, members.mime, key});
}

Result<void> take_cdx(const cdx::Capture& line, Intake& intake) {
  const auto date = parse_timestamp(line.timestamp);
  if (!date) return intake.unreadable(), Result<void>();
  const bool refers = !line.original_filename.empty();
  if (line.is_revisit() || refers) return intake.unresolved(), Result<void>();
  const Original original{line.url, *date, {}, {}, {}};
  return intake.capture({original, line.digest, status_number(line.status), line.mime});
}

// Whether the keys of an index are those of `key`, as the file beside it says.
bool has_same_keys(io::Files& files, const std::string& path, const IndexKey& key) {
  const cdx::IndexMeta meta = cdx::read_index_meta(files, path);
  return !meta.text.empty() && meta.policy && !key.has_periods && key.makes_keys_of(meta.policy->record());
}

}  // namespace

Result<ReadSource> read_cdxj(io::Files& files, const std::string& path, const IndexKey& key, Intake& intake) {
  const bool has_keys = has_same_keys(files, path, key);
  TRY(const auto lines, io::TextLines::open(files, path));
  for (;;) {
    TRY(const auto line, lines->next());
    if (!line) return ReadSource();
    if (line->empty() || line->front() == '!' || line->front() == ' ') continue;
    TRY_VOID(take_cdxj(*line, has_keys, intake));
  }
}

Result<ReadSource> read_cdx(io::Files& files, const std::string& path, Intake& intake) {
  TRY(const auto lines, io::TextLines::open(files, path));
  std::string header;
  for (;;) {
    TRY(const auto line, lines->next());
    if (!line) return ReadSource();
    if (line->empty() || line->front() == '!') continue;
    if (trim(*line).starts_with("CDX ")) {
      header = *line;
      continue;
    }
    const auto capture = header.empty() ? cdx::parse_line(*line) : cdx::parse_cdx_line(*line, header);
    if (capture)
      TRY_VOID(take_cdx(*capture, intake));
    else
      intake.unreadable();
  }
}

Result<ReadSource> read_digest_index(io::Files& files, const std::string& path, const IndexKey& key,
                                     io::DigestAlgorithm algorithm, Intake& intake) {
  TRY(const auto index, DigestIndex::open(files, path, key));
  if (index->info().algorithm != algorithm)
    return fail(ErrorCode::conflict, path + ": its digests are of " + std::string(to_string(index->info().algorithm)) +
                                         ", and those of the index that is made of " +
                                         std::string(to_string(algorithm)));
  TRY_VOID(
      index->each([&](std::string_view digest, const Original& original) { return intake.copy(digest, original); }));
  return ReadSource();
}

}  // namespace caddis::dedup
