// Keeps an index equal to one on another server, by its feed of changes (/NAME/changes): a copy that answers queries, or
// stands in if the other is lost. How far it has come stands in the index itself, so that it goes on after a death.
// Access rules (/NAME/access/all) are copied before the changes that are asked for at the same time: no capture is here
// without the rules about it.
//
// One loop; what blocks is done on the workers. All that it is given outlives it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/aio/event.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/cdxserver/index_folder.h"
#include "caddis/io/memory_files.h"
#include "caddis/io/spool.h"
#include "caddis/remote/web_get.h"

namespace caddis::cdxserver {

struct FollowerOptions {
  // The address of the index: http://other.example:8081/myindex. A user and a password in it are sent as Basic, and
  // are in no message.
  std::string primary;
  std::string token;  // sent as Bearer where the address has no user
  Duration every = std::chrono::seconds(10);
  uint64_t bytes = 10 << 20;  // of changes that are asked for at once
};

// The name of the index at that address, there and here.
std::string followed_name(std::string_view primary);

// Changes as the feed has them.
Result<std::vector<store::SortedStore::Change>> parse_changes(std::string_view json);

class Follower {
 public:
  Follower(aio::Loop& loop, aio::Blocking& workers, IndexFolder& folder, FollowerOptions options);

  // Follows until `stop`. Failures are logged once each, and tried again.
  aio::Task<void> run();
  void stop();
  // One step: the number of changes that were taken. ErrorCode::conflict if the other index can be followed no more.
  aio::Task<Result<uint64_t>> step();

 private:
  remote::WebRequest request_of(const std::string& path) const;
  std::unexpected<Error> refused(const std::string& path, int status, const std::string& more) const;
  aio::Task<Result<std::string>> ask(std::string path);
  aio::Task<Result<void>> copy_rules();

  aio::Loop& loop_;
  aio::Blocking& workers_;
  IndexFolder& folder_;
  const FollowerOptions options_;
  const std::string address_;  // without its user
  const std::string login_;    // the field Authorization; empty: none
  const std::string name_;     // of the index, there and here
  io::MemoryFiles files_;      // never used: answers are shorter than what a spool holds in memory
  io::SpoolFolder spools_{files_, "spool"};
  remote::WebGet remote_;
  std::shared_ptr<ServedIndex> index_;
  std::string rules_tag_;  // of the rules that were copied last
  aio::Event woken_;
  bool stopping_ = false;
};

}  // namespace caddis::cdxserver
