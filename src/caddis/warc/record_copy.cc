#include "caddis/warc/record_copy.h"

namespace caddis::warc {
namespace {

// Larger records go through piece by piece.
constexpr uint64_t kInMemory = 8 << 20;

std::string_view separator(const Record& record) { return record.is_arc() ? "\n" : "\r\n\r\n"; }

}  // namespace

RecordCopy::RecordCopy(ArchiveFile& out, const std::function<void(const Finding&)>& report)
    : out_(out), check_([this, &report](Level level, std::string code, std::string message, std::string repair) {
        report({offset_, level, std::move(code), std::move(message), std::move(repair)});
      }) {}

Result<bool> RecordCopy::copy(Record& record, std::string_view front) {
  offset_ = record.offset();
  check_.begin(record.header());
  TRY(const bool whole, record.content_length() <= kInMemory ? copy_small(record, front) : copy_large(record, front));
  if (!whole) {
    sum_.drop();
    return false;
  }
  sum_.keep();
  ++records_;
  bytes_ += record.header_bytes().size() + record.content_length();
  return true;
}

Result<bool> RecordCopy::copy_small(Record& record, std::string_view front) {
  std::string bytes = record.header_bytes();
  bytes += front;
  check_.feed(front);
  for (;;) {
    TRY(const std::string_view piece, record.read_block());
    if (piece.empty()) break;
    check_.feed(piece);
    bytes += piece;
  }
  TRY_VOID(record.finish());
  digests_ += check_.finish(record.complete());
  if (!record.complete()) return false;
  sum_.update(bytes);
  bytes += separator(record);
  TRY_VOID(out_.add(std::move(bytes)));
  return true;
}

Result<bool> RecordCopy::copy_large(Record& record, std::string_view front) {
  const std::string_view behind = separator(record);
  TRY_VOID(out_.begin_large(record.header_bytes().size() + record.content_length() + behind.size()));
  TRY_VOID(out_.write_large(record.header_bytes()));
  sum_.update(record.header_bytes());
  uint64_t left = record.content_length();
  for (std::string_view piece = front;;) {
    if (piece.empty()) {
      TRY(piece, record.read_block());
    }
    if (piece.empty() || piece.size() > left) break;
    left -= piece.size();
    check_.feed(piece);
    sum_.update(piece);
    TRY_VOID(out_.write_large(piece));
    piece = {};
  }
  TRY_VOID(record.finish());
  digests_ += check_.finish(record.complete());
  if (!record.complete() || left > 0) {
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

}  // namespace caddis::warc
