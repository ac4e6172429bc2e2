#include "faults/memory_file_system.h"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "caddis/store/rocks_kv.h"

namespace caddis::testing {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

IOStatus status_of(const Error& error) {
  return error.code == ErrorCode::not_found ? IOStatus::PathNotFound(error.message) : IOStatus::IOError(error.message);
}
template <class T>
IOStatus status_of(const Result<T>& result) {
  return result ? IOStatus::OK() : status_of(result.error());
}

class SequentialFile : public rocksdb::FSSequentialFile {
 public:
  explicit SequentialFile(std::unique_ptr<io::File> file) : file_(std::move(file)) {}
  IOStatus Read(size_t n, const IOOptions&, Slice* result, char* scratch, IODebugContext*) override {
    const auto got = file_->read_at(at_, scratch, n);
    if (!got) return status_of(got.error());
    at_ += *got;
    *result = Slice(scratch, *got);
    return IOStatus::OK();
  }
  IOStatus Skip(uint64_t n) override {
    at_ += n;
    return IOStatus::OK();
  }

 private:
  std::unique_ptr<io::File> file_;
  uint64_t at_ = 0;
};

class RandomAccessFile : public rocksdb::FSRandomAccessFile {
 public:
  explicit RandomAccessFile(std::unique_ptr<io::File> file) : file_(std::move(file)) {}
  IOStatus Read(uint64_t offset, size_t n, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) const override {
    const auto got = file_->read_at(offset, scratch, n);
    if (!got) return status_of(got.error());
    *result = Slice(scratch, *got);
    return IOStatus::OK();
  }

 private:
  std::unique_ptr<io::File> file_;
};

class WritableFile : public rocksdb::FSWritableFile {
 public:
  explicit WritableFile(std::unique_ptr<io::File> file) : file_(std::move(file)) {}
  using FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions&, IODebugContext*) override {
    return status_of(file_->append({data.data(), data.size()}));
  }
  IOStatus Truncate(uint64_t size, const IOOptions&, IODebugContext*) override {
    return status_of(file_->truncate(size));
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return status_of(file_->sync()); }
  uint64_t GetFileSize(const IOOptions&, IODebugContext*) override { return file_->size().value_or(0); }

 private:
  std::unique_ptr<io::File> file_;
};

class Directory : public rocksdb::FSDirectory {
 public:
  Directory(io::Files& files, std::string path) : files_(files), path_(std::move(path)) {}
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return status_of(files_.sync_dir(path_)); }

 private:
  io::Files& files_;
  std::string path_;
};

struct Lock : rocksdb::FileLock {
  explicit Lock(std::unique_ptr<io::FileLock> taken) : held(std::move(taken)) {}
  std::unique_ptr<io::FileLock> held;
};

class MemoryFileSystem : public rocksdb::FileSystem {
 public:
  explicit MemoryFileSystem(io::Files& files) : files_(files) {}
  const char* Name() const override { return "MemoryFileSystem"; }

