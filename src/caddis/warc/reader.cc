// Walking from record to record. Reading headers and blocks: reader_record.cc.
#include "caddis/warc/reader.h"

#include <algorithm>
#include <iterator>

#include "caddis/base/strings.h"
#include "caddis/warc/reader_state.h"
#include "caddis/warc/zstd_file.h"
#include "fmt/format.h"

namespace caddis::warc {
namespace {

constexpr std::string_view kRecompress =
    "pack it again with a unit for each record (caddis warc recompress FILE --to gz --output FOLDER)";

constexpr const char* kCopyAnew = "copy the file anew from where it is whole";

// What a file is that is no archive file, by its first bytes; empty where they say nothing.
std::string_view foreign_kind(std::string_view front) {
  using namespace std::string_view_literals;
  if (front.starts_with("\x04\x22\x4d\x18"sv)) return "LZ4";
  if (front.starts_with("PK\x03\x04"sv)) return "zip";
  if (front.starts_with("BZh"sv)) return "bzip2";
  return {};
}

}  // namespace

void ReaderState::report(uint64_t offset, Level level, std::string_view code, std::string message, std::string repair) {
  findings_.push_back({offset, level, std::string(code), std::move(message), std::move(repair)});
}

Result<Record*> ReaderState::next() {
  if (have_record_) TRY_VOID(finish());
  have_record_ = false;
  if (!begun_) {
    begun_ = true;
    TRY(const bool something, begin());
    done_ = !something;
  }
  while (!done_) {
    TRY(const bool found, is_packed(packing_) ? seek_packed() : seek_plain());
    if (!found) break;
    TRY(const bool sound, read_header());
    if (!sound) continue;
    TRY_VOID(settle_extent());
    have_record_ = true;
    return &record_;
  }
  done_ = true;
  return nullptr;
}

Result<bool> ReaderState::begin() {
  constexpr size_t kFront = 8;
  TRY(const uint64_t size, source_.size());
  if (size == 0) {
    report(0, Level::warning, "empty-file", "the file is empty", "remove it");
    return false;
  }
  TRY(const std::string_view front, input_.peek(start_, kFront));
  if (io::looks_like_zstd(front) || io::skippable_frame(front)) return begin_zstd();
  packing_ = io::looks_like_gzip(front) ? Packing::gzip : Packing::plain;
  if (const std::string_view kind = foreign_kind(front); !kind.empty()) {
    report(start_, Level::error, "not-an-archive",
           fmt::format("this is a {} file, not WARC or ARC, plain, gzip or zstd", kind),
           kind == "zip" ? "a WACZ is a zip file: unpack it, its records are in archive/" : "unpack it first");
    return false;
  }
  fresh_member_ = is_packed(packing_);
  return input_.seek(start_, packing_);
}

// Every frame may need the dictionary at the begin of the file, also when reading begins in its midst.
Result<bool> ReaderState::begin_zstd() {
  packing_ = Packing::zstd;
  TRY(SkippedFrames front, skip_frames(source_, 0));
  if (!front.problem.empty()) report(0, Level::error, "zstd-dictionary", std::move(front.problem), kCopyAnew);
  input_.use(std::move(front.dictionary));
  fresh_member_ = true;
  if (start_ > 0) return input_.seek(start_, packing_);
  // Told once a file: whoever leaves something out of one frame leaves it out of all.
  TRY(std::vector<Finding> missing, missing_promises(source_, front.end));
  std::ranges::move(missing, std::back_inserter(findings_));
  return input_.seek(front.end, packing_);
}

Result<bool> ReaderState::at_record_start() {
  // Most records are recognized by their first bytes; an ARC line may be long.
  for (const size_t size : {size_t{16}, size_t{1024}, kScanHeader}) {
    TRY_VOID(input_.want(size));
    if (is_record_start(input_.ready(), dialect_)) return true;
    if (dialect_ == Dialect::warc || input_.ready().size() < size) return false;
  }
  return false;
}

Result<std::string> ReaderState::skip_blanks() {
  constexpr size_t kKept = 8;
  std::string blanks;
  for (;;) {
    const std::string_view ready = input_.ready();
    size_t n = 0;
    while (n < ready.size() && (ready[n] == '\r' || ready[n] == '\n')) ++n;
    blanks += ready.substr(0, std::min(n, kKept - std::min(kKept, blanks.size())));
    const bool all = n == ready.size();
    input_.consume(n);
    if (!all) return blanks;
    TRY(const bool came, input_.more());
    if (!came) return blanks;
  }
}

void ReaderState::check_separator(const std::string& blanks) {
  if (!record_.complete_ || missing_told_) return;
  if (record_.is_arc_ ? blanks == "\n" : blanks == "\r\n\r\n") return;
  // The line that ends an ARC file is left out by many.
  if (record_.is_arc_ && (blanks.empty() || blanks == "\n\n" || blanks == "\r\n")) return;
  report(record_.offset_, Level::warning, "record-separator",
         blanks.empty() ? "nothing separates the record from what follows"
                        : fmt::format("{} bytes of line ends behind the record, where {} belong", blanks.size(),
                                      record_.is_arc_ ? "one LF" : "CR LF CR LF"));
}

Result<std::optional<uint64_t>> ReaderState::scan_plain(uint64_t from) {
  if (!options_.resync) return std::nullopt;
  return find_plain_record(source_, from, input_.file_size(), dialect_);
}

Result<std::optional<uint64_t>> ReaderState::scan_packed(uint64_t from) {
  if (!options_.resync) return std::nullopt;
  return find_packed_record(source_, from, dialect_, packing_, input_.dictionary());
}

std::string ReaderState::passed_over(std::optional<uint64_t> found, uint64_t from) const {
  if (found) return fmt::format("the next sound record is at offset {}, {} bytes further on", *found, *found - from);
  return fmt::format("no sound record follows in the {} bytes to the end of the file", input_.file_size() - from);
}

Result<bool> ReaderState::seek_plain() {
  if (resume_at_) {
    TRY_VOID(input_.seek(*std::exchange(resume_at_, std::nullopt), Packing::plain));
    return !input_.ended();
  }
  const bool after_record = dialect_ != Dialect::unknown;
  TRY(const std::string blanks, skip_blanks());
  if (after_record) check_separator(blanks);
  if (input_.ended()) return false;
  TRY(const bool here, at_record_start());
  if (here) return true;
  const uint64_t from = input_.position();
  TRY(const auto found, scan_plain(from));
  if (!found && !after_record) {
    report(from, Level::error, "not-an-archive", "there is no WARC or ARC record in this file", "");
    return false;
  }
  report(from, Level::error, "garbage", fmt::format("these bytes are no record; {}", passed_over(found, from)),
         "cut them out of the file");
  if (!found) return false;
  return input_.seek(*found, Packing::plain);
}

Result<bool> ReaderState::seek_packed() {
  for (;;) {
    if (std::exchange(fresh_member_, false)) {
      records_in_member_ = 0;
      member_tidy_ = false;
      TRY(const bool here, enter_member());
      if (here) return true;
    } else {
      TRY(const bool here, seek_in_member());
      if (here) return true;
    }
    TRY(const auto next, after_member());
    if (!next) return false;
    TRY_VOID(input_.seek(*next, packing_));
    fresh_member_ = true;
  }
}

Result<bool> ReaderState::enter_member() {
  TRY_VOID(skip_blanks());
  if (input_.ended()) return false;
  TRY(const bool here, at_record_start());
  if (here) return true;
  if (input_.damage()) return seek_in_member();
  report(input_.unit_offset(), Level::error, "garbage",
         fmt::format("the {} begins with no record", unit_name(packing_)), "cut it out of the file");
  return seek_in_member();
}

Result<bool> ReaderState::seek_in_member() {
  TRY_VOID(skip_blanks());
  if (input_.ended()) return false;
  TRY(const bool here, at_record_start());
  if (here) {
    if (records_in_member_ == 1) {
      report(input_.unit_offset(), Level::error, packing_code(packing_, "several-records"),
             fmt::format("several records share one {} (often the whole file is one): they cannot be addressed, so no "
                         "index can point to them",
                         unit_name(packing_)),
             std::string(kRecompress));
    }
    return true;
  }
  if (records_in_member_ > 0 && !input_.damage()) {
    report(input_.unit_offset(), Level::error, "garbage",
           fmt::format("bytes behind the record that are no record, from byte {} of the uncompressed {}",
                       input_.position(), unit_name(packing_)),
           "correct Content-Length, or cut the bytes out");
  }
  for (;;) {
    TRY_VOID(input_.want(2 * kScanHeader));
    if (const auto found = find_record(input_.ready(), 0, dialect_)) {
      input_.consume(*found);
      return true;
    }
    // A header that is cut by the window's end must be seen again.
    const size_t size = input_.ready().size();
    input_.consume(size > kScanHeader ? size - kScanHeader : size);
    if (input_.ended()) return false;
  }
}

Result<std::optional<uint64_t>> ReaderState::after_member() {
  if (input_.damage()) return after_damage();
  uint64_t next = input_.unit_offset() + input_.unit_bytes();
  if (packing_ == Packing::zstd) {
    TRY(next, pass_skippable(next));
  }
  if (next >= input_.file_size()) return std::nullopt;
  TRY(const std::string_view front, input_.peek(next, 4));
  if (looks_like_unit(packing_, front)) return next;
  TRY(const auto found, scan_packed(next));
  report(next, Level::error, "garbage",
         fmt::format("these bytes are no {}; {}", unit_name(packing_), passed_over(found, next)),
         "cut them out of the file");
  return found;
}

Result<uint64_t> ReaderState::pass_skippable(uint64_t offset) {
  TRY(SkippedFrames frames, skip_frames(source_, offset));
  if (frames.has_dictionary_frame) {
    report(offset, Level::error, "zstd-dictionary",
           "another dictionary stands in the midst of the file: files with dictionaries were put one behind the other, "
           "and no index can point to the records behind it",
           std::string(kRecompress));
    input_.use(std::move(frames.dictionary));
  }
  return frames.end;
}

Result<std::optional<uint64_t>> ReaderState::after_damage() {
  // Damaged data may have swallowed the begin of the next member, so it is looked for from the damaged one's begin.
  // Only where the member holds just what it should, its end can be trusted: a record may well contain members with
  // records in them.
  const uint64_t begin = input_.unit_offset();
  const bool end_is_right = input_.only_trailer_wrong() && member_tidy_;
  const uint64_t from = end_is_right ? begin + input_.unit_bytes() : begin + 1;
  TRY(const auto found, scan_packed(from));
  const bool cut = !end_is_right && begin + input_.unit_bytes() >= input_.file_size();
  const std::string_view checksum = packing_ == Packing::zstd ? "checksum" : "crc";
  std::string message = input_.damage()->message;
  if (found || from < input_.file_size()) message += "; " + passed_over(found, begin);
  std::string repair = kCopyAnew;
  repair += cut && !found ? fmt::format(", or cut it at offset {}", begin)
                          : fmt::format(", or cut the {} bytes from offset {} out",
                                        found.value_or(input_.file_size()) - begin, begin);
  report(begin, Level::error,
         packing_code(packing_, end_is_right ? checksum
                                : cut        ? "cut"
                                             : "damaged"),
         std::move(message), std::move(repair));
  return found;
}

Reader::Reader(const ByteSource& source, ReaderOptions options, uint64_t start)
    : state_(std::make_unique<ReaderState>(source, options, start)) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

Result<Record*> Reader::next() { return state_->next(); }
std::vector<Finding> Reader::take_findings() { return state_->take_findings(); }

Result<SingleRecord> read_record_at(const io::File& file, uint64_t offset) {
  // One record is wanted: reading far ahead would only cost.
  constexpr size_t kReadSize = 64 * 1024;
  SingleRecord single;
  single.source_ = std::make_unique<FileSource>(file);
  single.reader_ =
      std::make_unique<Reader>(*single.source_, ReaderOptions{.read_size = kReadSize, .resync = false}, offset);
  TRY(single.record_, single.reader_->next());
  if (single.record_ == nullptr || single.record_->offset() != offset) {
    return fail(ErrorCode::corrupt,
                fmt::format("no record begins at offset {}: the index is out of date, or the file is damaged", offset));
  }
  return single;
}

}  // namespace caddis::warc
