// Hands changes of jobs to those who follow them: server-sent events (the HTML standard, section 9.2), one stream a
// follower. A follower that is slow gets the latest state of each job, not each state that there was.
//
// One loop, but for `post`.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "caddis/aio/event.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/http/server.h"

namespace caddis::engine {

class EventHub {
 public:
  explicit EventHub(aio::Loop& loop) : loop_(loop), changed_(loop) {}

  // The latest of a job: its Summary as JSON, or empty if it is gone. Any thread.
  void post(std::string job, std::string summary);
  // A stream that begins with every job.
  http::ServerResponse follow();
  // Wakes followers every 15 s, so that connections that nobody reads are noticed. Ends with `close`.
  aio::Task<void> beat();
  // Ends all streams.
  void close();

 private:
  struct Latest {
    uint64_t number = 0;  // of the change
    std::string summary;  // empty: it is gone
  };
  aio::Task<Result<void>> write_all(http::BodySink& sink);
  std::string events_since(uint64_t& number) const;

  static constexpr size_t kMostFollowers = 200;
  aio::Loop& loop_;
  aio::Event changed_;
  std::map<std::string, Latest> latest_;
  uint64_t number_ = 0, beats_ = 0;
  size_t followers_ = 0;
  bool is_closed_ = false;
};

}  // namespace caddis::engine