  IOStatus NewSequentialFile(const std::string& path, const FileOptions&,
                             std::unique_ptr<rocksdb::FSSequentialFile>* result, IODebugContext*) override {
    auto file = files_.open_read(path);
    if (!file) return status_of(file.error());
    *result = std::make_unique<SequentialFile>(*std::move(file));
    return IOStatus::OK();
  }
  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions&,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result, IODebugContext*) override {
    auto file = files_.open_read(path);
    if (!file) return status_of(file.error());
    *result = std::make_unique<RandomAccessFile>(*std::move(file));
    return IOStatus::OK();
  }
  IOStatus NewWritableFile(const std::string& path, const FileOptions&,
                           std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext*) override {
    if (files_.exists(path))
      if (const auto removed = files_.remove(path); !removed) return status_of(removed.error());
    return open_for_writing(path, result);
  }
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions&,
                              std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext*) override {
    return open_for_writing(path, result);
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions&, std::unique_ptr<rocksdb::FSDirectory>* result,
                        IODebugContext*) override {
    if (!files_.is_directory(path)) return IOStatus::PathNotFound(path);
    *result = std::make_unique<Directory>(files_, path);
    return IOStatus::OK();
  }
  IOStatus FileExists(const std::string& path, const IOOptions&, IODebugContext*) override {
    return files_.exists(path) ? IOStatus::OK() : IOStatus::NotFound(path);
  }
  IOStatus GetChildren(const std::string& path, const IOOptions&, std::vector<std::string>* result,
                       IODebugContext*) override {
    result->clear();
    const auto entries = files_.list(path);
    if (!entries) return status_of(entries.error());
    for (const auto& entry : *entries) result->push_back(entry.name);
    return IOStatus::OK();
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions&, IODebugContext*) override {
    return status_of(files_.remove(path));
  }
  IOStatus CreateDir(const std::string& path, const IOOptions&, IODebugContext*) override {
    return status_of(files_.make_dirs(path));
  }
  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions&, IODebugContext*) override {
    return status_of(files_.make_dirs(path));
  }
  IOStatus DeleteDir(const std::string& path, const IOOptions&, IODebugContext*) override {
    return status_of(files_.remove(path));
  }
  IOStatus GetFileSize(const std::string& path, const IOOptions&, uint64_t* size, IODebugContext*) override {
    const auto file = files_.open_read(path);
    if (!file) return status_of(file.error());
    *size = (*file)->size().value_or(0);
    return IOStatus::OK();
  }
  IOStatus GetFileModificationTime(const std::string&, const IOOptions&, uint64_t* time, IODebugContext*) override {
    *time = 0;
    return IOStatus::OK();
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions&, IODebugContext*) override {
    return status_of(files_.rename(from, to));
  }
  IOStatus LinkFile(const std::string& from, const std::string& to, const IOOptions&, IODebugContext*) override {
    return status_of(files_.link(from, to));
  }
  IOStatus LockFile(const std::string& path, const IOOptions&, rocksdb::FileLock** lock, IODebugContext*) override {
    auto held = files_.lock(path, "rocksdb");
    if (!held) return status_of(held.error());
    *lock = new Lock(*std::move(held));
    return IOStatus::OK();
  }
  IOStatus UnlockFile(rocksdb::FileLock* lock, const IOOptions&, IODebugContext*) override {
    delete lock;
    return IOStatus::OK();
  }
  IOStatus GetTestDirectory(const IOOptions&, std::string* path, IODebugContext*) override {
    *path = "/tmp";
    return IOStatus::OK();
  }
  IOStatus GetAbsolutePath(const std::string& path, const IOOptions&, std::string* absolute, IODebugContext*) override {
    *absolute = path;
    return IOStatus::OK();
  }
  IOStatus IsDirectory(const std::string& path, const IOOptions&, bool* is_directory, IODebugContext*) override {
    *is_directory = files_.is_directory(path);
    return IOStatus::OK();
  }

 private:
  IOStatus open_for_writing(const std::string& path, std::unique_ptr<rocksdb::FSWritableFile>* result) {
    auto file = files_.open_append(path);
    if (!file) return status_of(file.error());
    *result = std::make_unique<WritableFile>(*std::move(file));
    return IOStatus::OK();
  }

  io::Files& files_;
};

}  // namespace

struct RocksOnMemory::Parts {
  explicit Parts(io::Files& files) : env(rocksdb::NewCompositeEnv(std::make_shared<MemoryFileSystem>(files))) {}
  std::unique_ptr<rocksdb::Env> env;
};

RocksOnMemory::RocksOnMemory(io::Files& files) : parts_(std::make_unique<Parts>(files)) {}
RocksOnMemory::~RocksOnMemory() = default;

store::KvOpener RocksOnMemory::opener() {
  store::RocksOptions options;
  options.cache_bytes = 1 << 20;
  options.write_buffer_bytes = 64 << 10;
  options.env = parts_->env.get();
  return store::rocks_opener(options);
}

}  // namespace caddis::testing
