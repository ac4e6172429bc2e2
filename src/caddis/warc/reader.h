// Reads archive files record by record: WARC (any version) and ARC 1.x, plain, gzip or zstd, one member or frame for a
// record or not.
//
//   Reader reader(source);
//   for (;;) {
//     TRY(Record* record, reader.next());
//     if (record == nullptr) break;                        // the end of the file
//     if (record->header().type() == RecordType::response) {
//       TRY(std::string block, record->read_all(limit));
//     }
//   }
//   for (const Finding& finding : reader.take_findings()) ...
//
// The format is told from the bytes, never from a name. Flaws do not end the reading: each becomes a Finding, and the
// next sound record is looked for, byte by byte where needed. An Error comes only where the source cannot be read. One
// thread at a time; the source must outlive the reader.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/warc/finding.h"
#include "caddis/warc/record.h"
#include "caddis/warc/source.h"

namespace caddis::warc {

struct ReaderOptions {
  size_t max_header = 1 << 20;    // a longer record header is a flaw, and the record is skipped
  size_t read_size = 256 * 1024;  // bytes asked of the source at once
  bool resync = true;             // after a flaw, look for the next sound record; without, the file ends there
  bool keep_headers = false;      // Record::header_bytes() is wanted
};

class ReaderState;

// One record. Lives in its Reader until that moves on; its header stays valid as long, views of its block until the
// next read.
class Record {
 public:
  const Header& header() const { return header_; }
  RecordType type() const { return type_; }
  bool is_arc() const { return is_arc_; }
  // The header as it stands in the file, with the line end behind it; empty unless the options ask for it.
  const std::string& header_bytes() const { return header_bytes_; }

  // Where the record begins in the file: of its gzip member or zstd frame, or its first byte in a plain file.
  uint64_t offset() const { return offset_; }
  // How far it reaches: to the end of its member or last frame, or of its block in a plain file (the line ends behind it not
  // counted). Exact once the block has been read or finish() called. 0 for a record that is not the first in its
  // member: such a record has no address.
  uint64_t length() const { return length_; }
  // Where its header begins within the uncompressed bytes of its member; 0 unless several records share one.
  uint64_t offset_in_member() const { return offset_in_member_; }

  // The block's length: as declared, or as found where the declaration is missing or certainly wrong.
  uint64_t content_length() const { return content_length_; }
  // The next piece of the block, valid until the next call; empty at its end. A damaged block ends early: see
  // complete().
  Result<std::string_view> read_block();
  // Passes over up to `size` bytes of the block: in a plain file over all of them without reading, in others
  // over one piece. How many they were; 0 at the block's end.
  Result<uint64_t> skip_block(uint64_t size);
  // What is left of the block; ErrorCode::limit where it has more than `limit` bytes.
  Result<std::string> read_all(uint64_t limit);
  // Skips what is left of the block, so that length() and complete() are final.
  Result<void> finish();
  // False where bytes of the block are missing or its member or frame is damaged.
  bool complete() const { return complete_; }

 private:
  friend class ReaderState;
  ReaderState* reader_ = nullptr;
  Header header_;
  std::string header_bytes_;
  RecordType type_ = RecordType::other;
  bool is_arc_ = false;
  bool complete_ = true;
  bool finished_ = false;
  bool addressable_ = true;
  uint64_t offset_ = 0;
  uint64_t length_ = 0;
  uint64_t offset_in_member_ = 0;
  uint64_t content_length_ = 0;
  uint64_t block_read_ = 0;
};

class Reader {
 public:
  explicit Reader(const ByteSource& source, ReaderOptions options = {}, uint64_t start = 0);
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  // The next record, or null at the end of the file. The one before is finished and gone.
  Result<Record*> next();
  // What was found wrong so far and not taken yet.
  std::vector<Finding> take_findings();

 private:
  std::unique_ptr<ReaderState> state_;
};

// A record read by itself, with what it needs to be read.
class SingleRecord {
 public:
  Record& operator*() const { return *record_; }
  Record* operator->() const { return record_; }

 private:
  friend Result<SingleRecord> read_record_at(const io::File& file, uint64_t offset);
  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<Reader> reader_;
  Record* record_ = nullptr;
};

// The record that begins exactly at `offset` (as an index says); ErrorCode::corrupt where none does. The file must
// outlive it.
Result<SingleRecord> read_record_at(const io::File& file, uint64_t offset);

}  // namespace caddis::warc
