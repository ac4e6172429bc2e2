// A place in which all files of the archive are kept once more: a folder (a collection, as the archive itself), a server that
// takes files by PUT and gives them by GET, or a bucket of S3.
//
//   harvest.yaml:   harvest: {replicas: ["second folder:/mnt/b/archive", "cloud s3:https://s3.example/bucket/caddis"]}
//
// Any thread; calls wait for the disk or the network.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::harvestserver {

// A file of the archive, as stored_files has it.
struct KeptFile {
  std::string name, kind, sha256;
  uint64_t bytes = 0;
};

using ByteSink = std::function<Result<void>(std::string_view)>;

class Replica {
 public:
  virtual ~Replica() = default;
  // In words: "folder /mnt/b/archive".
  virtual std::string words() const = 0;
  // Reads the file from that byte to its end; nothing, if it is shorter. ErrorCode::not_found if the store can be
  // reached, and it is not there.
  virtual Result<void> read(const KeptFile& file, uint64_t from, const ByteSink& sink) = 0;
  // Takes the file from a path of this machine; what stood in its place and is another is kept aside, or replaced.
  virtual Result<void> put(const KeptFile& file, const std::string& path) = 0;
};

struct ReplicaSettings {
  std::string name;   // "second"
  std::string kind;   // "folder", "put", "s3"
  std::string place;  // a path or an address
};

// Reads "second folder:/mnt/b/archive". ErrorCode::config for anything else.
Result<ReplicaSettings> read_replica_settings(std::string_view text);

// A line of the file with keys: "cloud ACCESS-KEY SECRET-KEY REGION"; for a server of PUT "dav USER PASSWORD".
struct ReplicaKey {
  std::string name, user, secret, region;
};
Result<std::vector<ReplicaKey>> read_replica_keys(std::string_view text);

struct ReplicaWorld {
  io::Files& files;
  const Clock& clock;
};
Result<std::unique_ptr<Replica>> open_replica(const ReplicaWorld& world, const ReplicaSettings& settings,
                                              const std::vector<ReplicaKey>& keys);
// The folder of a collection; the archive itself is one.
std::unique_ptr<Replica> folder_replica(const ReplicaWorld& world, const std::string& folder);

}  // namespace caddis::harvestserver
