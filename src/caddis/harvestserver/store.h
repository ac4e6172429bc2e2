// The files that jobs have brought: a collection (docs/formats/collection.md), which `caddis serve` shows. A file comes in
// pieces into incoming/, and moves to its place when it is whole and its digest is right. What is in its place is never
// replaced by other bytes.
//
// Any thread; pieces of one file one after another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/collection/layout.h"
#include "caddis/io/files.h"

namespace caddis::harvestserver {

class Store {
 public:
  // The folders are made if they are not there.
  static Result<Store> open(io::Files& files, const std::string& data_folder);

  const collection::Layout& layout() const { return layout_; }
  // That of the server.
  const std::string& folder() const { return folder_; }
  // How much of the file is there.
  Result<uint64_t> received(int64_t job, std::string_view name) const;
  // Adds a piece. `at` has to be what was received before: ErrorCode::conflict otherwise.
  Result<uint64_t> add(int64_t job, std::string_view name, uint64_t at, std::string_view bytes) const;
  // ErrorCode::corrupt if it has another digest: the file is to be sent again.
  Result<void> finish(int64_t job, std::string_view name, std::string_view kind, std::string_view sha256) const;
  // Where a file of that kind lies, or will.
  Result<std::string> path_of(std::string_view kind, std::string_view name) const;

 private:
  Store(io::Files& files, std::string folder);
  std::string incoming(int64_t job, std::string_view name) const;

  io::Files* files_;
  std::string folder_;
  collection::Layout layout_;
};

// The SHA-256 of a file, in hexadecimal.
Result<std::string> sha256_of(io::Files& files, const std::string& path);

}  // namespace caddis::harvestserver
