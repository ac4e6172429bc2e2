// Hears what the operator log is told: for logs of a crawl that show its warnings.
#pragma once

#include <functional>
#include <list>
#include <string_view>

#include "caddis/base/log.h"

namespace caddis {

// Hears warnings and errors as long as it lives, whatever is shown. Called on the thread that logs, one message at a
// time; it must not log itself.
class LogTap {
 public:
  using Hear = std::function<void(LogLevel level, std::string_view module, std::string_view message)>;
  explicit LogTap(Hear hear);
  ~LogTap();
  LogTap(const LogTap&) = delete;
  LogTap& operator=(const LogTap&) = delete;

 private:
  std::list<Hear>::iterator place_;
};

}  // namespace caddis
