// One record: its header, the extent of its block, and the block's bytes.
#include <algorithm>
#include <limits>

#include "caddis/base/check.h"
#include "caddis/warc/reader_state.h"
#include "fmt/format.h"

namespace caddis::warc {
namespace {

// The bytes up to the line end in front of the member's end, read once more by an input of its own. 0 if a record begins
// among them, or they are damaged.
Result<uint64_t> surplus_ahead(Input& ahead, Dialect dialect) {
  constexpr size_t kWindow = 1 << 20;
  for (uint64_t passed = 0;;) {
    TRY_VOID(ahead.want(kWindow));
    const std::string_view rest = ahead.ready();
    if (find_record(rest, 0, dialect)) return 0;
    if (rest.size() < kWindow) return ahead.damage() ? 0 : passed + rest.size() - (rest.ends_with('\n') ? 1 : 0);
    // A record may begin at the end of the window.
    passed += rest.size() - kScanHeader;
    ahead.consume(rest.size() - kScanHeader);
  }
}

// Bytes in the member of an ARC record that stand behind its declared end and belong to it all the same: all up to the
// line end in front of the member's end. 0 if there are none, or if another record begins there.
Result<uint64_t> surplus(const ByteSource& source, Input& input, Dialect dialect, Packing packing) {
  constexpr size_t kMost = 1 << 20;
  TRY_VOID(input.want(kScanHeader));
  const size_t blanks = input.ready().find_first_not_of("\r\n");
  if (blanks == std::string_view::npos || is_record_start(input.ready().substr(blanks), dialect)) return 0;
  TRY_VOID(input.want(kMost + 1));
  const std::string_view rest = input.ready();
  if (input.damage() || find_record(rest, 0, dialect)) return 0;
  if (rest.size() > kMost) {
    // Nobody makes such ARC files of several zstd frames a record.
    if (packing != Packing::gzip) return 0;
    Input ahead(source, kMost);
    TRY_VOID(ahead.seek(input.unit_offset(), packing));
    TRY_VOID(ahead.skip(input.position()));
    return surplus_ahead(ahead, dialect);
  }
  return rest.size() - (rest.ends_with('\n') ? 1 : 0);
}

}  // namespace

Result<bool> ReaderState::read_header() {
  record_.reader_ = this;
  record_.complete_ = true;
  record_.finished_ = false;
  record_.offset_ = is_packed(packing_) ? input_.unit_offset() : input_.position();
  record_.offset_in_member_ = is_packed(packing_) ? input_.position() : 0;
  record_.addressable_ = records_in_member_ == 0;
  record_.length_ = 0;
  record_.block_read_ = 0;
  member_length_.reset();
  until_member_end_ = missing_told_ = member_tidy_ = false;
  flaws_.clear();
  const bool warc = starts_like_warc(input_.ready());
  TRY(const bool sound, warc ? read_warc_header() : read_arc_header());
  if (!sound) return false;
  if (dialect_ == Dialect::unknown) dialect_ = warc ? Dialect::warc : Dialect::arc;
  ++records_in_member_;
  record_.is_arc_ = !warc;
  record_.type_ = record_.header_.type();
  for (HeaderFlaw& flaw : flaws_) report(record_.offset_, Level::warning, flaw.code, std::move(flaw.message));
  return true;
}

Result<std::optional<size_t>> ReaderState::header_end() {
  for (size_t looked = 0;;) {
    const std::string_view ready = input_.ready();
    const auto end = find_header_end(ready.substr(0, options_.max_header), looked);
    if (end) return end;
    if (ready.size() >= options_.max_header) return std::nullopt;
    looked = ready.size();
    TRY(bool came, input_.more());
    if (!came && packing_ == Packing::zstd) {
      TRY(came, continue_in_next_member(ready.size()));
    }
    if (!came) return std::nullopt;
  }
}

Result<bool> ReaderState::read_warc_header() {
  TRY(const auto end, header_end());
  if (!end) {
    if (input_.ready().size() >= options_.max_header) {
      return reject_header("header-too-long",
                           fmt::format("the record header is longer than {} bytes", options_.max_header));
    }
    return reject_header("header-cut",
                         fmt::format("the file or {} ends inside the record header", unit_name(packing_)));
  }
  parse_warc_header(input_.ready().substr(0, *end), record_.header_, flaws_);
  if (options_.keep_headers) record_.header_bytes_ = input_.ready().substr(0, *end);
  input_.consume(*end);
  return true;
}

Result<bool> ReaderState::read_arc_header() {
  const std::string_view ready = input_.ready();
  const size_t end = ready.find('\n');
  CADDIS_CHECK(end != std::string_view::npos);  // at_record_start has seen the whole line
  const auto line = parse_arc_line(ready.substr(0, end));
  CADDIS_CHECK(line.has_value());
  arc_header(*line, record_.header_, flaws_);
  if (options_.keep_headers) record_.header_bytes_ = ready.substr(0, end + 1);
  input_.consume(end + 1);
  return true;
}

Result<bool> ReaderState::reject_header(std::string_view code, std::string message) {
  constexpr size_t kPastVersion = 5;
  const uint64_t from = input_.position();
  if (is_packed(packing_) && input_.damage()) {
    TRY_VOID(input_.skip(std::numeric_limits<uint64_t>::max()));
    return false;  // the damage will be told
  }
  if (is_packed(packing_)) {
    report(record_.offset_, Level::error, code, fmt::format("{}; its {} is passed over", message, unit_name(packing_)),
           "cut it out of the file");
    if (!fresh_member_) TRY_VOID(input_.skip(std::numeric_limits<uint64_t>::max()));
    return false;
  }
  TRY(const auto found, scan_plain(from + kPastVersion));
  report(from, Level::error, code, fmt::format("{}; {}", message, passed_over(found, from)),
         "cut these bytes out of the file");
  TRY_VOID(input_.seek(found.value_or(input_.file_size()), Packing::plain));
  dialect_ = Dialect::warc;
  // The separator behind the record before was looked at already.
  missing_told_ = true;
  return false;
}

Result<void> ReaderState::settle_extent() {
  const auto declared = record_.header_.content_length();
  if (!declared) {
    const std::string_view what = record_.is_arc_ ? "the length in the ARC header line is no number of bytes"
                                  : record_.header_.has("Content-Length") ? "Content-Length is no number of bytes"
                                                                          : "Content-Length is missing";
    report(record_.offset_, Level::error, "content-length",
           fmt::format("{}; the block's end was told from what follows", what), "write the block's length there");
  }
  record_.content_length_ = declared.value_or(0);
  if (record_.is_arc_ && record_.type_ == RecordType::warcinfo) {
    TRY_VOID(settle_arc_version_block());
  } else if (!is_packed(packing_)) {
    TRY_VOID(settle_plain_extent());
  } else if (!declared && !record_.is_arc_) {
    until_member_end_ = true;
  }
  block_left_ = until_member_end_ ? std::numeric_limits<uint64_t>::max() : record_.content_length_;
  return {};
}

// The version block of an ARC file is a few lines up to an empty one. Its declared length is often one short (the last
// line's end left out) or missing.
Result<void> ReaderState::settle_arc_version_block() {
  constexpr size_t kMaxLines = 64 * 1024;
  const uint64_t declared = record_.content_length_;
  if (declared > kMaxLines) return is_packed(packing_) ? Result<void>() : settle_plain_extent();
  TRY_VOID(input_.want(static_cast<size_t>(declared) + 2));
  const std::string_view behind = input_.ready().substr(std::min<size_t>(declared, input_.ready().size()));
  if (record_.header_.content_length()) {
    if (behind.starts_with("\n\n")) ++record_.content_length_;
    return is_packed(packing_) ? Result<void>() : settle_plain_extent();
  }
  TRY_VOID(input_.want(kMaxLines));
  const auto end = find_header_end(input_.ready().substr(0, kMaxLines));
  record_.content_length_ = end ? *end - 1 : 0;
  return {};
}

Result<bool> ReaderState::record_or_end_at(uint64_t offset) {
  constexpr size_t kSeparators = 16, kEnough = 16;
  if (offset > input_.file_size()) return false;
  TRY(std::string_view bytes, input_.peek(offset, kSeparators + kEnough));
  size_t blanks = 0;
  while (blanks < bytes.size() && (bytes[blanks] == '\r' || bytes[blanks] == '\n')) ++blanks;
  if (blanks == bytes.size()) return true;
  if (dialect_ == Dialect::warc) return bytes.substr(blanks).starts_with("WARC/");
  if (blanks == 0) return false;
  TRY(bytes, input_.peek(offset + blanks, kScanHeader));
  return is_record_start(bytes, dialect_);
}

Result<void> ReaderState::settle_plain_extent() {
  const uint64_t begin = input_.position();
  const bool declared = record_.header_.content_length().has_value();
  const uint64_t end = begin + record_.content_length_;
  if (declared || record_.is_arc_) {
    TRY(const bool fits, record_or_end_at(end));
    if (fits) return {};
  }
  TRY(const auto found, scan_plain(begin));
  if (found && (*found < end || !declared)) return cut_extent_at(*found);
  if (!declared && !record_.is_arc_) {
    record_.content_length_ = input_.file_size() - begin;
    return {};
  }
  missing_told_ = true;
  resume_at_ = found.value_or(input_.file_size());
  if (end > input_.file_size()) {
    record_.complete_ = false;
    report(record_.offset_, Level::error, "cut",
           fmt::format("the file ends inside the record: {} of {} bytes of its block are there",
                       input_.file_size() - begin, record_.content_length_),
           fmt::format("copy the file anew from where it is whole, or cut it at offset {}", record_.offset_));
  } else {
    report(end, Level::error, "garbage",
           fmt::format("bytes behind the record at offset {} that are no record; {}", record_.offset_,
                       passed_over(found, end)),
           fmt::format("if they belong to its block, correct Content-Length; otherwise cut them out"));
  }
  return {};
}

// A record begins before the declared end of this one's block.
Result<void> ReaderState::cut_extent_at(uint64_t next_record) {
  const uint64_t begin = input_.position();
  const uint64_t declared = record_.content_length_;
  resume_at_ = next_record;
  missing_told_ = true;
  constexpr size_t kSeparator = 4;
  const size_t back = static_cast<size_t>(std::min<uint64_t>(kSeparator, next_record - begin));
  TRY(const std::string_view before, input_.peek(next_record - back, back));
  size_t blanks = 0;
  while (blanks < before.size() &&
         (before[before.size() - 1 - blanks] == '\r' || before[before.size() - 1 - blanks] == '\n')) {
    ++blanks;
  }
  record_.content_length_ = next_record - begin - blanks;
  if (!record_.header_.content_length()) return {};
  record_.complete_ = false;
  report(record_.offset_, Level::error, "content-length",
         fmt::format("Content-Length says {}, but after {} bytes of the block another record begins, at offset {}",
                     declared, record_.content_length_, next_record),
         fmt::format("if nothing was lost between them, write Content-Length: {}", record_.content_length_));
  return {};
}

Result<size_t> ReaderState::want_block() {
  const bool may_be_short = block_left_ == 0 && record_.is_arc_ && is_packed(packing_) && records_in_member_ == 1 &&
                            record_.complete_ && record_.type_ != RecordType::warcinfo;
  if (may_be_short && !fresh_member_ && !input_.damage()) {
    TRY(block_left_, surplus(source_, input_, dialect_, packing_));
    if (block_left_ > 0) {
      report(record_.offset_, Level::error, "content-length",
             fmt::format("the ARC header line says {}, but {} more bytes stand behind that in its {}",
                         record_.content_length_, block_left_, unit_name(packing_)),
             fmt::format("write {} there", record_.content_length_ + block_left_));
      record_.content_length_ += block_left_;
    }
  }
  while (block_left_ > 0 && input_.ready().empty()) {
    TRY(const bool came, input_.more());
    if (came) continue;
    TRY(const bool goes_on, block_ended_early());
    if (!goes_on) return 0;
  }
  return static_cast<size_t>(std::min<uint64_t>(block_left_, input_.ready().size()));
}

Result<std::string_view> ReaderState::read_block() {
  TRY(const size_t n, want_block());
  const std::string_view piece = input_.ready().substr(0, n);
  input_.consume(n);
  block_left_ -= n;
  record_.block_read_ += n;
  return piece;
}

Result<uint64_t> ReaderState::skip_block(uint64_t size) {
  TRY(const size_t ready, want_block());
  const uint64_t before = input_.position();
  uint64_t skipped = std::min<uint64_t>(size, ready);
  if (is_packed(packing_)) {
    input_.consume(static_cast<size_t>(skipped));
  } else {
    TRY_VOID(input_.skip(std::min(size, block_left_)));
    skipped = input_.position() - before;
  }
  block_left_ -= skipped;
  record_.block_read_ += skipped;
  return skipped;
}

// The input's unit ends before the block does. True where the block goes on in the next gzip member.
Result<bool> ReaderState::block_ended_early() {
  if (until_member_end_) {
    block_left_ = 0;
    record_.content_length_ = record_.block_read_;
    return false;
  }
  if (is_packed(packing_) && !input_.damage()) {
    TRY(const bool goes_on, continue_in_next_member());
    if (goes_on) return true;
    missing_told_ = true;
    report(record_.offset_, Level::error, "content-length",
           fmt::format("Content-Length says {}, but the {} holds only {} bytes of the block", record_.content_length_,
                       unit_name(packing_), record_.block_read_),
           fmt::format("if nothing was lost, write Content-Length: {}", record_.block_read_));
  }
  block_left_ = 0;
  record_.complete_ = false;
  return false;
}

Result<bool> ReaderState::continue_in_next_member(size_t begun) {
  const uint64_t bytes = input_.unit_bytes(), next = input_.unit_offset() + bytes;
  if (packing_ == Packing::zstd) {
    TRY(const bool extended, input_.extend());
    if (!extended) return false;
    constexpr size_t kEnough = 16;
    TRY_VOID(input_.want(begun + kEnough));
    bool record_begins = starts_like_warc(input_.ready().substr(begun));
    if (begun == 0) {
      TRY(record_begins, at_record_start());
    }
    if (!record_begins) return true;
    member_length_ = bytes;
    TRY_VOID(input_.seek(next, packing_));
    fresh_member_ = true;
    return false;
  }
  if (!member_length_) member_length_ = bytes;
  TRY(const std::string_view front, input_.peek(next, 4));
  if (io::looks_like_gzip(front)) {
    TRY_VOID(input_.seek(next, packing_));
    TRY(const bool record_begins, at_record_start());
    if (!record_begins && !input_.ready().empty()) {
      if (!std::exchange(missing_told_, true)) {
        report(record_.offset_, Level::error, "record-spans-members",
               fmt::format(
                   "the record goes on in the gzip member at offset {}: whoever reads its member alone gets {} of {} "
                   "bytes of its block",
                   next, record_.block_read_, record_.content_length_),
               "pack the file again with one gzip member for each record");
      }
      return true;
    }
    fresh_member_ = true;
  }
  return false;
}

Result<void> ReaderState::take_separator_frame(std::string& blanks) {
  const size_t separator = record_.is_arc_ ? 1 : 4;
  while (packing_ == Packing::zstd && input_.ended() && blanks.size() < separator) {
    const uint64_t bytes = input_.unit_bytes(), next = input_.unit_offset() + bytes;
    TRY(const bool extended, input_.extend());
    if (!extended) return {};
    TRY(const std::string more, skip_blanks());
    blanks += more;
    if (!more.empty() || input_.ended()) continue;
    member_length_ = bytes;
    TRY_VOID(input_.seek(next, packing_));
    fresh_member_ = true;
  }
  return {};
}

Result<void> ReaderState::finish() {
  if (record_.finished_) return {};
  record_.finished_ = true;
  return is_packed(packing_) ? finish_member() : finish_plain();
}

Result<void> ReaderState::finish_plain() {
  const uint64_t end = std::min(input_.position() + block_left_, input_.file_size());
  TRY_VOID(input_.skip(block_left_));
  block_left_ = 0;
  record_.length_ = end - record_.offset_;
  return {};
}

Result<void> ReaderState::finish_member() {
  for (;;) {
    TRY(const std::string_view piece, read_block());
    if (piece.empty()) break;
  }
  if (!fresh_member_) {
    TRY(std::string blanks, skip_blanks());
    TRY_VOID(take_separator_frame(blanks));
    member_tidy_ = input_.ended() && record_.complete_ && blanks == (record_.is_arc_ ? "\n" : "\r\n\r\n");
    if (!input_.damage()) {
      check_separator(blanks);
    } else if (input_.ended()) {
      record_.complete_ = false;
    } else {
      TRY(const bool record_follows, at_record_start());
      if (!record_follows) record_.complete_ = false;
    }
    if (!input_.ended() && !member_length_) record_.addressable_ = false;
    if (!member_length_) member_length_ = input_.unit_bytes();
  }
  record_.length_ = record_.addressable_ ? *member_length_ : 0;
  return {};
}

Result<std::string_view> Record::read_block() { return reader_->read_block(); }
Result<uint64_t> Record::skip_block(uint64_t size) { return reader_->skip_block(size); }
Result<void> Record::finish() { return reader_->finish(); }

Result<std::string> Record::read_all(uint64_t limit) {
  if (content_length_ - block_read_ > limit && content_length_ >= block_read_) {
    return fail(ErrorCode::limit,
                fmt::format("the block at offset {} has {} bytes, more than {}", offset_, content_length_, limit));
  }
  // A declared length may be a lie; beyond this the string grows by itself.
  constexpr uint64_t kReserveAtMost = 4 << 20;
  std::string block;
  block.reserve(std::min(content_length_ - std::min(content_length_, block_read_), kReserveAtMost));
  for (;;) {
    TRY(const std::string_view piece, read_block());
    if (piece.empty()) return block;
    if (block.size() + piece.size() > limit) {
      return fail(ErrorCode::limit, fmt::format("the block at offset {} has more than {} bytes", offset_, limit));
    }
    block += piece;
  }
}

}  // namespace caddis::warc
