// GET requests to servers whose answers fit into memory: an index that is followed. One loop.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"

namespace caddis::cdxserver {

class RemoteGet {
 public:
  struct Answer {
    int status = 0;
    std::string body;  // without transfer coding
  };

  explicit RemoteGet(aio::Loop& loop);
  ~RemoteGet();
  RemoteGet(const RemoteGet&) = delete;
  RemoteGet& operator=(const RemoteGet&) = delete;

  // Errors name the address. ErrorCode::limit for a longer body, ErrorCode::config for what is no address of http or
  // https. Certificates have to be trusted.
  aio::Task<Result<Answer>> get(std::string address, uint64_t max_body);
  // Ends what runs.
  void abort();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace caddis::cdxserver
