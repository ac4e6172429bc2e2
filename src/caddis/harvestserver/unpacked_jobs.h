// Metadata files of jobs that people look into, unpacked (harvest/unpacked_job.h): the latest ones, in a folder of their own.
// It may be removed at any time while the server is down.
//
// There are 32 at most, of 64 GiB in all; what is being unpacked, and the one that was asked for last, come on top. Whatever
// is being unpacked or read stays. Nobody waits for what another one does.
//
// Any thread.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "caddis/base/error.h"
#include "caddis/harvest/unpacked_job.h"
#include "caddis/io/files.h"

namespace caddis::harvestserver {

struct UnpackedLimits {
  size_t jobs = 32;
  uint64_t bytes = uint64_t{64} << 30;   // on the disk
  uint64_t share = uint64_t{256} << 20;  // of metadata that one request unpacks
};

class UnpackedJobs {
 public:
  // Its folder stays as long as this lives.
  struct InUse : harvest::UnpackedJob {
    std::shared_ptr<const int> hold;
  };

  // Removes what a process that has died has left half done.
  UnpackedJobs(io::Files& files, std::string folder, UnpackedLimits limits = {});
  ~UnpackedJobs();

  // Unpacks it if it is not there. ErrorCode::timeout, with how far it is, if the share of the request was not enough, and
  // at once if somebody else is at it. ErrorCode::no_space, before anything is written, if the disk has not sixteen times
  // the bytes of the metadata file left.
  Result<InUse> of(const std::string& metadata_file);
  // Goes on with what requests have begun. True if there is more to do.
  bool step();

 private:
  struct Begun;
  struct Kept {
    std::string folder;
    uint64_t bytes = 0;
    std::shared_ptr<const int> hold;  // others have it too as long as they read
  };
  Result<bool> advance(Begun& one, uint64_t bytes);
  Result<bool> unpack(Begun& one, uint64_t bytes);
  Result<void> make_room(const harvest::UnpackedJob& job);
  uint64_t bytes_of(const std::string& folder);
  void keep(Begun& one);
  bool is_too_much();
  bool remove_oldest();

  io::Files& files_;
  const std::string folder_;
  const UnpackedLimits limits_;
  std::mutex mutex_;  // of what follows
  std::list<std::shared_ptr<Begun>> begun_;
  std::list<Kept> kept_;  // the latest used last
};

}  // namespace caddis::harvestserver
