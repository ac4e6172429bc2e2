// Checks passwords on the workers, a few at a time: scrypt takes 32 MB and tens of milliseconds, and strangers may ask.
// One that was right is remembered for some minutes, as a digest under a key of this process, for clients that send it
// with each request.
//
// One loop.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "caddis/access/user_file.h"
#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"

namespace caddis::access {

class PasswordCheck {
 public:
  enum class Outcome { right, wrong, busy };  // busy: too many are being checked
  PasswordCheck(aio::Loop& loop, aio::Blocking& workers);

  // A name that nobody has takes as long as one that somebody has.
  aio::Task<Outcome> check(std::shared_ptr<const UserFile> users, std::string name, std::string password);

 private:
  aio::Loop& loop_;
  aio::Blocking& workers_;
  const std::string key_;
  std::map<std::string, SteadyTime, std::less<>> right_;  // until when
  size_t running_ = 0;
};

}  // namespace caddis::access
