// Remembers that a server does not answer, so that it is left alone for a while: whoever asks next does not wait for it as
// well. Any thread.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "caddis/base/clock.h"
#include "caddis/base/log.h"

namespace caddis::remote {

class WebHealth {
 public:
  static constexpr Duration kLeftAlone = std::chrono::seconds(30);

  // `name` is that of the server in messages.
  WebHealth(const Clock& clock, std::string name) : clock_(clock), name_(std::move(name)) {}

  // Why it is not to be asked now; nothing if it is.
  std::optional<std::string> why_not() const {
    const std::scoped_lock lock(mutex_);
    if (!down_until_ || clock_.steady() >= *down_until_) return std::nullopt;
    return problem_;
  }
  // The last failure, until it answers again; empty if there is none.
  std::string problem() const {
    const std::scoped_lock lock(mutex_);
    return problem_;
  }
  void failed(const std::string& problem) {
    const std::scoped_lock lock(mutex_);
    down_until_ = clock_.steady() + kLeftAlone;
    if (problem_ != problem) log_warn("remote", "{} is not asked for a while: {}", name_, problem);
    problem_ = problem;
  }
  void answered() {
    const std::scoped_lock lock(mutex_);
    if (!problem_.empty()) log_info("remote", "{} answers again", name_);
    down_until_.reset();
    problem_.clear();
  }

 private:
  const Clock& clock_;
  const std::string name_;
  mutable std::mutex mutex_;
  std::optional<SteadyTime> down_until_;
  std::string problem_;
};

}  // namespace caddis::remote
