// A group on its way to disk: bytes for streams, rows for the key-value store, and writes that only the worker can do.
//
// Filled by participants on the loop; then the worker's alone, until it is durable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/commit/participant.h"
#include "caddis/commit/staged_write.h"
#include "caddis/store/kv.h"
#include "caddis/store/streams.h"

namespace caddis::commit {

class CommitGroup {
 public:
  struct Facts {
    GroupNumber number = 0;
    uint64_t memory = 0;        // bytes that it holds, as those who gave them said
    bool closes_files = false;  // files that are begun one after the other are closed: none stays open behind the group
  };
  explicit CommitGroup(Facts facts) : facts_(facts) {}

  GroupNumber number() const { return facts_.number; }
  uint64_t memory() const { return facts_.memory; }
  bool closes_files() const { return facts_.closes_files; }

  // Bytes for the end of a stream. Nothing happens if there are none.
  void append(store::StreamId stream, std::string bytes);
  // The bytes staged for the stream so far, by participants registered before. The view is good until more is staged.
  std::string_view appended(store::StreamId stream) const;
  // Called before the staged bytes are appended, in the order in which writes are added.
  void add(std::unique_ptr<StagedWrite> write) { writes_.push_back(std::move(write)); }
  store::Batch& batch() { return batch_; }

  const std::vector<std::unique_ptr<StagedWrite>>& writes() const { return writes_; }
  const std::vector<std::pair<std::string, std::string>>& bytes() const { return bytes_; }

 private:
  Facts facts_;
  std::vector<std::unique_ptr<StagedWrite>> writes_;
  std::vector<std::pair<std::string, std::string>> bytes_;  // by stream
  store::Batch batch_;
};

}  // namespace caddis::commit
