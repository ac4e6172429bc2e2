// Metadata files of jobs that people look into, unpacked (harvest/unpacked_job.h): the latest 32, in a folder of their own.
// It may be removed at any time while the server is down.
//
// Any thread.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "caddis/base/error.h"
#include "caddis/harvest/unpacked_job.h"
#include "caddis/io/files.h"

namespace caddis::harvestserver {

class UnpackedJobs {
 public:
  static constexpr uint64_t kShare = uint64_t{256} << 20;

  // `share`: bytes of metadata that one request unpacks, at most.
  UnpackedJobs(io::Files& files, std::string folder, size_t most = 32, uint64_t share = kShare);
  ~UnpackedJobs();

  // Unpacks it if it is not there. ErrorCode::timeout, with how far it is, if the share of the request was not enough.
  Result<harvest::UnpackedJob> of(const std::string& metadata_file);
  // Goes on with what requests have begun. True if there is more to do.
  bool step();

 private:
  struct Begun;
  std::shared_ptr<Begun> begun(const harvest::UnpackedJob& job);
  Result<bool> advance(Begun& one, uint64_t bytes);
  void used(const std::string& name);

  io::Files& files_;
  const std::string folder_;
  const size_t most_;
  const uint64_t share_;
  std::mutex mutex_;  // of what follows
  std::list<std::shared_ptr<Begun>> begun_;
  std::list<std::string> names_;  // of what is there; the latest used last
};

}  // namespace caddis::harvestserver
