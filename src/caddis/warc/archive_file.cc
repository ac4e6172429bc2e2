#include "caddis/warc/archive_file.h"

#include <utility>

#include "fmt/format.h"

namespace caddis::warc {
namespace {

// Enough that handing it to a thread costs nothing beside packing it.
constexpr size_t kBatch = 1 << 20;

Result<void> refuse_existing(io::Files& files, const std::string& path) {
  if (!files.exists(path)) return {};
  return fail(ErrorCode::conflict,
              path + " is there already, and nothing is overwritten: remove it, or name another place");
}

}  // namespace

ArchiveFile::ArchiveFile(io::Files& files, std::string path, ArchiveFileOptions options)
    : files_(files), path_(std::move(path)), options_(std::move(options)) {}

Result<std::unique_ptr<ArchiveFile>> ArchiveFile::create(io::Files& files, std::string path,
                                                         ArchiveFileOptions options) {
  TRY_VOID(refuse_existing(files, path));
  std::unique_ptr<ArchiveFile> made(new ArchiveFile(files, std::move(path), std::move(options)));
  if (files.exists(made->part()))
    return fail(ErrorCode::conflict,
                made->part() + " is there: another program writes it, or one has died; then remove it");
  TRY(made->file_, files.open_append(made->part()));
  if (made->options_.dictionary.empty()) return made;
  TRY(made->dictionary_, io::ZstdDictionary::load(made->options_.dictionary));
  TRY_VOID(made->append(io::dictionary_frame(made->options_.dictionary)));
  return made;
}

ArchiveFile::~ArchiveFile() {
  packing_.clear();
  if (file_ == nullptr) return;
  file_.reset();
  (void)files_.remove(part());
}

Result<void> ArchiveFile::append(std::string_view bytes) {
  TRY_VOID(file_->append(bytes));
  size_ += bytes.size();
  return {};
}

std::string ArchiveFile::pack(const Batch& batch) const {
  std::string out;
  for (const std::string& record : batch) {
    const std::string_view part = record;
    append_unit(out, std::span(&part, 1), options_.compression, dictionary_.get());
  }
  return out;
}

Result<void> ArchiveFile::add(std::string record) {
  batch_bytes_ += record.size();
  batch_.push_back(std::move(record));
  return batch_bytes_ < kBatch ? Result<void>() : send();
}

Result<void> ArchiveFile::send() {
  Batch batch = std::exchange(batch_, {});
  batch_bytes_ = 0;
  if (options_.threads < 2) return append(pack(batch));
  packing_.push_back(std::async(std::launch::async, [this, batch = std::move(batch)] { return pack(batch); }));
  while (packing_.size() > options_.threads) TRY_VOID(take_oldest());
  return {};
}

Result<void> ArchiveFile::take_oldest() {
  const std::string packed = packing_.front().get();
  packing_.pop_front();
  return append(packed);
}

Result<void> ArchiveFile::drain() {
  TRY_VOID(send());
  while (!packing_.empty()) TRY_VOID(take_oldest());
  return {};
}

Result<void> ArchiveFile::begin_large(uint64_t size) {
  TRY_VOID(drain());
  large_begin_ = size_;
  large_.emplace(options_.compression, size, dictionary_.get());
  return {};
}

Result<void> ArchiveFile::write_large(std::string_view piece) {
  packed_.clear();
  large_->write(piece, packed_);
  return append(packed_);
}

Result<void> ArchiveFile::end_large() {
  packed_.clear();
  large_->finish(packed_);
  large_.reset();
  return append(packed_);
}

Result<void> ArchiveFile::cancel_large() {
  large_.reset();
  TRY_VOID(file_->truncate(large_begin_));
  size_ = large_begin_;
  return {};
}

Result<void> ArchiveFile::finish() {
  TRY_VOID(drain());
  return file_->sync();
}

Result<void> ArchiveFile::commit() {
  TRY_VOID(refuse_existing(files_, path_));
  file_.reset();
  // A link fails if somebody else has made the file meanwhile; not every file system has links.
  if (files_.link(part(), path_)) {
    TRY_VOID(files_.remove(part()));
  } else {
    TRY_VOID(refuse_existing(files_, path_));
    TRY_VOID(files_.rename(part(), path_));
  }
  return files_.sync_dir(io::parent_path(path_));
}

}  // namespace caddis::warc
