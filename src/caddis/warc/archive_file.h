// An archive file in the making: records are packed by several threads and written in the order in which they came. It
// lies beside its place as NAME.part, and gets its name when it is whole, or never.
//
//   TRY(auto out, ArchiveFile::create(files, path, {.compression = Compression::zstd_small, .threads = 4}));
//   TRY_VOID(out->add(record_bytes));
//   TRY_VOID(out->commit());
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/warc/packer.h"

namespace caddis::warc {

struct ArchiveFileOptions {
  Compression compression = Compression::fast;
  unsigned threads = 1;
  std::string dictionary;  // for zstd frames; it becomes the first frame of the file
};

class ArchiveFile {
 public:
  // ErrorCode::conflict if there is something of that name: nothing is ever overwritten.
  static Result<std::unique_ptr<ArchiveFile>> create(io::Files& files, std::string path, ArchiveFileOptions options);
  ArchiveFile(const ArchiveFile&) = delete;
  ArchiveFile& operator=(const ArchiveFile&) = delete;
  // Removes the file if it was not committed.
  ~ArchiveFile();

  // One record with the line ends behind it.
  Result<void> add(std::string record);
  // The same piece by piece, for records that should not be held in memory; exactly `size` bytes will come.
  Result<void> begin_large(uint64_t size);
  Result<void> write_large(std::string_view piece);
  Result<void> end_large();
  // Takes a large record back, and all of it that is written.
  Result<void> cancel_large();

  // Writes what is still being packed, and makes it safe.
  Result<void> finish();
  // After finish(): the file gets its name.
  Result<void> commit();
  // Where it lies until then.
  std::string part() const { return path_ + ".part"; }
  // Bytes written so far.
  uint64_t size() const { return size_; }

 private:
  using Batch = std::vector<std::string>;

  ArchiveFile(io::Files& files, std::string path, ArchiveFileOptions options);
  std::string pack(const Batch& batch) const;
  // Hands the batch to a thread.
  Result<void> send();
  Result<void> take_oldest();
  Result<void> drain();
  Result<void> append(std::string_view bytes);

  io::Files& files_;
  std::string path_;
  ArchiveFileOptions options_;
  std::unique_ptr<const io::ZstdDictionary> dictionary_;
  std::unique_ptr<io::File> file_;
  uint64_t size_ = 0;
  Batch batch_;
  size_t batch_bytes_ = 0;
  std::deque<std::future<std::string>> packing_;
  std::optional<UnitStream> large_;
  uint64_t large_begin_ = 0;
  std::string packed_;
};

}  // namespace caddis::warc
