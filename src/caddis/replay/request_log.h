// The access log: a line for each request, in the combined log format of Apache and nginx.
//
//   192.0.2.1 - alice [02/Jan/2026:03:04:05 +0000] "GET /c/ HTTP/1.1" 200 1234 "http://…" "curl/8"
//
// It has what was sent: the status, and the bytes of the body. A line whose body failed in the middle ends with " cut", one
// whose client left before it had all with " left"; status 499 stands for nothing that was sent to it.
//
// At its limit the file is moved to `<file>.1`, that to `.2`, and so on; the oldest goes. If somebody moves it away
// (logrotate), another one is begun within a second: no signal is needed.
//
// Any thread; `write` blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/io/files.h"

namespace caddis::replay {

struct RequestLogOptions {
  std::string file;                // empty: none is written
  uint64_t largest = 100'000'000;  // 0: it is never moved
  int kept = 10;                   // files besides the one that is written
  std::string base = {};           // the path below which the server stands
};

class RequestLog {
 public:
  // ErrorCode::io if the file cannot be written.
  static Result<std::unique_ptr<RequestLog>> open(io::Files& files, const Clock& clock, RequestLogOptions options);

  bool is_written() const { return !options_.file.empty(); }
  // A failure is told in the log of the program, once a minute at most.
  void write(const http::ServerRequest& request, std::string_view address, std::string_view user,
             const http::SentResponse& sent);

 private:
  RequestLog(io::Files& files, const Clock& clock, RequestLogOptions options)
      : files_(files), clock_(clock), options_(std::move(options)) {}
  Result<void> append(std::string_view line);
  Result<void> move_on();

  io::Files& files_;
  const Clock& clock_;
  const RequestLogOptions options_;
  std::mutex mutex_;  // guards what follows
  std::unique_ptr<io::File> file_;
  uint64_t size_ = 0;
  SteadyTime looked_{}, told_{};
};

// The line, with its end. Nothing in it can end it or be taken for another field.
std::string request_log_line(const http::ServerRequest& request, std::string_view address, std::string_view user,
                             WallTime now, const http::SentResponse& sent, std::string_view base = {});

}  // namespace caddis::replay
