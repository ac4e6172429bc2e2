// What a Reader is made of. Internal.
//
// A file is plain, gzip or zstd, told from its first bytes; packed ones walk differently from record to record:
//   plain: a record's extent is settled when its header has been read, by looking at what stands behind its block; if
//          that is no record, the next sound one is looked for at once, also inside the block;
//   gzip:  members are the fences: a record ends at the latest with its member (unless the next member begins with no
//          record);
//   zstd:  frames are what members are to gzip ("member" means both in names), but a record may have several.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/warc/header_parser.h"
#include "caddis/warc/input.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/record_scan.h"

namespace caddis::warc {

class ReaderState {
 public:
  ReaderState(const ByteSource& source, ReaderOptions options, uint64_t start)
      : source_(source), options_(options), input_(source, options.read_size), start_(start) {}

  Result<Record*> next();
  Result<std::string_view> read_block();
  Result<uint64_t> skip_block(uint64_t size);
  Result<void> finish();
  std::vector<Finding> take_findings() { return std::exchange(findings_, {}); }

 private:
  // Opens the file and tells its kind; false where there is nothing to read.
  Result<bool> begin();
  Result<bool> begin_zstd();
  // These go to the next record's first byte; false at the end of the file.
  Result<bool> seek_plain();
  Result<bool> seek_packed();
  Result<bool> enter_member();
  Result<bool> seek_in_member();
  // Where the member after the current one begins; reports damage and whatever stands between.
  Result<std::optional<uint64_t>> after_member();
  Result<std::optional<uint64_t>> after_damage();
  // The offset behind the skippable zstd frames there; a dictionary in them is used from now on.
  Result<uint64_t> pass_skippable(uint64_t offset);

  // Reads the header at the input's front into record_; false where it is hopeless (told, and passed over).
  Result<bool> read_header();
  Result<bool> read_warc_header();
  Result<bool> read_arc_header();
  Result<bool> reject_header(std::string_view code, std::string message);
  Result<std::optional<size_t>> header_end();

  Result<void> settle_extent();
  Result<void> settle_arc_version_block();
  Result<void> settle_plain_extent();
  Result<bool> record_or_end_at(uint64_t offset);
  Result<void> cut_extent_at(uint64_t next_record);

  // Bytes of the block at the input's front; 0 at its end.
  Result<size_t> want_block();
  Result<bool> block_ended_early();
  // The record goes on in the next member or frame, unless another begins there. `begun`: bytes of its header are ready.
  Result<bool> continue_in_next_member(size_t begun = 0);
  // The separator behind a zstd record may stand in a frame of its own.
  Result<void> take_separator_frame(std::string& blanks);
  Result<void> finish_plain();
  Result<void> finish_member();
  Result<bool> at_record_start();
  // Consumes CR and LF at the front; what they were (at most 8), for the separator's check.
  Result<std::string> skip_blanks();
  void check_separator(const std::string& blanks);
  void report(uint64_t offset, Level level, std::string_view code, std::string message, std::string repair = {});
  // The scans of record_scan.h, unless options forbid.
  Result<std::optional<uint64_t>> scan_plain(uint64_t from);
  Result<std::optional<uint64_t>> scan_packed(uint64_t from);
  std::string passed_over(std::optional<uint64_t> found, uint64_t from) const;

  const ByteSource& source_;
  ReaderOptions options_;
  Input input_;
  uint64_t start_;
  Dialect dialect_ = Dialect::unknown;
  bool begun_ = false;
  Packing packing_ = Packing::plain;
  bool done_ = false;
  Record record_;
  bool have_record_ = false;

  uint64_t block_left_ = 0;
  bool until_member_end_ = false;  // the block's length is unknown
  bool missing_told_ = false;      // the record's incompleteness is reported already
  std::optional<uint64_t>
      member_length_;                  // of the member in which the record begins, once the record goes on in another
  bool member_tidy_ = false;           // packed: the member holds one whole record and its separator, and no more
  std::optional<uint64_t> resume_at_;  // plain: where the next record is known to begin
  bool fresh_member_ = false;          // packed: nothing of the open member has been looked at
  size_t records_in_member_ = 0;
  std::vector<HeaderFlaw> flaws_;
  std::vector<Finding> findings_;
};

}  // namespace caddis::warc
