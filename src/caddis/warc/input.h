// The uncompressed bytes of an archive file, unit by unit: a gzip member is a unit, and a plain file is one as a whole.
// Internal to the reader.
//
// Bytes are taken from the front of ready(); more() brings others behind them. A unit ends where its member ends, where
// its data is damaged (damage() says how) or at the end of the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/io/gzip.h"
#include "caddis/warc/source.h"

namespace caddis::warc {

class Input {
 public:
  Input(const ByteSource& source, size_t read_size);

  // Goes to a file offset; false at or behind the end of the file. What follows is a gzip member if `gzip`.
  Result<bool> seek(uint64_t offset, bool gzip);
  // Up to `size` bytes of the file itself, from its buffer where they are there; valid until the next call of anything.
  Result<std::string_view> peek(uint64_t offset, size_t size);

  std::string_view ready() const { return {out_ + begin_, end_ - begin_}; }
  // Appends to ready(), whose bytes may move. False at the end of the unit.
  Result<bool> more();
  // more() until ready() has `size` bytes or the unit ends.
  Result<void> want(size_t size);
  void consume(size_t size) {
    begin_ += size;
    position_ += size;
  }
  // Consumes, also more than is ready; in a plain file without reading it. True where all was there.
  Result<bool> skip(uint64_t size);

  bool gzip() const { return gzip_; }
  bool ended() const { return ended_ && begin_ == end_; }
  // Uncompressed bytes before ready(): since the begin of the member, or of the file where it is plain.
  uint64_t position() const { return position_; }
  uint64_t unit_offset() const { return unit_offset_; }
  // Bytes in the file from the unit's begin to the end of what was inflated; the member's length once ended() holds.
  uint64_t unit_bytes() const { return unit_bytes_; }
  const std::optional<Error>& damage() const { return damage_; }
  // Damage that leaves the data itself and the begin of the next member unharmed.
  bool only_trailer_wrong() const { return only_trailer_wrong_; }
  uint64_t file_size() const { return file_size_; }

 private:
  Result<bool> more_plain();
  Result<bool> more_gzip();
  // Inflates the member in one go where all of it is in the window and its data fits; otherwise changes nothing.
  bool take_whole_member();
  // Makes at least `size` file bytes from `raw_begin_` available, fewer at the end of the file.
  Result<void> fill_raw(size_t size);
  std::string_view raw() const { return {raw_.get() + raw_begin_, raw_end_ - raw_begin_}; }
  // Makes room behind the unread bytes of the output buffer.
  void make_room(size_t size);

  const ByteSource& source_;
  size_t read_size_;
  uint64_t file_size_ = 0;

  // A window of the file.
  std::unique_ptr<char[]> raw_;
  size_t raw_capacity_ = 0;
  size_t raw_begin_ = 0, raw_end_ = 0;
  uint64_t raw_offset_ = 0;  // in the file, of raw_[0]

  // Uncompressed bytes not yet consumed: out_[begin_, end_). In a plain file out_ is the window of the file itself.
  std::unique_ptr<char[]> inflated_;
  size_t inflated_capacity_ = 0;
  char* out_ = nullptr;
  size_t begin_ = 0, end_ = 0;

  bool gzip_ = false;
  bool ended_ = true;
  bool streaming_ = false;
  uint64_t position_ = 0;
  uint64_t unit_offset_ = 0;
  uint64_t unit_bytes_ = 0;
  std::optional<Error> damage_;
  bool only_trailer_wrong_ = false;
  io::GunzipStream gunzip_;
  std::string peeked_;
};

}  // namespace caddis::warc
