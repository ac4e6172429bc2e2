// The uncompressed bytes of an archive file, unit by unit: a gzip member or a zstd frame is a unit, and a plain file is
// one as a whole. Internal to the reader.
//
// Bytes are taken from the front of ready(); more() brings others behind them. A unit ends where its member or frame
// ends, where its data is damaged (damage() says how) or at the end of the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/warc/source.h"
#include "caddis/warc/unit_decoder.h"

namespace caddis::warc {

class Input {
 public:
  Input(const ByteSource& source, size_t read_size);

  // Goes to a file offset, where a unit of that packing begins; false at or behind the end of the file.
  Result<bool> seek(uint64_t offset, Packing packing);
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

  // At the end of a zstd frame: the frame behind it becomes a part of the unit, as a record may lie in several. False if
  // none stands there.
  Result<bool> extend();

  // For the zstd frames to come.
  void use(std::unique_ptr<const io::ZstdDictionary> dictionary) { decoder_.use(std::move(dictionary)); }
  const io::ZstdDictionary* dictionary() const { return decoder_.dictionary(); }
  bool ended() const { return ended_ && begin_ == end_; }
  // Uncompressed bytes before ready(): since the begin of the unit, or of the file where it is plain.
  uint64_t position() const { return position_; }
  uint64_t unit_offset() const { return unit_offset_; }
  // Bytes in the file from the unit's begin to the end of what was inflated; the unit's length once ended() holds.
  uint64_t unit_bytes() const { return unit_bytes_; }
  const std::optional<Error>& damage() const { return damage_; }
  // Damage that leaves the data itself and the begin of the next unit unharmed.
  bool only_trailer_wrong() const { return only_trailer_wrong_; }
  uint64_t file_size() const { return file_size_; }

 private:
  Result<bool> more_plain();
  Result<bool> more_packed();
  // Unpacks the unit in one go if all of it is in the window and its data fits; otherwise changes nothing.
  bool take_whole_unit();
  // The window of the file begins there, keeping what it has of it.
  void move_window(uint64_t offset);
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

  Packing packing_ = Packing::plain;
  bool ended_ = true;
  bool streaming_ = false;
  uint64_t position_ = 0;
  uint64_t unit_offset_ = 0;
  uint64_t unit_bytes_ = 0;
  std::optional<Error> damage_;
  bool only_trailer_wrong_ = false;
  UnitDecoder decoder_;
  std::string peeked_;
};

}  // namespace caddis::warc
