// An exchange of the proxy with a site: whoever follows it while it comes, and what came of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/fetch_status.h"
#include "caddis/http/exchange.h"

namespace caddis::recording {

// Whoever takes a response while it comes.
class ResponseFollower {
 public:
  virtual ~ResponseFollower() = default;
  // More has come, or nothing more will. It may wait: nothing is read meanwhile.
  virtual aio::Task<void> follow(const http::Exchange& so_far) = 0;
  // Why the rest is not wanted; empty while it is.
  virtual std::string gives_up() const = 0;
};

struct UpstreamFailure {
  FetchStatus status = 0;  // base/fetch_status.h
  std::string error;
  bool is_tls = false;  // the server's certificate or its TLS
  bool is_timeout = false;
};

// A connection that has changed its protocol, and what of it has been read already.
struct Upgraded {
  std::unique_ptr<aio::Stream> stream;
  std::string head, behind;
};

struct UpstreamResult {
  std::optional<http::Exchange> exchange;
  std::optional<Upgraded> upgraded;
  UpstreamFailure failure;  // if there is neither
  std::string cut;          // why we ourselves have cut it
};

// One that came to nothing.
inline UpstreamResult failed(UpstreamFailure failure) {
  UpstreamResult result;
  result.failure = std::move(failure);
  return result;
}

}  // namespace caddis::recording
