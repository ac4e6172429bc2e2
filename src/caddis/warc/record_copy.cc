#include "caddis/warc/record_copy.h"

#include <algorithm>
#include <array>

#include "fmt/format.h"

namespace caddis::warc {
namespace {

// Larger records go through piece by piece.
constexpr uint64_t kInMemory = 8 << 20;
constexpr std::string_view kSeparator = "\r\n\r\n";

std::string_view separator(const Record& record) { return record.is_arc() ? "\n" : kSeparator; }

}  // namespace

RecordCopy::RecordCopy(ArchiveFile& out, const std::function<void(const Finding&)>& report)
    : out_(out), check_([this, &report](Level level, std::string code, std::string message, std::string repair) {
        report({offset_, level, std::move(code), std::move(message), std::move(repair)});
      }) {}

Result<bool> RecordCopy::copy(Record& record, const std::string& header, std::string_view front) {
  offset_ = record.offset();
  check_.begin(record.header());
  TRY(const bool whole,
      record.content_length() <= kInMemory ? copy_small(record, header, front) : copy_large(record, header, front));
  if (!whole) {
    sum_.drop();
    return false;
  }
  sum_.keep();
  ++records_;
  bytes_ += header.size() + record.content_length();
  return true;
}

Result<void> RecordCopy::add(std::string record) {
  sum_.update(record);
  sum_.keep();
  ++records_;
  bytes_ += record.size();
  record += kSeparator;
  return out_.add(std::move(record));
}

Result<void> RecordCopy::add_large(const std::string& header, uint64_t size,
                                   const std::function<Result<void>(const Sink&)>& give) {
  TRY_VOID(out_.begin_large(header.size() + size + kSeparator.size()));
  TRY_VOID(out_.write_large(header));
  sum_.update(header);
  uint64_t left = size;
  TRY_VOID(give([&](std::string_view piece) -> Result<void> {
    if (piece.size() > left) return fail(ErrorCode::corrupt, "a block has become longer while it was copied");
    left -= piece.size();
    sum_.update(piece);
    return out_.write_large(piece);
  }));
  if (left > 0) return fail(ErrorCode::corrupt, "a block has become shorter while it was copied");
  sum_.keep();
  ++records_;
  bytes_ += header.size() + size;
  TRY_VOID(out_.write_large(kSeparator));
  return out_.end_large();
}

Result<bool> RecordCopy::copy_small(Record& record, const std::string& header, std::string_view front) {
  std::string bytes = header;
  bytes += front;
  check_.feed(front);
  // Without a length a record reaches to the end of its member, which may be of any size.
  bool fits = true;
  for (;;) {
    TRY(const std::string_view piece, record.read_block());
    if (piece.empty()) break;
    check_.feed(piece);
    fits = fits && bytes.size() + piece.size() <= header.size() + kInMemory;
    if (fits) bytes += piece;
  }
  TRY_VOID(record.finish());
  digests_ += check_.finish(record.complete());
  if (!record.complete() || !fits) return false;
  sum_.update(bytes);
  bytes += separator(record);
  TRY_VOID(out_.add(std::move(bytes)));
  return true;
}

Result<bool> RecordCopy::copy_large(Record& record, const std::string& header, std::string_view front) {
  const std::string_view behind = separator(record);
  TRY_VOID(out_.begin_large(header.size() + record.content_length() + behind.size()));
  TRY_VOID(out_.write_large(header));
  sum_.update(header);
  uint64_t left = record.content_length();
  bool fits = true;  // the record of an ARC file may turn out to be longer than its header line says
  for (std::string_view piece = front;;) {
    if (piece.empty()) {
      TRY(piece, record.read_block());
    }
    fits = piece.size() <= left;
    if (piece.empty() || !fits) break;
    left -= piece.size();
    check_.feed(piece);
    sum_.update(piece);
    TRY_VOID(out_.write_large(piece));
    piece = {};
  }
  TRY_VOID(record.finish());
  const bool whole = record.complete() && fits && left == 0;
  digests_ += check_.finish(whole);
  if (!whole) {
    TRY_VOID(out_.cancel_large());
    return false;
  }
  TRY_VOID(out_.write_large(behind));
  TRY_VOID(out_.end_large());
  return true;
}

Result<ReadBack> read_back(const ByteSource& source) {
  Reader reader(source, {.keep_headers = true});
  ReadBack back;
  RecordSum sum;
  for (;;) {
    TRY(Record* const record, reader.next());
    if (record == nullptr) break;
    ++back.records;
    sum.update(record->header_bytes());
    for (;;) {
      TRY(const std::string_view piece, record->read_block());
      if (piece.empty()) break;
      sum.update(piece);
    }
    sum.keep();
  }
  back.sum = sum.finish();
  back.findings = reader.take_findings();
  return back;
}

Result<void> check_written(io::Files& files, const ArchiveFile& out, uint64_t records, const std::string& sum) {
  TRY(const auto written, files.open_read(out.part()));
  TRY(const ReadBack back, read_back(FileSource(*written)));
  if (back.records == records && back.sum == sum) return {};
  return fail(ErrorCode::corrupt,
              fmt::format("what was written differs from what was read ({} records of {}): the disk or the memory of "
                          "this machine is at fault, or another program writes the same file",
                          back.records, records));
}

bool is_mended_by_packing(std::string_view code) {
  constexpr std::array<std::string_view, 4> kMended{"gzip-several-records", "zstd-several-records",
                                                    "record-spans-members", "zstd-dictionary"};
  return std::ranges::find(kMended, code) != kMended.end();
}

}  // namespace caddis::warc
