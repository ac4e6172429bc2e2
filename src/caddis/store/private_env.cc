#include "caddis/store/private_env.h"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <sys/stat.h>

#include <memory>
#include <string>

namespace caddis::store {
namespace {

class PrivateDisk : public rocksdb::FileSystemWrapper {
 public:
  PrivateDisk() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "PrivateDisk"; }
  using Options = rocksdb::FileOptions;
  using Debug = rocksdb::IODebugContext;

  rocksdb::IOStatus NewWritableFile(const std::string& name, const Options& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file, Debug* debug) override {
    return close(name, kFile, FileSystemWrapper::NewWritableFile(name, options, file, debug));
  }
  rocksdb::IOStatus ReopenWritableFile(const std::string& name, const Options& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* file, Debug* debug) override {
    return close(name, kFile, FileSystemWrapper::ReopenWritableFile(name, options, file, debug));
  }
  rocksdb::IOStatus NewRandomRWFile(const std::string& name, const Options& options,
                                    std::unique_ptr<rocksdb::FSRandomRWFile>* file, Debug* debug) override {
    return close(name, kFile, FileSystemWrapper::NewRandomRWFile(name, options, file, debug));
  }
  rocksdb::IOStatus LockFile(const std::string& name, const rocksdb::IOOptions& options, rocksdb::FileLock** lock,
                             Debug* debug) override {
    return close(name, kFile, FileSystemWrapper::LockFile(name, options, lock, debug));
  }
  rocksdb::IOStatus CreateDir(const std::string& name, const rocksdb::IOOptions& options, Debug* debug) override {
    return close(name, kFolder, FileSystemWrapper::CreateDir(name, options, debug));
  }
  rocksdb::IOStatus CreateDirIfMissing(const std::string& name, const rocksdb::IOOptions& options,
                                       Debug* debug) override {
    return close(name, kFolder, FileSystemWrapper::CreateDirIfMissing(name, options, debug));
  }

 private:
  static constexpr mode_t kFile = 0600, kFolder = 0700;
  // A disk that knows no modes takes the files all the same.
  static rocksdb::IOStatus close(const std::string& name, mode_t mode, rocksdb::IOStatus made) {
    if (made.ok()) (void)::chmod(name.c_str(), mode);
    return made;
  }
};

}  // namespace

rocksdb::Env* private_env() {
  static rocksdb::Env* const env = rocksdb::NewCompositeEnv(std::make_shared<PrivateDisk>()).release();
  return env;
}

}  // namespace caddis::store
